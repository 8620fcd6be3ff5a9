public import Clinical

/// Two records of one animal made one, and taken apart again.
///
/// What the other record held moves: notes, appointments, intakes, assessments, encounters, what waits in the inbox. Its own row goes, kept
/// whole in the entry of the merge, and its id finds the one that is left.
public struct PatientMerges {
  let connection: Connection

  /// A merge that stands.
  public struct Entry: Hashable, Sendable {
    public let rowID: Int64
    /// The row of the patient that is left.
    public let kept: Int64
    /// The id of the one that went, as its source gave it.
    public let externalID: String
    public let source: Int64
    public let mergedAt: Timestamp
  }

  /// What moved, or what stayed when it was to move back.
  public struct Outcome: Hashable, Sendable {
    /// By table.
    public var moved: [String: Int] = [:]
    /// Columns that had been changed since, and stay.
    public var kept: [String] = []
  }

  /// What a merge did, as the file keeps it.
  private struct Parts: Codable {
    /// Rows that went: a table, its columns, and values as SQL writes them.
    struct Row: Codable {
      var table: String
      var columns: [String]
      var values: [String]
    }

    /// Of one whose record went before it came into this file.
    static let notHere: Int64 = 0

    var patient: Int64
    var rows: [Row] = []
    var moved: [String: [Int64]] = [:]
    /// Candidates of items of the inbox, by item and place.
    var candidates: [[Int64]] = []
    /// Tags that the patient who is left got.
    var tags: [Int64] = []
    /// Columns of the patient who is left: before and after, as SQL writes them.
    var fields: [String: [String]] = [:]
  }

  /// Tables whose rows are about a patient, with the column that says so.
  private static let moving = [
    "note", "appointment", "intake", "assessment", "note_version", "inbox_item", "encounter", "photo",
  ]

  /// The row of the patient that an id means which went in a merge; nil for others.
  public func kept(id: String, source: Int64) throws(StoreError) -> Int64? {
    try connection.first(
      "SELECT kept_id FROM patient_merge WHERE external_id = ? AND source_id = ?", id, source
    ) { $0.int64(0) }
  }

  /// The merges whose id is that; several only when sources share it.
  public func entries(id: String) throws(StoreError) -> [Entry] {
    try connection.rows(
      """
      SELECT merged.id, merged.kept_id, merged.external_id, merged.source_id, merged.merged_at
      FROM patient_merge AS merged JOIN source ON source.id = merged.source_id
      WHERE merged.external_id = ?1 OR source.name || ':' || merged.external_id = ?1 ORDER BY merged.id
      """, id, read: Self.readEntry)
  }

  /// The rows of the patients that an id means which went in a merge.
  func rows(id: String) throws(StoreError) -> [Int64] {
    var rows: [Int64] = []
    for entry in try entries(id: id) where !rows.contains(entry.kept) { rows.append(entry.kept) }
    return rows
  }

  /// The ids that find a patient beside its own, the oldest merge first.
  public func aliases(of patient: Int64) throws(StoreError) -> [String] {
    try connection.rows("SELECT external_id FROM patient_merge WHERE kept_id = ? ORDER BY id", patient) { $0.text(0) }
  }

  /// The same with their sources' names.
  public func origins(of patient: Int64) throws(StoreError) -> [(id: String, source: String)] {
    try connection.rows(
      """
      SELECT merged.external_id, source.name FROM patient_merge AS merged JOIN source ON source.id = merged.source_id
      WHERE merged.kept_id = ? ORDER BY merged.id
      """, patient
    ) { ($0.text(0), $0.text(1)) }
  }

  /// An id that went in a merge, as another file told of it: its own record isn't here.
  public struct FormerID: Hashable, Sendable {
    public let id: String
    public let source: String
    public let mergedAt: Timestamp
    public let actor: String
    public let reason: String

    public init(id: String, source: String, mergedAt: Timestamp, actor: String, reason: String) {
      self.id = id
      self.source = source
      self.mergedAt = mergedAt
      self.actor = actor
      self.reason = reason
    }
  }

