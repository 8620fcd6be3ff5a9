public import Clinical

/// All models of this target, applied to an intake in one go: the text is read once.
public struct CaseAssessor: Sendable {
  public let triage: TriageEngine
  public let caseFacts: CaseFactReader
  public let complexity: ComplexityModel
  public let duration: DurationModel
  public let visitTypes: VisitTypeClassifier
  public let specialties: SpecialtyMatcher
  let guidedQuestions: GuidedQuestions
  /// What exemplars add to the rules; nil while it is being fitted, and for a practice that wants rules only.
  public var learned: LearnedTriage?

  public init(
    triage: TriageEngine, caseFacts: CaseFactReader, complexity: ComplexityModel, duration: DurationModel,
    visitTypes: VisitTypeClassifier, specialties: SpecialtyMatcher, guidedQuestions: GuidedQuestions,
    learned: LearnedTriage? = nil
  ) {
    self.guidedQuestions = guidedQuestions
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
  /// A message about several animals is judged animal by animal; the most urgent leads, and ``CaseAssessment/animals`` has
  /// them all.
  ///
  /// - Parameters:
  ///   - intake: the words and what came with them.
  ///   - patient: what the record says of the patient.
  ///   - facts: what the record says about complexity; the intake's own facts are added.
  ///   - animals: how many the visit is about.
  ///   - clinicianID: who will see the patient, where that is settled.
  ///   - booked: what kind of visit somebody has made of it: its length is predicted for that, not for what the words suggest.
  ///   - samples: the practice's minutes of similar visits, from the retriever.
  ///   - learner: what the practice's finished visits taught; nil or with few visits leaves the length to priors and samples.
  ///   - settled: a level that somebody gave, for the animal that leads; what follows from the level follows from this one.
  /// - Returns: all conclusions with their reasons.
  public func assess(
    _ intake: Intake, patient: PatientContext = PatientContext(), facts: CaseFacts = CaseFacts(), animals: Int = 1,
    clinicianID: String? = nil, booked: VisitType? = nil, samples: [DurationSample] = [],
    learner: DurationLearner? = nil, settled: SettledLevel? = nil
  ) -> CaseAssessment {
    let named = AnimalSplitter(reader: triage.reader).animals(in: intake.text)
    guard named.count > 1 else {
      return assessOne(
        intake, patient: patient, facts: facts, animals: animals, clinicianID: clinicianID, booked: booked,
        samples: samples, learner: learner, settled: settled)
    }
    // What the form says of the patient is said of the first animal that can be it; nothing is known of the others but their
    // kind, which is the form's where the message names none.
    let onFile = intake.species ?? patient.species
    let own = named.firstIndex { $0.species == nil || onFile == nil || $0.species == onFile } ?? 0
    func assess(_ place: Int, settled: SettledLevel? = nil) -> CaseAssessment {
      let animal = named[place]
      var part = intake
      part.text = animal.text(of: intake.text)
      if place != own {
        (part.breed, part.age, part.sex, part.weightKilograms) = (nil, nil, .unknown, nil)
        part.species = animal.species ?? onFile
      }
      var result = assessOne(
        part, patient: place == own ? patient : PatientContext(), facts: place == own ? facts : CaseFacts(),
        animals: max(animals, named.count), clinicianID: clinicianID, booked: booked, samples: samples,
        learner: learner, settled: settled)
      result.text = intake.text
      return result
    }
    var assessed = named.indices.map { assess($0) }
    // Of equally urgent ones the first that is named.
    let order = assessed.indices.sorted {
      (assessed[$1].triage.urgency.rank, $0) < (assessed[$0].triage.urgency.rank, $1)
    }
    if settled != nil { assessed[order[0]] = assess(order[0], settled: settled) }
    var leading = assessed[order[0]]
    leading.animals = order.map { CaseAssessment.Animal(animal: named[$0], assessment: assessed[$0]) }
    guard settled == nil else { return leading }
    // What stands in the message and fell between its parts keeps its floor.
    var whole = assessOne(
      intake, patient: patient, facts: facts, animals: max(animals, named.count), clinicianID: clinicianID,
      booked: booked, samples: samples, learner: learner, settled: nil)
    guard let floor = TriageFloor.highest(of: whole.triage.fired)?.floor, leading.triage.urgency < floor else {
      return leading
    }
    whole.animals = leading.animals
    return whole
  }

  private func assessOne(
    _ intake: Intake, patient: PatientContext, facts: CaseFacts, animals: Int, clinicianID: String?,
    booked: VisitType?, samples: [DurationSample], learner: DurationLearner?, settled: SettledLevel?
  ) -> CaseAssessment {
    let reading = triage.reader.reading(of: intake.text)
    let patientFacts = PatientFacts(intake, patient, reading, reader: triage.reader)
    let matcher = PatternMatcher(reading: reading, facts: patientFacts)
    var result = triage.assess(intake, reading: reading, patient: patient)
    var seen: LearnedTriage.Case?
    if let learned, learned.protocolID == result.protocolID {
      let found = learned.seen(
        features(reading, facts: patientFacts, triage: result, matcher, channel: intake.channel, learned.features))
      let isMeant = meant(result, reading, intake, patient, species: patientFacts.species, learned)
      result = learned.judge(
        result.keepingFindings(where: isMeant), reading, found, levels: triage.triageProtocol)
      result = supposed(result, reading, intake, patient, learned)
      seen = found
    }
    if let settled { result = result.settled(at: settled, levels: triage.triageProtocol) }
    let (caseFacts, evidence) = caseFacts.facts(facts, matcher: matcher, triage: result)
    let complexity = complexity.assess(caseFacts, evidence: evidence)
    let visitType = visitTypes.classify(
      matcher, triage: result, learned: seen.flatMap { learnedVisits($0, reading) })
    let duration: DurationEstimate
    if let learner, learner.isTaught, animals == 1 {
      duration = DurationEstimate(
        learner.forecast(
          DurationInput(
            visitType: (booked ?? visitType.visitType).rawValue, clinicianID: clinicianID,
            species: matcher.facts.species?.rawValue, ageYears: matcher.facts.age.map { $0 / 365.25 },
            complexityLevel: complexity.level, text: DurationLearner.reason(intake.text))))
    } else {
      duration = self.duration.estimate(
        visitType: booked ?? visitType.visitType, species: matcher.facts.species, complexityLevel: complexity.level,
        animals: animals, clinicianID: clinicianID, samples: samples)
    }
    return CaseAssessment(
      triage: result, complexity: complexity, duration: duration, visitType: visitType,
      specialties: specialties.match(matcher, triage: result, learned: seen.flatMap { learnedFields($0, reading) }),
      modelVersions: versions, text: intake.text)
  }

  /// Whether a finding is meant by any of the sentences that it is found in; see ``OwnReading``.
  ///
  /// - Complexity: a reading for each sentence with a finding, and for each message without the sentences that don't mean it.
  private func meant(
    _ result: TriageResult, _ reading: IntakeReading, _ intake: Intake, _ patient: PatientContext, species: Species?,
    _ learned: LearnedTriage
  ) -> (TriageResult.Fired) -> Bool {
    var likelihoods: [String: Double] = [:]
    func likelihood(_ own: String) -> Double {
      if let known = likelihoods[own] { return known }
      let likelihood = learned.urgentProbability(of: learned.seen(ownFeatures(own, species: species, learned.features)))
      likelihoods[own] = likelihood
      return likelihood
    }
    func isMeant(_ finding: TriageResult.Fired, in reading: IntakeReading) -> Bool {
      guard let least = OwnReading.leastProbability(of: finding, in: reading),
        let own = reading.ownSentences(of: finding)
      else { return true }
      return likelihood(own) >= least
    }
    var rest: [String: (TriageResult, IntakeReading)] = [:]
    /// The same message without some sentences.
    func assessed(_ text: String) -> (TriageResult, IntakeReading) {
      if let known = rest[text] { return known }
      var part = intake
      part.text = text
      let reading = triage.reader.reading(of: text)
      let result = (triage.assess(part, reading: reading, patient: patient), reading)
      rest[text] = result
      return result
    }
    return { finding in
      var (current, place) = (finding, reading)
      // A word that is not meant here may be meant in the next sentence.
      for _ in 0..<OwnReading.mostSentences {
        if isMeant(current, in: place) { return true }
        guard let text = place.withoutSentences(of: current) else { return true }
        let (others, rest) = assessed(text)
        guard let next = others.fired.first(where: { $0.id == finding.id }) else { return false }
        (current, place) = (next, rest)
      }
      return true
    }
  }

  /// The result without what is only supposed: a red or orange finding that was asked about, feared, a figure of speech or lowered by
  /// name raises the case neither by its rule nor by what its words were in other messages.
  ///
  /// Where the whole message is probably orange or red, a rule that took its finding for supposed is not believed.
  /// Where no finding that stands makes the case urgent, the message is judged without the sentences of such findings; a question
  /// with nothing else beside it is green.
  private func supposed(
    _ result: TriageResult, _ reading: IntakeReading, _ intake: Intake, _ patient: PatientContext,
    _ learned: LearnedTriage
  ) -> TriageResult {
    guard result.urgency >= .yellow, result.basis.source == .exemplars,
      !result.fired.contains(where: { $0.floor != nil || $0.level >= .orange }),
      result.probability(ofAtLeast: TriageFloor.leastLevel) < OwnReading.probable
    else { return result }
    func words(_ evidence: [Evidence]) -> [Int] {
      evidence.compactMap { reading.words(in: $0.range) }.flatMap { Array($0) }
    }
    let supposed = words(
      result.suppressed.filter { $0.level >= TriageFloor.leastLevel && $0.reason.isSupposed }.flatMap(\.evidence))
    let lowered = words(result.fired.filter(\.isDowngraded).flatMap(\.evidence))
    let words = supposed + lowered
    guard !words.isEmpty else { return result }
    var rest = intake
    rest.text = reading.withoutSentences(of: words)
    let others = triage.reader.reading(of: rest.text)
    let level: Urgency
    if others.contentWords < LearnedTriage.leastKnownWords {
      level = supposed.isEmpty || reading.asks(in: supposed) ? .green : .yellow
    } else {
      let facts = PatientFacts(rest, patient, others, reader: triage.reader)
      let ruled = triage.assess(rest, reading: others, patient: patient)
      let matcher = PatternMatcher(reading: others, facts: facts)
      let seen = learned.seen(
        features(others, facts: facts, triage: ruled, matcher, channel: intake.channel, learned.features))
      level = max(.green, learned.judge(ruled, others, seen, levels: triage.triageProtocol).urgency)
    }
    return level < result.urgency
      ? result.lowered(
        to: level, levels: triage.triageProtocol,
        LevelBasis(.exemplars, "what is left when findings that are only supposed are taken away"))
      : result
  }

  /// What the model sees of a finding's own words: of the form it knows the species alone, for nothing that is typed into a form
  /// changes what somebody meant.
  func ownFeatures(_ text: String, species: Species?, _ reader: FeatureReader) -> [CaseFeature] {
    let part = Intake(id: "own", species: species, text: text)
    let reading = triage.reader.reading(of: text)
    let facts = PatientFacts(part, PatientContext(), reading, reader: triage.reader)
    let result = triage.assess(part, reading: reading, patient: PatientContext())
    return features(
      reading, facts: facts, triage: result, PatternMatcher(reading: reading, facts: facts), channel: nil, reader)
  }

  /// An intake as the rules alone see it, for fitting.
  package struct Ruled {
    /// A finding's place in ``evidence``, and the least probability at which it is meant.
    package typealias OwnFinding = (place: Int, least: Double)

    package let features: [CaseFeature]
    package let triage: TriageResult
    package let cues: [Explanation]
    package let evidence: RuleTrust.Evidence
    /// What ``OwnReading`` reads: the sentences of findings that may be doubted, see ``OwnFinding``.
    package let own: [(features: [CaseFeature], findings: [OwnFinding])]
    /// In their order.
    package let words: [String]
  }

  package func ruled(_ intake: Intake, features reader: FeatureReader) -> Ruled {
    var context = PatientContext()
    context.species = intake.species
    let reading = triage.reader.reading(of: intake.text)
    let facts = PatientFacts(intake, context, reading, reader: triage.reader)
    let result = triage.assess(intake, reading: reading, patient: context)
    let matcher = PatternMatcher(reading: reading, facts: facts)
    var texts: [String] = []
    var own: [(features: [CaseFeature], findings: [Ruled.OwnFinding])] = []
    for (place, finding) in result.fired.enumerated() where finding.floor != nil {
      guard let least = OwnReading.leastProbability(of: finding, in: reading),
        let text = reading.ownSentences(of: finding)
      else { continue }
      if let known = texts.firstIndex(of: text) {
        own[known].findings.append((place, least))
      } else {
        texts.append(text)
        own.append((ownFeatures(text, species: facts.species, reader), [(place, least)]))
      }
    }
    return Ruled(
      features: features(reading, facts: facts, triage: result, matcher, channel: intake.channel, reader),
      triage: result, cues: visitTypes.cues(matcher, triage: result), evidence: RuleTrust.Evidence(result, in: reading),
      own: own, words: reading.words.map(\.text))
  }

  private func features(
    _ reading: IntakeReading, facts: PatientFacts, triage: TriageResult, _ matcher: PatternMatcher, channel: String?,
    _ reader: FeatureReader
  ) -> [CaseFeature] {
    reader.features(
      reading, facts: facts, triage: triage, channel: channel,
      routing: visitTypes.routing(matcher, triage: triage) + specialties.routing(matcher, triage: triage))
  }

  private func learnedVisits(_ seen: LearnedTriage.Case, _ reading: IntakeReading) -> VisitTypeClassifier.Learned? {
    guard let learned else { return nil }
    return VisitTypeClassifier.Learned(
      outputs: learned.model.outputs(.visitType), scores: learned.model.scores(seen.vector, .visitType)
    ) { learned.details(seen, reading, .visitType, output: $0) }
  }

  /// The model's scores from −1 to 1 as shares from 0 to 1.
  private func learnedFields(_ seen: LearnedTriage.Case, _ reading: IntakeReading) -> [Explanation]? {
    guard let learned else { return nil }
    let scores = learned.model.scores(seen.vector, .specialty)
    return zip(learned.model.outputs(.specialty), scores).enumerated().map { output, field in
      let share = min(1, max(0, (field.1 + 1) / 2))
      return Explanation(
        field.0, value: LearnedTriage.rounded(share),
        details: share < Self.explainedShare ? [] : learned.details(seen, reading, .specialty, output: output))
    }
  }

  private static let explainedShare = 0.3

  /// The versions of every table and protocol behind an assessment.
  public var versions: [String: String] {
    var versions = [
      "triage protocol": triage.triageProtocol.id + " " + triage.triageProtocol.version,
      "triage concepts": triage.reader.lexicon.version, "toxins": triage.toxins.version,
      "vital signs": triage.vitals.version, "complexity points": complexity.version,
      "complexity cues": caseFacts.version, "duration priors": duration.version, "visit types": visitTypes.version,
      "specialties": specialties.version,
    ]
    if let learned { versions["triage model"] = learned.version }
    return versions
  }
}
