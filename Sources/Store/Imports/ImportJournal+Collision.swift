public import Clinical

/// An id is only as good as the program that gave it: some number visits, some begin again at 1 in every practice.
extension ImportJournal {
  /// Whether a row can't be about the record that is on file under its id: it states what tells such records apart, and agrees
  /// in none of it, neither with the record nor with what its source said of it before.
  ///
  /// A row about which no more can be said than that one field differs is a change, not a collision.
  public func isAnother(
    _ record: any ImportedRecord, stated: StatedFields, source: Int64
  ) throws(StoreError) -> Bool {
    try isAnother(record.withFields, stated, source)
  }

  /// Whether a row says something else than what its source said last about the record on file under its id, in a field of which
  /// it said anything.
  public func contradicts(
    _ record: any ImportedRecord, stated: StatedFields, source: Int64
  ) throws(StoreError) -> Bool {
    try !news(record, stated: stated, source: source) { said, field in said.contains(field) }.isEmpty
  }

  /// The fields of which a row says something that its source has not said last, and that is not on file.
  public func news(_ record: any ImportedRecord, stated: StatedFields, source: Int64) throws(StoreError) -> Set<String>
  {
    try news(record, stated: stated, source: source) { _, _ in true }
  }

  private func news(
    _ record: any ImportedRecord, stated: StatedFields, source: Int64, where counts: (SaidFields, String) -> Bool
  ) throws(StoreError) -> Set<String> {
    try news(record.withFields, stated, source, counts)
  }

  /// What the record on file under the id of a row has in a field, as text; nil for no record or nothing.
  public func content(of field: String, of record: any ImportedRecord, source: Int64) throws(StoreError) -> String? {
    if let record = record as? Client, field.hasPrefix("phone") {
      let label = StatedFields.phoneLabels(in: [field]).first ?? ""
      return try stored(record, source)?.value.phones.first { ($0.label ?? "") == label }?.number
    }
    return try words(of: field, of: record.withFields, source)
  }

  /// Whether a source said last of a record on file that a field is that text, and nobody else did.
  public func isSaid(_ field: String, _ text: String, of table: RecordTable, row: Int64) throws(StoreError) -> Bool {
    let said = try connection.first(
      "SELECT said FROM \(table.rawValue) WHERE id = ?", row, read: { $0.isNull(0) ? nil : $0.bytes(0) })
    return SaidFields(stored: said ?? nil).says(.text(text), of: field)
  }

  // MARK: Parts

  private func words<Record: StoredFields>(
    of field: String, of record: Record, _ source: Int64
  ) throws(StoreError) -> String? {
    try stored(record, source)?.value.words(field)
  }

  private func stored<Record: StoredFields>(
    _ record: Record, _ source: Int64
  ) throws(StoreError) -> (value: Record, said: SaidFields)? {
    let table = Record.table.rawValue
    let found = try connection.first(
      "SELECT id, said FROM \(table) WHERE external_id = ? AND source_id = ?", record.id, source,
      read: { (row: $0.int64(0), said: $0.isNull(1) ? nil : $0.bytes(1)) })
    guard let found, let value = try Record.recorded(row: found.row, in: connection) else { return nil }
    return (value, SaidFields(stored: found.said))
  }

  private func isAnother<Record: StoredFields>(
    _ record: Record, _ stated: StatedFields, _ source: Int64
  ) throws(StoreError) -> Bool {
    guard let (current, said) = try stored(record, source) else { return false }
    // An owner of whom only a patient's row has told: the name may be no more than the id.
    if said == SaidFields(), try isPlaceholder(Record.table, record.id, source) { return false }
    var compared: [String] = []
    for name in Record.table.tellingFields {
      guard stated.given.contains(name) || (name == "phone" && stated.given.contains { $0.hasPrefix("phone:") }),
        let field = Record.field(name)
      else { continue }
      let theirs = field.read(record)
      let ours = field.read(current)
      guard theirs != .none, ours != .none, theirs != .list([]), ours != .list([]) else { continue }
      if theirs.isSame(as: ours, in: name) || said.says(theirs, of: name) { return false }
      compared.append(name)
    }
    return compared.count > 1 && compared.first == Record.table.tellingFields.first
  }

  private func isPlaceholder(_ table: RecordTable, _ id: String, _ source: Int64) throws(StoreError) -> Bool {
    guard table == .client else { return false }
    return try connection.exists(
      "SELECT 1 FROM client WHERE external_id = ? AND source_id = ? AND length(content_hash) = 0", id, source)
  }

  private func news<Record: StoredFields>(
    _ record: Record, _ stated: StatedFields, _ source: Int64, _ counts: (SaidFields, String) -> Bool
  ) throws(StoreError) -> Set<String> {
    guard let (current, said) = try stored(record, source) else { return [] }
    var news: Set<String> = []
    for field in Record.fields where stated.given.contains(field.name) {
      let content = field.read(record)
      if content != .none, content != field.read(current), !said.says(content, of: field.name),
        counts(said, field.name)
      {
        news.insert(field.name)
      }
    }
    for phone in (record as? Client)?.phones ?? [] {
      let field = StatedFields.phone(labelled: phone.label)
      if stated.given.contains(field), !said.says(.text(phone.number), of: field), counts(said, field) {
        news.insert(field)
      }
    }
    return news
  }
}

extension RecordTable {
  /// What tells records of one kind apart, the first above all.
  fileprivate var tellingFields: [String] {
    switch self {
    case .client: ["name", "phone", "email", "address"]
    case .patient: ["name", "species", "date_of_birth", "microchip"]
    case .location: ["name", "address"]
    case .staff: ["name", "role"]
    case .resource: ["name", "kind"]
    case .note: ["patient_id", "recorded_at", "text"]
    case .intake: ["text", "received_at", "patient_id"]
    case .appointment: ["patient_id", "start", "reason"]
    }
  }
}

extension StoredFields {
  /// A field as a file writes it, where that is one text or number.
  fileprivate func words(_ field: String) -> String? {
    switch Self.field(field)?.read(self) {
    case .text(let text)?: text
    case .number(let number)?: Int(exactly: number).map(String.init) ?? "\(number)"
    default: nil
    }
  }
}

extension FieldContent {
  /// Whether two contents of a field speak for the same record: a name however it is typed, one telephone number of several, a
  /// text that goes on where the other ends, a species that nobody could name.
  fileprivate func isSame(as other: FieldContent, in field: String) -> Bool {
    if self == other { return true }
    switch (field, self, other) {
    case ("species", .text(let one), .text(let other)): return [one, other].contains(Species.other.rawValue)
    case ("name", .text(let one), .text(let other)): return one.isSameName(as: other)
    case (_, .text(let one), .text(let other)): return one.hasPrefix(other) || other.hasPrefix(one)
    case ("phone", .list(let ones), .list(let others)):
      return !Set(ones.map { $0["number"] }).isDisjoint(with: others.map { $0["number"] })
    default: return false
    }
  }
}