  /// The ids that went in merges into a patient, the oldest merge first.
  public func formerIDs(of patient: Int64) throws(StoreError) -> [FormerID] {
    try connection.rows(
      """
      SELECT merged.external_id, source.name, merged.merged_at, merged.actor, merged.reason
      FROM patient_merge AS merged JOIN source ON source.id = merged.source_id WHERE merged.kept_id = ? ORDER BY merged.id
      """, patient
    ) { FormerID(id: $0.text(0), source: $0.text(1), mergedAt: $0.timestamp(2), actor: $0.text(3), reason: $0.text(4)) }
  }

  /// Has an id find a patient; one that is a record's, or finds somebody already, is left as it is.
  ///
  /// - Returns: false where it was left.
  public func bring(_ former: FormerID, to patient: Int64) throws(StoreError) -> Bool {
    let source = try connection.sources.id(named: former.source)
    let isOnFile = try connection.exists(
      "SELECT 1 FROM patient WHERE external_id = ? AND source_id = ?", former.id, source)
    guard !isOnFile, try kept(id: former.id, source: source) == nil else { return false }
    try connection.execute(
      """
      INSERT INTO patient_merge (kept_id, source_id, external_id, merged_at, actor, reason, parts)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """, patient, source, former.id, former.mergedAt, former.actor, former.reason,
      try FieldJSON.encode(Parts(patient: Parts.notHere)))
    return true
  }

  /// Has these ids and no others find a patient, of those whose own record another file merged.
  func setFormerIDs(_ former: [FormerID], of patient: Int64) throws(StoreError) {
    let kept = try formerIDs(of: patient)
    for gone in kept where !former.contains(gone) {
      try connection.execute(
        """
        DELETE FROM patient_merge WHERE kept_id = ? AND external_id = ?
          AND source_id = (SELECT id FROM source WHERE name = ?)
        """, patient, gone.id, gone.source)
    }
    for new in former where !kept.contains(new) { _ = try bring(new, to: patient) }
    connection.writtenRecords.touch(.patient, patient)
  }

  /// Gives what a patient still has to the one that it was merged into elsewhere.
  func follow(_ patient: Int64, to kept: Int64) throws(StoreError) {
    var parts = Parts(patient: patient)
    for table in Self.moving {
      parts.moved[table] = try connection.rows(
        "SELECT id FROM \(table) WHERE patient_id = ? ORDER BY id", patient, read: { $0.int64(0) })
    }
    try move(parts, from: patient, to: kept)
  }

  /// Makes `other` a part of `patient`, who gets the values of `columns` from it. Notes that moved have to be indexed anew.
  ///
  /// - Throws: ``StoreError/Code/alteredRecord`` for a record that is not what was written.
  public func merge(
    _ other: Int64, into patient: Int64, taking columns: [String], reason: String, at moment: Timestamp, actor: String
  ) throws(StoreError) -> Outcome {
    try connection.transaction { () throws(StoreError) in
      for row in [patient, other] { try connection.recordHashes.requireSound(.patient, row) }
      var parts = Parts(patient: other)
      parts.rows =
        try rows("patient", where: "id = \(other)")
        + rows("import_change", where: "kind = 'patient' AND row_id = \(other)")
        + rows("tagged", where: "kind = 'patient' AND row_id = \(other)")
      for table in Self.moving {
        parts.moved[table] = try connection.rows(
          "SELECT id FROM \(table) WHERE patient_id = ? ORDER BY id", other, read: { $0.int64(0) })
      }
      parts.candidates = try connection.rows(
        "SELECT item_id, ordinal FROM inbox_candidate WHERE patient_id = ? ORDER BY item_id, ordinal", other,
        read: { [$0.int64(0), $0.int64(1)] })
      parts.moved["patient_merge"] = try connection.rows(
        "SELECT id FROM patient_merge WHERE kept_id = ? ORDER BY id", other, read: { $0.int64(0) })
      parts.tags = try connection.rows(
        """
        SELECT tag_id FROM tagged WHERE kind = 'patient' AND row_id = ?1 AND tag_id NOT IN (
          SELECT tag_id FROM tagged WHERE kind = 'patient' AND row_id = ?2) ORDER BY tag_id
        """, other, patient, read: { $0.int64(0) })
      try move(parts, from: other, to: patient)
      for tag in parts.tags {
        try connection.execute("INSERT INTO tagged (tag_id, kind, row_id) VALUES (?, 'patient', ?)", tag, patient)
      }
      parts.fields = try take(columns, of: other, into: patient)
      let origin = try connection.first(
        "SELECT external_id, source_id FROM patient WHERE id = ?", other,
        read: { (id: $0.text(0), source: $0.int64(1)) })
      guard let origin else { throw StoreError(.unknownRecord, context: "patient row \(other)") }
      try connection.execute("DELETE FROM patient WHERE id = ?", other)
      try connection.execute(
        """
        INSERT INTO patient_merge (kept_id, source_id, external_id, merged_at, actor, reason, parts)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """, patient, origin.source, origin.id, moment, actor, reason, try FieldJSON.encode(parts))
      connection.writtenRecords.touch(.patient, patient)
      try connection.markRemovedText()
      return Outcome(moved: parts.moved.mapValues(\.count).filter { $0.value > 0 })
    }
  }

