public import Clinical

/// Where a practice file stands, told without reading it: between two equal states no record and no part of the index has changed.
public struct RecordState: Hashable, Sendable {
  /// Of `change_count`.
  public let changes: Int64
  /// The live generation of the index and its rules; nil before anything is indexed.
  public let generation: Int64?
  public let rules: String?
  /// Of `change_count`: whatever came to the index or went.
  public let passages: Int64
}

/// What a patient's file was when something was made of it: two equal states hold the same values, notes and facts.
public struct PatientState: Hashable, Sendable {
  public let hash: ContentHash
  /// When each note was recorded, those of a later time too.
  public let moments: [Timestamp]
}

/// What the lengths of visits are learned from, beside the visits themselves.
public struct LearningState: Hashable, Sendable {
  /// The first lines of the state on file, which name its tables and how far it reaches.
  public let head: String?
  /// From when on visits have changed since; nil where none has.
  public let changedFrom: Timestamp?
}

extension Connection {
  /// - Complexity: O(1).
  public func recordState() throws(StoreError) -> RecordState {
    let live = try first("SELECT id, rules_version FROM generation WHERE state = 'live'") { ($0.int64(0), $0.text(1)) }
    let count = try first("SELECT number, passages FROM change_count") { ($0.int64(0), $0.int64(1)) } ?? (0, 0)
    return RecordState(changes: count.0, generation: live?.0, rules: live?.1, passages: count.1)
  }

  /// Whether the open transaction has changed records, so that their hashes don't tell yet what they are.
  public var holdsUnsealedRecords: Bool { writtenRecords.isChange }

  /// A patient's state as far as the index `generation` has it.
  ///
  /// - Complexity: O(notes of the patient), without reading them.
  public func patientState(_ patient: Int64, generation: Int64?) throws(StoreError) -> PatientState {
    var bytes = try recordHashes.hash(.patient, patient)?.bytes ?? []
    var moments: [Timestamp] = []
    try withStatement(
      """
      SELECT note.id, note.recorded_at, record_hash.hash, note_retraction.note_id FROM note
      LEFT JOIN note_retraction ON note_retraction.note_id = note.id
      LEFT JOIN record_hash ON record_hash.kind = 'note' AND record_hash.row_id = note.id
      WHERE note.patient_id = ? ORDER BY note.recorded_at, note.id
      """
    ) { statement throws(StoreError) in
      try statement.bind(patient)
      while try statement.step() {
        moments.append(statement.timestamp(1))
        withUnsafeBytes(of: statement.int64(0).littleEndian) { bytes += $0 }
        bytes += (statement.isNull(2) ? [0] : statement.bytes(2)) + [statement.isNull(3) ? 0 : 1]
      }
    }
    // Facts come in with their notes, and go with them: how many there are says whether the notes have been read.
    let facts = try first(
      "SELECT count(*), ifnull(max(id), 0) FROM fact WHERE generation_id = ? AND patient_id = ?", generation, patient
    ) { [$0.int64(0), $0.int64(1)] }
    for number in (facts ?? []) + [generation ?? -1] {
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
    return PatientState(hash: ContentHash(of: bytes), moments: moments)
  }

  /// When a patient's messages were received.
  public func messageMoments(ofPatient patient: Int64) throws(StoreError) -> [Timestamp] {
    try rows("SELECT received_at FROM intake WHERE patient_id = ? AND received_at IS NOT NULL", patient) {
      $0.timestamp(0)
    }
  }

  /// The latest moment of a note that is indexed; nil where none is.
  ///
  /// - Complexity: O(passages).
  public func lastIndexedMoment(generation: Int64) throws(StoreError) -> Timestamp? {
    try first("SELECT max(recorded_at) FROM chunk WHERE generation_id = ?", generation) { $0.optionalTimestamp(0) }
      ?? nil
  }

  /// - Complexity: O(1).
  public func learningState(key: String) throws(StoreError) -> LearningState {
    let head = try first("SELECT substr(value, 1, 400) FROM setting WHERE key = ?", key) { $0.text(0) }
    let changed = try first("SELECT changed_from FROM visit_learning") { $0.optionalTimestamp(0) }
    let lines = head?.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
    return LearningState(head: lines.map { $0.joined(separator: "\n") }, changedFrom: changed ?? nil)
  }
}
