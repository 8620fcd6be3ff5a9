import Assessment
import Chart
import Clinical
import Extraction
import Formulary

// The drugs that are named, what speaks against them, what has to be watched, and when the patient comes again.

extension EncounterDesk {
  private static let monitoringLimit = 4
  private static let questionLimit = 3
  private static let given: [TreatmentAction] = [.given, .dispensed, .started, .changed, .continued]

  private var named: [Fact] {
    narrative.facts.filter { $0.drugEvent != nil && $0.assertion.experiencer == .patient && $0.kind != .allergy }
  }

  /// Each drug of the narrative with what was done with it, as far as the words tell.
  mutating func drugLines() -> [EncounterReading.Line] {
    var seen: Set<String> = []
    return named.compactMap { fact in
      let state = Self.state(of: fact)
      guard seen.insert("\(fact.name) \(state)").inserted else { return nil }
      let dosage = fact.dosage
      let amount = [
        dosage?.dose?.text ?? dosage?.rate?.text, dosage?.route?.rawValue, dosage?.frequency?.rawValue,
      ].compactMap { $0 }
      let words = ([fact.name] + amount).joined(separator: " ")
      return line(.check, "\(words): \(state)", [.note(RecordedFact(note: narrative.note, fact: fact))])
    }
  }

  /// `given`, `planned`, `not given`: what no word says was done is only named.
  static func state(of fact: Fact) -> String {
    if fact.hasAction(in: TreatmentAction.ends) { return fact.action?.rawValue ?? "not given" }
    if fact.assertion.polarity == .absent { return "not given" }
    if fact.assertion.temporality == .hypothetical { return "planned" }
    if fact.assertion.temporality == .historical { return "in the past" }
    if let action = fact.action, given.contains(action) { return action.rawValue }
    return fact.action?.rawValue ?? "named"
  }

  /// What the formulary and the record say against the drugs, the worst first.
  mutating func alertLines() -> [EncounterReading.Line] {
    allAlerts.compactMap { alert in
      line(.check, alert.text, alert.places, alert.references, isWarning: true)
    }
  }

  /// Beside what briefs alert to: what the chart knows was not borne, under whatever name.
  var allAlerts: [DrugAlert] {
    var all = alerts
    let notes = Dictionary(record.notes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for use in uses.all {
      guard case .presented = use.place else { continue }
      for course in chart.warnings where concerns(course.treatment, use.drug) {
        let told = "REACTION on file to \(course.treatment);"
        guard !all.contains(where: { $0.kind == "reaction" && $0.text.hasPrefix(told) }),
          let evidence = course.evidence.last, let note = notes[evidence.noteID]
        else { continue }
        let place = Place.note(
          RecordedFact(note: note, fact: Fact(.notice(subject: nil), name: course.treatment, range: evidence.passage)))
        let isBan = course.state == .avoid
        all.append(
          DrugAlert(
            kind: "reaction", rank: 4,
            text: isBan
              ? "AVOID on file: \(course.treatment); \(use.drug.generic) is named"
              : "\(told) \(use.drug.generic) is named: on file as not tolerated",
            places: [place, use.place], references: []))
      }
    }
    return all.enumerated().sorted { ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset) }.map(\.element)
  }

  /// Whether a treatment that was not borne is a drug, or a class that the drug is of.
  private func concerns(_ treatment: String, _ drug: Formulary.Drug) -> Bool {
    switch formulary.match(treatment) {
    case .drugs(let drugs)?: drugs.contains { $0.id == drug.id }
    case .drugClass(_, let members)?: members.contains { $0.id == drug.id }
    case nil: treatment == drug.generic
    }
  }

  /// Tests that a drug asks for and that are not on file, or are too old.
  mutating func monitoringLines() -> [EncounterReading.Line] {
    let results = whole.recordedFacts([.lab]).filter { $0.fact.hasValue && $0.fact.assertion.experiencer == .patient }
    var lines: [EncounterReading.Line] = []
    var seen: Set<String> = []
    for use in uses.all where !use.use.isLocal {
      for row in formulary.monitoring(of: use.drug, in: species) where lines.count < Self.monitoringLimit {
        guard let months = row.months, !row.tests.isEmpty else { continue }
        let last = results.last { row.tests.contains($0.fact.name) }
        if let last, last.note.recordedAt >= context.now.adding(days: -months * 365 / 12) { continue }
        guard seen.insert("\(use.drug.id) \(last?.fact.name ?? row.reference.id)").inserted else { continue }
        let words =
          last.map {
            "last \($0.fact.name) \(context.zone.date(of: $0.note.recordedAt)), asked for every \(months) months"
          }
          ?? "no \(row.tests.prefix(3).joined(separator: ", ")) found on file"
        lines += [
          line(
            .check, "monitoring of \(use.drug.generic): \(words)", [use.place] + (last.map { [.note($0)] } ?? []),
            [row.reference])
        ].compactMap { $0 }
      }
    }
    return lines
  }

