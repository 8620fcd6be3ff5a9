import Chart
import Clinical
import Extraction
import TextAnalysis

/// The values of the one thing that a question measures, in time order, one a day: a weight, a vital sign, a laboratory test by
/// its typed facts; what no fact holds ("LA:Ao", "lump on the flank") by the sentences that name it with a number.
struct MeasuredSeries {
  /// A value with its day and where it stands.
  struct Value {
    let date: CalendarDate
    /// Nil where no fact holds it.
    let number: Double?
    var unit = ""
    /// Blood that was taken on a day is reported later.
    var isReport = false
    let passages: [RuleFinding.Passage]
  }

  let values: [Value]
  /// Where the question names it, in bytes; empty where its verb alone says what is measured ("how much has she gained").
  let named: [Range<Int>]

  private static let kinds: Set<FactKind> = [
    .weight, .bodyCondition, .temperature, .heartRate, .respiratoryRate,
  ]

  /// Nil where nothing that the question names is measured, or several things are.
  ///
  /// - Parameters:
  ///   - asked: the question with its record.
  ///   - moments: bytes of the question that say when, and name nothing to measure.
  ///   - impliesWeight: bytes of what alone is named where the weight is meant ("lost since her heaviest"); nil where it can't be.
  ///   - subject: what is measured, parsed for itself, for values that no fact holds; nil where only facts count.
  init?(_ asked: AskedRecord, outside moments: [Range<Int>], impliesWeight: [Range<Int>]?, subject: Question?) {
    let groups = asked.question.groups.filter { group in !moments.contains { $0.overlaps(group.range) } }
    let typed = Self.typed(groups, asked, impliesWeight: impliesWeight)
    let facts = typed?.items.compactMap { Self.value($0, asked) } ?? []
    // One fact is no series: sentences may hold more.
    let written = facts.count > 1 ? [] : subject.map { Self.written($0, asked) } ?? []
    if written.count > facts.count {
      (values, named) = (written, groups.map(\.range))
    } else {
      (values, named) = (facts, typed?.named ?? [])
    }
    if values.isEmpty { return nil }
  }

  /// The values of a time; nil where there are none, all where no time is given.
  func within(_ period: Range<Timestamp>?, zone: PracticeTimeZone) -> MeasuredSeries? {
    guard let period else { return self }
    let inside = values.filter { period.contains(zone.timestamp(of: $0.date)) }
    return inside.isEmpty ? nil : MeasuredSeries(values: inside, named: named)
  }

  private init(values: [Value], named: [Range<Int>]) {
    self.values = values
    self.named = named
  }

  // MARK: - Facts

  private typealias Typed = (items: [MeasureAnswer.Value], named: [Range<Int>])

  private static func typed(_ groups: [Question.Group], _ asked: AskedRecord, impliesWeight: [Range<Int>]?) -> Typed? {
    if let kind = kind(of: groups) {
      return (values(of: kind, asked), groups.filter { $0.kinds.contains(kind) }.map(\.range))
    }
    let measured = groups.filter { $0.force == .specific }.compactMap { group in
      let items = results(of: group, asked)
      return items.isEmpty ? nil : (group: group, items: items)
    }
    if measured.count == 1 {
      return (MeasureAnswer.series(measured[0].items, zone: asked.reader.zone), [measured[0].group.range])
    }
    // "How many teeth did he lose?", "the slimmest margin": of something else.
    guard let impliesWeight, measured.isEmpty,
      !groups.contains(where: { group in
        group.force == .specific && !group.isFrame && !impliesWeight.contains { $0.overlaps(group.range) }
      })
    else { return nil }
    return (values(of: .weight, asked), [])
  }

  /// The one kind of measure that words for it ask for.
  private static func kind(of groups: [Question.Group]) -> FactKind? {
    let kinds = groups.reduce(into: Set<FactKind>()) { $0.formUnion($1.kinds) }.intersection(Self.kinds)
    return kinds.count == 1 ? kinds.first : nil
  }

