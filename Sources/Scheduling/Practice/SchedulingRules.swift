public import Clinical

/// What the practice side of scheduling takes from `Models/scheduling/`: worth of visits, costs of waiting, rooms needed.
public struct SchedulingRules: Sendable {
  /// What a visit of one urgency is worth; a row of `weights.tsv`.
  public struct Weight: Hashable, Sendable {
    public enum Order: String, Sendable { case earliest, score }

    public let points: Double
    public let targetMinutes: Int
    public let latestMinutes: Int
    public let targetCostShare: Double
    public let latestCostShare: Double
    /// Per hour away from a wished time.
    public let shiftCostShare: Double
    public let order: Order
    public let minimumMatch: Double
  }

  /// What treating a kind of animal takes beside the visit's own specialty; a row of `species-skills.tsv`.
  private struct SpeciesSkill: Hashable, Sendable {
    let specialty: Specialty
    /// How much of the match it limits, 0...1.
    let share: Double
  }

  private let weights: [String: Weight]
  private let speciesSkills: [Species: SpeciesSkill]
  private var parameters: [String: Double]
  public let visits: VisitResources

  /// - Parameters:
  ///   - weights: `scheduling/weights.tsv`.
  ///   - parameters: `scheduling/parameters.tsv`.
  ///   - visitResources: `scheduling/visit-resources.tsv`.
  ///   - speciesSkills: `scheduling/species-skills.tsv`.
  /// - Throws: ``DataTableError`` for a missing row or a value that is no number or out of range.
  public init(
    weights: DataTable, parameters: DataTable, visitResources: DataTable, speciesSkills: DataTable
  ) throws(DataTableError) {
    var byID: [String: Weight] = [:]
    for row in weights.rows {
      guard let order = Weight.Order(rawValue: row["order"]) else {
        throw row.error("order", "is neither earliest nor score")
      }
      byID[row["id"]] = Weight(
        points: try Self.positive("weight_points", row), targetMinutes: Int(try Self.positive("target_minutes", row)),
        latestMinutes: Int(try Self.positive("latest_minutes", row)),
        targetCostShare: try Self.positive("target_cost_share", row),
        latestCostShare: try Self.positive("latest_cost_share", row),
        shiftCostShare: try Self.positive("shift_cost_share", row), order: order,
        minimumMatch: try Self.positive("minimum_match", row))
    }
    for id in Urgency.allCases.map(\.rawValue) + [Self.bookable] where byID[id] == nil {
      throw DataTableError(table: weights.name, line: 0, column: "id", problem: "no row for \(id)")
    }
    var values: [String: Double] = [:]
    for row in parameters.rows { values[row["id"]] = try Self.positive("value", row) }
    for parameter in Parameter.allCases where values[parameter.rawValue] == nil {
      throw DataTableError(
        table: parameters.name, line: 0, column: "id", problem: "no row for \(parameter.rawValue)")
    }
    self.weights = byID
    self.parameters = values
    visits = try VisitResources(table: visitResources)
    var skills: [Species: SpeciesSkill] = [:]
    for row in speciesSkills.rows {
      guard let species = Species(rawValue: row["species"]) else { throw row.error("species", "is no species") }
      guard !row["skill"].isEmpty else { throw row.error("skill", "is empty") }
      let share = try Self.positive("share", row)
      guard share <= 1 else { throw row.error("share", "is above 1") }
      skills[species] = SpeciesSkill(specialty: Specialty(rawValue: row["skill"]), share: share)
    }
    self.speciesSkills = skills
  }

  private static let bookable = "bookable"

  private static func positive(_ column: String, _ row: DataTable.Row) throws(DataTableError) -> Double {
    let value = try row.number(column)
    guard value >= 0, value <= 1e6 else { throw row.error(column, "does not lie between 0 and a million") }
    return value
  }

  /// The numbers of `parameters.tsv`.
  enum Parameter: String, CaseIterable {
    case baseShare = "base_share"
    case matchShare = "match_share"
    case continuityShare = "continuity_share"
    case planQuantile = "plan_quantile"
    case slowdown
    case generalMatch = "general_match"
    case missingSkillFactor = "missing_skill_factor"
    case overtimeFirstShare = "overtime_first_share"
    case overtimeSecondShare = "overtime_second_share"
    case overtimeFirstCost = "overtime_first_cost"
    case overtimeSecondCost = "overtime_second_cost"
    case moveCost = "move_cost"
    case moveCostPerSlot = "move_cost_per_slot"
    case otherClinicianCost = "other_clinician_cost"
    case moveWindowMinutes = "move_window_minutes"
    case noticeMinutes = "notice_minutes"
    case moveMatchTolerance = "move_match_tolerance"
    case emergencyWindowMinutes = "emergency_window_minutes"
    case locationTravelMinutes = "location_travel_minutes"
    case loadCost = "load_cost"
    case lateLongCost = "late_long_cost"
  }

  subscript(parameter: Parameter) -> Double { parameters[parameter.rawValue] ?? 0 }

  /// An amount of points in the solver's unit, 1/100 point.
  func amount(_ parameter: Parameter) -> Int { Int((self[parameter] * 100).rounded()) }

  /// The quantile of the predicted duration that is reserved.
  public var planQuantile: Double { min(0.99, max(0.01, self[.planQuantile])) }

  /// The same rules with another quantile reserved: a practice's own setting.
  ///
  /// - Precondition: `quantile` lies between 0 and 1, both excluded.
  public func reserving(quantile: Double) -> SchedulingRules {
    precondition(quantile > 0 && quantile < 1, "a quantile of \(quantile)")
    var rules = self
    rules.parameters[Parameter.planQuantile.rawValue] = quantile
    return rules
  }

  /// Minutes between somebody's hours at two locations on one day.
  public var locationTravelMinutes: Int { Int(self[.locationTravelMinutes]) }

  /// The weight of a visit; a planned one has no urgency.
  public func weight(_ urgency: Urgency?) -> Weight {
    let id = urgency?.rawValue ?? Self.bookable
    return weights[id]
      ?? Weight(
        points: 0, targetMinutes: 0, latestMinutes: 0, targetCostShare: 0, latestCostShare: 0, shiftCostShare: 0,
        order: .score, minimumMatch: 0)
  }

  /// How well somebody fits a visit, 0...1: for the specialty, and no better than the animal's kind allows.
  public func match(_ member: StaffMember, _ request: VisitRequest) -> Double {
    let match = match(member, request.specialty)
    guard let need = request.species.flatMap({ speciesSkills[$0] }) else { return match }
    let skill = min(1, max(0, member.skills[need.specialty.rawValue] ?? 0))
    return (1 - need.share) * match + need.share * min(match, skill)
  }

  /// How well somebody fits a specialty, 0...1; without one, general practice is what counts.
  public func match(_ member: StaffMember, _ specialty: Specialty?) -> Double {
    let general = member.skills[Specialty.generalPractice.rawValue] ?? self[.generalMatch]
    guard let specialty, specialty != .generalPractice else { return min(1, max(0, general)) }
    return min(1, max(0, member.skills[specialty.rawValue] ?? general * self[.missingSkillFactor]))
  }
}
