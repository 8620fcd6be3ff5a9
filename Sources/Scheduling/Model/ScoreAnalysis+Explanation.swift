public import Clinical

extension ScoreAnalysis {
  /// The value as a tree, in points: the whole, then each visit and vet, then the rules.
  public func explanation(_ description: String = "value of the plan") -> Explanation {
    var subjects: [Subject] = []
    for part in parts where subjects.last != part.subject { subjects.append(part.subject) }
    return .sum(description, of: subjects.map { explanation(of: $0) })
  }

  /// One visit's or vet's share, in points.
  public func explanation(of subject: Subject) -> Explanation {
    let own = parts(of: subject)
    return .sum(own.first?.id ?? "nothing", of: own.map { Self.explanation($0.constraint, $0.value) })
  }

  /// What of a visit or vet another plan changes, in points; the sum of the differences.
  public func explanation(of subject: Subject, changedBy other: ScoreAnalysis, _ description: String) -> Explanation {
    .sum(
      description,
      of: diff(other).filter { $0.subject == subject }.map { Self.explanation($0.constraint, $0.change) })
  }

  static func explanation(_ constraint: Constraint, _ value: Int) -> Explanation {
    Explanation(constraint.rawValue, value: Double(value) / 100)
  }
}