  /// Takes a merge back: what came from the other record goes back to it, unless it went elsewhere since; what was added since
  /// stays. Notes that moved have to be indexed anew.
  public func split(_ entry: Entry) throws(StoreError) -> Outcome {
    try connection.transaction { () throws(StoreError) in
      let text = try connection.first("SELECT parts FROM patient_merge WHERE id = ?", entry.rowID, read: { $0.text(0) })
      guard let text else { throw StoreError(.unknownRecord, context: "merge \(entry.rowID)") }
      var parts = try FieldJSON.decode(text, as: Parts.self)
      guard parts.patient != Parts.notHere else { throw StoreError(.unknownRecord, context: entry.externalID) }
      try connection.recordHashes.requireSound(.patient, entry.kept)
      let isTaken = try connection.exists("SELECT 1 FROM patient WHERE id = ?", parts.patient)
      let other = isTaken ? try connection.number("SELECT max(id) + 1 FROM patient") : parts.patient
      for row in parts.rows { try insert(row, insteadOf: parts.patient, other) }
      for table in Self.moving {
        var still: [Int64] = []
        for id in parts.moved[table] ?? []
        where try connection.exists("SELECT 1 FROM \(table) WHERE id = ? AND patient_id = ?", id, entry.kept) {
          still.append(id)
        }
        parts.moved[table] = still
      }
      try move(parts, from: entry.kept, to: other)
      for tag in parts.tags {
        try connection.execute(
          "DELETE FROM tagged WHERE tag_id = ? AND kind = 'patient' AND row_id = ?", tag, entry.kept)
      }
      var outcome = Outcome(moved: parts.moved.mapValues(\.count).filter { $0.value > 0 })
      for (column, values) in parts.fields.sorted(by: { $0.key < $1.key }) where values.count == 2 {
        let now = try connection.first(
          "SELECT quote(\(column)) FROM patient WHERE id = ?", entry.kept, read: { $0.text(0) })
        if now == values[1] {
          try connection.executeScript(
            "UPDATE patient SET \(column) = \(values[0]) WHERE id = \(entry.kept)", context: "patient")
        } else if column != Self.hash {
          outcome.kept.append(column)
        }
      }
      try connection.execute("DELETE FROM patient_merge WHERE id = ?", entry.rowID)
      connection.writtenRecords.touch(.patient, entry.kept)
      try connection.markRemovedText()
      return outcome
    }
  }

  // MARK: Parts

