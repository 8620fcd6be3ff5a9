public import Clinical

/// A passage of a note as the pipeline leaves it.
public struct IndexedChunk: Sendable {
  public var chunk: Chunk
  /// The passage's length, as BM25 counts it.
  public var tokenCount: Int
  /// How often each term occurs.
  public var terms: [String: Int]
  /// ``ChunkStore/dimension`` numbers.
  public var vector: [Float]

  public init(chunk: Chunk, tokenCount: Int, terms: [String: Int], vector: [Float]) {
    self.chunk = chunk
    self.tokenCount = tokenCount
    self.terms = terms
    self.vector = vector
  }
}

/// What is derived from one version of a note.
public struct IndexedNote: Sendable {
  public var noteRowID: Int64
  /// The version: ``StoredNote/contentHash`` of the note that was read.
  public var contentHash: ContentHash
  public var chunks: [IndexedChunk]
  public var facts: [FactValue]

  public init(noteRowID: Int64, contentHash: ContentHash, chunks: [IndexedChunk], facts: [FactValue] = []) {
    self.noteRowID = noteRowID
    self.contentHash = contentHash
    self.chunks = chunks
    self.facts = facts
  }
}

/// A passage as it lies in the file.
public struct StoredChunk: Hashable, Sendable {
  public let rowID: Int64
  public let generationID: Int64
  public let noteRowID: Int64
  public let patientRowID: Int64
  public let recordedAt: Timestamp
  public let kind: NoteKind
  public let chunk: Chunk
  public let tokenCount: Int

  public init(
    rowID: Int64, generationID: Int64, noteRowID: Int64, patientRowID: Int64, recordedAt: Timestamp, kind: NoteKind,
    chunk: Chunk, tokenCount: Int
  ) {
    self.rowID = rowID
    self.generationID = generationID
    self.noteRowID = noteRowID
    self.patientRowID = patientRowID
    self.recordedAt = recordedAt
    self.kind = kind
    self.chunk = chunk
    self.tokenCount = tokenCount
  }
}
