public import Clinical

/// The people who own or bring animals.
public struct ClientStore {
  let connection: Connection

  /// Inserts or updates a client under `client.id` of the source.
  public func upsert(_ client: Client, source: Int64) throws(StoreError) -> Upserted {
    try connection.transaction { () throws(StoreError) in
      let result = try connection.upsert(
        .client, source: source, id: client.id, columns: ["name", "name_key", "phone", "email", "address"],
        children: Self.canonical(client),
        values: client.name, client.name.searchKey, client.phone, client.email, client.address)
      if result.outcome != .unchanged { try replacePhones(of: result.rowID, by: client) }
      return result
    }
  }

  /// The numbers that need rows of their own: one without a label is in the client's row.
  private static func labelled(_ client: Client) -> [ClientPhone] {
    client.phones.count > 1 || client.phones.first?.label != nil ? client.phones : []
  }

  private static func canonical(_ client: Client) -> CanonicalBytes {
    var canonical = CanonicalBytes()
    for phone in labelled(client) {
      canonical.append("phone")
      phone.label.append(to: &canonical)
      canonical.append(phone.number)
    }
    return canonical
  }

  private func replacePhones(of row: Int64, by client: Client) throws(StoreError) {
    try connection.execute("DELETE FROM client_phone WHERE client_id = ?", row)
    for (ordinal, phone) in Self.labelled(client).enumerated() {
      try connection.execute(
        "INSERT INTO client_phone (client_id, ordinal, label, number) VALUES (?, ?, ?, ?)", row, ordinal, phone.label,
        phone.number)
    }
  }

  /// Adds the numbers that are rows of their own.
  private func complete(_ clients: [Stored<Client>]) throws(StoreError) -> [Stored<Client>] {
    var completed: [Stored<Client>] = []
    completed.reserveCapacity(clients.count)
    for client in clients {
      let phones = try connection.rows(
        "SELECT label, number FROM client_phone WHERE client_id = ? ORDER BY ordinal", client.rowID
      ) { ClientPhone($0.text(1), label: $0.optionalText(0)) }
      guard !phones.isEmpty else {
        completed.append(client)
        continue
      }
      var value = client.value
      value.phones = phones
      completed.append(Stored(rowID: client.rowID, patientRowID: nil, value: value))
    }
    return completed
  }

  public func client(row: Int64) throws(StoreError) -> Stored<Client>? {
    try complete(try connection.rows("\(Self.selection) WHERE record.id = ?", row, read: Self.read)).first
  }

  /// Those with this id; several only when sources share it.
  public func clients(id: String) throws(StoreError) -> [Stored<Client>] {
    var found: [Stored<Client>] = []
    for row in try connection.recordIDs.candidates(.client, id) {
      if let client = try client(row: row) { found.append(client) }
    }
    return found
  }

  /// Those with this whole name, however it is typed (see ``NameKey``), in the order they came.
  public func clients(named name: String) throws(StoreError) -> [Stored<Client>] {
    try complete(
      try connection.named(name, like: \.value.name) { key throws(StoreError) in
        let keys = NameKey.range(key)
        return try connection.rows(
          "\(Self.selection) WHERE record.name_key >= ? AND record.name_key < ? ORDER BY record.id", keys.first,
          keys.end, read: Self.read)
      })
  }

  /// Those who have the longest word of a name in theirs, however it is typed, in the order they came.
  public func clients(sharingAWordWith name: String) throws(StoreError) -> [Stored<Client>] {
    guard let longest = NameKey.words(name).max(by: { $0.utf8.count < $1.utf8.count }) else { return [] }
    return try complete(
      try connection.rows(
        "\(Self.selection) WHERE instr(record.name_key || ' ', ' ' || ? || ' ') > 0 ORDER BY record.id", longest,
        read: Self.read))
  }

  /// All, in the order they came.
  public func list() throws(StoreError) -> [Stored<Client>] {
    try complete(try connection.rows("\(Self.selection) ORDER BY record.id", read: Self.read))
  }

  public func count() throws(StoreError) -> Int { Int(try connection.number("SELECT count(*) FROM client")) }

  /// The owner's row; an owner who isn't there yet is entered with the id and the name the patient came with, to be
  /// completed when the list of clients is imported.
  func rowForOwner(id: String, name: String?, source: Int64) throws(StoreError) -> Int64 {
    if let row = try connection.recordIDs.row(.client, id, preferring: source) { return row }
    // No content hash: whatever the client's own record says later is a change.
    try connection.execute(
      "INSERT INTO client (source_id, external_id, content_hash, name, name_key) VALUES (?, ?, ?, ?, ?)",
      source, id, [UInt8](), name ?? id, (name ?? id).searchKey)
    return connection.lastInsertedRowID
  }

  private static let selection = """
    SELECT record.id, \(RecordIDs.expression("record", .client)), record.name, record.phone, record.email,
      record.address
    FROM client AS record
    """

  private static func read(_ row: Statement) throws(StoreError) -> Stored<Client> {
    Stored(
      rowID: row.int64(0), patientRowID: nil,
      value: Client(
        id: row.text(1), name: row.text(2), phone: row.optionalText(3), email: row.optionalText(4),
        address: row.optionalText(5)))
  }
}

extension Connection {
  public var clients: ClientStore { ClientStore(connection: self) }
}
