/// A day in the proleptic Gregorian calendar, without time or zone.
public struct CalendarDate: Hashable, Comparable, Sendable {
  public let year: Int
  /// 1...12
  public let month: Int
  /// 1...31, never past the end of its month
  public let day: Int

  /// Returns nil when the three numbers name no day, such as 30 February.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), (1...9999).contains(year), day >= 1,
      day <= Self.daysInMonth(month, year: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day that lies `number` days after 1970-01-01 (before it, when negative).
  ///
  /// - Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
  public init(daysSince1970 number: Int) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days after 1970-01-01; the inverse of ``init(daysSince1970:)``.
  public var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// ISO 8601: 1 is Monday, 7 is Sunday.
  public var weekday: Int {
    let remainder = (daysSince1970 + 3) % 7
    return (remainder < 0 ? remainder + 7 : remainder) + 1
  }

  public func adding(days: Int) -> Self { Self(daysSince1970: daysSince1970 + days) }

  /// Completed years from this day to `later`; negative when `later` comes first.
  public func years(to later: Self) -> Int {
    let difference = later.year - year
    return (later.month, later.day) < (month, day) ? difference - 1 : difference
  }

  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.year, lhs.month, lhs.day) < (rhs.year, rhs.month, rhs.day)
  }

  public static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension CalendarDate: CustomStringConvertible {
  /// `2026-11-23`
  public var description: String {
    "\(zeroPadded(year, 4))-\(zeroPadded(month, 2))-\(zeroPadded(day, 2))"
  }

  /// Reads `2026-11-23`; nil for anything else.
  public init?(iso text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2, parts[2].utf8.count == 2,
      let year = parseDigits(parts[0]), let month = parseDigits(parts[1]), let day = parseDigits(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

/// The number that a run of ASCII digits spells; nil when anything else is in it (`Int.init` accepts signs).
func parseDigits(_ text: some StringProtocol) -> Int? {
  guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  return Int(text)
}

func zeroPadded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Encoded as ISO 8601 writes it.
extension CalendarDate: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let date = Self(iso: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "is no date")
    }
    self = date
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
