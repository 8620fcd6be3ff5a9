import Chart
import Clinical
import Extraction
import TextAnalysis

/// Which values of a record are of what a question asks about.
extension MeasureAnswer {
  /// The values of what is asked about, in time order; none where it isn't one thing that is measured.
  func candidates(in record: PatientRecord) -> [Value] {
    let kinds = question.kinds.intersection(Self.kinds)
    let things = question.groups.filter { $0.force == .specific }
    if let kind = kinds.first, kinds.count == 1 {
      if kind == .weight {
        return WeightTrend(record, zone: zone).weighings.map {
          Value(item: $0.item, number: $0.kilograms, date: $0.date)
        }
      }
      return values(record.recordedFacts([kind]))
    }
    let labs = record.recordedFacts([.lab])
    var tests = things.filter { group in labs.contains { names($0.fact, group) } }
    // "Kidney numbers: creatinine": the word for one test says which of an organ's.
    let precise = tests.filter { group in labs.contains { closeness(of: $0.fact, to: group) >= 1 } }
    if tests.count > 1, precise.count == 1 { tests = precise }
    // Beside other things ("since the iodine") a single value is theirs; a series is not.
    guard kinds.subtracting([.lab]).isEmpty, tests.count == 1, let group = tests.first,
      things.count == 1 || question.asks(for: .trend) || question.asksForSeries || question.asks(for: .extreme)
        || question.isThenAndNow
    else { return [] }
    let closest = labs.map { closeness(of: $0.fact, to: group) }.max() ?? 0
    let named = labs.filter { closeness(of: $0.fact, to: group) >= max(Self.sameTest, closest) }
    let exactly = named.filter { names($0.fact, group, wholly: true) }
    let facts = exactly.isEmpty ? named : exactly
    // One test: an organ's name fits several, which are no series.
    let counts = Dictionary(grouping: facts, by: \.fact.name)
    guard let main = counts.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }),
      counts.count == 1 || (question.asks(for: .extreme) && main.value.count * 2 > facts.count)
    else { return [] }
    return values(main.value)
  }

  private func values(_ facts: [RecordedFact]) -> [Value] { Self.series(facts, zone: zone) }

  /// The plausible values of the patient among facts of one thing that is measured: one a day, in time order.
  static func series(_ facts: [RecordedFact], zone: PracticeTimeZone) -> [Value] {
    var values: [CalendarDate: Value] = [:]
    for item in facts {
      guard item.fact.assertion.experiencer == .patient, item.fact.assertion.temporality != .hypothetical,
        !item.fact.isImplausible, let number = item.fact.value
      else { continue }
      let written = zone.date(of: item.note.recordedAt)
      let date =
        item.fact.writtenDate.flatMap { WrittenDate($0, writtenOn: written, .backwards)?.likeliest } ?? written
      let day = min(date, written)
      // The note of the day itself says more than a later one's table.
      if let known = values[day], zone.date(of: known.item.note.recordedAt) == day, written != day { continue }
      values[day] = Value(item: item, number: number, date: day)
    }
    return values.values.sorted { $0.date < $1.date }
  }

  /// From this closeness on a word names the test of a fact.
  private static let sameTest = 0.85

  /// How closely a group's words name what a fact measures.
  private func closeness(of fact: Fact, to group: Question.Group) -> Double {
    let terms = Set(analyzer.terms(in: fact.name))
    return group.alternatives.filter { !$0.terms.isEmpty && $0.terms.allSatisfy(terms.contains) }.map(\.weight).max()
      ?? 0
  }

  func names(_ fact: Fact, _ group: Question.Group, wholly: Bool = false) -> Bool {
    let terms = Set(analyzer.terms(in: fact.name))
    return group.alternatives.contains { alternative in
      alternative.weight >= 0.85 && !alternative.terms.isEmpty && alternative.terms.allSatisfy(terms.contains)
        && (!wholly || terms.isSubset(of: alternative.terms))
    }
  }
}
