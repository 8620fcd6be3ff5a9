public import Clinical
public import Extraction

/// Where a fact stands: all that it takes to date and to cite it, without its note's text.
public struct FactReference: Hashable, Sendable {
  /// Of the record that it was read from.
  public let noteID: String
  public let recordedAt: Timestamp
  public let kind: FactKind
  /// UTF-8 bytes of the note's text, end exclusive.
  public let range: Range<Int>

  public init(noteID: String, recordedAt: Timestamp, kind: FactKind, range: Range<Int>) {
    self.noteID = noteID
    self.recordedAt = recordedAt
    self.kind = kind
    self.range = range
  }

  public init(_ item: RecordedFact) {
    self.init(noteID: item.note.id, recordedAt: item.note.recordedAt, kind: item.fact.kind, range: item.fact.range)
  }
}
