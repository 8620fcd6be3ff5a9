import Chart
import Clinical
import Extraction
import TextAnalysis

/// Answers a question for a measured value (a weight, a temperature, a laboratory result) from the values themselves: the last,
/// the first, the highest, how it went, now against then.
struct MeasureAnswer {
  /// Values shown of a trend.
  private static let trendLength = 8
  /// A value belongs to an event when it was taken so near to it.
  private static let anchorDays = 21
  static let kinds: Set<FactKind> = [.weight, .bodyCondition, .temperature, .heartRate, .respiratoryRate]

  private(set) var question: Question
  let analyzer: Analyzer
  let zone: PracticeTimeZone

  /// A value with its day.
  struct Value {
    let item: RecordedFact
    let number: Double
    let date: CalendarDate
  }

  /// The values that a question asks for.
  ///
  /// - Parameters:
  ///   - record: the patient's.
  ///   - anchor: the day of what else the question is about ("when the bone disease was found"), by the best sentence.
  ///   - units: its sentences; a later one that names a laboratory test has a value that was not read.
  /// - Returns: the values that answer, in time order; nil when the question asks for no value, or the record has none.
  func values(in record: PatientRecord, anchor: CalendarDate?, units: [EvidenceUnit]) -> [Value]? {
    guard !question.isYesOrNo || question.asks(for: .comparison),
      question.roles.isDisjoint(with: [.why, .who, .advice, .permission, .side, .others, .next, .list]),
      // "Highest T4, and when?" The value has its date.
      !question.asks(for: .when) || question.asks(for: .extreme)
    else { return nil }
    if question.namesAnother() { return nil }
    let all = candidates(in: record)
    guard let latest = all.last, let earliest = all.first else { return nil }
    if question.kinds.isDisjoint(with: Self.kinds), !question.asks(for: .extreme),
      isNamed(after: latest.item.note, in: units)
    {
      return nil
    }
    if hasOtherThings, question.roles.isDisjoint(with: [.extreme, .trend, .first]), !question.asksForSeries,
      !question.asksForDifference
    {
      return anchor.flatMap { values(near: $0, of: all, latest: latest) }
    }
    if question.asks(for: .extreme) { return extreme(of: all, latest: latest) }
    let inPeriod = question.period.map { period in all.filter { lies($0, in: period) } }
    if question.asksForDifference, let inPeriod, inPeriod.count > 1 {
      return [inPeriod[0], inPeriod[inPeriod.count - 1]]
    }
    if question.asks(for: .trend) || question.isOverTime || question.asksForSeries { return series(of: all, inPeriod) }
    if question.asks(for: .comparison) || question.asks(for: .change) || question.isSince || question.asksForDifference
    {
      let first = inPeriod?.first ?? (question.isSince ? all.last { $0.date < latest.date } : nil) ?? earliest
      return first.date < latest.date ? [first, latest] : [latest]
    }
    return single(of: all, inPeriod, earliest: earliest, latest: latest)
  }

  /// The value taken nearest to the day of what else the question is about.
  private func values(near day: CalendarDate, of all: [Value], latest: Value) -> [Value]? {
    func distance(_ value: Value) -> Int { abs(value.date.daysSince1970 - day.daysSince1970) }
    let near = all.filter { distance($0) <= Self.anchorDays }.min { distance($0) < distance($1) }
    guard let near else { return nil }
    return question.asks(for: .comparison) && near.date < latest.date ? [near, latest] : [near]
  }

  /// The highest or lowest value, beside the latest where the two are to be compared.
  private func extreme(of all: [Value], latest: Value) -> [Value]? {
    let isLeast = question.asksForLeast
    let asked = Self.fitting(question.period.map { period in all.filter { lies($0, in: period) } } ?? all)
    guard let best = asked.max(by: { isLeast ? $0.number > $1.number : $0.number < $1.number }) else { return nil }
    let isCompared = question.asks(for: .comparison) || question.isSince || question.asksForDifference
    return isCompared && best.date < latest.date ? [best, latest] : [best]
  }

  private func series(of all: [Value], _ inPeriod: [Value]?) -> [Value]? {
    // "The two cortisol values" of one day are more than the one that stands for it.
    if all.count == 1, question.kinds.isDisjoint(with: Self.kinds) { return nil }
    guard let inPeriod else { return Array(all.suffix(Self.trendLength)) }
    if inPeriod.isEmpty { return nil }
    // One value is no trend: the one before the period says where it comes from.
    let before = inPeriod.count > 1 ? nil : all.last { $0.date < inPeriod[0].date }
    return (before.map { [$0] } ?? []) + inPeriod.suffix(Self.trendLength)
  }

  /// The first or the latest value, or those of a period.
  private func single(of all: [Value], _ inPeriod: [Value]?, earliest: Value, latest: Value) -> [Value]? {
    if let then = inPeriod?.last, question.asks(for: .last) || question.asks(for: .current), then.date < latest.date {
      return [then, latest]
    }
    if let inPeriod { return inPeriod.isEmpty ? nil : Array(inPeriod.suffix(2)) }
    if question.asks(for: .first) { return [earliest] }
    if question.asks(for: .last) || question.asks(for: .current) || question.isTerse || question.isAboutPresent {
      return [latest]
    }
    return nil
  }

  private func lies(_ value: Value, in period: Range<Timestamp>) -> Bool {
    period.contains(zone.timestamp(of: value.date)) || period.contains(value.item.note.recordedAt)
  }

  /// Whether a measure is asked for, and the question is about something else too.
  private var hasOtherThings: Bool {
    !question.kinds.isDisjoint(with: Self.kinds)
      && question.groups.contains {
        $0.force == .specific && $0.kinds.isDisjoint(with: Self.kinds) && !question.saysDifference($0.text)
      }
  }

  private func isNamed(after note: ClinicalNote, in units: [EvidenceUnit]) -> Bool {
    guard let group = question.groups.first(where: { $0.force == .specific }) else { return false }
    return units.contains { unit in
      unit.note.recordedAt > note.recordedAt
        && group.alternatives.contains {
          $0.weight >= 0.85 && !$0.terms.isEmpty && $0.terms.allSatisfy(unit.terms.contains)
        }
    }
  }

  /// `▂▃▇` for the values in their order: lowest to highest over eight heights.
  static func chart(_ values: [Value]) -> String {
    let bars = Array("▁▂▃▄▅▆▇█")
    let numbers = values.map(\.number)
    guard let low = numbers.min(), let high = numbers.max(), high > low else { return "" }
    return String(numbers.map { bars[Int((($0 - low) / (high - low) * 7).rounded())] })
  }
}
