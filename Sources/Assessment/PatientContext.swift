public import Clinical

/// What is known of the patient before the text is read. Everything may be missing, and missing is not normal.
public struct PatientContext: Hashable, Sendable {
  public var species: Species?
  public var breed: String?
  public var sex: Sex
  /// In days.
  public var age: Double?
  public var weightKilograms: Double?
  /// Active problems, as the record names them: `diabetes mellitus`.
  public var problems: [String]
  /// Current drugs, as the record names them.
  public var drugs: [String]

  public init(
    species: Species? = nil, breed: String? = nil, sex: Sex = .unknown, age: Double? = nil,
    weightKilograms: Double? = nil, problems: [String] = [], drugs: [String] = []
  ) {
    self.species = species
    self.breed = breed
    self.sex = sex
    self.age = age
    self.weightKilograms = weightKilograms
    self.problems = problems
    self.drugs = drugs
  }

  /// The intake's own statements first, the record's where the intake is silent.
  public init(
    _ patient: Patient?, on date: CalendarDate?, problems: [String] = [], drugs: [String] = []
  ) {
    self.init(
      species: patient?.species, breed: patient?.breed, sex: patient?.sex ?? .unknown,
      age: date.flatMap { patient?.ageInDays(on: $0) }.map(Double.init),
      weightKilograms: patient?.weightKilograms, problems: problems, drugs: drugs)
  }
}
