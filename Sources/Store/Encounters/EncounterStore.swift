public import Clinical

/// What is written at the patient's side, until it is a note.
public struct EncounterStore {
  let connection: Connection

  /// Puts one in whose id nobody has.
  public func insert(_ encounter: Encounter, patient: Int64, appointment: Int64?) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO encounter (external_id, patient_id, appointment_id, author, actor, state, narrative, revision, began_at,
        changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, encounter.id, patient, appointment, encounter.author, encounter.actor, encounter.state.rawValue,
      encounter.narrative, encounter.revision, encounter.beganAt, encounter.changedAt)
  }

  public func encounter(id: String) throws(StoreError) -> Stored<Encounter>? {
    try connection.first("\(Self.selection) WHERE record.external_id = ?", id, read: Self.read)
  }

  /// Those in some states, what was changed last first; of one patient, or of whoever began them.
  public func list(
    states: [EncounterState], patient: Int64? = nil, actor: String? = nil, limit: Int = .max
  ) throws(StoreError) -> [Stored<Encounter>] {
    // The words of an enum, not of a user.
    let words = states.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return try connection.rows(
      """
      \(Self.selection) WHERE record.state IN (\(words)) AND (?1 IS NULL OR record.patient_id = ?1)
        AND (?2 IS NULL OR record.actor = ?2) ORDER BY record.changed_at DESC, record.id DESC LIMIT ?3
      """, patient, actor, limit, read: Self.read)
  }

  /// Gives it other words or another state, and the next revision.
  public func change(
    row: Int64, narrative: String, state: EncounterState, at moment: Timestamp
  ) throws(StoreError) {
    try connection.execute(
      "UPDATE encounter SET narrative = ?, state = ?, revision = revision + 1, changed_at = ? WHERE id = ?", narrative,
      state.rawValue, moment, row)
    try connection.markRemovedText()
  }

  /// Says that a note was made of it.
  public func sign(
    row: Int64, note: Int64, hash: ContentHash, at moment: Timestamp, actor: String
  ) throws(StoreError) {
    try connection.execute(
      """
      UPDATE encounter SET state = 'final', revision = revision + 1, changed_at = ?1, signed_at = ?1, signed_by = ?2,
        signed_hash = ?3, note_id = ?4 WHERE id = ?5
      """, moment, actor, hash.bytes, note, row)
  }

  /// Says that the note of an encounter was given another text; nothing where the note is of none.
  public func noteWasAmended(_ note: Int64, at moment: Timestamp) throws(StoreError) {
    try connection.execute(
      "UPDATE encounter SET state = 'amended', revision = revision + 1, changed_at = ? WHERE note_id = ?", moment, note)
  }

  /// An encounter goes where its note goes.
  public func noteWasMoved(_ note: Int64, at moment: Timestamp) throws(StoreError) {
    try connection.execute(
      """
      UPDATE encounter SET patient_id = (SELECT patient_id FROM note WHERE id = ?1), revision = revision + 1,
        changed_at = ?2 WHERE note_id = ?1
      """, note, moment)
  }

  /// Takes one out that nobody signed, with what it says.
  public func delete(row: Int64) throws(StoreError) {
    try connection.execute("DELETE FROM encounter WHERE id = ? AND signed_at IS NULL", row)
    try connection.markRemovedText()
  }

  // MARK: Decisions

  public func decide(_ decision: EncounterDecision, about row: Int64) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO encounter_decision (encounter_id, section, verdict, proposed, words, versions, at, actor)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, row, decision.section.rawValue, decision.verdict.rawValue, try FieldJSON.encode(decision.proposed),
      decision.words, decision.versions, decision.at, decision.actor)
  }

  /// All that was decided, in order; the last of a section counts.
  public func decisions(row: Int64) throws(StoreError) -> [EncounterDecision] {
    try connection.rows(
      """
      SELECT section, verdict, proposed, words, versions, at, actor FROM encounter_decision
      WHERE encounter_id = ? ORDER BY id
      """, row
    ) { row throws(StoreError) in
      guard let section = EncounterSection(rawValue: row.text(0)), let verdict = EncounterVerdict(rawValue: row.text(1))
      else { throw StoreError(.corrupt, context: "a decision about an encounter") }
      return EncounterDecision(
        section: section, verdict: verdict, proposed: try FieldJSON.decode(row.text(2), as: [ProposedLine].self),
        words: row.text(3), versions: row.text(4), at: row.timestamp(5), actor: row.text(6))
    }
  }

  // MARK: What has to hold

  /// Signed encounters without their note, and those whose note has another text though nobody amended it.
  public func misfits() throws(StoreError) -> [(id: String, problem: String)] {
    var found: [(id: String, problem: String)] = []
    let signed = try connection.rows(
      """
      SELECT record.external_id, record.state, record.signed_hash, note.text FROM encounter AS record
      LEFT JOIN note ON note.id = record.note_id WHERE record.signed_at IS NOT NULL ORDER BY record.id
      """
    ) { (id: $0.text(0), state: $0.text(1), hash: $0.bytes(2), text: $0.optionalText(3)) }
    for one in signed {
      guard let text = one.text else {
        found.append((one.id, "is signed, and its note is not there"))
        continue
      }
      let isAsSigned = ContentHash(of: Array(text.utf8)).bytes == one.hash
      if one.state == EncounterState.final.rawValue, !isAsSigned {
        found.append((one.id, "has a note that is not the one that was signed"))
      }
    }
    return found
  }

  /// How many there are.
  public func count() throws(StoreError) -> Int { Int(try connection.number("SELECT count(*) FROM encounter")) }

  private static let selection = """
    SELECT record.id, record.patient_id, record.external_id, \(RecordIDs.reference("record.patient_id", .patient)),
      \(RecordIDs.reference("record.appointment_id", .appointment)), record.author, record.actor, record.state,
      record.narrative, record.revision, record.began_at, record.changed_at, record.signed_at, record.signed_by,
      record.signed_hash, \(RecordIDs.reference("record.note_id", .note))
    FROM encounter AS record
    """

  private static func read(_ row: Statement) throws(StoreError) -> Stored<Encounter> {
    guard let state = EncounterState(rawValue: row.text(7)) else {
      throw StoreError(.corrupt, context: "the state of encounter row \(row.int64(0))")
    }
    let signature = row.optionalTimestamp(12).map {
      Encounter.Signature(
        at: $0, actor: row.text(13), hash: ContentHash(stored: row.bytes(14)).hexadecimal, noteID: row.optionalText(15))
    }
    return Stored(
      rowID: row.int64(0), patientRowID: row.int64(1),
      value: Encounter(
        id: row.text(2), patientID: row.text(3), appointmentID: row.optionalText(4), author: row.text(5),
        actor: row.text(6), state: state, narrative: row.text(8), revision: row.int(9), beganAt: row.timestamp(10),
        changedAt: row.timestamp(11), signature: signature))
  }
}

extension Connection {
  public var encounters: EncounterStore { EncounterStore(connection: self) }
}
