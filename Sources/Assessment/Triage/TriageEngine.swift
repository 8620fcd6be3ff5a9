public import Clinical

/// Reads an intake and says how urgent it is.
///
/// Every discriminator of the protocol is tried on the text; the worst that fires decides, so more findings never make a
/// case less urgent. Nothing found is not normal: it is the protocol's default, yellow with a call back. The text is data;
/// nothing in it is an instruction.
public struct TriageEngine: Sendable {
  public let triageProtocol: TriageProtocol
  package let reader: IntakeReader
  let toxins: ToxinTable
  let vitals: VitalRanges
  /// By the finding that they are about.
  private let downgrades: [String: [NamedDowngrade]]
  private let plausibility: Plausibility?
  private let toxinExposure: Int?

  static let longestQuestionList = 5

  /// - Parameters:
  ///   - triageProtocol: which findings have which level.
  ///   - reader: of intakes.
  ///   - toxins: what is poisonous at which dose.
  ///   - vitals: which vital signs are normal.
  ///   - downgrades: what lowers a finding below its floor.
  ///   - plausibility: which weights and ages an animal can have; nil flags none.
  public init(
    protocol triageProtocol: TriageProtocol, reader: IntakeReader, toxins: ToxinTable, vitals: VitalRanges,
    downgrades: [NamedDowngrade] = [], plausibility: Plausibility? = nil
  ) {
    self.downgrades = Dictionary(grouping: downgrades, by: \.finding)
    self.plausibility = plausibility
    self.triageProtocol = triageProtocol
    self.reader = reader
    self.toxins = toxins
    self.vitals = vitals
    toxinExposure = reader.lexicon.index(of: "toxexposure")
  }

  /// - Complexity: O(words × forms + patterns × their places).
  public func assess(_ intake: Intake, patient: PatientContext = PatientContext()) -> TriageResult {
    assess(intake, reading: reader.reading(of: intake.text), patient: patient)
  }

  func assess(_ intake: Intake, reading: IntakeReading, patient: PatientContext) -> TriageResult {
    var reading = reading
    let facts = PatientFacts(intake, patient, reading, reader: reader)
    let toxinFindings = ToxinReader(table: toxins, quantities: reader.quantities, lexicon: reader.lexicon)
      .findings(in: reading, facts: facts)
    if let toxinExposure {
      for finding in toxinFindings where finding.standing.counts && finding.judgement.level >= .yellow {
        reading.add(ConceptOccurrence(concept: toxinExposure, words: finding.words), isExposure: true)
      }
    }
    let judged = vitals.judge(reading, facts)
    for finding in judged.findings where finding.standing.counts {
      let name = finding.sign.concept(isHigh: finding.isHigh)
      guard let concept = name.flatMap({ reader.lexicon.index(of: $0) }) else { continue }
      reading.add(ConceptOccurrence(concept: concept, words: finding.words))
    }
    let matcher = PatternMatcher(reading: reading, facts: facts)
    var fired: [TriageResult.Fired] = []
    var suppressed: [TriageResult.Suppressed] = []
    let mayLower = matcher.firstActive(triageProtocol.neverLowerWhen, benefitOfDoubt: true) == nil
    for discriminator in triageProtocol.discriminators where discriminator.concerns(facts) {
      judge(discriminator, matcher, mayLower, &fired, &suppressed)
    }
    for finding in toxinFindings { record(finding, reading, &fired, &suppressed) }
    for finding in judged.findings { record(finding, reading, &fired, &suppressed) }

    let survey = PrimarySurvey(
      fired: fired, signs: triageProtocol.signs, normals: triageProtocol.normals, vitals: judged, matcher: matcher)
    fired += survey.levels(triageProtocol.letterLevels)
    fired.sort { ($0.level.rank, $1.id) > ($1.level.rank, $0.id) }
    suppressed.sort { ($0.level.rank, $1.id) > ($1.level.rank, $0.id) }
    return result(fired, suppressed, survey, judged.implausible + unlikely(facts), matcher, facts)
  }