  private static func values(of kind: FactKind, _ asked: AskedRecord) -> [MeasureAnswer.Value] {
    guard kind == .weight else {
      return MeasureAnswer.series(asked.record.recordedFacts([kind]), zone: asked.reader.zone)
    }
    let weighings = WeightTrend(asked.record, zone: asked.reader.zone).weighings
    return MeasureAnswer.fitting(
      weighings.map { MeasureAnswer.Value(item: $0.item, number: $0.kilograms, date: $0.date) })
  }

  /// The results and vital signs that a group names: of several names those that its own words do, and of them the one that most
  /// values have.
  private static func results(of group: Question.Group, _ asked: AskedRecord) -> [RecordedFact] {
    let items = asked.record.recordedFacts([.lab, .vital]).filter { $0.fact.hasValue }
    var known: [FactKind: Set<String>] = [:]
    for item in items { known[item.fact.kind, default: []].insert(item.fact.name) }
    // "Sodium and potassium" are two.
    guard !asked.question.classes.words(of: group.text).has(.and),
      let found = asked.reader.naming.names(of: group, among: known, kinds: [.lab, .vital])
    else { return [] }
    let own = group.alternatives.filter { $0.reason == nil && !$0.terms.isEmpty }
    let exact = found.names.filter { name in
      let terms = asked.reader.analyzer.terms(in: name)
      return own.contains { $0.terms.allSatisfy(terms.contains) }
    }
    let names = exact.isEmpty ? found.names : exact
    let byName = Dictionary(
      grouping: items.filter { $0.fact.kind == found.kind && names.contains($0.fact.name) }, by: \.fact.name)
    return byName.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value ?? []
  }

  private static func value(_ value: MeasureAnswer.Value, _ asked: AskedRecord) -> Value? {
    asked.passage(of: value.item).map { passage in
      Value(
        date: value.date, number: value.number, unit: value.item.fact.amount?.unit ?? "",
        isReport: value.item.note.kind == .lab, passages: [passage])
    }
  }

  // MARK: - Sentences

  /// A sentence that names less of the subject than this share of what the best one names measures something else.
  private static let measuredShare = 0.85

  private static func written(_ subject: Question, _ asked: AskedRecord) -> [Value] {
    let evidence = EvidenceFinder(question: subject, units: asked.units)
    let readings = EvidenceRanking.readings(evidence, signs: asked.reader.signs, classifier: asked.reader.classifier)
    let most = readings.map { $0.features[.own] }.max() ?? 0
    guard most > 0 else { return [] }
    var written: [CalendarDate: Value] = [:]
    for reading in readings where reading.features[.own] >= most * measuredShare {
      let unit = reading.match.unit
      let date = asked.date(of: unit.note)
      guard reading.isAboutPatient, !reading.isHypothetical, written[date] == nil else { continue }
      let more = valuesBehind(unit, asked)
      guard !more.isEmpty || EvidenceRanking.hasNumberBeside(reading.match, asked.question.classes) else { continue }
      written[date] = Value(
        date: date, number: nil, passages: ([unit] + more).map { ($0, Passage.lines(of: $0, around: [$0.range])) })
    }
    return written.values.sorted { $0.date < $1.date }
  }

  /// "Blood pressure clinic. Readings 152, 148, 150.": the next sentence, where it goes on with the values.
  private static func valuesBehind(_ unit: EvidenceUnit, _ asked: AskedRecord) -> [EvidenceUnit] {
    let next = unit.position + 1
    guard asked.units.indices.contains(next), asked.units[next].note.id == unit.note.id,
      asked.question.classes.words(of: asked.units[next].text).first?.isOne(of: .valuehead) == true
    else { return [] }
    return [asked.units[next]]
  }
}

extension MeasuredSeries.Value {
  /// `3.2 mmol/L on 2023-06-13`; nil where no fact holds it.
  var told: String? { number.map { "\(Self.text($0, unit)) on \(date)" } }

  static func text(_ number: Double, _ unit: String) -> String {
    unit.isEmpty ? ChartNumber.text(number) : "\(ChartNumber.text(number)) \(unit)"
  }
}
