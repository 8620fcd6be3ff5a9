package import Clinical
import Extraction

/// The values of one laboratory test over time.
package struct ResultTrend {
  package struct Value {
    package let item: RecordedFact
    package let date: CalendarDate
    /// `138`, `1.018`, `negative`
    package let text: String
  }

  /// Values further apart than this are no trend.
  private static let trendDays = 3 * 365

  package let name: String
  package let unit: String
  /// In time order, one a day, the last of a day's.
  package let values: [Value]

  /// Above or below the reference that stands beside the latest value.
  var isFlagged: Bool { values.last?.item.fact.lab?.flag != nil }

  /// The tests of a record, those with a reference left and the latest first.
  ///
  /// - Complexity: O(n log n) in the record's laboratory values.
  package static func all(in record: PatientRecord, zone: PracticeTimeZone) -> [ResultTrend] {
    var values: [String: [CalendarDate: Value]] = [:]
    var units: [String: String] = [:]
    for item in record.recordedFacts([.lab]) {
      let fact = item.fact
      guard fact.assertion.experiencer == .patient, fact.assertion.temporality != .hypothetical,
        !fact.isImplausible, let text = text(of: fact)
      else { continue }
      let written = zone.date(of: item.note.recordedAt)
      let date =
        fact.writtenDate.flatMap { WrittenDate($0, writtenOn: written, .backwards)?.likeliest } ?? written
      // A number is no trend with words, nor with another unit.
      let key = fact.value == nil ? fact.name + " " : fact.name
      values[key, default: [:]][min(date, written)] = Value(item: item, date: min(date, written), text: text)
      units[key] = fact.unit ?? ""
    }
    return values.map { key, byDate in
      ResultTrend(
        name: key.trimmingSpaces(), unit: units[key] ?? "", values: byDate.values.sorted { $0.date < $1.date })
    }
    .sorted { lhs, rhs in
      let (left, right) = (lhs.order, rhs.order)
      if left.date != right.date { return left.date > right.date }
      if left.flagged != right.flagged { return left.flagged }
      if left.count != right.count { return left.count > right.count }
      return left.place == right.place ? lhs.name < rhs.name : left.place < right.place
    }
  }

  private var order: (date: CalendarDate, flagged: Bool, count: Int, place: Int) {
    let latest = values.last
    return (
      latest?.date ?? CalendarDate(daysSince1970: 0), isFlagged, min(values.count, 3),
      latest?.item.fact.range.lowerBound ?? 0
    )
  }

  private static func text(of fact: Fact) -> String? {
    if let value = fact.value { return ChartNumber.text(value, digits: 3) }
    return fact.lab?.result.flatMap { $0 == .pending ? nil : $0.rawValue }
  }

  /// `creatinine 138 µmol/L on 2026-10-29; 141 on 2026-03-09; 178 on 2025-06-19`
  package func line(latest count: Int) -> (text: String, items: [RecordedFact]) {
    let horizon = (values.last?.date ?? CalendarDate(daysSince1970: 0)).adding(days: -Self.trendDays)
    let shown = values.suffix(count).filter { $0.date >= horizon }.reversed()
    let parts = shown.enumerated().map { index, value in
      let flag = value.item.fact.lab?.flag.map { " (\($0.rawValue))" } ?? ""
      return index == 0
        ? "\(name) \(value.text)\(unit.isEmpty ? "" : " " + unit)\(flag) on \(value.date)"
        : "\(value.text)\(flag) on \(value.date)"
    }
    return (parts.joined(separator: "; "), shown.map(\.item))
  }
}
