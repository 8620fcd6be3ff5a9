public import Clinical

/// What a level rests on: the part of the program that put it there, and the words that it read.
public struct LevelBasis: Sendable {
  public enum Source: String, Encodable, Sendable {
    /// Findings of the protocol at the level itself.
    case finding
    /// The level below which a red or orange finding lets nothing fall; see ``TriageFloor``.
    case floor
    /// What labelled exemplars make of the whole message.
    case exemplars
    /// Too little is said, or nothing says that the animal is well.
    case unknown
    /// A person's word: an override, or answers to questions.
    case person
  }

  public let source: Source
  /// In a sentence, without words of the message.
  public let text: String
  /// Discriminators, where ``source`` is `finding` or `floor`.
  public let findings: [String]
  /// The words that weighed most.
  public let words: [Evidence]

  init(_ source: Source, _ text: String, findings: [TriageResult.Fired] = [], words: [Evidence] = []) {
    self.source = source
    self.text = text
    self.findings = findings.map(\.id)
    self.words = findings.flatMap(\.evidence) + words
  }
}
