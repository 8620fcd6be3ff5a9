/// The five levels of the Veterinary Triage List, the most urgent greatest.
///
/// - Source: Ruys et al., J Vet Emerg Crit Care 2012;22(3):303–312 for red to green; blue's 240 minutes come from secondary
///   sources only. The times are waiting-room times in an emergency clinic; using them to book is VetNet's own reading.
public enum Urgency: String, CaseIterable, Codable, Comparable, Sendable {
  case red, orange, yellow, green, blue

  /// The longest wait the level allows, in minutes.
  public var targetMinutes: Int {
    switch self {
    case .red: 0
    case .orange: 15
    case .yellow: 45
    case .green: 120
    case .blue: 240
    }
  }

  /// 4 for red down to 0 for blue.
  public var rank: Int {
    switch self {
    case .red: 4
    case .orange: 3
    case .yellow: 2
    case .green: 1
    case .blue: 0
    }
  }

  public init(rank: Int) {
    self = Self.allCases[4 - min(4, max(0, rank))]
  }

  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }
}

/// What a text says about one letter of ABCDE. Silence is ``notStated``, never ``normal``.
public enum ABCDEStatus: String, CaseIterable, Codable, Sendable {
  case normal, abnormal, critical
  case notStated = "not stated"
}

/// The primary survey: airway, breathing, circulation, disability, exposure.
public enum ABCDELetter: String, CaseIterable, Codable, Sendable {
  case airway, breathing, circulation, disability, exposure
}
