public import Clinical

/// What triage concluded, and from which words.
public struct TriageResult: Sendable {
  /// A discriminator that counted.
  public struct Fired: Sendable {
    public let id: String
    public let group: String
    public let level: Urgency
    /// Its level before modifiers.
    public let baseLevel: Urgency
    public let letters: [ABCDELetter: ABCDEStatus]
    public let evidence: [Evidence]
    /// Why the level is not the base level, or how a dose was reckoned; nil when there is nothing to say.
    public let reason: String?
    /// The level below which the case can't be judged while the finding stands; nil where it only advises. See ``TriageFloor``.
    public let floor: Urgency?
    /// UTF-8 bytes of the words that are the finding itself, without those that raised or softened it.
    let told: [Range<Int>]
    /// Whether it is a poison that is said to have been eaten, licked or given: no figure of speech.
    let isTaken: Bool

    /// Whether a ``NamedDowngrade`` took its floor away.
    var isDowngraded: Bool { floor == nil && baseLevel >= TriageFloor.leastLevel }

    /// The words that are the finding itself are its evidence where `told` is nil.
    init(
      id: String, group: String, level: Urgency, baseLevel: Urgency, letters: [ABCDELetter: ABCDEStatus],
      evidence: [Evidence], reason: String?, floor: Urgency?, told: [Range<Int>]? = nil, isTaken: Bool = false
    ) {
      self.isTaken = isTaken
      self.id = id
      self.group = group
      self.level = level
      self.baseLevel = baseLevel
      self.letters = letters
      self.evidence = evidence
      self.reason = reason
      self.floor = floor
      self.told = told ?? evidence.map(\.range)
    }
  }

  /// A discriminator whose words stand in the text but don't count.
  public struct Suppressed: Sendable {
    public let id: String
    public let level: Urgency
    public let reason: Standing
    public let evidence: [Evidence]
  }

  public internal(set) var urgency: Urgency
  public internal(set) var targetMinutes: Int
  public internal(set) var action: String
  public internal(set) var abcde: [ABCDELetter: ABCDEStatus]
  /// The words behind each letter's status.
  public internal(set) var abcdeEvidence: [ABCDELetter: [Evidence]]
  /// The most urgent first.
  public internal(set) var fired: [Fired]
  public internal(set) var suppressed: [Suppressed]
  /// At most five, the most informative first.
  public let questions: [String]
  /// Which part of the program put ``urgency`` there.
  public internal(set) var basis: LevelBasis
  /// Its value is the rank of ``urgency``.
  public internal(set) var explanation: Explanation
  /// Whether nothing was recognised, so that somebody has to call back.
  public internal(set) var hasTooLittleInformation: Bool
  /// Values that can't be right: a 140 bpm respiratory rate of a horse, 54 °C.
  public internal(set) var implausible: [String]
  /// How likely each level is, calibrated on exemplars; empty where only rules judged.
  public internal(set) var probabilities: [Urgency: Double] = [:]
  /// Exemplars that resemble the case, the nearest first.
  public internal(set) var neighbours: [ExemplarHit] = []
  public let protocolID: String
  public let protocolVersion: String

  /// How likely the level is `level` or a more urgent one, 0…1; 0 where only rules judged.
  func probability(ofAtLeast level: Urgency) -> Double {
    probabilities.reduce(0) { $1.key >= level ? $0 + $1.value : $0 }
  }
}
