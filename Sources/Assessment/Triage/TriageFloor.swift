import Clinical

/// How far below a finding the case may be judged: an orange one never ends below yellow, a red one never below orange.
///
/// The floor is a finding's own: it is taken from the level that the finding has before anything reassuring was heard, so no
/// other sentence of the message can move it. Only a ``NamedDowngrade`` goes below.
///
/// - Source: VetNet's own rule of safety. Owners play down, signs come and go, and poisons have a delay.
enum TriageFloor {
  /// Levels between a finding and its floor.
  private static let reach = 1
  /// Less urgent findings only advise, unless their discriminator says otherwise.
  static let leastLevel = Urgency.orange

  /// - Parameters:
  ///   - level: of the finding as it counts.
  ///   - base: its level before modifiers: what softened it is no downgrade.
  /// - Returns: nil for findings that only advise.
  static func of(level: Urgency, base: Urgency) -> Urgency? {
    let worst = max(level, base)
    return worst >= leastLevel ? Urgency(rank: worst.rank - reach) : nil
  }

  /// The highest floor, with the finding that sets it; of several the first in the order of the findings.
  static func highest(of fired: [TriageResult.Fired]) -> (floor: Urgency, finding: TriageResult.Fired)? {
    var best: (floor: Urgency, finding: TriageResult.Fired)?
    for finding in fired {
      guard let floor = finding.floor else { continue }
      if best.map({ floor > $0.floor }) ?? true { best = (floor, finding) }
    }
    return best
  }
}
