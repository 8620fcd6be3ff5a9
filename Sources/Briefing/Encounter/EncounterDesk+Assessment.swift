import Assessment
import Chart
import Clinical
import Extraction

// What the findings may mean, worst first; what would tell it apart; how risky it is.

extension EncounterDesk {
  private static let workUpLimit = 2
  private static let resultLimit = 6
  private static let firedLimit = 3

  /// Each possibility with what speaks for it, and what the narrative or the record says against it.
  mutating func differentialLines() -> [EncounterReading.Line] {
    found.differentials.compactMap { differential in
      let against = against(differential)
      let support = differential.support.map(\.name).joined(separator: ", ")
      var text = "? \(differential.name) (\(differential.severity.rawValue)); for: \(support)"
      if !against.isEmpty { text += "; against: \(against.map(\.words).joined(separator: ", "))" }
      text += "; apart: \(differential.apart)"
      return line(
        .proposal, text, noted: "? \(differential.name)",
        differential.support.map(\.place) + against.map(\.place), differential.references)
    }
  }

  /// What the rows of a possibility would have, and was looked for and not found, or measured to the contrary.
  private func against(_ differential: Differential) -> [(words: String, place: Place)] {
    let rows = builder.knowledge.differentials.rows.filter {
      $0.differential == differential.name && $0.species.contains(species)
    }
    let supporting = Set(differential.support.map(\.name))
    var seen: Set<String> = []
    var found: [(words: String, place: Place)] = []
    for row in rows {
      for wanted in row.ways.flatMap({ $0 }).map(DifferentialTable.Support.finding) + row.supports {
        switch wanted {
        case .finding(let name):
          guard !supporting.contains(name), seen.insert(name).inserted, let place = denied[name] else { continue }
          found.append(("no \(name)", place))
        case .lab(let name, let flag):
          guard let lab = picture.labs.first(where: { $0.name == name }), lab.flag != flag,
            seen.insert("\(name) \(lab.flag)").inserted
          else { continue }
          found.append(("\(name) \(lab.flag.rawValue)", .note(lab.item)))
        case .drug, .breed: continue
        }
      }
    }
    return found
  }

  /// Findings that the narrative denies and nowhere asserts, with the words that deny them.
  private var denied: [String: Place] {
    guard let text = brief.visit.presented.first else { return [:] }
    let asserted = Set(narrative.findings.filter { $0.assertion.isActive }.map(\.name))
    var denied: [String: Place] = [:]
    for finding in narrative.findings
    where finding.assertion.polarity == .absent && finding.assertion.experiencer == .patient
      && finding.assertion.temporality == .current && !asserted.contains(finding.name)
    {
      let cues = finding.assertion.cues.map(\.range)
      let lower = ([finding.range] + cues).map(\.lowerBound).min() ?? finding.range.lowerBound
      let upper = ([finding.range] + cues).map(\.upperBound).max() ?? finding.range.upperBound
      if denied[finding.name] == nil { denied[finding.name] = .presented(text, lower..<upper) }
    }
    return denied
  }

  /// What to look for next, from the row of the complaint, and what of it is on file already.
  mutating func workUpLines() -> [EncounterReading.Line] {
    guard !found.differentials.isEmpty else { return [] }
    var lines: [EncounterReading.Line] = []
    var tests: [String] = []
    for (text, reference) in found.workUp.prefix(Self.workUpLimit) {
      lines += [line(.proposal, text, noted: text, presentingPlaces, [reference])].compactMap { $0 }
      for name in builder.knowledge.targets.named(in: text) where !tests.contains(name) { tests.append(name) }
    }
    let trends = ResultTrend.all(in: record, zone: context.zone)
    for name in tests.prefix(Self.resultLimit) {
      guard let latest = trends.first(where: { $0.name == name })?.values.last else { continue }
      lines += [
        line(.check, "on file: \(name) \(latest.text) on \(latest.date)", [.note(latest.item)])
      ].compactMap { $0 }
    }
    return lines
  }

  private var presentingPlaces: [Place] { picture.presenting.prefix(Self.firedLimit).map(\.place) }

  // MARK: Risk

  func riskVerdict() -> RiskTable.Verdict? {
    guard let assessment = narrative.assessment else { return nil }
    var subject = RiskTable.Case()
    subject.urgency = assessment.triage.urgency
    subject.differentials = found.differentials
    subject.alerts = Set(allAlerts.map(\.kind))
    subject.complexity = assessment.complexity.level
    subject.isUnknown = assessment.triage.hasTooLittleInformation
    return builder.knowledge.risk.verdict(subject)
  }

  /// The level with its reasons, and the words that made triage see it so.
  mutating func riskLines(_ verdict: RiskTable.Verdict?) -> [EncounterReading.Line] {
    guard let verdict, let assessment = narrative.assessment,
      narrative.text.contains(where: { !$0.isWhitespace })
    else { return [] }
    let reasons = verdict.reasons.isEmpty ? "no row of the table holds" : verdict.reasons.joined(separator: "; ")
    let fired = assessment.triage.fired.prefix(Self.firedLimit).map { one in
      (
        one,
        one.evidence.filter { $0.noteID == nil && narrative.text.slice(utf8: $0.range).map(String.init) == $0.quote }
      )
    }
    let whole = NarrativeWords(narrative).place
    var lines: [EncounterReading.Line] = []
    // What rests on no word in particular rests on all of them.
    lines += [
      line(
        .proposal, "risk \(verdict.level.rawValue): \(reasons)",
        noted: "\(EncounterSection.risk.title): \(verdict.level.rawValue)",
        fired.flatMap { $0.1 }.isEmpty ? [whole].compactMap { $0 } : [], verdict.references + [.triage(assessment)],
        isWarning: verdict.level >= .high)
    ].compactMap { $0 }
    for (one, evidence) in fired where !evidence.isEmpty {
      let words = evidence.map { "“\($0.quote)”" }.joined(separator: " ")
      let numbers = evidence.compactMap { cite(narrative.note, $0.range) }
      lines.append(
        EncounterReading.Line(
          .check, "reads \(one.level.rawValue): \(words) (\(one.id.split(separator: "-").joined(separator: " ")))",
          citations: numbers, references: [.triage(assessment)], isWarning: one.level >= .orange))
    }
    return lines
  }
}

/// All the words of a narrative.
struct NarrativeWords {
  let place: Place?

  init(_ narrative: Narrative) {
    let bytes = Array(narrative.text.utf8)
    guard let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 }) else {
      place = nil
      return
    }
    let text = PresentedText(
      reference: SourceReference(.encounter, narrative.note.id), text: narrative.text, findings: [])
    place = .presented(text, first..<(last + 1))
  }
}
