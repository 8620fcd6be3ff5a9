import Chart
import Clinical
import Extraction

/// The typed values of the one thing that a question measures, in time order: a weight, a vital sign, a laboratory test.
struct MeasuredSeries {
  typealias Value = MeasureAnswer.Value

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
  ///   - circumstances: bytes of the question that say when, and name nothing to measure.
  ///   - isWeightImplied: whether a question that names no measure is for the weight.
  init?(_ asked: AskedRecord, outside circumstances: [Range<Int>], isWeightImplied: Bool = false) {
    let groups = asked.question.groups.filter { group in !circumstances.contains { $0.overlaps(group.range) } }
    if let kind = Self.kind(of: groups) {
      values = Self.values(of: kind, asked)
      named = groups.filter { $0.kinds.contains(kind) }.map(\.range)
      return
    }
    var measured: [(group: Question.Group, items: [RecordedFact])] = []
    for group in groups where group.force == .specific {
      let items = Self.items(of: group, asked)
      if !items.isEmpty { measured.append((group, items)) }
    }
    if measured.count == 1 {
      values = Self.series(measured[0].items, asked)
      named = [measured[0].group.range]
    } else if measured.isEmpty, isWeightImplied {
      values = Self.values(of: .weight, asked)
      named = []
    } else {
      return nil
    }
  }

  /// The one kind of measure that words for it ask for.
  private static func kind(of groups: [Question.Group]) -> FactKind? {
    let kinds = groups.reduce(into: Set<FactKind>()) { $0.formUnion($1.kinds) }.intersection(Self.kinds)
    return kinds.count == 1 ? kinds.first : nil
  }

  private static func values(of kind: FactKind, _ asked: AskedRecord) -> [Value] {
    if kind == .weight {
      let weighings = WeightTrend(asked.record, zone: asked.reader.zone).weighings
      return MeasureAnswer.fitting(weighings.map { Value(item: $0.item, number: $0.kilograms, date: $0.date) })
    }
    return series(asked.record.recordedFacts([kind]), asked)
  }

  /// The results and vital signs that a group names: of several names the one that most values have.
  private static func items(of group: Question.Group, _ asked: AskedRecord) -> [RecordedFact] {
    let items = asked.record.recordedFacts([.lab, .vital]).filter { $0.fact.hasValue }
    var known: [FactKind: Set<String>] = [:]
    for item in items { known[item.fact.kind, default: []].insert(item.fact.name) }
    guard let found = asked.reader.naming.names(of: group, among: known, kinds: [.lab, .vital]) else { return [] }
    let byName = Dictionary(
      grouping: items.filter { $0.fact.kind == found.kind && found.names.contains($0.fact.name) }, by: \.fact.name)
    return byName.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value ?? []
  }

  private static func series(_ items: [RecordedFact], _ asked: AskedRecord) -> [Value] {
    MeasureAnswer.series(items, zone: asked.reader.zone)
  }

  /// The values of a time.
  func values(in period: Range<Timestamp>, zone: PracticeTimeZone) -> [Value] {
    values.filter { period.contains(zone.timestamp(of: $0.date)) || period.contains($0.item.note.recordedAt) }
  }
}

extension MeasureAnswer.Value {
  var unit: String { item.fact.amount?.unit ?? "" }

  /// `3.2 mmol/L on 2023-06-13`.
  var told: String { "\(Self.text(number, unit)) on \(date)" }

  static func text(_ number: Double, _ unit: String) -> String {
    unit.isEmpty ? ChartNumber.text(number) : "\(ChartNumber.text(number)) \(unit)"
  }
}
