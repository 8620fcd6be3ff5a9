public import Clinical

/// What is known before the visit about how complex it will be. Counts from the record are added to those read in the intake.
public struct CaseFacts: Hashable, Sendable {
  public enum Behaviour: Int, Hashable, Sendable, Comparable {
    case easy, fearful
    /// A bite history, or only handled sedated.
    case needsSedation

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// Problems to deal with today, by name.
  public var problems: [String]
  /// Body systems those problems concern.
  public var bodySystems: [String]
  public var chronicDiagnoses: [String]
  /// Current systemic drugs.
  public var drugs: [String]
  /// Those that need monitoring: insulin, antiepileptics, immunosuppressants, chemotherapy, anticoagulants.
  public var highRiskDrugs: [String]
  /// Visits for the same problem within 90 days.
  public var visitsForSameProblem: Int
  /// Weeks the problem has lasted.
  public var weeks: Double?
  public var failedTreatments: Int
  public var hasPendingResults: Bool
  /// A referral, a second opinion or a complaint.
  public var isReferral: Bool
  public var species: Species?
  /// Days.
  public var age: Double?
  public var behaviour: Behaviour
  /// ASA grade of a planned procedure, 1...5.
  public var asaGrade: Int?
  /// Money, language, cannot give medicines, several animals.
  public var ownerConstraints: [String]
  public var hasPoorRecord: Bool
  /// What the record and the message hold, counted.
  public var load = RecordLoad()
  /// How urgent the visit is, where that has been judged.
  public var urgency: Urgency?

  public init(
    problems: [String] = [], bodySystems: [String] = [], chronicDiagnoses: [String] = [], drugs: [String] = [],
    highRiskDrugs: [String] = [], visitsForSameProblem: Int = 0, weeks: Double? = nil, failedTreatments: Int = 0,
    hasPendingResults: Bool = false, isReferral: Bool = false, species: Species? = nil, age: Double? = nil,
    behaviour: Behaviour = .easy, asaGrade: Int? = nil, ownerConstraints: [String] = [], hasPoorRecord: Bool = false
  ) {
    self.problems = problems
    self.bodySystems = bodySystems
    self.chronicDiagnoses = chronicDiagnoses
    self.drugs = drugs
    self.highRiskDrugs = highRiskDrugs
    self.visitsForSameProblem = visitsForSameProblem
    self.weeks = weeks
    self.failedTreatments = failedTreatments
    self.hasPendingResults = hasPendingResults
    self.isReferral = isReferral
    self.species = species
    self.age = age
    self.behaviour = behaviour
    self.asaGrade = asaGrade
    self.ownerConstraints = ownerConstraints
    self.hasPoorRecord = hasPoorRecord
  }
}
