import Chart
import Clinical
import Extraction
import TextAnalysis

/// Answers for values at certain moments ("weight before and after the steroids") with the sentences that hold them.
struct MomentAnswer {
  /// A value belongs to an event when it was taken so near to it.
  private static let anchorDays = 45
  /// The same where one moment only is named.
  private static let nearDays = 21
  /// A sentence that names less of the subject than this share of what the best one names measures something else.
  private static let measuredShare = 0.85
  /// Occasions further apart than this are several.
  static let episodeDays = 14
  private static let longestList = 6
  /// A value so long before an event still says where a trend comes from.
  private static let priorDays = 120

  typealias Passage = (unit: EvidenceUnit, range: Range<Int>)

  let moments: QuestionMoments
  /// Parsed for itself.
  let subject: Question
  let analyzer: Analyzer
  let zone: PracticeTimeZone
  let finder: OccasionFinder

  /// Blood that was taken on the day is reported so much later.
  private static let reportDays = 3

  private struct Value {
    let date: CalendarDate
    var isReport = false
    let passages: [Passage]
  }

  /// The sentences that answer.
  ///
  /// - Parameters:
  ///   - record: the patient's.
  ///   - parse: makes a question of the words for an event.
  /// - Returns: in time order; nil where the subject is nothing that is measured, or an event is not found.
  func passages(in record: PatientRecord, parse: (String) -> Question) -> [Passage]? {
    let isSingle = moments.moments.count == 1 && moments.moments.first?.edge == .at
    let values = self.values(in: record, factsOnly: isSingle)
    guard let earliest = values.first, let latest = values.last else { return nil }
    var chosen: [Value] = []
    for moment in moments.moments {
      if moment.edge == .first || moment.edge == .now {
        chosen.append(moment.edge == .first ? earliest : latest)
        continue
      }
      let event = parse(moment.event)
      let tellings = finder.tellings(of: event)
      guard let first = tellings.first else { return nil }
      let day = date(first)
      switch moment.edge {
      case .before:
        guard
          let value = values.last(where: { value in
            value.date <= day || (value.isReport && value.date <= day.adding(days: Self.reportDays))
          })
        else { return nil }
        chosen.append(value)
      case .after:
        // After two moments of two events the later one counts; of one event, what follows the value before it.
        let since = chosen.last.map { max($0.date, day) } ?? day
        guard let value = values.first(where: { $0.date > since }) ?? values.first(where: { $0.date >= day })
        else { return nil }
        chosen.append(value)
      case .end:
        let last = tellings.last { !$0.signs.isDisjoint(with: [.ending]) } ?? tellings.last ?? first
        guard let value = nearest(to: date(last), in: values, within: Self.anchorDays) else { return nil }
        chosen.append(value)
      case .start, .at:
        let telling = event.asks(for: .last) ? tellings.last ?? first : first
        let days = isSingle ? Self.nearDays : Self.anchorDays
        guard let value = nearest(to: date(telling), in: values, within: days) else { return nil }
        chosen.append(value)
      case .from:
        let isSeries = subject.asksForSeries || subject.asks(for: .trend)
        // A trend begins with what it was before.
        let reach = isSeries ? Self.priorDays : Self.reportDays
        let begin = nearest(to: day, in: values.filter { $0.date <= day }, within: reach)?.date ?? day
        let following = values.filter { $0.date >= begin }
        guard let from = following.first, let to = following.last else { return nil }
        chosen += isSeries ? Array(following.suffix(Self.longestList)) : [from, to]
      case .each:
        var days: [CalendarDate] = []
        for telling in tellings where days.allSatisfy({ distance($0, date(telling)) > Self.episodeDays }) {
          days.append(date(telling))
        }
        chosen += days.compactMap { nearest(to: $0, in: values, within: 3) }
      case .first, .now: break
      }
    }
    let distinct = Dictionary(grouping: chosen, by: \.date).sorted { $0.key < $1.key }.compactMap(\.value.first)
    guard distinct.count > 1 || isSingle else { return nil }
    return distinct.prefix(Self.longestList).flatMap(\.passages)
  }

  private func date(_ reading: Reading) -> CalendarDate { zone.date(of: reading.match.unit.note.recordedAt) }

  private func distance(_ first: CalendarDate, _ second: CalendarDate) -> Int {
    abs(first.daysSince1970 - second.daysSince1970)
  }

  private func nearest(to day: CalendarDate, in values: [Value], within days: Int) -> Value? {
    values.filter { distance($0.date, day) <= days }.min { distance($0.date, day) < distance($1.date, day) }
  }

  /// In time order, one a day.
  private func values(in record: PatientRecord, factsOnly: Bool) -> [Value] {
    let evidence = EvidenceFinder(question: subject, units: finder.units)
    var corrected = subject
    corrected.groups = evidence.groups
    let measured = MeasureAnswer(question: corrected, analyzer: analyzer, zone: zone).candidates(in: record)
    let facts = measured.compactMap { value -> Value? in
      let range = value.item.fact.valueRange ?? value.item.fact.range
      return finder.units.first { $0.note.id == value.item.note.id && $0.range.overlaps(range) }.map { unit in
        let lines = Answering.Passage.lines(of: unit, around: [value.item.fact.range, range])
        return Value(date: value.date, isReport: unit.note.kind == .lab, passages: [(unit, lines)])
      }
    }
    if factsOnly || facts.count > 1 { return facts }
    let readings = EvidenceRanking.readings(evidence, signs: finder.signs, classifier: finder.classifier)
    let most = readings.map { $0.features[.own] }.max() ?? 0
    var written: [CalendarDate: Value] = [:]
    for reading in readings where reading.features[.own] >= most * Self.measuredShare && most > 0 {
      guard reading.isAboutPatient, !reading.isHypothetical, written[date(reading)] == nil else { continue }
      let more = readingsAfter(reading.match.unit)
      guard !more.isEmpty || EvidenceRanking.hasNumberBeside(reading.match, finder.signs.closed) else { continue }
      let unit = reading.match.unit
      written[date(reading)] = Value(
        date: date(reading), passages: ([unit] + more).map { ($0, Answering.Passage.lines(of: $0, around: [$0.range])) }
      )
    }
    return written.count > facts.count ? written.values.sorted { $0.date < $1.date } : facts
  }

  /// "Blood pressure clinic. Readings 152, 148, 150.": the next sentence, where it goes on with the values.
  private func readingsAfter(_ unit: EvidenceUnit) -> [EvidenceUnit] {
    let next = unit.position + 1
    guard finder.units.indices.contains(next), finder.units[next].note.id == unit.note.id,
      finder.signs.closed.words(of: finder.units[next].text).first?.isOne(of: .valuehead) == true
    else { return [] }
    return [finder.units[next]]
  }
}
