/// Whether a note says that something is so.
public enum Polarity: String, CaseIterable, Codable, Sendable {
  /// Asserted.
  case present
  /// Denied, excluded, tested negative, not seen or heard; of a drug or test: not given, not done, declined.
  case absent
  /// Suspected, a differential, an open "rule out", pending.
  case uncertain
}

/// When it is so.
public enum Temporality: String, CaseIterable, Codable, Sendable {
  /// This episode, an ongoing chronic condition, a current drug.
  case current
  /// Past or ended.
  case historical
  /// Advice, risk, prophylaxis or a conditional plan.
  case hypothetical
}

/// Of whom it is so.
public enum Experiencer: String, CaseIterable, Codable, Sendable {
  case patient
  /// A relative, another animal or a person.
  case other
}

/// What a note says about some of its words: is it so, when, and of whom.
public struct Assertion: Hashable, Codable, Sendable {
  /// The words that decided.
  public struct Cue: Hashable, Codable, Sendable {
    /// The `id` in `assertion-rules.tsv`.
    public let rule: String
    /// UTF-8 bytes of the text.
    public let range: Range<Int>

    public init(rule: String, range: Range<Int>) {
      self.rule = rule
      self.range = range
    }
  }

  public var polarity: Polarity
  public var temporality: Temporality
  public var experiencer: Experiencer
  /// In the order of the text; empty when nothing speaks against present, current and patient.
  public var cues: [Cue]

  public init(
    polarity: Polarity = .present, temporality: Temporality = .current, experiencer: Experiencer = .patient,
    cues: [Cue] = []
  ) {
    self.polarity = polarity
    self.temporality = temporality
    self.experiencer = experiencer
    self.cues = cues
  }

  /// Whether this is a finding of this patient in this episode.
  public var isActive: Bool { polarity == .present && temporality == .current && experiencer == .patient }

  /// Whether this is true of this patient, now or once: what an alert needs.
  package var isActiveOrPast: Bool { polarity == .present && temporality != .hypothetical && experiencer == .patient }
}
