/// The words in a text that a statement rests on.
public struct Evidence: Hashable, Sendable {
  /// Nil when the text is the intake under assessment rather than a note of the record.
  public var noteID: String?
  /// UTF-8 bytes, end exclusive.
  public var range: Range<Int>
  /// The text at ``range``, so that a reader need not fetch it.
  public var quote: String

  public init(noteID: String? = nil, range: Range<Int>, quote: String) {
    self.noteID = noteID
    self.range = range
    self.quote = quote
  }
}

/// Why a number is what it is: a tree of descriptions and values, down to the words that gave rise to them.
///
/// Build the parts first and derive the whole from them, so that the sum can't lie:
///
///     Explanation.sum("complexity points", of: [
///       Explanation("two chronic diagnoses", value: 2),
///       Explanation("geriatric", value: 1),
///     ]).value  // 3
public struct Explanation: Hashable, Sendable {
  public let description: String
  public let value: Double
  public let evidence: [Evidence]
  public let details: [Explanation]

  public init(_ description: String, value: Double, evidence: [Evidence] = [], details: [Explanation] = []) {
    self.description = description
    self.value = value
    self.evidence = evidence
    self.details = details
  }

  public static func sum(_ description: String, of details: [Explanation]) -> Explanation {
    Explanation(description, value: details.reduce(0) { $0 + $1.value }, details: details)
  }

  /// The greatest of the parts decides, as the worst discriminator does in triage.
  public static func maximum(_ description: String, of details: [Explanation]) -> Explanation {
    Explanation(description, value: details.map(\.value).max() ?? 0, details: details)
  }
}

extension Explanation: Encodable {
  private enum CodingKeys: String, CodingKey { case description, value, evidence, details }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(description, forKey: .description)
    try container.encode(value, forKey: .value)
    if !evidence.isEmpty { try container.encode(evidence, forKey: .evidence) }
    if !details.isEmpty { try container.encode(details, forKey: .details) }
  }
}

extension Evidence: Encodable {
  private enum CodingKeys: String, CodingKey {
    case noteID = "note_id"
    case quote
  }

  /// Offsets are left out: in bytes they would mislead, and code points need the whole text. Citations carry them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(noteID, forKey: .noteID)
    try container.encode(quote, forKey: .quote)
  }
}
