public import Clinical

/// A level that a person gave instead of the program's, with the case it was given to: a row of the triage suite's format.
public struct TriageOverride: Codable, Sendable {
  public struct Labels: Codable, Sendable {
    public var urgency: String
    public var abcde: [String: String]
    public var specialties: [String]
    public var complexity: Int
    public var visitType: String

    private enum CodingKeys: String, CodingKey {
      case urgency, abcde, specialties, complexity
      case visitType = "visit_type"
    }
  }

  /// What was overridden, and why.
  public struct Origin: Codable, Sendable {
    public var given: String
    public var reason: String
    /// ISO 8601.
    public var at: String
  }

  public var id: String
  public var species: String?
  public var breed: String?
  public var age: String?
  public var sex: String?
  public var weightKilograms: Double?
  public var channel: String?
  public var text: String
  /// The person's urgency; the rest as the program had it, for somebody to check.
  public var labels: Labels
  public var override: Origin

  private enum CodingKeys: String, CodingKey {
    case id, species, breed, age, sex, channel, text, labels
    case weightKilograms = "weight_kg"
    case override
  }

  /// - Parameters:
  ///   - intake: the case.
  ///   - id: of the new labelled case.
  ///   - assessment: what the program had said.
  ///   - urgency: what the person says.
  ///   - reason: why; must not be empty.
  ///   - moment: when, in ISO 8601.
  public init(
    _ intake: Intake, id: String, assessment: CaseAssessment, urgency: Urgency, reason: String, at moment: String
  ) {
    self.id = id
    species = intake.species?.rawValue
    breed = intake.breed
    age = intake.age
    sex = intake.sex == .unknown ? nil : intake.sex.rawValue
    weightKilograms = intake.weightKilograms
    channel = intake.channel
    text = intake.text
    let isEmergency = urgency >= .orange
    var specialties = assessment.specialties.prefix(2).map(\.specialty.rawValue)
      .filter { $0 != Specialty.emergency.rawValue }
    if isEmergency { specialties.insert(Specialty.emergency.rawValue, at: 0) }
    if specialties.isEmpty { specialties = [Specialty.generalPractice.rawValue] }
    let kept = assessment.visitType.visitType
    let visitType: VisitType = isEmergency ? .emergency : kept == .emergency ? .standardConsult : kept
    labels = Labels(
      urgency: urgency.rawValue,
      abcde: Dictionary(
        uniqueKeysWithValues: ABCDELetter.allCases.map {
          ($0.rawValue, (assessment.triage.abcde[$0] ?? .notStated).rawValue)
        }), specialties: specialties, complexity: assessment.complexity.level, visitType: visitType.rawValue)
    override = Origin(given: assessment.triage.urgency.rawValue, reason: reason, at: moment)
  }
}
