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
            media_type = ?, reason = ?, urgency = ?, state = 'waiting', appointment_id = ?, intake_id = ?, assessed = ?,
            waits_until = NULL, asked = NULL WHERE id = ?
          """, hash.bytes, item.origin.kind, item.origin.receivedAt, item.content.details, item.content.text,
          item.content.original, item.content.mediaType, item.standing.reason, item.standing.urgency,
          item.standing.appointment, item.standing.intake, item.standing.assessed, known.row)
        try connection.markRemovedText()
        try replaceCandidates(of: known.row, with: item.candidates)
        return Upserted(rowID: known.row, outcome: .updated)
      }
      try connection.execute("UPDATE inbox_number SET last = last + 1")
      try connection.execute(
        """
        INSERT INTO inbox_item (id, source_id, external_id, content_hash, kind, received_at, details, content, original,
          media_type, reason, urgency, state, appointment_id, intake_id, assessed)
        VALUES ((SELECT last FROM inbox_number), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, source, item.origin.externalID, hash.bytes, item.origin.kind, item.origin.receivedAt,
        item.content.details, item.content.text, item.content.original, item.content.mediaType, item.standing.reason,
        item.standing.urgency, item.standing.state, item.standing.appointment, item.standing.intake,
        item.standing.assessed)
      let row = connection.lastInsertedRowID
      try replaceCandidates(of: row, with: item.candidates)
      return Upserted(rowID: row, outcome: .inserted)
    }
  }

  /// An item as it stands at a moment: what was put off until then waits again.
  public func item(row: Int64, at now: Timestamp) throws(StoreError) -> InboxRow? {
    guard
      var item = try connection.first("\(Self.selection) WHERE record.id = ?2", now, row, read: Self.read)
    else { return nil }
    item.candidates = try candidates(of: row)
    return item
  }

  /// Those in some states at a moment, in the queue's order: what waits before what was put off, the most urgent first, those without
  /// a level behind; of one level what came back first, then the longest waiting. Without what they hold as bytes.
  public func list(
    states: [String], kind: String?, at now: Timestamp, limit: Int = .max
  ) throws(StoreError) -> [InboxRow] {
    // The words of an enum, not of a user.
    let words = states.map { "'\($0)'" }.joined(separator: ", ")
    var items = try connection.rows(
      """
      \(Self.selection) WHERE \(Self.standing) IN (\(words)) AND (?2 IS NULL OR record.kind = ?2)
      ORDER BY \(Self.standing) IN ('later', 'asked'), \(Self.rank), NOT \(Self.isBack), record.received_at, record.id
      LIMIT ?3
      """, now, kind, limit, read: Self.read)
    for index in items.indices { items[index].candidates = try candidates(of: items[index].rowID) }
    return items
  }

  /// The rows of those that wait at a moment, in the queue's order.
  public func waiting(at now: Timestamp) throws(StoreError) -> [Int64] {
    try connection.rows(
      """
      SELECT record.id FROM inbox_item AS record WHERE \(Self.standing) = 'waiting'
      ORDER BY \(Self.rank), NOT \(Self.isBack), record.received_at, record.id
      """, now
    ) { $0.int64(0) }
  }

  /// How many there are in each state.
  public func counts() throws(StoreError) -> [String: Int] {
    Dictionary(
      try connection.rows("SELECT state, count(*) FROM inbox_item GROUP BY state") { ($0.text(0), $0.int(1)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// How many wait at a moment, how many of those are red or orange, how many were put off or asked about, and of how many a
  /// decision that stands was made since another.
  public func tally(since moment: Timestamp, at now: Timestamp) throws(StoreError) -> InboxRow.Tally {
    try connection.first(
      """
      SELECT count(*) FILTER (WHERE standing = 'waiting'),
        count(*) FILTER (WHERE standing = 'waiting' AND urgency IN ('red', 'orange')),
        count(*) FILTER (WHERE standing = 'later'), count(*) FILTER (WHERE standing = 'asked'),
        (SELECT count(DISTINCT item_id) FROM inbox_decision WHERE undone_at IS NULL AND at >= ?2 AND item_id NOT IN (
          SELECT record.id FROM inbox_item AS record WHERE \(Self.standing) = 'waiting'))
      FROM (SELECT \(Self.standing) AS standing, urgency FROM inbox_item AS record WHERE state IN ('waiting', 'later'))
      """, now, moment
    ) {
      InboxRow.Tally(
        waiting: $0.int(0), urgent: $0.int(1), later: $0.int(2), asked: $0.int(3), decided: $0.int(4))
    } ?? InboxRow.Tally(waiting: 0, urgent: 0, later: 0, asked: 0, decided: 0)
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

  /// The item that waits for the patient of an intake; nil where none does.
  public func row(ofIntake intake: Int64) throws(StoreError) -> Int64? {
    try connection.first("SELECT id FROM inbox_item WHERE intake_id = ? ORDER BY id", intake) { $0.int64(0) }
  }

  /// Those that were asked about and wait for the answer.
  public func asked() throws(StoreError) -> [Int64] {
    try connection.rows(
      "SELECT id FROM inbox_item WHERE state = 'later' AND asked IS NOT NULL ORDER BY id", read: { $0.int64(0) })
  }

  // MARK: Decisions

  /// Takes an item from its state to another, and remembers that.
  ///
  /// - Returns: the decision's id.
  @discardableResult
  public func decide(
    row: Int64, _ deed: InboxRow.Deed, at moment: Timestamp, actor: String
  ) throws(StoreError) -> Int64 {
    try connection.transaction { () throws(StoreError) in
      try connection.execute(
        """
        INSERT INTO inbox_decision (item_id, at, actor, before, after, reason, batch, until_before, asked_before,
          appointment_id, appointment_version)
        SELECT id, ?, ?, CASE WHEN state = 'later' AND asked IS NOT NULL THEN 'asked' ELSE state END, ?, ?, ?,
          waits_until, asked, ?, ? FROM inbox_item WHERE id = ?
        """, moment, actor, deed.state, deed.reason, deed.batch, deed.booked, deed.bookedVersion, row)
      let id = connection.lastInsertedRowID
      try set(row, deed)
      return id
    }
  }

  /// Makes a decision the first of those that are made as one.
  public func beginBatch(with decision: Int64) throws(StoreError) {
    try connection.execute("UPDATE inbox_decision SET batch = id WHERE id = ?", decision)
  }

  /// The decisions about an item, or about all, the oldest first.
  public func decisions(item: Int64? = nil) throws(StoreError) -> [InboxRow.Decision] {
    try connection.rows(
      "\(Self.decisionSelection) WHERE ?1 IS NULL OR item_id = ?1 ORDER BY id", item, read: Self.readDecision)
  }

  /// The last decision that stands, about an item or about any.
  public func lastDecision(item: Int64? = nil) throws(StoreError) -> InboxRow.Decision? {
    try connection.first(
      """
      \(Self.decisionSelection) WHERE undone_at IS NULL AND (?1 IS NULL OR item_id = ?1) ORDER BY id DESC LIMIT 1
      """, item, read: Self.readDecision)
  }

  /// What was decided as one and stands, the latest first.
  public func standing(batch: Int64) throws(StoreError) -> [InboxRow.Decision] {
    try connection.rows(
      "\(Self.decisionSelection) WHERE batch = ? AND undone_at IS NULL ORDER BY id DESC", batch,
      read: Self.readDecision)
  }

  /// Of each item the last decision that stands, the latest first.
  public func standingDecisions(limit: Int) throws(StoreError) -> [InboxRow.Decision] {
    try connection.rows(
      """
      \(Self.decisionSelection)
      WHERE id IN (SELECT max(id) FROM inbox_decision WHERE undone_at IS NULL GROUP BY item_id) ORDER BY id DESC LIMIT ?
      """, limit, read: Self.readDecision)
  }

  /// Takes a decision back: the item stands as before it.
  public func undo(_ decision: InboxRow.Decision, at moment: Timestamp, actor: String) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try connection.execute(
        "UPDATE inbox_decision SET undone_at = ?, undone_by = ? WHERE id = ?", moment, actor, decision.rowID)
      var deed = InboxRow.Deed(decision.before)
      let kept = try connection.first(
        "SELECT until_before, asked_before FROM inbox_decision WHERE id = ?", decision.rowID
      ) { (until: $0.optionalTimestamp(0), asked: $0.optionalText(1)) }
      deed.until = kept?.until
      deed.asked = kept?.asked
      try set(decision.item, deed)
    }
  }

  private func set(_ row: Int64, _ deed: InboxRow.Deed) throws(StoreError) {
    try connection.execute(
      """
      UPDATE inbox_item SET state = ?, patient_id = ?, filed_kind = ?, filed_row = ?, waits_until = ?, asked = ?
      WHERE id = ?
      """, deed.state == "asked" ? "later" : deed.state, deed.filed?.patient, deed.filed?.table.rawValue,
      deed.filed?.row, deed.until, deed.asked, row)
  }

  // MARK: Places

  /// Remembers where somebody is.
  public func keep(_ place: InboxRow.Place) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO inbox_place (actor, item_id, chosen, at) VALUES (?, ?, ?, ?)
      ON CONFLICT (actor) DO UPDATE SET item_id = excluded.item_id, chosen = excluded.chosen, at = excluded.at
      """, place.actor, place.item, place.chosen.map(String.init).joined(separator: " "), place.at)
  }

  /// Where everybody is, by name.
  public func places() throws(StoreError) -> [InboxRow.Place] {
    try connection.rows("SELECT actor, item_id, chosen, at FROM inbox_place ORDER BY actor") {
      InboxRow.Place(
        actor: $0.text(0), item: $0.optionalInt64(1), chosen: $0.text(2).split(separator: " ").compactMap { Int64($0) },
        at: Timestamp(seconds: $0.int64(3)))
    }
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

  /// How it stands at the moment `?1`.
  private static let standing = """
    CASE WHEN record.state = 'later' AND record.waits_until <= ?1 THEN 'waiting'
      WHEN record.state = 'later' AND record.asked IS NOT NULL THEN 'asked' ELSE record.state END
    """

  /// Whether it was put off until the moment `?1` or before, or was asked about and has its answer.
  private static let isBack = """
    (record.state = 'later' AND coalesce(record.waits_until <= ?1, 0)
      OR record.state = 'waiting' AND record.asked IS NOT NULL)
    """

  private static let decisionSelection = """
    SELECT id, item_id, at, actor, before, after, reason, undone_at, undone_by, batch, appointment_id, appointment_version
    FROM inbox_decision
    """

  private static let selection = """
    SELECT record.id, source.name, record.external_id, record.kind, record.received_at, record.details, record.content,
      record.media_type, \(standing), record.reason, record.urgency, record.appointment_id, record.patient_id,
      record.filed_kind, record.filed_row, record.intake_id, record.assessed, record.waits_until, record.asked, \(isBack),
      (SELECT count(*) + count(undone_at) FROM inbox_decision WHERE item_id = record.id)
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
    standing.intake = row.optionalInt64(15)
    standing.assessed = row.optionalText(16)
    standing.until = row.optionalTimestamp(17)
    standing.asked = row.optionalText(18)
    standing.isBack = row.int(19) != 0
    standing.revision = row.int(20)
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
      undone: row.optionalTimestamp(7).map { InboxRow.Undone(at: $0, actor: row.text(8)) },
      batch: row.optionalInt64(9), booked: row.optionalInt64(10), bookedVersion: row.optionalInt64(11))
  }
}

extension Connection {
  public var inbox: InboxStore { InboxStore(connection: self) }
}