  /// What is unlikely about the animal's weight and age, by which doses and findings are judged.
  private func unlikely(_ facts: PatientFacts) -> [String] {
    guard let plausibility, let species = facts.species else { return [] }
    let years = facts.age.map { ($0 / 365.25).rounded() }
    return [
      facts.weightKilograms.flatMap { plausibility.complaint(about: "weight", value: $0, species: species) },
      years.flatMap { plausibility.complaint(about: "age_years", value: $0, species: species) },
    ].compactMap(\.self)
  }

  // MARK: - Discriminators

  private func judge(
    _ discriminator: Discriminator, _ matcher: PatternMatcher, _ mayLower: Bool, _ fired: inout [TriageResult.Fired],
    _ suppressed: inout [TriageResult.Suppressed]
  ) {
    var denied: PatternMatch?
    for pattern in discriminator.patterns {
      guard let match = matcher.match(pattern) else { continue }
      let isYoung = discriminator.countsForOthers && [.otherAnimal, .household].contains(match.standing)
      let isHousehold =
        match.standing == .household && discriminator.level >= TriageFloor.leastLevel
        && isPossible(discriminator, for: match, matcher)
      guard match.standing.counts || isYoung || isHousehold else {
        denied = denied ?? match
        continue
      }
      if matcher.firstActive(discriminator.unless, benefitOfDoubt: false) != nil { return }
      fired.append(counted(discriminator, match, matcher, mayLower))
      return
    }
    if let denied {
      suppressed.append(
        TriageResult.Suppressed(
          id: discriminator.id, level: discriminator.level, reason: denied.standing,
          evidence: denied.words.map(matcher.reading.evidence)))
    }
  }

  private func counted(
    _ discriminator: Discriminator, _ match: PatternMatch, _ matcher: PatternMatcher, _ mayLower: Bool
  ) -> TriageResult.Fired {
    var level = discriminator.level
    var reason: String?
    var words = match.words
    func apply(_ modifier: Discriminator.Modifier, _ verb: String, benefitOfDoubt: Bool) -> Bool {
      guard let (pattern, found) = matcher.firstActive(modifier.when, benefitOfDoubt: benefitOfDoubt) else {
        return false
      }
      level = modifier.to
      words = match.words + found.words
      reason = "\(verb) from \(discriminator.level.rawValue): \(pattern.source)"
      return true
    }
    for modifier in discriminator.raise.sorted(by: { $0.to > $1.to })
    where apply(modifier, "raised", benefitOfDoubt: true) { break }
    if level == discriminator.level, mayLower {
      // Of several ways down the least far is taken.
      for modifier in discriminator.lower.sorted(by: { $0.to > $1.to })
      where apply(modifier, "lowered", benefitOfDoubt: false) { break }
    }
    var floor = discriminator.floor ?? TriageFloor.of(level: level, base: discriminator.level)
    if let (downgrade, found) = downgrade(of: discriminator.id, at: match, matcher), downgrade.level < level {
      level = downgrade.level
      floor = TriageFloor.of(level: level, base: level)
      words = match.words + found.words
      reason = downgrade.reason
    }
    var letters = discriminator.letters
    if level == .red, discriminator.level < .red { for letter in letters.keys { letters[letter] = .critical } }
    return TriageResult.Fired(
      id: discriminator.id, group: discriminator.group, level: level, baseLevel: discriminator.level, letters: letters,
      evidence: words.map(matcher.reading.evidence), reason: reason, floor: floor,
      told: match.words.map(matcher.reading.bytes))
  }

  /// The downgrade of a finding that holds in a sentence of the finding's own.
  private func downgrade(
    of finding: String, at match: PatternMatch, _ matcher: PatternMatcher
  ) -> (NamedDowngrade, PatternMatch)? {
    let reading = matcher.reading
    let sentences = Set(match.words.map { reading.words[$0.lowerBound].sentence })
    for downgrade in downgrades[finding] ?? [] {
      guard let found = matcher.match(downgrade.pattern, benefitOfDoubt: false), found.standing.counts,
        found.words.allSatisfy({ sentences.contains(reading.words[$0.lowerBound].sentence) })
      else { continue }
      return (downgrade, found)
    }
    return nil
  }

