import Chart
import Clinical
import Extraction

/// Weights of one day that can't both be so.
extension MeasureAnswer {
  /// Two values of one day that can't both be so.
  ///
  /// - Parameters:
  ///   - record: the patient's.
  ///   - told: the day of the one value that would answer; nil where none or several would, and then the days of the time asked
  ///     about count, or the latest.
  /// - Returns: the values in the order of their notes; nil where no such day has two.
  func disagreement(in record: PatientRecord, on told: CalendarDate?) -> [Value]? {
    guard !question.namesAnother(), question.periods.count <= 1, !question.isYesOrNo, !question.asks(for: .trend),
      question.kinds.intersection(Self.kinds).contains(.weight)
    else { return nil }
    let facts = record.recordedFacts([.weight]).filter {
      $0.fact.assertion.isActive && !$0.fact.isImplausible && $0.fact.amount?.upper == nil
    }
    let latest = facts.last.map { zone.date(of: $0.note.recordedAt) }
    var days: [CalendarDate: Value] = [:]
    for item in facts {
      guard let number = item.fact.value else { continue }
      let day = item.day(in: zone)
      let isAsked =
        told.map { $0 == day } ?? question.period.map { $0.contains(zone.timestamp(of: day)) } ?? (day == latest)
      guard isAsked else { continue }
      guard let known = days[day] else {
        days[day] = Value(item: item, number: number, date: day)
        continue
      }
      guard known.item.note.id != item.note.id, abs(known.number - number) > Self.scaleError(of: number) else {
        continue
      }
      return [known, Value(item: item, number: number, date: day)]
    }
    return nil
  }

  /// By how many kilograms two scales differ, or an animal before and after its meal.
  private static func scaleError(of weight: Double) -> Double { max(0.02 * weight, min(0.04 * weight, 0.15)) }
}
