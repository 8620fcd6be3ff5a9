public import Clinical

/// How complex a visit is likely to be: points for each factor, summed, then a level.
///
/// - Source: an engineering proposal, to be recalibrated on a practice's own cases; the rows name theirs (`Models/SOURCES.md`).
public struct ComplexityModel: Sendable {
  /// What a row of `points.tsv` measures.
  enum Factor: String, CaseIterable, Sendable {
    case problems
    case bodySystems = "body_systems"
    case chronic
    case drugs
    case highRiskDrug = "high_risk_drug"
    case weeks
    case sameProblemVisits = "same_problem_visits"
    case failedTreatments = "failed_treatments"
    case pending, referral, species
    case youngDays = "young_days"
    case years, behaviour, asa, constraints
    case poorRecord = "poor_record"
    case recordDrugs = "record_drugs"
    case recordProblems = "record_problems"
    case recordChronic = "record_chronic"
    case recordSigns = "record_signs"
    case recordSystems = "record_systems"
    case endedTreatments = "ended_treatments"
    case abnormalLabs = "abnormal_labs"
    case labValues = "lab_values"
    case recordPending = "record_pending"
    case ownerDecisions = "owner_decisions"
    case allergies
    case recordNotes = "record_notes"
    case referralNotes = "referral_notes"
    case urgency
  }

  struct Row: Sendable {
    let id: String
    let factor: Factor
    /// The row counts from this value on (below it, for ``Factor/youngDays``).
    let threshold: Double
    /// The value up to which each unit has the points; nil where the points are given once.
    let most: Double?
    /// For species: the row counts for these.
    let species: Set<Species>
    let points: Double
    let label: String
  }

  private let rows: [Row]
  private let levels: [(level: Int, from: Double)]
  /// The version of the table.
  public let version: String

  /// - Parameter points: `points.tsv`: columns `id`, `factor`, `threshold`, `points`, `label`; a threshold `each 5` gives the
  ///   points for each unit up to five; rows of factor `level` give the points from which a level holds.
  /// - Throws: ``DataTableError`` naming the row that can't be understood.
  public init(points: DataTable) throws(DataTableError) {
    version = points.metadata["version"] ?? ""
    var rows: [Row] = []
    var levels: [(Int, Double)] = []
    for row in points.rows {
      let value = try row.number("points")
      if row["factor"] == "level" {
        levels.append((Int(try row.number("threshold")), value))
        continue
      }
      guard let factor = Factor(rawValue: row["factor"]) else { throw row.error("factor", "is no factor") }
      var species: Set<Species> = []
      var threshold = 0.0
      var most: Double?
      if factor == .species {
        for name in row.list("threshold") {
          guard let known = Species(rawValue: name) else { throw row.error("threshold", "has the unknown '\(name)'") }
          species.insert(known)
        }
      } else if row["threshold"].hasPrefix("each ") {
        guard let units = Double(row["threshold"].dropFirst(5)), units >= 1 else {
          throw row.error("threshold", "is not 'each' and a number")
        }
        (threshold, most) = (1, units)
      } else {
        threshold = try row.number("threshold")
      }
      rows.append(
        Row(
          id: row["id"], factor: factor, threshold: threshold, most: most, species: species, points: value,
          label: row["label"]))
    }
    self.rows = rows
    self.levels = levels.sorted { $0.1 > $1.1 }
  }

  /// Points, their sum and the level.
  ///
  /// - Parameters:
  ///   - facts: what is known before the visit.
  ///   - evidence: words of the intake by factor, shown beside the points.
  /// - Returns: the level with the points it follows from.
  public func assess(_ facts: CaseFacts, evidence: [String: [Evidence]] = [:]) -> ComplexityAssessment {
    var parts: [Explanation] = []
    for factor in Factor.allCases {
      // Of the rows of one factor the one with most points counts.
      let fitting = rows.filter { $0.factor == factor && holds($0, facts) }
      guard let row = fitting.max(by: { points($0, facts) < points($1, facts) }), row.points != 0 else { continue }
      parts.append(
        Explanation(
          row.label + detail(of: factor, facts), value: points(row, facts), evidence: evidence[factor.rawValue] ?? []))
    }
    let explanation = Explanation.sum("complexity points", of: parts)
    let level = levels.first { explanation.value >= $0.from }?.level ?? 1
    let values = Factor.allCases.compactMap { factor -> (String, Double)? in
      let value = value(of: factor, facts)
      return value == 0 ? nil : (factor.rawValue, value)
    }
    return ComplexityAssessment(
      level: level, points: Int(explanation.value.rounded()), factors: Dictionary(uniqueKeysWithValues: values),
      explanation: explanation)
  }

