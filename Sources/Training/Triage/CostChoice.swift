import Assessment
import Clinical

/// Chooses what a missed level costs, so that the goals of triage are met as nearly as the probabilities allow.
struct CostChoice {
  /// A goal and whether the figure should be above or below it.
  struct Goal: Sendable {
    let name: String
    let value: Double
    let isCeiling: Bool
  }

  /// Issue 6's goals for cases never seen, in shares.
  static let goals = [
    Goal(name: "accuracy", value: 0.75, isCeiling: false), Goal(name: "qwk", value: 0.88, isCeiling: false),
    Goal(name: "red_sensitivity", value: 0.93, isCeiling: false),
    Goal(name: "red_precision", value: 0.70, isCeiling: false),
    Goal(name: "red_orange_sensitivity", value: 0.97, isCeiling: false),
    Goal(name: "red_orange_precision", value: 0.80, isCeiling: false),
    Goal(name: "under_triage", value: 0.05, isCeiling: true),
    Goal(name: "under_triage_by_two", value: 0.01, isCeiling: true),
    Goal(name: "over_triage", value: 0.22, isCeiling: true),
  ]

  static let ratios = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12]

  /// How far the figures fall short of the goals, added up; those beyond count for a little, so that ties are settled.
  static func shortfall(_ figures: [(name: String, value: Double)]) -> Double {
    goals.reduce(0) { sum, goal in
      guard let figure = figures.first(where: { $0.name == goal.name })?.value, !figure.isNaN else { return sum + 1 }
      let short = goal.isCeiling ? figure - goal.value : goal.value - figure
      return sum + (short > 0 ? short : 0.05 * short)
    }
  }

  /// The ratios of least shortfall, found one level at a time until no change helps.
  ///
  /// - Parameters:
  ///   - count: of levels.
  ///   - figures: what the ratios give.
  /// - Returns: as many ratios as there are levels.
  static func best(count: Int, figures: ([Double]) -> [(name: String, value: Double)]) -> [Double] {
    var best: (ratios: [Double], shortfall: Double) = ([], .infinity)
    for start in [1.0, 2, 4] {
      var ratios = [Double](repeating: start, count: count)
      var least = shortfall(figures(ratios))
      var isBetter = true
      while isBetter {
        isBetter = false
        for index in ratios.indices {
          for ratio in Self.ratios where ratio != ratios[index] {
            var changed = ratios
            changed[index] = ratio
            let value = shortfall(figures(changed))
            if value < least - 1e-9 {
              (ratios, least) = (changed, value)
              isBetter = true
            }
          }
        }
      }
      if least < best.shortfall { best = (ratios, least) }
    }
    return best.ratios
  }
}
