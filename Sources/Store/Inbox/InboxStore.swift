public import Clinical

/// What came in and waits for somebody to say whose it is.
public struct InboxStore {
  let connection: Connection

  /// Adds what is new. What is here already stays as it stands; with another content it waits again, unless it was filed: then
  /// it waits beside what was filed, which nobody changes unasked.
  ///
  /// - Throws: ``StoreError/Code/unknownRecord`` for a candidate that isn't on file.
  public func add(_ item: InboxRow) throws(StoreError) -> Upserted {
    try connection.transaction { () throws(StoreError) in
      let source = try connection.sources.id(named: item.origin.source)
      let hash = Self.hash(item.content)
      let known = try connection.first(
        "SELECT id, content_hash, state FROM inbox_item WHERE external_id = ? AND source_id = ?",
        item.origin.externalID, source
      ) { (row: $0.int64(0), hash: ContentHash(stored: $0.bytes(1)), state: $0.text(2)) }
      if let known, known.hash == hash { return Upserted(rowID: known.row, outcome: .unchanged) }
      if let known, known.state == "filed" {
        var next = item
        next.origin.externalID = try freeID(like: item.origin.externalID, source, hash)
        return try add(next)
      }
      if let known {
        try connection.execute(
          """
          UPDATE inbox_item SET content_hash = ?, kind = ?, received_at = ?, details = ?, content = ?, original = ?,
            media_type = ?, reason = ?, urgency = ?, state = 'waiting', appointment_id = ? WHERE id = ?
          """, hash.bytes, item.origin.kind, item.origin.receivedAt, item.content.details, item.content.text,
          item.content.original, item.content.mediaType, item.standing.reason, item.standing.urgency,
          item.standing.appointment, known.row)
        try connection.markRemovedText()
        try replaceCandidates(of: known.row, with: item.candidates)
        return Upserted(rowID: known.row, outcome: .updated)
      }
      try connection.execute("UPDATE inbox_number SET last = last + 1")
      try connection.execute(
        """
        INSERT INTO inbox_item (id, source_id, external_id, content_hash, kind, received_at, details, content, original,
          media_type, reason, urgency, state, appointment_id)
        VALUES ((SELECT last FROM inbox_number), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, source, item.origin.externalID, hash.bytes, item.origin.kind, item.origin.receivedAt,
        item.content.details, item.content.text, item.content.original, item.content.mediaType, item.standing.reason,
        item.standing.urgency, item.standing.state, item.standing.appointment)
      let row = connection.lastInsertedRowID
      try replaceCandidates(of: row, with: item.candidates)
      return Upserted(rowID: row, outcome: .inserted)
    }
  }

  public func item(row: Int64) throws(StoreError) -> InboxRow? {
    guard
      var item = try connection.first("\(Self.selection) WHERE record.id = ?", row, read: Self.read)
    else { return nil }
    item.candidates = try candidates(of: row)
    return item
  }

  /// Those in some states, the most urgent first and the longest waiting before others; without what they hold as bytes.
  public func list(states: [String], kind: String?, limit: Int = .max) throws(StoreError) -> [InboxRow] {
    // The words of an enum, not of a user.
    let words = states.map { "'\($0)'" }.joined(separator: ", ")
    var items = try connection.rows(
      """
      \(Self.selection) WHERE record.state IN (\(words)) AND (?1 IS NULL OR record.kind = ?1)
      ORDER BY record.state = 'later', \(Self.rank), record.received_at, record.id LIMIT ?2
      """, kind, limit, read: Self.read)
    for index in items.indices { items[index].candidates = try candidates(of: items[index].rowID) }
    return items
  }

  /// How many there are in each state.
  public func counts() throws(StoreError) -> [String: Int] {
    Dictionary(
      try connection.rows("SELECT state, count(*) FROM inbox_item GROUP BY state") { ($0.text(0), $0.int(1)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// How many wait, how many of those are red or orange, how many were put off, and of how many a decision that stands was made
  /// since a moment.
  public func tally(since moment: Timestamp) throws(StoreError) -> InboxRow.Tally {
    try connection.first(
      """
      SELECT count(*) FILTER (WHERE state = 'waiting'),
        count(*) FILTER (WHERE state = 'waiting' AND urgency IN ('red', 'orange')),
        count(*) FILTER (WHERE state = 'later'),
        (SELECT count(DISTINCT item_id) FROM inbox_decision WHERE undone_at IS NULL AND at >= ?)
      FROM inbox_item WHERE state IN ('waiting', 'later')
      """, moment
    ) { InboxRow.Tally(waiting: $0.int(0), urgent: $0.int(1), later: $0.int(2), decided: $0.int(3)) }
      ?? InboxRow.Tally(waiting: 0, urgent: 0, later: 0, decided: 0)
  }

  /// The item that waits for the patient of an appointment; nil where none does.
  public func row(ofAppointment appointment: Int64) throws(StoreError) -> Int64? {
    try connection.first(
      "SELECT id FROM inbox_item WHERE appointment_id = ? AND state IN ('waiting', 'later') ORDER BY id", appointment
    ) { $0.int64(0) }
  }

  /// Its bytes as they came; nil where they are its text.
  public func original(row: Int64) throws(StoreError) -> [UInt8]? {
    try connection.first("SELECT original FROM inbox_item WHERE id = ? AND original IS NOT NULL", row) { $0.bytes(0) }
  }

  // MARK: Decisions

  /// Takes an item from its state to another, and remembers that.
  public func decide(
    row: Int64, _ state: String, filed: InboxRow.Filed? = nil, reason: String?, at moment: Timestamp, actor: String
  ) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try connection.execute(
        """
        INSERT INTO inbox_decision (item_id, at, actor, before, after, reason)
        SELECT id, ?, ?, state, ?, ? FROM inbox_item WHERE id = ?
        """, moment, actor, state, reason, row)
      try set(row, state, filed)
    }
  }

  /// The decisions about an item, or about all, the oldest first.
  public func decisions(item: Int64? = nil) throws(StoreError) -> [InboxRow.Decision] {
    try connection.rows(
      """
      SELECT id, item_id, at, actor, before, after, reason, undone_at, undone_by FROM inbox_decision
      WHERE ?1 IS NULL OR item_id = ?1 ORDER BY id
      """, item, read: Self.readDecision)
  }

  /// The last decision that stands, about an item or about any.
  public func lastDecision(item: Int64? = nil) throws(StoreError) -> InboxRow.Decision? {
    try connection.first(
      """
      SELECT id, item_id, at, actor, before, after, reason, undone_at, undone_by FROM inbox_decision
      WHERE undone_at IS NULL AND (?1 IS NULL OR item_id = ?1) ORDER BY id DESC LIMIT 1
      """, item, read: Self.readDecision)
  }

  /// Of each item the last decision that stands, the latest first.
  public func standingDecisions(limit: Int) throws(StoreError) -> [InboxRow.Decision] {
    try connection.rows(
      """
      SELECT id, item_id, at, actor, before, after, reason, undone_at, undone_by FROM inbox_decision
      WHERE id IN (SELECT max(id) FROM inbox_decision WHERE undone_at IS NULL GROUP BY item_id) ORDER BY id DESC LIMIT ?
      """, limit, read: Self.readDecision)
  }

  /// Takes a decision back: the item stands as before it.
  public func undo(_ decision: InboxRow.Decision, at moment: Timestamp, actor: String) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try connection.execute(
        "UPDATE inbox_decision SET undone_at = ?, undone_by = ? WHERE id = ?", moment, actor, decision.rowID)
      try set(decision.item, decision.before, nil)
    }
  }

  private func set(_ row: Int64, _ state: String, _ filed: InboxRow.Filed?) throws(StoreError) {
    try connection.execute(
      "UPDATE inbox_item SET state = ?, patient_id = ?, filed_kind = ?, filed_row = ? WHERE id = ?", state,
      filed?.patient, filed?.table.rawValue, filed?.row, row)
  }

  /// Takes an item out, with what it says.
  public func delete(row: Int64) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try connection.execute("DELETE FROM inbox_item WHERE id = ?", row)
      try connection.markRemovedText()
    }
  }

  // MARK: Rows

  private func replaceCandidates(of row: Int64, with candidates: [InboxRow.Candidate]) throws(StoreError) {
    try connection.execute("DELETE FROM inbox_candidate WHERE item_id = ?", row)
    for (ordinal, candidate) in candidates.enumerated() {
      let patient = try connection.recordIDs.required(.patient, candidate.patientID) as Int64
      try connection.execute(
        "INSERT INTO inbox_candidate (item_id, ordinal, patient_id, certainty, evidence) VALUES (?, ?, ?, ?, ?)", row,
        ordinal, patient, candidate.certainty, candidate.evidence.joined(separator: " "))
    }
  }

  private func candidates(of row: Int64) throws(StoreError) -> [InboxRow.Candidate] {
    try connection.rows(
      """
      SELECT \(RecordIDs.reference("patient_id", .patient)), certainty, evidence FROM inbox_candidate
      WHERE item_id = ? ORDER BY ordinal
      """, row
    ) {
      InboxRow.Candidate(
        patientID: $0.text(0), certainty: $0.double(1),
        evidence: $0.text(2).split(separator: " ").map(String.init))
    }
  }

  /// The id of a later version of what was filed.
  private func freeID(like id: String, _ source: Int64, _ hash: ContentHash) throws(StoreError) -> String {
    var number = 2
    while true {
      let candidate = "\(id)#\(number)"
      let known = try connection.first(
        "SELECT content_hash, state FROM inbox_item WHERE external_id = ? AND source_id = ?", candidate, source
      ) { (hash: ContentHash(stored: $0.bytes(0)), state: $0.text(1)) }
      guard let known, known.hash != hash, known.state == "filed" else { return candidate }
      number += 1
    }
  }

  private static func hash(_ content: InboxRow.Content) -> ContentHash {
    var canonical = CanonicalBytes()
    content.details.append(to: &canonical)
    content.text.append(to: &canonical)
    content.original.append(to: &canonical)
    return ContentHash(of: canonical)
  }

  private static let rank =
    "CASE record.urgency WHEN 'red' THEN 0 WHEN 'orange' THEN 1 WHEN 'yellow' THEN 2 WHEN 'green' THEN 3 WHEN 'blue' THEN 4 ELSE 5 END"

  private static let selection = """
    SELECT record.id, source.name, record.external_id, record.kind, record.received_at, record.details, record.content,
      record.media_type, record.state, record.reason, record.urgency, record.appointment_id, record.patient_id,
      record.filed_kind, record.filed_row
    FROM inbox_item AS record JOIN source ON source.id = record.source_id
    """

  private static func read(_ row: Statement) throws(StoreError) -> InboxRow {
    var standing = InboxRow.Standing(
      state: row.text(8), reason: row.text(9), urgency: row.optionalText(10), appointment: row.optionalInt64(11))
    if let patient = row.optionalInt64(12), let table = row.optionalText(13).flatMap(RecordTable.init(rawValue:)),
      let filed = row.optionalInt64(14)
    {
      standing.filed = InboxRow.Filed(patient: patient, table: table, row: filed)
    }
    return InboxRow(
      rowID: row.int64(0),
      origin: .init(source: row.text(1), externalID: row.text(2), kind: row.text(3), receivedAt: row.timestamp(4)),
      content: .init(details: row.text(5), text: row.text(6), mediaType: row.optionalText(7)), standing: standing,
      candidates: [])
  }

  private static func readDecision(_ row: Statement) throws(StoreError) -> InboxRow.Decision {
    InboxRow.Decision(
      rowID: row.int64(0), item: row.int64(1), at: row.timestamp(2), actor: row.text(3), before: row.text(4),
      after: row.text(5), reason: row.optionalText(6),
      undone: row.optionalTimestamp(7).map { InboxRow.Undone(at: $0, actor: row.text(8)) })
  }
}

extension Connection {
  public var inbox: InboxStore { InboxStore(connection: self) }
}
