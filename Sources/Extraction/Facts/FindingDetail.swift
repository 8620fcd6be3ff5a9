/// What is known of a finding, a problem or a procedure beside its name.
public struct FindingDetail: Hashable, Sendable {
  /// The `id` in `findings.tsv`, such as `heart-murmur`.
  public var concept: String?
  /// The body system, such as `resp`.
  public var system: String?
  public var side: Laterality?
  /// Whether the concept lasts once it is there.
  public var isChronic: Bool
  /// What ambiguous shorthand may mean, by concept, where nothing decides; empty otherwise.
  public var candidates: [String]

  public init(
    concept: String? = nil, system: String? = nil, side: Laterality? = nil, isChronic: Bool = false,
    candidates: [String] = []
  ) {
    self.concept = concept
    self.system = system
    self.side = side
    self.isChronic = isChronic
    self.candidates = candidates
  }
}

/// How a problem stands, as a note tells.
public enum ProblemStatus: String, CaseIterable, Sendable {
  case active, suspected, resolved
  case ruledOut = "ruled out"
  case possibleInFuture = "possible in future"

  public init(_ assertion: Assertion) {
    switch (assertion.polarity, assertion.temporality) {
    case (.absent, _): self = .ruledOut
    case (.uncertain, _): self = .suspected
    case (.present, .historical): self = .resolved
    case (.present, .hypothetical): self = .possibleInFuture
    case (.present, .current): self = .active
    }
  }
}

/// What an animal is said not to bear, in words that announce it; a denied one says that there is none.
public struct Allergy: Hashable, Sendable {
  /// The words that tell of what; nil where it is denied outright ("NKDA").
  public var subject: String?
  /// The words that announce it, in small letters, where they name what follows ("allergic to").
  public var reaction: String?

  public init(subject: String? = nil, reaction: String? = nil) {
    self.subject = subject
    self.reaction = reaction
  }
}

/// How a treatment was borne, by the passage at the fact's range.
public struct ReactionMention: Hashable, Sendable {
  public var label: ReactionLabel
  public var treatment: Treatment.Kind
  /// UTF-8 bytes of the treatment's name.
  public var named: Range<Int>?
  /// 0…1, in hundredths.
  public var probability: Double

  public init(_ label: ReactionLabel, of treatment: Treatment.Kind, named: Range<Int>?, probability: Double) {
    self.label = label
    self.treatment = treatment
    self.named = named
    self.probability = probability
  }
}

/// What an owner agreed to, declined, or set as a limit.
public struct OwnerDecision: Hashable, Sendable {
  /// What it is about, as written.
  public var subject: String?
  /// An amount of money, as written: "£2,500".
  public var amount: String?

  public init(subject: String? = nil, amount: String? = nil) {
    self.subject = subject
    self.amount = amount
  }
}
