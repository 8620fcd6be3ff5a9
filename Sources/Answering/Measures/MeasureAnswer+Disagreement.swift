import Chart
import Clinical
import Extraction

/// Weights of one day that can't both be so.
extension MeasureAnswer {
  /// Two values of one day that can't both be so; nil when a day has but one.
  ///
  /// - Returns: the values in the order of their notes.
  func disagreement(in record: PatientRecord) -> [Value]? {
    guard !question.namesAnother(), question.periods.count <= 1, !question.isYesOrNo, !question.asks(for: .trend) else {
      return nil
    }
    let kinds = question.kinds.intersection(Self.kinds)
    guard kinds.contains(.weight) else { return nil }
    var days: [CalendarDate: Value] = [:]
    let facts = record.recordedFacts([.weight]).filter {
      $0.fact.assertion.isActive && !$0.fact.isImplausible && $0.fact.amount?.upper == nil
    }
    for item in facts {
      guard let number = item.fact.value else { continue }
      let written = zone.date(of: item.note.recordedAt)
      let date =
        item.fact.writtenDate.flatMap { WrittenDate($0, writtenOn: written, .backwards)?.likeliest } ?? written
      let value = Value(item: item, number: number, date: min(date, written))
      guard let known = days[value.date] else {
        days[value.date] = value
        continue
      }
      guard known.item.note.id != item.note.id, abs(known.number - number) > Self.scaleError(of: number) else {
        continue
      }
      if let period = question.period, !period.contains(zone.timestamp(of: value.date)) { continue }
      // Without a day in the question only the latest counts.
      if question.period == nil, value.date != facts.last.map({ zone.date(of: $0.note.recordedAt) }) { continue }
      return [known, value]
    }
    return nil
  }

  /// By how many kilograms two scales differ, or an animal before and after its meal.
  private static func scaleError(of weight: Double) -> Double { max(0.03 * weight, min(0.04 * weight, 0.15)) }
}
