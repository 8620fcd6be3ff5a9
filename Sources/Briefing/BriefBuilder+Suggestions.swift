import Assessment
import Clinical
import Extraction

// What the appointment book and the inbox say, and what VetNet infers.

extension BriefBuilder {
  private static let messageLimit = 2
  private static let messageBytes = 260
  private static let questionLimit = 2
  private static let reasonLimit = 3
  private static let unconfirmedLimit = 3

  /// The reason as booked, and what was sent in about it, in the sender's words.
  func reasonLines(_ context: BriefContext) -> [Brief.Line] {
    var lines: [Brief.Line] = []
    if let reason = context.appointment?.reason, reason.contains(where: { !$0.isWhitespace }) {
      lines.append(Brief.Line("“\(reason.split(whereSeparator: \.isWhitespace).joined(separator: " "))”"))
    }
    for message in context.messages.suffix(Self.messageLimit) {
      let intake = message.intake
      let words = intake.text.split(whereSeparator: \.isWhitespace)
      var shown = ""
      for word in words where shown.utf8.count < Self.messageBytes { shown += (shown.isEmpty ? "" : " ") + word }
      let isCut = shown.utf8.count < words.joined(separator: " ").utf8.count
      let source = [intake.channel, intake.receivedAt.map { "\(context.zone.date(of: $0)) \(context.zone.clock($0))" }]
        .compactMap { $0 }.joined(separator: " ")
      lines.append(Brief.Line("\(source.isEmpty ? "message" : source): “\(shown)\(isCut ? "…" : "")”"))
    }
    return lines
  }

  func identityLines(_ context: BriefContext) -> [Brief.Line] {
    context.namesakes.map { other in
      let owner = other.ownerName.map { ", owner \($0)" } ?? ""
      return Brief.Line("not to be mistaken for \(other.name) (\(other.id)), \(other.species.rawValue)\(owner)")
    }
  }

  func assessmentLines(_ context: BriefContext) -> [Brief.Line] {
    var lines: [Brief.Line] = []
    let reason = context.assessment?.triage
    if let assessment = context.assessment {
      let survey = Self.surveyText(assessment) == nil ? "; nothing on ABCDE" : ""
      lines.append(Brief.Line(Self.urgencyText(assessment, of: "reason") + survey))
    }
    for message in context.messages.suffix(Self.messageLimit) {
      // Only what says more than the reason does: the message may be days old and dealt with.
      let triage = message.assessment.triage
      let saysMore = reason.map { triage.urgency > $0.urgency || ($0.fired.isEmpty && !triage.fired.isEmpty) } ?? true
      guard saysMore else { continue }
      let date = message.intake.receivedAt.map { " of \(context.zone.date(of: $0))" } ?? ""
      lines.append(Brief.Line(Self.urgencyText(message.assessment, of: "message\(date)")))
    }
    guard let assessment = context.assessment else { return lines }
    lines += [Self.surveyText(assessment)].compactMap { $0.map { Brief.Line($0) } }
    let booked = context.appointment.map { ", booked \($0.durationMinutes)" } ?? ""
    let reasons = assessment.complexity.explanation.details.sorted { $0.value > $1.value }.prefix(Self.reasonLimit).map(
      \.description)
    lines.append(
      Brief.Line(
        "expect \(ChartNumber.text(assessment.duration.p50, digits: 0)) min (9 in 10 within "
          + "\(ChartNumber.text(assessment.duration.p90, digits: 0)))\(booked); complexity C\(assessment.complexity.level)"
          + (reasons.isEmpty ? "" : ": \(reasons.joined(separator: ", "))")))
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
    _ record: PatientRecord, _ weights: WeightTrend, _ context: BriefContext, _ desk: inout BriefDesk
  ) -> [Brief.Line] {
    var lines: [Brief.Line] = []
    for entry in MedicationList.unconfirmed(record, at: context.now).prefix(Self.unconfirmedLimit) {
      guard var line = drugLine(entry, in: record, &desk) else { continue }
      line.text = "still given? " + line.text
      lines.append(line)
    }
    if record.notes.isEmpty {
      lines.append(Brief.Line("no notes on record: ask for the history"))
    } else {
      let yearAgo = context.zone.date(of: context.now.adding(days: -365))
      if (weights.weighings.last?.date ?? CalendarDate(daysSince1970: 0)) < yearAgo {
        let registered =
          record.patient.weightKilograms.map { "; registered as \(ChartNumber.text($0, digits: 3)) kg" } ?? ""
        lines.append(Brief.Line("no weight found in the notes of the last twelve months\(registered)"))
      }
      if record.recordedFacts([.vaccination]).isEmpty, Self.vaccinated.contains(record.patient.species) {
        lines.append(Brief.Line("no vaccination found in the notes"))
      }
    }
    // Of a routine visit the vet asks better questions; what may be urgent has to be asked before.
    let assessments =
      [context.assessment].compactMap { $0 } + context.messages.suffix(Self.messageLimit).map(\.assessment)
    if let urgent = assessments.filter({ $0.triage.urgency >= .orange }).max(by: {
      $0.triage.urgency < $1.triage.urgency
    }) {
      lines += urgent.triage.questions.prefix(Self.questionLimit).map { Brief.Line("ask: \($0)") }
    }
    return lines
  }

  /// Species for which routine vaccines exist.
  private static let vaccinated: Set<Species> = [.dog, .cat, .rabbit, .ferret, .horse]
}
