import Chart
import Clinical
import Extraction
import TextAnalysis

// The lines that rest on notes. Each quotes or counts cited words.

extension BriefBuilder {
  private static let problemLimit = 6
  private static let earlierLimit = 6
  private static let resultLimit = 5
  private static let resultValues = 3
  /// Beside newer results older ones say little of today; the last ones are shown where there are no newer.
  private static let resultDays = 365
  private static let oldDays = 2 * 365
  private static let oldResultLimit = 2
  private static let pendingLimit = 3
  private static let pendingDays = 365
  private static let ownerLimit = 3
  private static let ownerDays = 2 * 365
  private static let sinceSentences = 3

  func alertLines(
    _ record: PatientRecord, _ chart: PatientChart, _ context: BriefContext, _ desk: inout BriefDesk
  ) -> [Brief.Line] {
    var alerts: [(labels: [String], note: ClinicalNote, range: Range<Int>, focus: Range<Int>)] = []
    func add(_ label: String, _ note: ClinicalNote, _ range: Range<Int>, _ focus: Range<Int>) {
      // Neighbouring sentences are one warning; one sentence may be several alerts.
      for index in alerts.indices where alerts[index].note.id == note.id {
        let known = alerts[index].range
        let union = min(known.lowerBound, range.lowerBound)..<max(known.upperBound, range.upperBound)
        guard known.overlaps(range) || union.count <= Self.alertBytes, !isApart(known, range, in: note, desk) else {
          continue
        }
        alerts[index].range = union
        if !alerts[index].labels.contains(label) { alerts[index].labels.append(label) }
        return
      }
      alerts.append(([label], note, range, focus))
    }
    let notes = Dictionary(record.notes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for course in chart.warnings.prefix(Self.warningLimit) {
      for evidence in course.evidence.suffix(1) {
        guard let note = notes[evidence.noteID] else { continue }
        let label = course.state == .avoid ? "avoid \(course.treatment)" : "reaction to \(course.treatment)"
        add(label, note, evidence.passage, evidence.focus)
      }
    }
    // What a test found for life, and what can infect others.
    var viruses: Set<String> = []
    for item in record.recordedFacts([.lab]).reversed()
    where Self.lastingViruses.contains(item.fact.name) && item.fact.assertion.experiencer == .patient {
      guard viruses.insert(item.fact.name).inserted, item.fact.lab?.result == .positive else { continue }
      add("\(item.fact.name) positive", item.note, desk.sentence(item), item.fact.range)
    }
    var names: Set<String> = []
    for item in record.recordedFacts([.allergy]).reversed() where item.fact.assertion.isActiveOrPast {
      // Without words of its own for the reaction ("alert on file") the name is a guess, and the phrases below do better.
      guard let reaction = item.fact.allergy?.reaction,
        !lexicon.alerts.isException(desk.sentence(item), of: item.note),
        names.insert(item.fact.name).inserted
      else { continue }
      add("\(reaction) \(item.fact.name)", item.note, desk.sentence(item), item.fact.range)
    }
    for found in lexicon.alerts.found(in: desk.outlines, by: classifier, at: context.now) {
      add(found.alert.label, found.note, found.sentence, found.focus)
    }
    return alerts.compactMap { alert in
      // "Alert on file" alone: what for stands in the sentence before.
      var range = alert.range
      if range.count < Self.shortBytes, let before = desk.sentence(before: range, of: alert.note),
        range.upperBound - before.lowerBound <= Self.alertBytes
      {
        range = before.lowerBound..<range.upperBound
      }
      return desk.line(
        alert.labels.joined(separator: "; "),
        quoting: Excerpt(alert.note, range, focus: alert.focus, limit: Self.alertBytes))
    }
  }

  /// What notes disagree about: both sides, so that somebody asks.
  func conflictLines(
    _ record: PatientRecord, _ chart: PatientChart, _ context: BriefContext, _ desk: inout BriefDesk
  ) -> [Brief.Line] {
    let conflicts = RecordConflicts(
      record: record, chart: chart, desk: desk, classifier: classifier, formulary: knowledge.formulary,
      opposites: lexicon.opposites)
    return conflicts.all(at: context.now).compactMap { conflict in
      desk.line(
        conflict.label,
        opposing: [conflict.first, conflict.second].compactMap {
          Excerpt($0.note, $0.sentence, focus: $0.focus, limit: Self.sideBytes)
        })
    }
  }

  private static let warningLimit = 8
  private static let lastingViruses: Set<String> = ["FIV", "FeLV"]
  private static let sideBytes = 90
  private static let alertBytes = 200
  /// A sentence so short leans on the one before it.
  private static let shortBytes = 24

  /// Whether a sentence that is neither stands between two.
  private func isApart(_ one: Range<Int>, _ other: Range<Int>, in note: ClinicalNote, _ desk: BriefDesk) -> Bool {
    let (first, second) = one.lowerBound < other.lowerBound ? (one, other) : (other, one)
    guard first.upperBound < second.lowerBound else { return false }
    return desk.sentence(before: second, of: note).map { $0.lowerBound >= first.upperBound + Self.shortBytes } ?? true
  }

  func problemLines(
    _ problems: ProblemCourses, _ context: BriefContext, _ desk: inout BriefDesk
  ) -> [Brief.Line] {
    let listed =
      problems.active(at: context.now).map { ($0, $0.name) }
      + problems.suspected(at: context.now).map { ($0, "suspected \($0.name)") }
    var lines: [Brief.Line] = []
    for (course, label) in listed.prefix(Self.problemLimit) {
      guard var line = desk.line(label, quoting: desk.excerpt(around: course.latest, limit: 80)) else { continue }
      if course.lastAt.seconds - course.firstAt.seconds > 90 * 86_400, let first = course.mentions.first {
        line.text += ", since \(desk.date(first))"
      }
      lines.append(line)
    }
    func dated(_ course: ProblemCourse) -> String {
      let doubt = course.state == .suspected ? "suspected " : ""
      let absence = course.state == .resolved && course.isDenied ? "not found " : ""
      return "\(doubt)\(course.name) (\(absence)\(desk.date(course.latest.note)))"
    }
    let more = listed.dropFirst(Self.problemLimit).map(\.0) + problems.earlier(at: context.now)
    for (label, courses) in [("earlier", more), ("ruled out", problems.ruledOut)] where !courses.isEmpty {
      let shown = Array(courses.prefix(Self.earlierLimit))
      let names = shown.map(dated).joined(separator: ", ")
      lines += [desk.line("\(label): \(names)", shown.map(\.latest))].compactMap { $0 }
    }
    return lines
  }

  /// The tests of the record with their trends; those that the visit or the last plan is about come first.
  func resultLines(
    _ record: PatientRecord, wanted: [String], _ context: BriefContext, _ desk: inout BriefDesk
  ) -> [Brief.Line] {
    let all = ResultTrend.all(in: record, zone: context.zone)
    let trends = all.filter { wanted.contains($0.name) } + all.filter { !wanted.contains($0.name) }
    guard let newest = all.first?.values.last?.date else { return [] }
    let isOld = newest < context.zone.date(of: context.now.adding(days: -Self.oldDays))
    let horizon = newest.adding(days: -Self.resultDays)
    let shown = trends.filter { ($0.values.last?.date ?? horizon) > horizon }.prefix(
      isOld ? Self.oldResultLimit : Self.resultLimit)
    return shown.compactMap { trend in
      let line = trend.line(latest: Self.resultValues)
      return desk.line(line.text, line.items)
    }
  }

  func pendingLines(
    _ investigations: Investigations, _ context: BriefContext, _ desk: inout BriefDesk
  ) -> [Brief.Line] {
    let horizon = context.now.adding(days: -Self.pendingDays)
    var lines: [Brief.Line] = []
    var cited: Set<[Int]> = []
    for result in investigations.awaited.reversed()
    where result.came == nil && result.item.note.recordedAt >= horizon && lines.count < Self.pendingLimit {
      guard let line = desk.line("", quoting: desk.excerpt(around: result.item, limit: 120)),
        cited.insert(line.citations).inserted
      else { continue }
      lines.append(line)
    }
    return lines
  }

  /// What the owner agreed to, declined or set as a limit.
  func ownerLines(_ record: PatientRecord, _ context: BriefContext, _ desk: inout BriefDesk) -> [Brief.Line] {
    let horizon = context.now.adding(days: -Self.ownerDays)
    var lines: [Brief.Line] = []
    for item in record.recordedFacts([.ownerDecision]).reversed() where lines.count < Self.ownerLimit {
      guard item.note.recordedAt >= horizon, Self.decisions.contains(item.fact.name) else { continue }
      let written = (item.note.text.slice(utf8: item.fact.range) ?? "").lowercased()
      let assertion = classifier.assertion(of: item.fact.range, in: item.note.text)
      // An animal that refuses a walk decides nothing, nor does "if he refuses food".
      guard !written.hasPrefix("refus"), assertion.temporality != .hypothetical else { continue }
      guard let excerpt = desk.excerpt(around: item, limit: 110), !desk.isQuoted(excerpt) else { continue }
      lines += [desk.line("", quoting: excerpt)].compactMap { $0 }
    }
    return lines
  }

  private static let decisions: Set<String> = ["declined", "agreed", "budget", "authorised", "euthanasia discussed"]

  func planLines(
    _ last: LastEntries, _ followUp: PlanFollowUp, _ context: BriefContext, _ desk: inout BriefDesk
  ) -> [Brief.Line] {
    guard let plan = last.plan else { return [] }
    let author = plan.note.author.map { context.staffNames[$0] ?? $0 }
    let heading = "\(desk.date(plan.note)) \(plan.note.kind.rawValue)\(author.map { ", \($0)" } ?? "")"
    // One word ("agreed") says nothing by itself.
    let quotes = plan.sentences.compactMap { Excerpt(plan.note, $0, limit: 140) }.filter { $0.quoted.contains(" ") }
    return [desk.line(heading, quotingAll: quotes), doneLine(followUp, &desk)].compactMap { $0 }
  }

  func sinceLines(_ last: LastEntries, _ record: PatientRecord, _ desk: inout BriefDesk) -> [Brief.Line] {
    var lines: [Brief.Line] = []
    for outline in last.since {
      let facts = record.facts[outline.note.id] ?? []
      let sentences = outline.sentences.map(\.range)
      // Greetings and heads of e-mails say nothing; drugs and what is to be done say most.
      let telling = sentences.enumerated().compactMap { place, range -> (score: Int, place: Int)? in
        let held = facts.filter { range.contains($0.range.lowerBound) }
        let score =
          (held.contains { $0.kind == .drug } ? 2 : 0) + (lexicon.plans.mark(range, of: outline.note) ? 1 : 0)
          + (held.isEmpty ? 0 : 1)
        return score > 0 ? (score, place) : nil
      }
      let best = telling.sorted { ($1.score, $0.place) < ($0.score, $1.place) }.prefix(Self.sinceSentences).map(\.place)
        .sorted()
      let shown = best.isEmpty ? Array(sentences.suffix(Self.sinceSentences)) : best.map { sentences[$0] }
      let heading = "\(desk.date(outline.note)) \(outline.note.kind.rawValue)"
      let quotes = shown.compactMap { Excerpt(outline.note, $0, limit: 120) }
      lines += [desk.line(heading, quotingAll: quotes)].compactMap { $0 }
    }
    return lines
  }
}
