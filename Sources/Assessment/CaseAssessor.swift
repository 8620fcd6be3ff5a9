public import Clinical

/// All models of this target, applied to an intake in one go: the text is read once.
public struct CaseAssessor: Sendable {
  public let triage: TriageEngine
  public let caseFacts: CaseFactReader
  public let complexity: ComplexityModel
  public let duration: DurationModel
  public let visitTypes: VisitTypeClassifier
  public let specialties: SpecialtyMatcher
  /// What exemplars add to the rules; nil while it is being fitted, and for a practice that wants rules only.
  public var learned: LearnedTriage?

  public init(
    triage: TriageEngine, caseFacts: CaseFactReader, complexity: ComplexityModel, duration: DurationModel,
    visitTypes: VisitTypeClassifier, specialties: SpecialtyMatcher, learned: LearnedTriage? = nil
  ) {
    self.learned = learned
    self.triage = triage
    self.caseFacts = caseFacts
    self.complexity = complexity
    self.duration = duration
    self.visitTypes = visitTypes
    self.specialties = specialties
  }

  /// Reads and judges an intake.
  ///
  /// - Parameters:
  ///   - intake: the words and what came with them.
  ///   - patient: what the record says of the patient.
  ///   - facts: what the record says about complexity; the intake's own facts are added.
  ///   - animals: how many the visit is about.
  ///   - clinicianID: who will see the patient, where that is settled.
  ///   - samples: the practice's minutes of similar visits, from the retriever.
  /// - Returns: all conclusions with their reasons.
  public func assess(
    _ intake: Intake, patient: PatientContext = PatientContext(), facts: CaseFacts = CaseFacts(), animals: Int = 1,
    clinicianID: String? = nil, samples: [DurationSample] = []
  ) -> CaseAssessment {
    let reading = triage.reader.reading(of: intake.text)
    let patientFacts = PatientFacts(intake, patient, reading, reader: triage.reader)
    let matcher = PatternMatcher(reading: reading, facts: patientFacts)
    var result = triage.assess(intake, reading: reading, patient: patient)
    var features: [CaseFeature] = []
    var visitVotes: [Double] = []
    if let learned {
      features = learned.features.features(reading, facts: patientFacts, triage: result, channel: intake.channel)
      features = learned.scaled(features + visitTypes.features(matcher, triage: result))
      if let types = visitTypes.weights?.outcomes {
        visitVotes = learned.index.visitVotes(learned.index.letters.similarities(intake.text), types)
      }
      result = learned.judge(result, reading, features: features, levels: triage.triageProtocol)
    }
    let (caseFacts, evidence) = caseFacts.facts(facts, matcher: matcher, triage: result)
    let complexity = complexity.assess(caseFacts, evidence: evidence)
    let visitType = visitTypes.classify(matcher, triage: result, features: features, votes: visitVotes)
    let duration = duration.estimate(
      visitType: visitType.visitType, species: matcher.facts.species, complexityLevel: complexity.level,
      animals: animals, clinicianID: clinicianID, samples: samples)
    return CaseAssessment(
      triage: result, complexity: complexity, duration: duration, visitType: visitType,
      specialties: specialties.match(matcher, triage: result), modelVersions: versions, text: intake.text)
  }

  /// An intake as the rules alone see it, for fitting.
  func ruled(_ intake: Intake, features reader: FeatureReader) -> (
    features: [CaseFeature], fired: [RuleTrust.Finding]
  ) {
    var context = PatientContext()
    context.species = intake.species
    let reading = triage.reader.reading(of: intake.text)
    let facts = PatientFacts(intake, context, reading, reader: triage.reader)
    let result = triage.assess(intake, reading: reading, patient: context)
    let matcher = PatternMatcher(reading: reading, facts: facts)
    let features =
      reader.features(reading, facts: facts, triage: result, channel: intake.channel)
      + visitTypes.features(matcher, triage: result)
    return (features, result.findings)
  }

  /// The versions of every table and protocol behind an assessment.
  public var versions: [String: String] {
    var versions = [
      "triage protocol": triage.triageProtocol.id + " " + triage.triageProtocol.version,
      "triage concepts": triage.reader.lexicon.version, "toxins": triage.toxins.version,
      "vital signs": triage.vitals.version, "complexity points": complexity.version,
      "complexity cues": caseFacts.version, "duration priors": duration.version, "visit types": visitTypes.version,
      "specialties": specialties.version,
    ]
    if let learned { versions["triage weights"] = learned.version }
    return versions
  }
}
