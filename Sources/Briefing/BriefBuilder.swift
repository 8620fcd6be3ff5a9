public import Assessment
public import Clinical
public import Extraction
public import TextAnalysis

/// Builds briefs from a patient's record. What no note says is not in the brief, but for a line on what is missing.
public struct BriefBuilder: Sendable {
  private let units: UnitBuilder
  private let classifier: AssertionClassifier
  private let alerts: AlertLexicon

  public init(
    analyzer: Analyzer, sections: SectionSplitter, sentences: SentenceSplitter, classifier: AssertionClassifier,
    alerts: AlertLexicon
  ) {
    units = UnitBuilder(sections: sections, sentences: sentences, analyzer: analyzer)
    self.classifier = classifier
    self.alerts = alerts
  }

  /// - Parameters:
  ///   - record: the patient's record as of `now`.
  ///   - appointment: the visit the brief is for; nil for a brief on the patient alone.
  ///   - assessment: of the reason for the visit; nil when there is none to assess.
  ///   - similar: lines about similar past cases in the practice, each with the note it cites.
  ///   - now: the moment of preparation.
  ///   - zone: for dates.
  /// - Returns: a brief whose chart lines are all cited.
  /// - Complexity: linear in the length of the record.
  public func brief(
    _ record: PatientRecord, appointment: Appointment?, assessment: CaseAssessment?, similar: [SimilarLine],
    now: Timestamp,
    zone: PracticeTimeZone
  ) -> Brief {
    var desk = BriefDesk(zone: zone)
    var sections: [Brief.Section] = []
    func add(_ title: String, _ kind: Brief.Section.Kind, _ lines: [Brief.Line]) {
      if !lines.isEmpty { sections.append(Brief.Section(title, kind, lines)) }
    }
    if let reason = appointment?.reason { add("Why today", .registration, [Brief.Line("“\(reason)”")]) }
    add("Alerts", .chart, alertLines(record, &desk))
    add("Weight", .chart, weightLines(record, &desk))
    add("Problems", .chart, problemLines(record, &desk))
    add("Current drugs", .chart, drugLines(record, now: now, &desk))
    add("Prevention", .chart, preventionLines(record, &desk))
    add("Latest results", .chart, labLines(record, &desk))
    add("Pending", .chart, pendingLines(record, &desk))
    add("Last visit", .chart, lastVisitLines(record, &desk))
    if let assessment { add("Assessment of the reason", .suggestion, Self.assessmentLines(assessment)) }
    add("Similar cases", .suggestion, similar.compactMap { desk.line($0.text, $0.note, $0.range) })
    add("To ask or check", .suggestion, gapLines(record, assessment, now: now, zone: zone))
    return Brief(
      patient: record.patient, appointment: appointment, preparedAt: now, sections: sections, citations: desk.citations,
      assessment: assessment)
  }

  private func alertLines(_ record: PatientRecord, _ desk: inout BriefDesk) -> [Brief.Line] {
    var lines = Self.latestByName(record.recordedFacts([.allergy])) { $0.fact.assertion.isActiveOrPast }
      .compactMap { desk.line("Reaction or allergy: \($0.fact.name)", $0) }
    for alert in alerts.found(in: units.units(of: record), by: classifier) {
      if let line = desk.line(alert.label, alert.note, alert.range) { lines.append(line) }
    }
    return lines
  }

  private func weightLines(_ record: PatientRecord, _ desk: inout BriefDesk) -> [Brief.Line] {
    let weights = record.recordedFacts([.weight]).filter {
      $0.fact.assertion.experiencer == .patient && $0.fact.assertion.temporality == .current && $0.fact.value != nil
    }
    guard let latest = weights.last, let value = latest.fact.value else { return [] }
    var text = "\(ChartNumber.text(value)) kg on \(desk.zone.date(of: latest.note.recordedAt))"
    if let before = weights.last(where: { latest.note.recordedAt.seconds - $0.note.recordedAt.seconds > 60 * 86_400 }),
      let older = before.fact.value, older > 0
    {
      let change = (value - older) / older * 100
      text +=
        "; \(ChartNumber.text(older)) kg on \(desk.zone.date(of: before.note.recordedAt)) (\(change < 0 ? "−" : "+")\(ChartNumber.text(abs(change), digits: 0)) %)"
      return [desk.line(text, [latest, before])].compactMap { $0 }
    }
    return [desk.line(text, [latest])].compactMap { $0 }
  }

  private func problemLines(_ record: PatientRecord, _ desk: inout BriefDesk) -> [Brief.Line] {
    let latest = Self.latestByName(record.recordedFacts([.problem])) { $0.fact.assertion.experiencer == .patient }
    return latest.suffix(10).reversed().compactMap { item in
      let status = item.fact.attributes["status"] ?? Self.status(item.fact.assertion)
      return desk.line("\(item.fact.name): \(status)", item)
    }
  }

  private func drugLines(_ record: PatientRecord, now: Timestamp, _ desk: inout BriefDesk) -> [Brief.Line] {
    MedicationList.current(record, at: now).prefix(10).compactMap { entry in
      var text = entry.name
      let source = entry.dosed ?? entry.latest
      let details = ["dose", "dose_rate", "route", "frequency"].compactMap { source.fact.attributes[$0] }
      if !details.isEmpty { text += " " + details.joined(separator: " ") }
      text += ", last recorded \(desk.zone.date(of: entry.latest.note.recordedAt))"
      return desk.line(text, source.note.id == entry.latest.note.id ? [source] : [source, entry.latest])
    }
  }

