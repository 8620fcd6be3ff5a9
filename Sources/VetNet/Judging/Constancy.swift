import Clinical

/// The stretch of time around a moment in which ages, "how long since" and what exists yet stay what they are then.
///
/// Whatever is made of a record looks at the time in two ways: at the practice's calendar day, and at whether a note's moment and
/// some whole number of days lie behind. So nothing changes from one moment to another of the same day between which no note (or
/// message) becomes a day older.
struct Constancy {
  /// Both exclusive.
  private let span: ClosedRange<Int64>

  init(around now: Timestamp, moments: [Timestamp], zone: PracticeTimeZone) {
    let day = zone.interval(of: zone.date(of: now))
    var (after, before) = (day.lowerBound.seconds - 1, day.upperBound.seconds)
    for moment in moments {
      let (days, rest) = (now.seconds - moment.seconds).quotientAndRemainder(dividingBy: 86_400)
      // What is as old as whole days to the second is another thing right before and after.
      let whole = moment.seconds + days * 86_400
      if rest == 0 {
        (after, before) = (now.seconds, now.seconds)
        break
      }
      let floor = rest < 0 ? whole - 86_400 : whole
      (after, before) = (max(after, floor), min(before, floor + 86_400))
    }
    span = after...max(after, before)
  }

  /// Only the very moment.
  init(at now: Timestamp) { span = now.seconds...now.seconds }

  func holds(at now: Timestamp) -> Bool { span.lowerBound < now.seconds && now.seconds < span.upperBound }
}
