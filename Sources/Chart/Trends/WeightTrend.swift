package import Clinical
import Extraction

/// A patient's weights over time, one a note and day.
package struct WeightTrend {
  package struct Weighing {
    package let item: RecordedFact
    package let kilograms: Double
    package let date: CalendarDate
  }

  /// Weighings closer together than this say nothing of a trend.
  static let gapDays = 30

  /// In time order.
  package let weighings: [Weighing]

  /// Leaves out what is no weighing of this patient: a tablet's weight range, a target, a rumour, a value no such animal has.
  package init(_ record: PatientRecord, zone: PracticeTimeZone) {
    var weighings: [Weighing] = []
    var seen: Set<String> = []
    for item in record.recordedFacts([.weight]) {
      let fact = item.fact
      guard fact.assertion.isActive, let value = fact.value, value > 0, !fact.isImplausible,
        fact.amount?.upper == nil, fact.amount?.comparison == nil
      else { continue }
      let written = zone.date(of: item.note.recordedAt)
      let date =
        fact.writtenDate.flatMap { WrittenDate($0, writtenOn: written, .backwards)?.likeliest } ?? written
      // The first of a note is the day's; what follows is compared with it.
      guard seen.insert("\(item.note.id) \(date)").inserted else { continue }
      weighings.append(Weighing(item: item, kilograms: value, date: date))
    }
    self.weighings = weighings.sorted { ($0.date, $0.item.note.recordedAt) < ($1.date, $1.item.note.recordedAt) }
  }

  /// The latest weighing, the one before it, and the one nearest to a year before it, each of the three only once.
  package var shown: [Weighing] {
    guard let latest = weighings.last else { return [] }
    let older = weighings.filter { latest.date.daysSince1970 - $0.date.daysSince1970 >= Self.gapDays }
    guard let before = older.last else { return [latest] }
    let yearAgo = latest.date.adding(days: -365).daysSince1970
    let oldest = older.dropLast().filter { before.date.daysSince1970 - $0.date.daysSince1970 >= Self.gapDays }
      .min { abs($0.date.daysSince1970 - yearAgo) < abs($1.date.daysSince1970 - yearAgo) }
    return [latest, before] + (oldest.map { [$0] } ?? [])
  }

  /// `8.4 kg on 2026-10-29; 8.7 kg on 2026-03-09 (−3 %); 8.9 kg on 2025-06-19 (−6 %)`: each change is from then to the latest.
  package var text: String {
    guard let latest = shown.first else { return "" }
    let parts = shown.map { weighing in
      let words = "\(ChartNumber.text(weighing.kilograms, digits: 3)) kg on \(weighing.date)"
      if weighing.date == latest.date { return words }
      return "\(words) (\(ChartNumber.change(from: weighing.kilograms, to: latest.kilograms)) since)"
    }
    return parts.joined(separator: "; ")
  }
}

/// Numbers as a chart writes them.
package enum ChartNumber {
  /// At most `digits` decimals, none where they are zero.
  package static func text(_ value: Double, digits: Int = 2) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int(rounded)) : String(rounded)
  }

  /// `+3 %`, `−12 %`, `±0 %`: the change from `old`, which is not zero, in whole per cent of it.
  package static func change(from old: Double, to new: Double) -> String {
    let percent = ((new - old) / old * 100).rounded()
    return "\(percent > 0 ? "+" : percent < 0 ? "−" : "±")\(text(abs(percent), digits: 0)) %"
  }
}
