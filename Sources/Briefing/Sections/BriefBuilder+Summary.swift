import Assessment
import Chart
import Clinical
import Extraction
import TextAnalysis

// What the findings may mean: a suggestion, apart from what the chart says, each line tied to the words it rests on.

extension BriefBuilder {
  /// Findings of so long ago still belong to the picture.
  private static let contextDays = 30
  /// Without a word on today's complaint, a visit of so long ago tells what it is about.
  private static let lastVisitDays = 60
  private static let labDays = 180
  private static let workUpLimit = 2
  private static let quoteLimit = 3

  /// What the patient comes with and what the record adds.
  func picture(
    _ record: PatientRecord, _ problems: ProblemCourses, _ uses: DrugUses, _ context: BriefContext
  ) -> ClinicalPicture {
    let today = context.zone.date(of: context.now)
    var picture = ClinicalPicture(
      species: record.patient.species, months: record.patient.ageInDays(on: today).map { $0 * 12 / 365 },
      sex: record.patient.sex,
      breedWords: record.patient.breed.map { WordForm.runs(of: $0) } ?? [])
    for text in context.visit.presented {
      for finding in text.findings where finding.assertion.isActive && Self.presents(finding.kind) {
        if picture.place(of: finding.name) == nil {
          picture.presenting.append((finding.name, .presented(text, finding.range)))
        }
      }
    }
    // "Can't pass a drop": what no list of findings holds, triage may understand.
    for text in context.visit.presented {
      let denied = Set(text.findings.filter { $0.assertion.polarity == .absent }.map(\.name))
      for fired in text.assessment?.triage.fired ?? [] {
        guard let place = fired.evidence.first(where: { $0.noteID == nil }),
          text.text.slice(utf8: place.range).map(String.init) == place.quote
        else { continue }
        for name in knowledge.signs.findings(of: fired.id)
        where !denied.contains(name) && picture.place(of: name) == nil {
          picture.presenting.append((name, .presented(text, place.range)))
        }
      }
    }
    let recent = context.now.adding(days: -Self.contextDays)
    // What was found and is only suspected again may still be there: a drug is not safe for the doubt.
    for course in problems.active(at: context.now) + problems.suspected(at: context.now).filter(\.isDoubted)
    where picture.place(of: course.name) == nil {
      picture.context.append((course.name, .note(course.found ?? course.latest)))
    }
    for item in record.recordedFacts([.finding]).reversed() where item.note.recordedAt >= recent {
      guard item.fact.assertion.isActive, picture.place(of: item.fact.name) == nil else { continue }
      picture.context.append((item.fact.name, .note(item)))
    }
    if picture.presenting.isEmpty { picture.presenting = lastVisit(record, problems, context) }
    picture.drugs = uses.all.filter(\.isGiven).map { ($0.drug, $0.place) }
    let tested = context.now.adding(days: -Self.labDays)
    for item in record.recordedFacts([.lab]).reversed() where item.note.recordedAt >= tested {
      guard let flag = item.fact.lab?.flag, item.fact.assertion.experiencer == .patient,
        !picture.labs.contains(where: { $0.name == item.fact.name })
      else { continue }
      picture.labs.append((item.fact.name, flag, item))
    }
    return picture
  }

  private static func presents(_ kind: FindingKind) -> Bool { [.sign, .problem, .exposure].contains(kind) }

  /// The tests that the reason for the visit names: their results are looked for first.
  func askedTests(_ context: BriefContext) -> [String] {
    guard let reason = context.visit.appointment?.reason else { return [] }
    return knowledge.targets.named(in: reason)
  }

  /// What the last visit was about, where it was lately and the booking says that it is followed up.
  private func lastVisit(
    _ record: PatientRecord, _ problems: ProblemCourses, _ context: BriefContext
  ) -> [(name: String, place: Place)] {
    guard context.visit.appointment?.visitType == .recheck,
      let note = record.notes.last(where: { $0.kind == .consult || $0.kind == .surgery }),
      note.recordedAt >= context.now.adding(days: -Self.lastVisitDays)
    else { return [] }
    var found: [(name: String, place: Place)] = []
    for fact in record.facts[note.id] ?? [] where fact.kind == .finding || fact.kind == .problem {
      guard fact.assertion.isActive, !found.contains(where: { $0.name == fact.name }),
        // What a later word does not find any more.
        fact.kind != .problem || problems[fact.name]?.isDenied != true
      else { continue }
      found.append((fact.name, .note(RecordedFact(note: note, fact: fact))))
    }
    return found
  }

  /// Chief complaint, differentials, work-up and risk; the risk is nil where nothing is known of the visit.
  func summaryLines(
    _ found: DifferentialFinder.Found, _ picture: ClinicalPicture, _ alerts: [DrugAlert], _ context: BriefContext,
    _ desk: inout BriefDesk
  ) -> (lines: [Brief.Line], risk: RiskLevel?) {
    var lines: [Brief.Line] = []
    let verdict = risk(found, alerts, context)
    if let verdict {
      let reasons = verdict.reasons.isEmpty ? "" : ": \(verdict.reasons.joined(separator: "; "))"
      lines.append(
        Brief.Line(
          "risk \(verdict.level.rawValue)\(reasons)",
          references: verdict.references + context.visit.presented.map(\.reference)))
    }
    if !picture.presenting.isEmpty, !found.complaints.isEmpty {
      let places = picture.presenting.map(\.place)
      let cited = Citing(places)
      let quotes = cited.quotes.prefix(Self.quoteLimit).joined(separator: " ")
      let names = picture.presenting.map(\.name).prefix(4).joined(separator: ", ")
      lines += [
        desk.line(
          "chief complaint: \(names)\(quotes.isEmpty ? "" : " \(quotes)")", cited.items, references: cited.references)
      ].compactMap { $0 }
    }
    for differential in found.differentials {
      let cited = Citing(differential.support.map(\.place))
      let names = differential.support.map(\.name).joined(separator: ", ")
      lines += [
        desk.line(
          "? \(differential.name) (\(differential.severity.rawValue)): \(names); apart: \(differential.apart)",
          cited.items, references: cited.references + differential.references)
      ].compactMap { $0 }
    }
    for (text, reference) in found.workUp.prefix(found.differentials.isEmpty ? 0 : Self.workUpLimit) {
      lines.append(Brief.Line("work-up: \(text)", references: [reference]))
    }
    return (lines, verdict?.level)
  }

  private func risk(
    _ found: DifferentialFinder.Found, _ alerts: [DrugAlert], _ context: BriefContext
  ) -> RiskTable.Verdict? {
    let assessments = context.visit.assessments()
    guard !assessments.isEmpty else { return nil }
    var subject = RiskTable.Case()
    subject.urgency = assessments.map(\.triage.urgency).max()
    subject.differentials = found.differentials
    subject.alerts = Set(alerts.map(\.kind))
    subject.complexity = context.visit.assessment?.complexity.level
    subject.isUnknown = assessments.allSatisfy(\.triage.hasTooLittleInformation)
    return knowledge.risk.verdict(subject)
  }
}
