/// The words in the record that a sentence rests on.
public struct Citation: Hashable, Sendable {
  public var noteID: String
  public var patientID: String
  public var recordedAt: Timestamp
  public var author: String?
  /// UTF-8 bytes of the note's text, end exclusive.
  public var range: Range<Int>
  /// The same range in Unicode code points, as JSON shows it.
  public var codePoints: Range<Int>
  /// The note's text at ``range``, read when the citation was made.
  public var quote: String
  /// The day of the earlier note from which the words were carried over; nil where they were written for this one.
  public var copiedFrom: Timestamp?
  /// The note says that it belongs to another patient.
  public var isOfOtherPatient = false

  /// Cites `range` of `note`; nil when the range leaves the text or cuts a code point.
  public init?(_ note: ClinicalNote, range: Range<Int>) {
    guard let slice = note.text.slice(utf8: range), let codePoints = note.text.codePoints(utf8: range) else {
      return nil
    }
    noteID = note.id
    patientID = note.patientID
    recordedAt = note.recordedAt
    author = note.author
    self.range = range
    self.codePoints = codePoints
    quote = String(slice)
  }

  /// Whether `note` still says what was cited.
  public func holds(in note: ClinicalNote) -> Bool {
    note.id == noteID && note.text.slice(utf8: range).map(String.init) == quote
  }
}

/// One sentence of an answer or a brief, with the numbers of the citations it rests on. A sentence without any is not made, but
/// for those that the appointment book says.
public struct CitedSentence: Hashable, Sendable, Encodable {
  public var text: String
  /// Positions in the list of citations that goes with the sentence.
  public var citations: [Int]
  /// What it rests on beside the words of notes; nil where these are all.
  public var sources: [SourceReference]?

  public init(text: String, citations: [Int], sources: [SourceReference]? = nil) {
    self.text = text
    self.citations = citations
    self.sources = sources
  }
}
