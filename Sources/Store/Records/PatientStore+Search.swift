public import Clinical

extension PatientStore {
  /// Those that `text` may mean: by id, else by microchip, else by the whole name, else by "name owner" (`Bella Smith`),
  /// else by a name that begins so. The first of these that finds anybody decides.
  ///
  /// More than one result is a question to ask, never a choice to make.
  public func matching(_ text: String) throws(StoreError) -> [Stored<Patient>] {
    let searches: [(String) throws(StoreError) -> [Stored<Patient>]] = [
      patients(id:), patients(microchip:), patients(named:), patients(nameAndOwner:), patients(namePrefix:),
    ]
    for search in searches {
      let found = try search(text)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Those with this id; several only when sources share it.
  public func patients(id: String) throws(StoreError) -> [Stored<Patient>] {
    var found: [Stored<Patient>] = []
    for row in try connection.recordIDs.candidates(.patient, id) {
      if let patient = try patient(row: row) { found.append(patient) }
    }
    return found
  }

  public func patients(microchip: String) throws(StoreError) -> [Stored<Patient>] {
    try select("record.microchip = ?", microchip)
  }

  /// Those with this whole name, letters' case aside.
  public func patients(named name: String) throws(StoreError) -> [Stored<Patient>] {
    try select("record.name_key = ?", name.searchKey)
  }

  /// Those whose name begins like this, letters' case aside.
  public func patients(namePrefix prefix: String) throws(StoreError) -> [Stored<Patient>] {
    let key = prefix.searchKey
    guard !key.isEmpty else { return [] }
    // U+10FFFF is the last code point, in UTF-8's order too: no name is longer than the prefix and greater.
    return try select("record.name_key >= ? AND record.name_key < ?", key, key + "\u{10FFFF}")
  }

  /// Those whose owner has this whole name or this last name, letters' case aside.
  public func patients(ownerNamed name: String) throws(StoreError) -> [Stored<Patient>] {
    let key = name.searchKey
    guard !key.isEmpty else { return [] }
    return try select(Self.ownerCondition, key, " " + key)
  }

  /// Those with the name that the first words say, and an owner with the name that the rest says.
  func patients(nameAndOwner text: String) throws(StoreError) -> [Stored<Patient>] {
    let words = text.searchKey.split(separator: " ")
    for count in 1..<max(1, words.count) {
      let name = words.prefix(count).joined(separator: " ")
      let owner = words.dropFirst(count).joined(separator: " ")
      let found = try select("record.name_key = ?3 AND (\(Self.ownerCondition))", owner, " " + owner, name)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// `?1` is the owner's name, `?2` the same after a space: a surname stands at the end.
  private static let ownerCondition = """
    record.owner_name_key = ?1 OR substr(record.owner_name_key, -length(?2)) = ?2
      OR owner.name_key = ?1 OR substr(owner.name_key, -length(?2)) = ?2
    """

  private func select<each Value: Bindable>(
    _ condition: String, _ values: repeat each Value
  ) throws(StoreError) -> [Stored<Patient>] {
    try connection.rows(
      "\(Self.selection) WHERE \(condition) ORDER BY record.name_key, record.id", repeat each values, read: Self.read)
  }
}
