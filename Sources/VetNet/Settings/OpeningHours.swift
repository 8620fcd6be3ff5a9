/// When a practice is open, by weekday, in local wall-clock minutes past midnight.
///
/// Written as people do: `mon-fri 08:30-18:30, sat 09:00-12:00`, several stretches a day one after another
/// (`wed 9am-12:30 2pm-6pm`), `daily` for all seven.
public struct OpeningHours: Hashable, Sendable {
  /// By ISO weekday, 1 for Monday; half-open stretches within 0...1440, in order; absent for a day that is closed.
  public let stretches: [Int: [Range<Int>]]

  /// The hours in which a clock's reading such as "3" is looked for where a practice has said nothing: 07:00 to 19:00.
  public static let usual = OpeningHours(
    stretches: Dictionary(uniqueKeysWithValues: (1...7).map { ($0, [420..<1140]) }))

  private init(stretches: [Int: [Range<Int>]]) { self.stretches = stretches }

  /// Reads what somebody wrote; nil where it can't be understood, a stretch ends before it begins, or stretches overlap.
  public init?(_ text: String) {
    var stretches: [Int: [Range<Int>]] = [:]
    for entry in text.lowercased().split(whereSeparator: { $0 == "," || $0 == ";" }) {
      var words = entry.replacing("–", with: "-").split(whereSeparator: \.isWhitespace)[...]
      guard let first = words.popFirst(), let days = Self.days(String(first)), !words.isEmpty else { return nil }
      for word in words {
        let ends = word.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let opens = ClockReading(String(ends[0]))?.plainMinutes,
          let closes = String(ends[1]) == "24:00" ? 1440 : ClockReading(String(ends[1]))?.plainMinutes, opens < closes
        else { return nil }
        for day in days {
          guard stretches[day, default: []].allSatisfy({ !$0.overlaps(opens..<closes) }) else { return nil }
          stretches[day, default: []].append(opens..<closes)
        }
      }
    }
    guard !stretches.isEmpty else { return nil }
    self.stretches = stretches.mapValues { $0.sorted { $0.lowerBound < $1.lowerBound } }
  }

  /// As it is kept and shown: days with equal hours joined.
  public var description: String {
    var parts: [String] = []
    var day = 1
    while day <= 7 {
      guard let hours = stretches[day] else {
        day += 1
        continue
      }
      var last = day
      while last < 7, stretches[last + 1] == hours { last += 1 }
      let days = last == day ? Weekday.short(day) : "\(Weekday.short(day))-\(Weekday.short(last))"
      let times = hours.map { "\(Self.clock($0.lowerBound))-\(Self.clock($0.upperBound))" }
      parts.append("\(days) \(times.joined(separator: " "))")
      day = last + 1
    }
    return parts.joined(separator: ", ")
  }

  /// From the first opening to the last closing of a weekday; nil where it is closed all day.
  public func span(_ weekday: Int) -> Range<Int>? {
    guard let hours = stretches[weekday], let first = hours.first, let last = hours.last else { return nil }
    return first.lowerBound..<last.upperBound
  }

  private static func days(_ word: String) -> [Int]? {
    if word == "daily" { return Array(1...7) }
    let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { Weekday.number(String($0)) }
    guard let first = ends.first ?? nil, ends.count <= 2, let last = ends.last ?? nil, first <= last else { return nil }
    return Array(first...last)
  }

  static func clock(_ minutes: Int) -> String {
    let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}

/// The days of a week as people write them.
public enum Weekday {
  private static let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

  /// 1 for Monday to 7 for Sunday, from a name or a beginning of at least three letters; nil for any other word.
  public static func number(_ word: String) -> Int? {
    let word = word.lowercased()
    let stem =
      word.count > 3 && word.hasSuffix("s") && !word.hasPrefix("tues") && !word.hasPrefix("thurs")
      ? String(word.dropLast()) : word
    guard stem.count >= 3, let index = names.firstIndex(where: { $0.hasPrefix(stem) }) else { return nil }
    return index + 1
  }

  /// `mon` for 1.
  public static func short(_ number: Int) -> String { String(names[number - 1].prefix(3)) }

  /// `Monday` for 1.
  public static func name(_ number: Int) -> String { names[number - 1].capitalizedFirst }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
