import Chart
import Clinical
import Extraction
import TextAnalysis

// What happened before: earlier episodes like this one, what was done of the plan, and the trends behind small charts.

extension BriefBuilder {
  private static let episodeLimit = 2
  /// Nearer than this it is the same episode.
  private static let episodeGapDays = 14
  private static let trendLimit = 4
  private static let trendPoints = 8

  /// Earlier notes of the patient that record what it comes with today, the latest first.
  func episodeLines(
    _ picture: ClinicalPicture, _ problems: ProblemCourses, _ record: PatientRecord, _ context: BriefContext,
    _ desk: inout BriefDesk
  ) -> [Brief.Line] {
    // A lasting problem is listed as such; that it was there before is no news.
    let lasting = Set(problems.active(at: context.now).filter(\.isChronic).map(\.name))
    let wanted = picture.presenting.compactMap { item -> String? in
      if case .presented = item.place { return lasting.contains(item.name) ? nil : item.name }
      return nil
    }
    guard !wanted.isEmpty else { return [] }
    let before = context.now.adding(days: -Self.episodeGapDays)
    var episodes: [(note: ClinicalNote, items: [RecordedFact])] = []
    for item in record.recordedFacts([.finding, .problem]) where item.note.recordedAt < before {
      guard item.fact.assertion.isActive, wanted.contains(item.fact.name) else { continue }
      if let last = episodes.last, last.note.id == item.note.id {
        if !last.items.contains(where: { $0.fact.name == item.fact.name }) {
          episodes[episodes.count - 1].items.append(item)
        }
      } else {
        episodes.append((item.note, [item]))
      }
    }
    // What shares most with today says most; of equals the latest.
    let ranked = episodes.enumerated().sorted {
      ($1.element.items.count, $1.offset) < ($0.element.items.count, $0.offset)
    }.map(\.element)
    var lines: [Brief.Line] = []
    for episode in ranked.prefix(Self.episodeLimit) {
      guard let first = episode.items.first, let excerpt = desk.excerpt(around: first, limit: 110),
        !desk.isQuoted(excerpt),
        var line = desk.line(episode.items.map(\.fact.name).joined(separator: ", "), quoting: excerpt),
        let all = desk.line("", episode.items)
      else { continue }
      line.citations += all.citations.filter { !line.citations.contains($0) }
      lines.append(line)
    }
    if !lines.isEmpty, ranked.count > Self.episodeLimit, let first = episodes.first {
      let rest = ranked.dropFirst(Self.episodeLimit).compactMap(\.items.first)
      let since = desk.date(first.note)
      lines += [desk.line("and in \(rest.count) more notes since \(since)", Array(rest.prefix(4)))].compactMap { $0 }
    }
    return lines
  }

  /// `done since: creatinine (2026-11-05)`
  func doneLine(_ followUp: PlanFollowUp, _ desk: inout BriefDesk) -> Brief.Line? {
    let items = followUp.done.compactMap(\.done)
    guard !items.isEmpty else { return nil }
    let words = items.map { "\($0.fact.name) (\(desk.date($0.note)))" }.joined(separator: ", ")
    return desk.line("done since: \(words)", items)
  }

  /// What the plan names and no later note has; each line cites the plan.
  func openPlanLines(_ followUp: PlanFollowUp, _ desk: inout BriefDesk) -> [Brief.Line] {
    guard let note = followUp.note, !followUp.open.isEmpty else { return [] }
    var sentences: [(range: Range<Int>, names: [String])] = []
    for item in followUp.open {
      if let known = sentences.firstIndex(where: { $0.range == item.sentence }) {
        sentences[known].names.append(item.name)
      } else {
        sentences.append((item.sentence, [item.name]))
      }
    }
    return sentences.compactMap { sentence in
      desk.line(
        "planned, not on file since: \(sentence.names.joined(separator: ", "))",
        quoting: Excerpt(note, sentence.range, limit: 90))
    }
  }

  /// The weight, then the tests with most values: what a chart can show.
  func trends(
    _ record: PatientRecord, _ weights: WeightTrend, _ context: BriefContext, _ desk: inout BriefDesk
  ) -> [Brief.Trend] {
    var trends: [Brief.Trend] = []
    func add(_ name: String, _ unit: String, _ values: [(date: CalendarDate, value: Double, item: RecordedFact)]) {
      var points: [Brief.Trend.Point] = []
      for value in values.suffix(Self.trendPoints) {
        guard let citation = desk.citation(of: value.item) else { continue }
        points.append(Brief.Trend.Point(date: value.date, value: value.value, citation: citation))
      }
      if points.count > 1 { trends.append(Brief.Trend(name: name, unit: unit, points: points)) }
    }
    add("weight", "kg", weights.weighings.map { ($0.date, $0.kilograms, $0.item) })
    for result in ResultTrend.all(in: record, zone: context.zone) where trends.count < Self.trendLimit {
      add(
        result.name, result.unit,
        result.values.compactMap { value in value.item.fact.value.map { (value.date, $0, value.item) } })
    }
    return trends
  }
}