  // MARK: Coming again

  /// What the plan says of the next visit, with its day where a length of time is written.
  mutating func followUps() -> [EncounterReading.FollowUp] {
    parts.pieces.filter { [.plan, .followUp, .workUp].contains($0.section) }.compactMap { piece in
      guard let task = builder.lexicon.plans.task(in: piece.sentence, of: narrative.note),
        let words = narrative.text.slice(utf8: piece.sentence), let number = cite(narrative.note, piece.sentence)
      else { return nil }
      return EncounterReading.FollowUp(
        text: words.trimmingSpaces(), due: due(in: piece.sentence, task: task),
        namesDrug: named.contains { piece.sentence.contains($0.range.lowerBound) }, citation: number)
    }
  }

  /// The first length of time behind the words that ask for it, else the last before them.
  private func due(in sentence: Range<Int>, task: Range<Int>) -> ClosedRange<CalendarDate>? {
    let times = reader.quantities.quantities(in: narrative.text).filter { quantity in
      quantity.dimension == "time" && sentence.contains(quantity.range.lowerBound)
        && Self.days(quantity.unit) != nil
    }
    guard let time = times.first(where: { $0.range.upperBound > task.lowerBound }) ?? times.last,
      let unit = Self.days(time.unit)
    else { return nil }
    func day(_ value: Double) -> CalendarDate { today.adding(days: Int((value * unit).rounded())) }
    let first = day(time.value)
    return first...max(first, day(time.upper ?? time.value))
  }

  private static func days(_ unit: String) -> Double? {
    switch unit {
    case "day": 1
    case "week": 7
    case "month": 30.4375
    case "year": 365.25
    default: nil
    }
  }

  // MARK: What is missing

  private static let asked: [VitalMeasure] = [.temperature, .heartRate, .respiratoryRate]
  private static let weightDays = 30

  /// What a safe decision needs and neither the narrative nor the record says; each names what asks for it.
  mutating func questionLines(
    _ risk: RiskTable.Verdict?, _ followUps: [EncounterReading.FollowUp]
  ) -> [EncounterReading.Line] {
    guard narrative.text.contains(where: { !$0.isWhitespace }) else { return [] }
    var lines: [EncounterReading.Line] = []
    let measured = Set(
      narrative.facts.filter { isToday($0) && !$0.isImplausible }.compactMap { fact -> VitalMeasure? in
        if case .measurement(let measurement) = fact.content { measurement.measure } else { nil }
      })
    if !measured.contains(.weight), let drug = uses.all.first(where: { !$0.use.isLocal }), isNamed(drug) {
      let last = WeightTrend(record, zone: context.zone).weighings.last
      if last.map({ today.daysSince1970 - $0.date.daysSince1970 > Self.weightDays }) ?? true {
        let known =
          last.map { "; the last weight is \(ChartNumber.text($0.kilograms)) kg of \($0.date)" }
          ?? "; no weight is on file"
        lines += [
          line(
            .check, "What does it weigh today? \(drug.drug.generic) is named\(known).",
            [drug.place] + (last.map { [.note($0.item)] } ?? []))
        ].compactMap { $0 }
      }
    }
    let isIll = !found.differentials.isEmpty || (risk?.level ?? .low) >= .moderate
    if isIll {
      for measure in Self.asked where !measured.contains(measure) {
        guard
          let limits = reader.vitals.limits(
            measure, in: species, days: record.patient.ageInDays(on: today).map(Double.init))
        else { continue }
        lines += [line(.check, "What is the \(name(measure))?", presentedWhole, [Self.reference(limits)])]
          .compactMap { $0 }
      }
    }
    for finding in narrative.findings where !finding.candidates.isEmpty && finding.assertion.experiencer == .patient {
      guard let text = brief.visit.presented.first, let words = narrative.text.slice(utf8: finding.range) else {
        continue
      }
      let meanings = finding.candidates.joined(separator: " or ")
      lines += [line(.check, "What does “\(words)” mean here: \(meanings)?", [.presented(text, finding.range)])]
        .compactMap { $0 }
    }
    if let assessment = narrative.assessment, assessment.triage.urgency >= .yellow {
      for question in assessment.triage.questions.prefix(Self.questionLimit) {
        lines += [line(.check, question, presentedWhole, [.triage(assessment)])].compactMap { $0 }
      }
    }
    if followUps.isEmpty, let last = parts.pieces.last(where: { [.plan, .workUp].contains($0.section) }),
      let number = cite(narrative.note, last.sentence)
    {
      lines.append(
        EncounterReading.Line(.check, "When is it to be seen again? The plan names no time.", citations: [number]))
    }
    return lines
  }

  private func isNamed(_ use: DrugUses.Use) -> Bool {
    if case .presented = use.place { return true }
    return false
  }

  private var presentedWhole: [Place] { picture.presenting.prefix(1).map(\.place) }
}
