public import Clinical

/// Somebody of the practice and how well a case suits them.
public struct StaffMatch: Hashable, Sendable {
  public let staffID: String
  public let name: String
  /// 0...1.
  public let score: Double
  public let explanation: Explanation
  /// What became of their visits of the case's kind; nil where there were none.
  public let outcome: StaffOutcome?
}

/// What is known of somebody beside their skills when a case is to be given to them.
public struct StaffSituation: Hashable, Sendable {
  public var member: StaffMember
  /// Share of the patient's latest notes that are theirs, 0...1.
  public var continuity: Double
  /// In the days that count for the case.
  public var workingMinutes: Double
  public var bookedMinutes: Double
  /// What became of their visits of the case's kind; nil where there were none.
  public var outcome: StaffOutcome?

  public init(
    member: StaffMember, continuity: Double = 0, workingMinutes: Double = 0, bookedMinutes: Double = 0,
    outcome: StaffOutcome? = nil
  ) {
    self.outcome = outcome
    self.member = member
    self.continuity = continuity
    self.workingMinutes = workingMinutes
    self.bookedMinutes = bookedMinutes
  }

  /// At least 0.
  public var freeMinutes: Double { max(0, workingMinutes - bookedMinutes) }
}

/// Ranks the practice's veterinarians for a case: skill, continuity, workload and availability, each with a weight of its own.
public struct StaffRanking: Sendable {
  private let weights: [String: Double]
  private let usualGeneralSkill: Double
  private let horizons: [Urgency: Int]
  /// Bounds on how many visits the practice's own share of an outcome counts for.
  public let outcomeStrength: ClosedRange<Double>
  /// Within so many days a recheck belongs to a visit.
  public let recheckDays: Int
  /// A visit that took so many times what was planned overran.
  public let overrunFactor: Double
  /// So far back visits count.
  public let outcomeYears: Double

  /// - Parameter table: `specialties/people.tsv`: columns `factor`, `value`.
  /// - Throws: ``DataTableError`` for a factor that is missing or out of range.
  public init(table: DataTable) throws(DataTableError) {
    var values: [String: Double] = [:]
    for row in table.rows {
      let value = try row.number("value")
      guard value >= 0 else { throw row.error("value", "is below 0") }
      values[row["factor"]] = value
    }
    func value(_ name: String) throws(DataTableError) -> Double {
      guard let value = values[name] else {
        throw DataTableError(table: table.name, line: 0, column: "factor", problem: "'\(name)' is missing")
      }
      return value
    }
    var weights: [String: Double] = [:]
    for factor in ["skill", "continuity", "workload", "availability", "recheck", "overrun", "outcome_limit"] {
      weights[factor] = try value(factor)
    }
    self.weights = weights
    let (least, most) = (try value("outcome_least_visits"), try value("outcome_most_visits"))
    guard least <= most else {
      throw DataTableError(table: table.name, line: 0, column: "value", problem: "least visits are above most")
    }
    outcomeStrength = least...most
    recheckDays = Int(try value("recheck_days"))
    overrunFactor = try value("overrun_factor")
    outcomeYears = try value("outcome_years")
    usualGeneralSkill = try value("usual_general")
    var horizons: [Urgency: Int] = [:]
    for urgency in Urgency.allCases { horizons[urgency] = Int(try value("horizon_days \(urgency.rawValue)")) }
    self.horizons = horizons
  }

  /// The days, today included, in which somebody's time counts for a case.
  public func horizonDays(_ urgency: Urgency) -> Int { horizons[urgency] ?? 1 }

  /// Veterinarians, the best first, equal ones by id.
  ///
  /// - Parameters:
  ///   - specialties: what the case needs; scores that add up to 1.
  ///   - people: the practice's; others than veterinarians are left out.
  ///   - minutes: that the visit will take.
  /// - Returns: a score for each that its explanation adds up to.
  /// - Complexity: O(people × specialties).
  public func ranking(_ specialties: [SpecialtyScore], people: [StaffSituation], minutes: Double) -> [StaffMatch] {
    people.filter { $0.member.role == .veterinarian }.map { person in
      let member = person.member
      var parts: [Explanation] = []
      for wanted in specialties {
        let name = wanted.specialty.rawValue
        let skill = member.skills[name] ?? (wanted.specialty == .generalPractice ? usualGeneralSkill : 0)
        guard skill > 0 else { continue }
        parts.append(Explanation("\(name): skill \(skill)", value: weight("skill") * wanted.score * skill))
      }
      if person.continuity > 0 {
        parts.append(
          Explanation("wrote the patient's latest notes", value: weight("continuity") * min(1, person.continuity)))
      }
      if person.workingMinutes > 0 {
        parts.append(
          Explanation(
            "\(Int(person.bookedMinutes.rounded())) of \(Int(person.workingMinutes.rounded())) min booked",
            value: weight("workload") * person.freeMinutes / person.workingMinutes))
        parts.append(
          Explanation(
            person.freeMinutes >= minutes ? "has the time" : "has too little time",
            value: weight("availability") * min(1, person.freeMinutes / max(1, minutes))))
      } else {
        parts.append(Explanation("not at work in the days that count", value: 0))
      }
      if let outcome = person.outcome { parts += outcomeParts(outcome, beside: parts.reduce(0) { $0 + $1.value }) }
      let explanation = Explanation.sum(member.name, of: parts)
      return StaffMatch(
        staffID: member.id, name: member.name, score: explanation.value, explanation: explanation,
        outcome: person.outcome)
    }.sorted { ($0.score, $1.staffID) > ($1.score, $0.staffID) }
  }

  /// What outcomes add or take: better than the practice is worth something, within a limit, and the score stays in 0...1.
  private func outcomeParts(_ outcome: StaffOutcome, beside sum: Double) -> [Explanation] {
    var left = sum
    return [("recheck", "rechecked", outcome.rechecked), ("overrun", "took longer than planned", outcome.overran)]
      .compactMap { factor, verb, rate in
        guard let rate else { return nil }
        let limit = weight("outcome_limit")
        let wanted = min(limit, max(-limit, weight(factor) * (rate.practice - rate.rate)))
        let value = min(1 - left, max(-left, wanted))
        left += value
        return Explanation(
          "\(outcome.kind): \(rate.count) of \(rate.of) \(verb); practice \(Self.percent(rate.practice)), counted as \(Self.percent(rate.rate))",
          value: value)
      }
  }

  private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  private func weight(_ factor: String) -> Double { weights[factor] ?? 0 }
}