  /// Whether the animal that a match speaks of is of a kind that the finding is for: a dog may pant, a cat may not.
  private func isPossible(_ discriminator: Discriminator, for match: PatternMatch, _ matcher: PatternMatcher) -> Bool {
    guard let kinds = discriminator.species, let patient = matcher.facts.species else { return true }
    return match.words.allSatisfy { range in
      matcher.reading.animal(otherThan: patient, before: range.lowerBound).map(kinds.contains) ?? true
    }
  }

  private func record(
    _ finding: ToxinFinding, _ reading: IntakeReading, _ fired: inout [TriageResult.Fired],
    _ suppressed: inout [TriageResult.Suppressed]
  ) {
    let evidence = [reading.evidence(finding.words)]
    let level = finding.judgement.level
    let isHousehold = finding.standing == .household && level >= TriageFloor.leastLevel
    guard finding.standing.counts || isHousehold else {
      suppressed.append(
        TriageResult.Suppressed(
          id: "toxin-" + finding.id, level: level, reason: finding.standing, evidence: evidence))
      return
    }
    let isCritical = finding.hasSigns && level >= .yellow
    let letters: [ABCDELetter: ABCDEStatus] =
      level >= .yellow ? [.exposure: isCritical ? .critical : .abnormal] : [:]
    fired.append(
      TriageResult.Fired(
        id: "toxin-" + finding.id, group: "toxin", level: level, baseLevel: level, letters: letters,
        evidence: evidence, reason: finding.judgement.reason, floor: TriageFloor.of(level: level, base: level),
        isTaken: finding.isTaken))
  }

  private func record(
    _ finding: VitalRanges.Finding, _ reading: IntakeReading, _ fired: inout [TriageResult.Fired],
    _ suppressed: inout [TriageResult.Suppressed]
  ) {
    let evidence = [reading.evidence(finding.words)]
    guard finding.standing.counts else {
      suppressed.append(
        TriageResult.Suppressed(id: finding.id, level: finding.level, reason: finding.standing, evidence: evidence))
      return
    }
    fired.append(
      TriageResult.Fired(
        id: finding.id, group: "vital signs", level: finding.level, baseLevel: finding.level,
        letters: [finding.survey.letter: finding.survey.status], evidence: evidence, reason: finding.reason,
        floor: TriageFloor.of(level: finding.level, base: finding.level)))
  }

  // MARK: - Result

  private func result(
    _ fired: [TriageResult.Fired], _ suppressed: [TriageResult.Suppressed], _ survey: PrimarySurvey,
    _ implausible: [String], _ matcher: PatternMatcher, _ facts: PatientFacts
  ) -> TriageResult {
    let hasTooLittle = fired.isEmpty
    var parts = fired.map { finding in
      let change = finding.reason.map { " (\($0))" } ?? ""
      return Explanation(
        "\(finding.id): \(finding.level.rawValue)\(change)", value: Double(finding.level.rank),
        evidence: finding.evidence)
    }
    if hasTooLittle {
      parts = [Explanation(triageProtocol.defaultReason, value: Double(triageProtocol.defaultUrgency.rank))]
    }
    let explanation = Explanation.maximum("urgency: the worst discriminator decides", of: parts)
    let urgency = Urgency(rank: Int(explanation.value))
    let level = triageProtocol.levels[urgency]
    let questions = QuestionChooser(triageProtocol: triageProtocol, matcher: matcher, facts: facts)
      .questions(urgency: urgency, fired: fired, suppressed: suppressed, abcde: survey.statuses)
    let deciding = fired.filter { $0.level == urgency }
    let basis =
      hasTooLittle
      ? LevelBasis(.unknown, triageProtocol.defaultReason)
      : LevelBasis(.finding, "the most urgent finding decides", findings: deciding)
    return TriageResult(
      urgency: urgency, targetMinutes: level?.targetMinutes ?? urgency.targetMinutes, action: level?.action ?? "",
      abcde: survey.statuses, abcdeEvidence: survey.evidence, fired: fired, suppressed: suppressed,
      questions: Array(questions.prefix(Self.longestQuestionList)), basis: basis, explanation: explanation,
      hasTooLittleInformation: hasTooLittle, implausible: implausible, protocolID: triageProtocol.id,
      protocolVersion: triageProtocol.version)
  }
}
