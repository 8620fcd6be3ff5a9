internal import Foundation

/// The time zone a practice works in: the only place where wall-clock readings and UTC meet.
public struct PracticeTimeZone: Hashable, Sendable {
  /// The IANA name, such as `Europe/London`.
  public let identifier: String
  private let zone: TimeZone

  /// Returns nil when the machine's time zone data do not know the name.
  public init?(identifier: String) {
    guard let zone = TimeZone(identifier: identifier) else { return nil }
    self.identifier = identifier
    self.zone = zone
  }

  public static let utc = PracticeTimeZone(utc: ())

  private init(utc: Void) {
    identifier = "UTC"
    zone = .gmt
  }

  /// The zone this machine is set to, and UTC where it has none.
  public static var current: PracticeTimeZone {
    PracticeTimeZone(identifier: TimeZone.current.identifier) ?? .utc
  }

  public func offsetSeconds(at moment: Timestamp) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment.seconds)))
  }

  public func local(_ moment: Timestamp) -> LocalDateTime {
    let shifted = moment.seconds + Int64(offsetSeconds(at: moment))
    let days = shifted.flooredDivision(by: 86_400)
    let secondOfDay = Int(shifted - days * 86_400)
    return LocalDateTime(
      date: CalendarDate(daysSince1970: Int(days)), minuteOfDay: secondOfDay / 60, second: secondOfDay % 60)
  }

  public func date(of moment: Timestamp) -> CalendarDate { local(moment).date }

  /// The moment a wall clock shows `local`.
  ///
  /// In the hour that spring skips, the moment is as far after the change as the reading is into the gap; of the two
  /// readings in the hour that autumn repeats, the first is meant.
  public func timestamp(of local: LocalDateTime) -> Timestamp {
    let naive =
      Int64(local.date.daysSince1970) * 86_400 + Int64(local.minuteOfDay) * 60 + Int64(local.second)
    // The offset before any change on that day, and the one after: the earlier moment that reads back as
    // `local` wins; in a gap neither does and the offset before the change is the one to apply.
    let before = Int64(offsetSeconds(at: Timestamp(seconds: naive - 86_400)))
    let after = Int64(offsetSeconds(at: Timestamp(seconds: naive + 86_400)))
    let candidates = [Timestamp(seconds: naive - before), Timestamp(seconds: naive - after)].sorted()
    return candidates.first { self.local($0) == local } ?? Timestamp(seconds: naive - before)
  }

  /// The readings between which wall clocks are put forward, where `reading` lies between them: no clock ever shows it.
  public func gap(around reading: LocalDateTime) -> (start: LocalDateTime, end: LocalDateTime)? {
    let moment = timestamp(of: reading)
    guard local(moment) != reading else { return nil }
    let after = offsetSeconds(at: moment)
    var (low, high) = (moment.seconds - 86_400, moment.seconds)
    while high - low > 1 {
      let middle = (low + high) / 2
      if offsetSeconds(at: Timestamp(seconds: middle)) == after { high = middle } else { low = middle }
    }
    let before = offsetSeconds(at: Timestamp(seconds: low))
    return (
      Self.utc.local(Timestamp(seconds: high + Int64(before))), Self.utc.local(Timestamp(seconds: high + Int64(after)))
    )
  }

  /// The moment of a clock's reading; 1440, which is how the end of a day is written, is the next day's midnight.
  ///
  /// - Precondition: `minuteOfDay` is in 0...1440.
  public func timestamp(of date: CalendarDate, minuteOfDay: Int = 0) -> Timestamp {
    minuteOfDay == 1440
      ? timestamp(of: date.adding(days: 1)) : timestamp(of: LocalDateTime(date: date, minuteOfDay: minuteOfDay))
  }

  /// The moment an ISO 8601 text means, in this zone where it names no offset.
  public func timestamp(of text: ISODateTime) -> Timestamp {
    guard let offset = text.offsetMinutes else { return timestamp(of: text.local) }
    return PracticeTimeZone.utc.timestamp(of: text.local).adding(minutes: -offset)
  }

  /// The moments at which the local day `date` begins and ends; 23 or 25 hours on the days of a change.
  public func interval(of date: CalendarDate) -> Range<Timestamp> {
    timestamp(of: date)..<timestamp(of: date.adding(days: 1))
  }

  /// `2026-11-23T09:05:00+00:00`, in this zone.
  public func iso8601(_ moment: Timestamp) -> String {
    let reading = local(moment)
    let offset = offsetSeconds(at: moment) / 60
    let sign = offset < 0 ? "-" : "+"
    return "\(reading.date)T\(clock(reading.minuteOfDay)):\(zeroPadded(reading.second, 2))"
      + "\(sign)\(zeroPadded(abs(offset) / 60, 2)):\(zeroPadded(abs(offset) % 60, 2))"
  }

  /// `09:05`
  public func clock(_ moment: Timestamp) -> String { clock(local(moment).minuteOfDay) }

  /// `2026-11-23 09:05`, in this zone: how messages and lists write a moment.
  public func describe(_ moment: Timestamp) -> String { "\(date(of: moment)) \(clock(moment))" }

  private func clock(_ minuteOfDay: Int) -> String {
    "\(zeroPadded(minuteOfDay / 60, 2)):\(zeroPadded(minuteOfDay % 60, 2))"
  }
}
