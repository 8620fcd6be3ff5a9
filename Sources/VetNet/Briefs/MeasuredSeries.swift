import Chart
public import Clinical
import Extraction

/// A weight or a laboratory value over time, as the notes have it.
public struct MeasuredSeries: Sendable {
  public struct Point: Sendable {
    public let date: CalendarDate
    /// In ``MeasuredSeries/unit``.
    public let value: Double
    /// What was printed beside it as usual, in the same unit; nil where nothing was, or in another.
    public let low: Double?
    public let high: Double?
    /// `high` or `low`, where the note marks it or its reference says so.
    public let flag: String?
    public let noteID: String
    /// Code points of the note.
    public let words: Range<Int>
  }

  public let name: String
  /// Empty for values without one.
  public let unit: String
  public let isWeight: Bool
  /// In time order, one a day, the last of a day's.
  public let points: [Point]

  /// Weight first, then what was measured last; a single value is a series of one.
  static func all(in record: PatientRecord, zone: PracticeTimeZone) -> [MeasuredSeries] {
    var found: [String: [CalendarDate: Point]] = [:]
    var names: [String: (name: String, unit: String, isWeight: Bool)] = [:]
    for item in record.recordedFacts([.weight, .lab]) {
      let fact = item.fact
      guard fact.assertion.experiencer == .patient, fact.assertion.isActive, !fact.isImplausible,
        let value = fact.value,
        fact.amount?.upper == nil, let words = item.note.text.codePoints(utf8: fact.range)
      else { continue }
      let written = zone.date(of: item.note.recordedAt)
      let date =
        fact.writtenDate.flatMap { WrittenDate($0, writtenOn: written, .backwards)?.likeliest } ?? written
      let isWeight = fact.kind == .weight
      let name = isWeight ? "weight" : fact.name
      // A value in another unit is another series: nothing is drawn on one scale that was measured on two.
      let key = "\(name) \(fact.unit ?? "")"
      names[key] = (name, fact.unit ?? "", isWeight)
      let flag = fact.lab?.flag
      let range = fact.lab?.reference.flatMap { $0.isOf(value, flag: flag) ? $0 : nil }
      found[key, default: [:]][min(date, written)] = Point(
        date: min(date, written), value: value, low: range?.low, high: range?.high, flag: flag?.rawValue,
        noteID: item.note.id, words: words)
    }
    return found.compactMap { key, points in
      names[key].map {
        MeasuredSeries(
          name: $0.name, unit: $0.unit, isWeight: $0.isWeight, points: points.values.sorted { $0.date < $1.date })
      }
    }
    .sorted { one, other in
      if one.isWeight != other.isWeight { return one.isWeight }
      let dates = (one.points.last?.date, other.points.last?.date)
      if let first = dates.0, let second = dates.1, first != second { return first > second }
      if one.points.count != other.points.count { return one.points.count > other.points.count }
      return (one.name, one.unit) < (other.name, other.unit)
    }
  }
}

extension ReferenceRange {
  /// Whether it is in the value's unit: a reference is kept as it was written, a value converted, and where they are at odds with
  /// the mark beside them the reference is of another unit.
  fileprivate func isOf(_ value: Double, flag: LabFlag?) -> Bool {
    let isHigh = high.map { value > $0 } ?? false
    let isLow = low.map { value < $0 } ?? false
    return switch flag {
    case .high: isHigh
    case .low: isLow
    case nil: !isHigh && !isLow
    }
  }
}
