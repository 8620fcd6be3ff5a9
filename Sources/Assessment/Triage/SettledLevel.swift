public import Clinical

/// A level that somebody gave instead of the program's: staff by overriding, or an owner by answering.
///
/// What follows from a level follows from this one: target, action, visit type, fields, complexity and minutes.
public struct SettledLevel: Hashable, Sendable, Codable {
  public let level: Urgency
  /// Why, for the explanation.
  public let reason: String

  public init(_ level: Urgency, because reason: String) {
    self.level = level
    self.reason = reason
  }
}

extension TriageResult {
  /// The same findings at a level that somebody gave, with the reason on top of the explanation.
  func settled(at settled: SettledLevel, levels: TriageProtocol) -> TriageResult {
    var result = self
    let level = settled.level
    result.urgency = level
    result.targetMinutes = levels.levels[level]?.targetMinutes ?? level.targetMinutes
    result.action = levels.levels[level]?.action ?? ""
    result.basis = LevelBasis(.person, settled.reason)
    result.explanation = Explanation(
      "urgency: \(level.rawValue)", value: Double(level.rank),
      details: [Explanation(settled.reason, value: Double(level.rank)), explanation])
    return result
  }
}