  private func preventionLines(_ record: PatientRecord, _ desk: inout BriefDesk) -> [Brief.Line] {
    Self.latestByName(record.recordedFacts([.vaccination, .parasiteControl])) {
      $0.fact.assertion.experiencer == .patient && $0.fact.assertion.temporality != .hypothetical
        && $0.fact.assertion.polarity == .present
    }
    .suffix(5).reversed().compactMap { item in
      let due = item.fact.attributes["due"].map { ", due \($0)" } ?? ""
      return desk.line("\(item.fact.name) on \(desk.zone.date(of: item.note.recordedAt))\(due)", item)
    }
  }

  private func labLines(_ record: PatientRecord, _ desk: inout BriefDesk) -> [Brief.Line] {
    let values = Self.latestByName(record.recordedFacts([.lab])) {
      $0.fact.value != nil && $0.fact.assertion.experiencer == .patient
    }
    return values.suffix(8).reversed().compactMap { item in
      guard let value = item.fact.value else { return nil }
      let unit = item.fact.unit.map { " \($0)" } ?? ""
      let flag = item.fact.attributes["flag"].map { " (\($0))" } ?? ""
      return desk.line(
        "\(item.fact.name) \(ChartNumber.text(value))\(unit)\(flag) on \(desk.zone.date(of: item.note.recordedAt))",
        item)
    }
  }

  private func pendingLines(_ record: PatientRecord, _ desk: inout BriefDesk) -> [Brief.Line] {
    guard let last = record.notes.last else { return [] }
    let horizon = last.recordedAt.adding(days: -90)
    return record.recordedFacts([.pendingResult]).filter { $0.note.recordedAt >= horizon }.suffix(4).compactMap {
      item in
      desk.line("\(item.fact.name), asked for on \(desk.zone.date(of: item.note.recordedAt))", item)
    }
  }

  /// The plan of the last visit; without a plan heading, the visit's last sentences.
  private func lastVisitLines(_ record: PatientRecord, _ desk: inout BriefDesk) -> [Brief.Line] {
    let visits: Set<NoteKind> = [.consult, .nurse, .surgery]
    guard let note = record.notes.last(where: { visits.contains($0.kind) }) else { return [] }
    let all = units.units(of: PatientRecord(patient: record.patient, notes: [note]))
    let plans = all.filter { ["plan", "treatment", "advice"].contains($0.section) }
    let shown = plans.isEmpty ? Array(all.suffix(2)) : Array(plans.prefix(3))
    return shown.compactMap { unit in
      guard let citation = Citation(note, range: Passage.lines(of: unit, around: [unit.range])) else { return nil }
      return desk.line(Passage.sentence(citation, in: desk.zone, patient: nil), note, citation.range)
    }
  }

  private static func assessmentLines(_ assessment: CaseAssessment) -> [Brief.Line] {
    var lines = [Brief.Line("urgency \(assessment.triage.urgency.rawValue): \(assessment.triage.action)")]
    let stated = ABCDELetter.allCases.compactMap { letter -> String? in
      let status = assessment.triage.abcde[letter] ?? .notStated
      return status == .notStated ? nil : "\(letter.rawValue) \(status.rawValue)"
    }
    lines.append(
      Brief.Line(
        stated.isEmpty ? "ABCDE: nothing stated" : "ABCDE: \(stated.joined(separator: ", ")); the rest not stated"))
    lines.append(
      Brief.Line(
        "expect \(ChartNumber.text(assessment.duration.p50, digits: 0)) min, \(ChartNumber.text(assessment.duration.p90, digits: 0)) at the outside; complexity C\(assessment.complexity.level)"
      ))
    return lines
  }

  /// What the record lacks, and what reception would ask.
  private func gapLines(
    _ record: PatientRecord, _ assessment: CaseAssessment?, now: Timestamp, zone: PracticeTimeZone
  ) -> [Brief.Line] {
    var lines: [Brief.Line] = []
    let yearAgo = now.adding(days: -365)
    if !record.recordedFacts([.weight]).contains(where: { $0.note.recordedAt >= yearAgo }) {
      lines.append(Brief.Line("no weight recorded in the last twelve months"))
    }
    if record.recordedFacts([.vaccination]).isEmpty { lines.append(Brief.Line("no vaccination on record")) }
    if record.notes.isEmpty { lines.append(Brief.Line("no notes on record: ask for the history")) }
    lines += (assessment?.triage.questions.prefix(3) ?? []).map { Brief.Line("ask: \($0)") }
    return lines
  }

  private static func status(_ assertion: Assertion) -> String {
    switch (assertion.polarity, assertion.temporality) {
    case (.absent, _): "ruled out"
    case (.uncertain, _): "suspected"
    case (_, .historical): "past"
    case (_, .hypothetical): "mentioned as a risk"
    case (.present, .current): "active"
    }
  }

  /// The last fact of each name that fits, in time order of those last facts.
  private static func latestByName(_ facts: [RecordedFact], where fits: (RecordedFact) -> Bool) -> [RecordedFact] {
    var latest: [String: (order: Int, item: RecordedFact)] = [:]
    for (order, item) in facts.enumerated() where fits(item) { latest[item.fact.name] = (order, item) }
    return latest.values.sorted { $0.order < $1.order }.map(\.item)
  }
}

/// A similar past case, with the words of the note that make it one.
public struct SimilarLine: Sendable {
  public let text: String
  public let note: ClinicalNote
  public let range: Range<Int>

  public init(text: String, note: ClinicalNote, range: Range<Int>) {
    self.text = text
    self.note = note
    self.range = range
  }
}

extension Assertion {
  /// True of this patient, now or once: what an alert needs.
  var isActiveOrPast: Bool { polarity == .present && temporality != .hypothetical && experiencer == .patient }
}

/// Numbers as a chart writes them.
enum ChartNumber {
  /// At most `digits` decimals, none where they are zero.
  static func text(_ value: Double, digits: Int = 2) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int(rounded)) : String(rounded)
  }
}
