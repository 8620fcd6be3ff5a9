import Assessment
import Chart
import Clinical
import Extraction
import Formulary

// What the appointment book and the inbox say, and what VetNet infers.

extension BriefBuilder {
  private static let messageLimit = 2
  private static let messageBytes = 260
  private static let questionLimit = 2
  private static let reasonLimit = 3
  private static let unconfirmedLimit = 3
  private static let namesakeLimit = 2
  private static let monitoringLimit = 3

  /// The reason as booked, and what was sent in about it, in the sender's words.
  func reasonLines(_ context: BriefContext) -> [Brief.Line] {
    var lines: [Brief.Line] = []
    if let reason = context.visit.appointment?.reason, reason.contains(where: { !$0.isWhitespace }) {
      lines.append(
        Brief.Line(
          "“\(reason.split(whereSeparator: \.isWhitespace).joined(separator: " "))”",
          references: context.visit.reference))
    }
    for message in context.visit.messages.suffix(Self.messageLimit) {
      let intake = message.intake
      let words = intake.text.split(whereSeparator: \.isWhitespace)
      var shown = ""
      for word in words where shown.utf8.count < Self.messageBytes { shown += (shown.isEmpty ? "" : " ") + word }
      let isCut = shown.utf8.count < words.joined(separator: " ").utf8.count
      let source = [intake.channel, intake.receivedAt.map { "\(context.zone.date(of: $0)) \(context.zone.clock($0))" }]
        .compactMap { $0 }.joined(separator: " ")
      lines.append(
        Brief.Line(
          "\(source.isEmpty ? "message" : source): “\(shown)\(isCut ? "…" : "")”",
          references: [message.reference]))
    }
    return lines
  }

  /// Those with the same name, of the same species first: nobody reads a page of them.
  func identityLines(_ context: BriefContext, _ patient: Patient) -> [Brief.Line] {
    let others = context.namesakes.filter { $0.species == patient.species }
    let ranked = others + context.namesakes.filter { $0.species != patient.species }
    guard !ranked.isEmpty else { return [] }
    let shown = ranked.prefix(Self.namesakeLimit).map { other in
      let owner = other.ownerName.map { ", owner \($0)" } ?? ""
      return "\(other.name) (\(other.id)), \(other.species.rawValue)\(owner)"
    }
    let rest = ranked.count - shown.count
    return [
      Brief.Line(
        "not to be mistaken for \(shown.joined(separator: "; "))\(rest > 0 ? "; and \(rest) more of that name" : "")",
        references: ranked.prefix(Self.namesakeLimit).map { SourceReference(.patient, $0.id) })
    ]
  }

  func assessmentLines(_ context: BriefContext) -> [Brief.Line] {
    var lines: [Brief.Line] = []
    let reason = context.visit.assessment?.triage
    if let assessment = context.visit.assessment {
      let survey = Self.surveyText(assessment) == nil ? "; nothing on ABCDE" : ""
      lines.append(
        Brief.Line(
          Self.urgencyText(assessment, of: "reason") + survey,
          references: context.visit.reference + [.triage(assessment)]))
    }
    for message in context.visit.messages.suffix(Self.messageLimit) {
      // Only what says more than the reason does: the message may be days old and dealt with.
      let triage = message.assessment.triage
      let saysMore = reason.map { triage.urgency > $0.urgency || ($0.fired.isEmpty && !triage.fired.isEmpty) } ?? true
      guard saysMore else { continue }
      let date = message.intake.receivedAt.map { " of \(context.zone.date(of: $0))" } ?? ""
      lines.append(
        Brief.Line(
          Self.urgencyText(message.assessment, of: "message\(date)"),
          references: [message.reference, .triage(message.assessment)]))
    }
    guard let assessment = context.visit.assessment else { return lines }
    let sources = context.visit.reference + [.triage(assessment)]
    lines += [Self.surveyText(assessment)].compactMap { $0.map { Brief.Line($0, references: sources) } }
    let booked = context.visit.appointment.map { ", booked \($0.durationMinutes)" } ?? ""
    let reasons = assessment.complexity.explanation.details.sorted { $0.value > $1.value }.prefix(Self.reasonLimit).map(
      \.description)
    lines.append(
      Brief.Line(
        "expect \(ChartNumber.text(assessment.duration.p50, digits: 0)) min (9 in 10 within "
          + "\(ChartNumber.text(assessment.duration.p90, digits: 0)))\(booked); complexity C\(assessment.complexity.level)"
          + (reasons.isEmpty ? "" : ": \(reasons.joined(separator: ", "))"), references: sources))
    return lines
  }

  /// `reason reads orange: “black as the road” (melaena)`
  private static func urgencyText(_ assessment: CaseAssessment, of source: String) -> String {
    let triage = assessment.triage
    let grounds = triage.fired.prefix(2).map { fired in
      let quotes = fired.evidence.prefix(2).map { "“\($0.quote)”" }.joined(separator: " ")
      return
        "\(quotes.isEmpty ? "" : quotes + " ")(\(fired.id.split(whereSeparator: { "-_.".contains($0) }).joined(separator: " ")))"
    }
    if grounds.isEmpty {
      return triage.hasTooLittleInformation
        ? "\(source) says too little to judge urgency; taken as \(triage.urgency.rawValue)"
        : "\(source) reads \(triage.urgency.rawValue): no warning sign named"
    }
    return "\(source) reads \(triage.urgency.rawValue): \(grounds.joined(separator: ", "))"
  }