  private func points(_ row: Row, _ facts: CaseFacts) -> Double {
    row.points * (row.most.map { min($0, value(of: row.factor, facts)) } ?? 1)
  }

  private func holds(_ row: Row, _ facts: CaseFacts) -> Bool {
    switch row.factor {
    case .species: return facts.species.map(row.species.contains) ?? false
    case .youngDays: return facts.age.map { $0 < row.threshold } ?? false
    case .years: return facts.age.map { $0 / 365.25 >= row.threshold } ?? false
    default: return value(of: row.factor, facts) >= row.threshold
    }
  }

  private func value(of factor: Factor, _ facts: CaseFacts) -> Double {
    switch factor {
    case .problems: Double(facts.problems.count)
    case .bodySystems: Double(facts.bodySystems.count)
    case .chronic: Double(facts.chronicDiagnoses.count)
    case .drugs: Double(facts.drugs.count)
    case .highRiskDrug: Double(facts.highRiskDrugs.count)
    case .weeks: facts.weeks ?? 0
    case .sameProblemVisits: Double(facts.visitsForSameProblem)
    case .failedTreatments: Double(facts.failedTreatments)
    case .pending: facts.hasPendingResults ? 1 : 0
    case .referral: facts.isReferral ? 1 : 0
    case .behaviour: Double(facts.behaviour.rawValue)
    case .asa: Double(facts.asaGrade ?? 0)
    case .constraints: Double(facts.ownerConstraints.count)
    case .poorRecord: facts.hasPoorRecord ? 1 : 0
    case .recordDrugs: Double(facts.load.drugs.count)
    case .recordProblems: Double(facts.load.problems.count)
    case .recordChronic: Double(facts.load.chronicProblems.count)
    case .recordSigns: Double(facts.load.signs.count)
    case .recordSystems: Double(facts.load.systems.count)
    case .endedTreatments: Double(facts.load.counts.endedTreatments)
    case .abnormalLabs: Double(facts.load.counts.abnormalLabs)
    case .labValues: Double(facts.load.counts.labValues)
    case .recordPending: Double(facts.load.counts.pendingResults)
    case .ownerDecisions: Double(facts.load.counts.ownerDecisions)
    case .allergies: Double(facts.load.counts.allergies)
    case .recordNotes: Double(facts.load.counts.notes)
    case .referralNotes: Double(facts.load.counts.referrals)
    case .urgency: Double(facts.urgency?.rank ?? 0)
    case .species, .youngDays, .years: 0
    }
  }

  private func detail(of factor: Factor, _ facts: CaseFacts) -> String {
    let names: [String]
    switch factor {
    case .problems: names = facts.problems
    case .bodySystems: names = facts.bodySystems
    case .chronic: names = facts.chronicDiagnoses
    case .drugs: names = facts.drugs
    case .highRiskDrug: names = facts.highRiskDrugs
    case .constraints: names = facts.ownerConstraints
    case .recordDrugs: names = facts.load.drugs
    case .recordProblems: names = facts.load.problems
    case .recordChronic: names = facts.load.chronicProblems
    case .recordSigns: names = facts.load.signs
    case .recordSystems: names = facts.load.systems
    default: names = []
    }
    return names.isEmpty ? "" : ": " + names.joined(separator: ", ")
  }
}

/// The complexity of a visit.
public struct ComplexityAssessment: Hashable, Sendable {
  /// 1 simple, 2 moderate, 3 complex, 4 very complex.
  public let level: Int
  public let points: Int
  /// What was counted, by factor; what is not there is left out.
  public let factors: [String: Double]
  /// A sum whose value is ``points``.
  public let explanation: Explanation
}
