/// What a row of `findings.tsv` is.
public enum FindingKind: String, CaseIterable, Codable, Sendable {
  /// Something seen, heard, felt or told.
  case sign
  /// A diagnosis or condition.
  case problem
  case procedure
  case test
  /// Something eaten or met that can do harm.
  case exposure
}

/// A named thing in a text with what the text says about it.
public struct Finding: Hashable, Codable, Sendable {
  /// The `id` in `findings.tsv`, such as `heart-murmur`.
  public let concept: String
  public let name: String
  public let kind: FindingKind
  /// The body system, such as `resp`; empty when the table names none.
  public let system: String
  /// Whether the concept lasts once it is there.
  public let isChronic: Bool
  /// UTF-8 bytes of the text.
  public let range: Range<Int>
  public let assertion: Assertion
  /// What ambiguous shorthand may mean, where the words around it decide nothing; empty otherwise.
  public let candidates: [String]

  public init(
    concept: String, name: String, kind: FindingKind, system: String = "", isChronic: Bool = false, range: Range<Int>,
    assertion: Assertion, candidates: [String] = []
  ) {
    self.concept = concept
    self.name = name
    self.kind = kind
    self.system = system
    self.isChronic = isChronic
    self.range = range
    self.assertion = assertion
    self.candidates = candidates
  }
}
