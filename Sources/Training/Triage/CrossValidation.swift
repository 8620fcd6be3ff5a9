import Assessment
public import Clinical

/// Judgements of cases by a model that saw nothing of their writers, beside the labels.
public struct CrossValidation: Sendable {
  public let truth: [Urgency]
  public let given: [Urgency]
  public let visitTypes: [(truth: VisitType, given: VisitType)]
  /// By case, how many of the five letters are right.
  public let rightLetters: [Int]
  /// By case, whether the first field, and one of the first two, is among those labelled.
  public let specialties: [(first: Bool, second: Bool)]

  /// Shares of all cases, or of those that the name speaks of, in a fixed order.
  public var figures: [(name: String, value: Double)] {
    let below = zip(truth, given).map { $0.rank - $1.rank }
    return [
      ("accuracy", share(below.map { $0 == 0 })), ("qwk", weightedKappa),
      ("under_triage", share(below.map { $0 > 0 })), ("under_triage_by_two", share(below.map { $0 > 1 })),
      ("over_triage", share(below.map { $0 < 0 })),
      ("red_sensitivity", sensitivity(.red)), ("red_precision", precision(.red)),
      ("red_orange_sensitivity", sensitivity(.orange)), ("red_orange_precision", precision(.orange)),
      ("red_to_green_blue", Double(zip(truth, given).count { $0 == .red && $1 <= .green })),
      (
        "abcde_accuracy",
        Double(rightLetters.reduce(0, +)) / Double(max(1, rightLetters.count * ABCDELetter.allCases.count))
      ),
      ("specialty_top1", share(specialties.map(\.first))), ("specialty_top2", share(specialties.map(\.second))),
      ("visit_type_accuracy", share(visitTypes.map { $0.truth == $0.given })),
    ]
  }

  /// The share of the cases at `level` or more urgent that were given so.
  public func sensitivity(_ level: Urgency) -> Double {
    share(zip(truth, given).filter { $0.0 >= level }.map { $0.1 >= level })
  }

  /// The share of the cases given `level` or more urgent that are so.
  public func precision(_ level: Urgency) -> Double {
    share(zip(truth, given).filter { $0.1 >= level }.map { $0.0 >= level })
  }

  /// Agreement beyond chance, with quadratic weights.
  ///
  /// - Source: J. Cohen, "Weighted kappa", Psychol Bull 1968;70(4):213-220.
  private var weightedKappa: Double {
    var observed = 0.0
    var expected = 0.0
    for (left, right) in zip(truth, given) {
      observed += Double((left.rank - right.rank) * (left.rank - right.rank))
      for other in Urgency.allCases {
        let share = Double(given.count { $0 == other }) / Double(max(1, given.count))
        expected += share * Double((left.rank - other.rank) * (left.rank - other.rank))
      }
    }
    return expected > 0 ? 1 - observed / expected : 1
  }

  private func share(_ values: [Bool]) -> Double {
    values.isEmpty ? .nan : Double(values.count { $0 }) / Double(values.count)
  }
}
