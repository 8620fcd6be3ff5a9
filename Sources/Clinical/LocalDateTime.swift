/// A wall-clock reading, as a receptionist writes it: a day and minutes past midnight, without a zone.
public struct LocalDateTime: Hashable, Comparable, Sendable {
  public var date: CalendarDate
  /// 0..<1440
  public var minuteOfDay: Int
  /// 0..<60
  public var second: Int

  public init(date: CalendarDate, minuteOfDay: Int, second: Int = 0) {
    precondition((0..<1440).contains(minuteOfDay), "minuteOfDay \(minuteOfDay) is outside 0..<1440")
    precondition((0..<60).contains(second), "second \(second) is outside 0..<60")
    self.date = date
    self.minuteOfDay = minuteOfDay
    self.second = second
  }

  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.date, lhs.minuteOfDay, lhs.second) < (rhs.date, rhs.minuteOfDay, rhs.second)
  }
}

/// A date and time as ISO 8601 writes it, with the offset where one was given.
///
/// Accepted: `2026-11-23`, `2026-11-23T09:05`, `2026-11-23 09:05:30`, each time optionally followed by `Z`, `+01:00`
/// or `+0100`; fractions of a second are cut. Nothing else is: a date that can be read in two ways is an error.
public struct ISODateTime: Hashable, Sendable {
  public let local: LocalDateTime
  /// Minutes east of UTC, or nil when the text names no offset.
  public let offsetMinutes: Int?
  /// Whether the text gave a time, and not only a day.
  public let hasTime: Bool

  public init?(_ text: some StringProtocol) {
    let text = String(text)
    let bytes = Array(text.utf8)
    guard bytes.count >= 10, let date = CalendarDate(iso: text.prefix(10)) else { return nil }
    if bytes.count == 10 {
      local = LocalDateTime(date: date, minuteOfDay: 0)
      offsetMinutes = nil
      hasTime = false
      return
    }
    guard bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ") else { return nil }
    var rest = bytes[11...]
    guard let hour = Self.takeTwoDigits(&rest), hour < 24, Self.take(UInt8(ascii: ":"), from: &rest),
      let minute = Self.takeTwoDigits(&rest), minute < 60
    else { return nil }
    var second = 0
    if Self.take(UInt8(ascii: ":"), from: &rest) {
      guard let value = Self.takeTwoDigits(&rest), value < 60 else { return nil }
      second = value
      if Self.take(UInt8(ascii: "."), from: &rest) {
        let fraction = rest.prefix { (0x30...0x39).contains($0) }
        guard !fraction.isEmpty else { return nil }
        rest = rest.dropFirst(fraction.count)
      }
    }
    guard let offset = Self.parseOffset(rest) else { return nil }
    local = LocalDateTime(date: date, minuteOfDay: hour * 60 + minute, second: second)
    offsetMinutes = offset
    hasTime = true
  }

  /// The outer optional says whether the text is an offset, the inner one whether there is any.
  private static func parseOffset(_ bytes: ArraySlice<UInt8>) -> Int?? {
    if bytes.isEmpty { return .some(nil) }
    if bytes.elementsEqual([UInt8(ascii: "Z")]) { return .some(0) }
    var rest = bytes.dropFirst()
    let sign: Int
    switch bytes.first {
    case UInt8(ascii: "+"): sign = 1
    case UInt8(ascii: "-"): sign = -1
    default: return nil
    }
    guard let hours = takeTwoDigits(&rest), hours <= 14 else { return nil }
    _ = take(UInt8(ascii: ":"), from: &rest)
    guard let minutes = takeTwoDigits(&rest), minutes < 60, rest.isEmpty else { return nil }
    return .some(sign * (hours * 60 + minutes))
  }

  private static func takeTwoDigits(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 2, bytes.prefix(2).allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let value = bytes.prefix(2).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    bytes = bytes.dropFirst(2)
    return value
  }

  private static func take(_ byte: UInt8, from bytes: inout ArraySlice<UInt8>) -> Bool {
    guard bytes.first == byte else { return false }
    bytes = bytes.dropFirst()
    return true
  }
}
