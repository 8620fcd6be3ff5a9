public import Clinical

extension PatientStore {
  /// Those that `text` may mean: by id, else by microchip, else by the whole name, else by "name owner" (`Bella Smith`),
  /// else by a name that begins so. The first of these that finds anybody decides.
  ///
  /// More than one result is a question to ask, never a choice to make. With `most` no more need be read of those whose name only
  /// begins so.
  public func matching(_ text: String, most: Int? = nil) throws(StoreError) -> [Stored<Patient>] {
    func beginning(_ text: String) throws(StoreError) -> [Stored<Patient>] {
      try patients(namePrefix: text, most: most)
    }
    let searches: [(String) throws(StoreError) -> [Stored<Patient>]] = [
      patients(id:), patients(microchip:), patients(named:), patients(nameAndOwner:),
      beginning,
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

  /// The patients of a source who have a microchip that is meant for another of its patients.
  public func others(withMicrochip microchip: String, than id: String, source: Int64) throws(StoreError) -> [String] {
    try connection.rows(
      "SELECT external_id FROM patient WHERE microchip = ? AND source_id = ? AND external_id <> ? ORDER BY id",
      microchip, source, id, read: { $0.text(0) })
  }

  /// The microchips that several patients have, each with their ids as they are shown.
  public func sharedMicrochips() throws(StoreError) -> [[String]] {
    let chips = try connection.rows(
      "SELECT microchip FROM patient WHERE microchip IS NOT NULL GROUP BY microchip HAVING count(*) > 1 ORDER BY min(id)",
      read: { $0.text(0) })
    var shared: [[String]] = []
    for chip in chips { shared.append(try patients(microchip: chip).map(\.value.id)) }
    return shared
  }

  /// Those with this whole name, however it is typed; see ``NameKey``.
  public func patients(named name: String) throws(StoreError) -> [Stored<Patient>] {
    try connection.named(name, like: \.value.name) { key throws(StoreError) in
      let keys = NameKey.range(key)
      return try select("record.name_key >= ? AND record.name_key < ?", keys.first, keys.end)
    }
  }

  /// Those whose name begins like this, however it is typed; `most` of them at most.
  public func patients(namePrefix prefix: String, most: Int? = nil) throws(StoreError) -> [Stored<Patient>] {
    let key = NameKey.compact(prefix)
    guard !key.isEmpty else { return [] }
    // U+10FFFF is the last code point, in UTF-8's order too: no name is longer than the prefix and greater.
    var found = try select("record.name_key >= ? AND record.name_key < ?", key, key + "\u{10FFFF}", most: most)
    // "Mue" may be the beginning of "Müller".
    if found.count < most ?? .max, let other = NameKey.otherCompact(prefix) {
      let spelling = NameKey.spelledOut(prefix)
      let known = Set(found.map(\.rowID))
      found += try select("record.name_key >= ? AND record.name_key < ?", other, other + "\u{10FFFF}")
        .filter { !known.contains($0.rowID) && NameKey.spelledOut($0.value.name).hasPrefix(spelling) }
    }
    return found
  }

  /// Those whose owner has this whole name or this last name, however it is typed. "Müller, Jörg" and "Strauß Anna" have it in
  /// front, where others have their first name: such are found where there are no others, and beside these with `listsAll`.
  /// With `most` no more of the former need be read.
  public func patients(
    ownerNamed name: String, listsAll: Bool = false, most: Int? = nil
  ) throws(StoreError) -> [Stored<Patient>] {
    let words = NameKey.words(name)
    guard !words.isEmpty else { return [] }
    var found = try select(Self.ownerCondition, words.joined(), " " + words.joined(separator: " "), most: most)
    if let most, found.count >= most { return found }
    // "Boe" may be "Bø", as the end of a name may be an umlaut.
    if let other = NameKey.otherCompact(name) {
      let spelling = NameKey.spelledOut(name)
      let known = Set(found.map(\.rowID))
      let ending = words.dropLast() + [String(other.dropFirst(words.dropLast().joined().count))]
      found += try select(Self.ownerCondition, other, " " + ending.joined(separator: " ")).filter {
        !known.contains($0.rowID) && NameKey.spelledOut($0.value.ownerName ?? "").hasSuffix(spelling)
      }
    }
    guard found.isEmpty || listsAll else { return found }
    let front = words.joined(separator: " ")
    let known = Set(found.map(\.rowID))
    let condition = "instr(record.owner_name_key, ' ' || ?1 || ' ') > 0 OR instr(owner.name_key, ' ' || ?1 || ' ') > 0"
    return found
      + (try select(condition, front).filter { patient in
        !known.contains(patient.rowID)
          && NameKey.words(patient.value.ownerName ?? "").joined(separator: " ").hasPrefix(front + " ")
      })
  }

  /// Those with the name that the first words say, and an owner with the name that the rest says.
  func patients(nameAndOwner text: String) throws(StoreError) -> [Stored<Patient>] {
    let words = text.split(whereSeparator: \.isWhitespace)
    for count in 1..<max(1, words.count) {
      let owned = Set(
        try patients(ownerNamed: words.dropFirst(count).joined(separator: " ")).map(\.rowID))
      if owned.isEmpty { continue }
      let found = try patients(named: words.prefix(count).joined(separator: " ")).filter { owned.contains($0.rowID) }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// `?1` is the owner's whole name without spaces, `?2` its words after a space: a surname stands at the end.
  private static let ownerCondition = """
    substr(record.owner_name_key, 1, length(?1) + 1) = ?1 || ' ' OR substr(record.owner_name_key, -length(?2)) = ?2
      OR substr(owner.name_key, 1, length(?1) + 1) = ?1 || ' ' OR substr(owner.name_key, -length(?2)) = ?2
    """

  private func select<each Value: Bindable>(
    _ condition: String, _ values: repeat each Value, most: Int? = nil
  ) throws(StoreError) -> [Stored<Patient>] {
    try connection.rows(
      "\(Self.selection) WHERE \(condition) ORDER BY record.name_key, record.id LIMIT \(most ?? -1)",
      repeat each values, read: Self.read)
  }
}