  /// What is said about airway, breathing, circulation, disability and exposure, in quotes, and what is not.
  private static func surveyText(_ assessment: CaseAssessment) -> String? {
    var stated: [String] = []
    var unknown: [String] = []
    for letter in ABCDELetter.allCases {
      let status = assessment.triage.abcde[letter] ?? .notStated
      if status == .notStated {
        unknown.append(letter.rawValue)
      } else {
        let quote = assessment.triage.abcdeEvidence[letter]?.first.map { " “\($0.quote)”" } ?? ""
        stated.append("\(letter.rawValue) \(status.rawValue)\(quote)")
      }
    }
    guard !stated.isEmpty else { return nil }
    return "ABCDE: \(stated.joined(separator: ", "))"
      + (unknown.isEmpty ? "" : "; not stated: \(unknown.joined(separator: ", "))")
  }

  /// What the record lacks or leaves open, and what to ask.
  func checkLines(
    _ record: PatientRecord, _ chart: PatientChart, _ weights: WeightTrend, _ followUp: PlanFollowUp,
    _ uses: DrugUses, _ context: BriefContext, _ desk: inout BriefDesk
  ) -> [Brief.Line] {
    let registration = [SourceReference(.patient, record.patient.id)]
    var lines: [Brief.Line] = []
    lines += openPlanLines(followUp, &desk)
    lines += monitoringLines(record, uses, context, &desk)
    for entry in chart.drugs.unconfirmed(at: context.now).prefix(Self.unconfirmedLimit) {
      guard var line = drugLine(entry, in: record, &desk) else { continue }
      line.text = "still given? " + line.text
      lines.append(line)
    }
    if record.notes.isEmpty {
      lines.append(Brief.Line("no notes on record: ask for the history", references: registration))
    } else {
      let yearAgo = context.zone.date(of: context.now.adding(days: -365))
      if (weights.weighings.last?.date ?? CalendarDate(daysSince1970: 0)) < yearAgo {
        let registered =
          record.patient.weightKilograms.map { "; registered as \(ChartNumber.text($0, digits: 3)) kg" } ?? ""
        lines.append(
          Brief.Line(
            "no weight found in the notes of the last twelve months\(registered)", references: registration))
      }
      if record.recordedFacts([.vaccination]).isEmpty, Self.vaccinated.contains(record.patient.species) {
        lines.append(Brief.Line("no vaccination found in the notes", references: registration))
      }
    }
    // Of a routine visit the vet asks better questions; what may be urgent has to be asked before.
    let assessments = context.visit.assessments(ofLast: Self.messageLimit)
    if let urgent = assessments.filter({ $0.triage.urgency >= .orange }).max(by: {
      $0.triage.urgency < $1.triage.urgency
    }) {
      lines += urgent.triage.questions.prefix(Self.questionLimit).map {
        Brief.Line("ask: \($0)", references: [.triage(urgent)])
      }
    }
    return lines
  }

  /// Tests that a drug asks for and no note of the last months has; each cites the drug, and the last result where there is one.
  private func monitoringLines(
    _ record: PatientRecord, _ uses: DrugUses, _ context: BriefContext, _ desk: inout BriefDesk
  ) -> [Brief.Line] {
    let results = record.recordedFacts([.lab]).filter { $0.fact.hasValue && $0.fact.assertion.experiencer == .patient }
    var lines: [Brief.Line] = []
    for use in uses.all where use.isGiven && !use.use.isLocal && lines.count < Self.monitoringLimit {
      guard case .note(let given) = use.place else { continue }
      for row in knowledge.formulary.monitoring(of: use.drug, in: record.patient.species) {
        guard let months = row.months, !row.tests.isEmpty, lines.count < Self.monitoringLimit else { continue }
        let last = results.last { row.tests.contains($0.fact.name) }
        let horizon = context.now.adding(days: -months * 365 / 12)
        if let last, last.note.recordedAt >= horizon { continue }
        // A short course needs no tests; that there was never one is worth a word of what goes on.
        if last == nil, !use.isLasting { continue }
        let words =
          last.map { "last \($0.fact.name) \(desk.date($0.note)), asked for every \(months) months" }
          ?? "no \(row.tests.prefix(3).joined(separator: ", ")) found in the notes"
        lines += [
          desk.line(
            "monitoring of \(use.drug.generic): \(words)", [given] + (last.map { [$0] } ?? []),
            references: [row.reference])
        ].compactMap { $0 }
      }
    }
    return lines
  }

  /// Species for which routine vaccines exist.
  private static let vaccinated: Set<Species> = [.dog, .cat, .rabbit, .ferret, .horse]
}

extension AssessedMessage {
  var reference: SourceReference { SourceReference(.intake, intake.id) }
}

extension SourceReference {
  /// The protocol that judged some words.
  static func triage(_ assessment: CaseAssessment) -> SourceReference {
    SourceReference(.model, "\(assessment.triage.protocolID) \(assessment.triage.protocolVersion)")
  }
}
