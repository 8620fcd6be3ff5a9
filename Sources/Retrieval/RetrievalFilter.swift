public import Clinical

/// Which chunks may be found at all. It is applied before ranking, so that what it admits can't be crowded out by what
/// it doesn't.
public struct RetrievalFilter: Hashable, Sendable {
  /// Only these patients' notes; nil means everyone's, an empty set nobody's.
  public var patientIDs: Set<String>?
  /// Only notes recorded in this time; a question asked as of a moment ends there.
  public var dates: Range<Timestamp>?
  /// Only notes of these kinds.
  public var kinds: Set<NoteKind>?
  /// Not these notes, such as the one whose similar cases are wanted.
  public var excludedNoteIDs: Set<String>

  /// A filter of what is given; without arguments it admits everything.
  public init(
    patientIDs: Set<String>? = nil, dates: Range<Timestamp>? = nil, kinds: Set<NoteKind>? = nil,
    excludedNoteIDs: Set<String> = []
  ) {
    self.patientIDs = patientIDs
    self.dates = dates
    self.kinds = kinds
    self.excludedNoteIDs = excludedNoteIDs
  }

  public func admits(_ chunk: ChunkMetadata) -> Bool {
    if let patientIDs, !patientIDs.contains(chunk.patientID) { return false }
    if let dates, !dates.contains(chunk.recordedAt) { return false }
    if let kinds, !kinds.contains(chunk.kind) { return false }
    return !excludedNoteIDs.contains(chunk.noteID)
  }
}

/// Where a chunk stands, without its text.
public struct ChunkMetadata: Hashable, Sendable {
  public var chunkID: Int64
  public var noteID: String
  public var patientID: String
  /// UTF-8 bytes of the note.
  public var range: Range<Int>
  public var recordedAt: Timestamp
  public var kind: NoteKind

  public init(
    chunkID: Int64, noteID: String, patientID: String, range: Range<Int>, recordedAt: Timestamp, kind: NoteKind
  ) {
    self.chunkID = chunkID
    self.noteID = noteID
    self.patientID = patientID
    self.range = range
    self.recordedAt = recordedAt
    self.kind = kind
  }
}