  /// Gives rows to another patient. What is derived from a note names its patient: it goes, and is made again.
  private func move(_ parts: Parts, from old: Int64, to new: Int64) throws(StoreError) {
    let notes = parts.moved["note"] ?? []
    var quoting: [Parts.Row] = []
    for note in notes {
      // An assessment that quotes the note says the same of it, whoever's it is.
      let quotes = "SELECT assessment_id FROM assessment_note WHERE note_id = \(note)"
      for row in try rows("assessment", where: "id IN (\(quotes))")
        + rows("assessment_note", where: "assessment_id IN (\(quotes))")
      where !quoting.contains(where: { $0.table == row.table && $0.values == row.values }) { quoting.append(row) }
    }
    for note in notes { try connection.chunks.removeDerived(note: note) }
    for row in quoting { try insert(row) }
    for table in Self.moving {
      for id in parts.moved[table] ?? [] {
        try connection.execute("UPDATE \(table) SET patient_id = ? WHERE id = ? AND patient_id = ?", new, id, old)
      }
    }
    for candidate in parts.candidates {
      try connection.execute(
        "UPDATE inbox_candidate SET patient_id = ? WHERE item_id = ? AND ordinal = ? AND patient_id = ?", new,
        candidate[0], candidate[1], old)
    }
    for id in parts.moved["patient_merge"] ?? [] {
      try connection.execute("UPDATE patient_merge SET kept_id = ? WHERE id = ? AND kept_id = ?", new, id, old)
    }
  }

  private static let hash = "content_hash"

  private func take(
    _ columns: [String], of other: Int64, into patient: Int64
  ) throws(StoreError) -> [String: [String]] {
    func value(_ column: String) throws(StoreError) -> String {
      try connection.first("SELECT quote(\(column)) FROM patient WHERE id = ?", patient, read: { $0.text(0) }) ?? "NULL"
    }
    var fields: [String: [String]] = [:]
    for column in columns {
      let before = try value(column)
      try connection.execute(
        "UPDATE patient SET \(column) = (SELECT \(column) FROM patient WHERE id = ?) WHERE id = ?", other, patient)
      fields[column] = [before, try value(column)]
    }
    // Its content is no import's any more, and is again when all of it is taken back.
    if !columns.isEmpty {
      let before = try value(Self.hash)
      try connection.execute(
        "UPDATE patient SET \(Self.hash) = ? WHERE id = ?", [UInt8](repeating: 0, count: 31) + [1], patient)
      fields[Self.hash] = [before, try value(Self.hash)]
    }
    return fields
  }

  private func rows(_ table: String, where condition: String) throws(StoreError) -> [Parts.Row] {
    let columns = try connection.rows(
      "SELECT name FROM pragma_table_info(?) ORDER BY cid", table, read: { $0.text(0) })
    let values = columns.map { "quote(\($0))" }.joined(separator: ", ")
    return try connection.rows("SELECT \(values) FROM \(table) WHERE \(condition)") { statement in
      Parts.Row(
        table: table, columns: columns, values: columns.indices.map { statement.text(Int32($0)) })
    }
  }

  /// Puts a row back; `new` stands for the number that the patient had, where that is another's by now.
  private func insert(_ row: Parts.Row, insteadOf old: Int64? = nil, _ new: Int64 = 0) throws(StoreError) {
    var values = row.values
    // A tag that nothing had any more is gone.
    if row.table == "tagged", let place = row.columns.firstIndex(of: "tag_id"), let tag = Int64(values[place]),
      try !connection.exists("SELECT 1 FROM tag WHERE id = ?", tag)
    {
      return
    }
    let own = row.table == "patient" ? "id" : "row_id"
    if let old, let place = row.columns.firstIndex(of: own), values[place] == String(old) {
      values[place] = String(new)
    }
    try connection.executeScript(
      "INSERT OR IGNORE INTO \(row.table) (\(row.columns.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))",
      context: row.table)
  }

  private static func readEntry(_ row: Statement) throws(StoreError) -> Entry {
    Entry(
      rowID: row.int64(0), kept: row.int64(1), externalID: row.text(2), source: row.int64(3), mergedAt: row.timestamp(4)
    )
  }
}

extension Connection {
  public var merges: PatientMerges { PatientMerges(connection: self) }
}
