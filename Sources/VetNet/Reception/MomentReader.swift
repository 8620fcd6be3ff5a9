public import Clinical
import Interchange

/// A day, a time of day, or both, as somebody wrote them.
public struct WrittenMoment: Hashable, Sendable {
  /// Nil where no day was said.
  public var date: CalendarDate?
  /// 0..<1440; nil where no time of day was said.
  public var minuteOfDay: Int?
  /// Where it is a moment whatever the zone, or counted from now: an offset was given, `now`, `in 20 minutes`.
  public var exact: Timestamp?
}

/// Why a text is no time.
public enum MomentError: Error, Hashable, Sendable {
  case unreadable
  /// `3/12`: the third of December or the twelfth of March.
  case ambiguous(CalendarDate, CalendarDate)
  case noSuchDay
}

/// Reads times as people write them: `15:00`, `3pm`, `tomorrow 9:30`, `mon 10am`, `24 nov`, `24/11`, `in 2 weeks`, and ISO 8601.
///
/// Every word has to say something; what is left over makes it no time. An hour without am or pm is the one in which the practice is
/// open. A day without a year is the next such day, or the last where `looksBack` says so.
public struct MomentReader: Sendable {
  let zone: PracticeTimeZone
  let now: Timestamp
  /// Nil to refuse `3/12`.
  let dateOrder: DateOrder?
  let hours: OpeningHours
  let looksBack: Bool

  init(
    zone: PracticeTimeZone, now: Timestamp, dateOrder: DateOrder? = nil, hours: OpeningHours? = nil,
    looksBack: Bool = false
  ) {
    self.zone = zone
    self.now = now
    self.dateOrder = dateOrder
    self.hours = hours ?? .usual
    self.looksBack = looksBack
  }

  var today: CalendarDate { zone.date(of: now) }

  /// - Throws: ``MomentError``.
  public func read(_ text: String) throws(MomentError) -> WrittenMoment {
    if let iso = ISODateTime(text) { return reading(iso) }
    let words = Self.words(text)
    guard !words.isEmpty, words.count <= 8 else { throw .unreadable }
    var found = Found()
    var index = 0
    while index < words.count {
      guard let (piece, count) = try piece(words, at: index) else { throw .unreadable }
      guard found.take(piece) else { throw .unreadable }
      index += count
    }
    guard !found.isEmpty else { throw .unreadable }
    return resolve(found)
  }

  /// Small letters, cut at spaces and commas.
  static func words(_ text: String) -> [String] {
    text.lowercased().split { $0.isWhitespace || $0 == "," || $0 == "?" || $0 == "!" }.map(String.init)
  }

  private func reading(_ iso: ISODateTime) -> WrittenMoment {
    if iso.offsetMinutes != nil { return WrittenMoment(exact: zone.timestamp(of: iso)) }
    return WrittenMoment(date: iso.local.date, minuteOfDay: iso.hasTime ? iso.local.minuteOfDay : nil)
  }

  /// What one or more words say.
  enum Piece {
    case date(CalendarDate)
    case clock(ClockReading)
    case exact(Timestamp)
    /// Says nothing of its own.
    case filler
  }

  /// What was read so far: each thing once.
  struct Found {
    var date: CalendarDate?
    var clock: ClockReading?
    var exact: Timestamp?
    var isEmpty: Bool { date == nil && clock == nil && exact == nil }

    mutating func take(_ piece: Piece) -> Bool {
      switch piece {
      case .date(let date):
        guard self.date == nil, exact == nil else { return false }
        self.date = date
      case .clock(let clock):
        guard self.clock == nil, exact == nil else { return false }
        self.clock = clock
      case .exact(let moment):
        guard isEmpty else { return false }
        exact = moment
      case .filler: break
      }
      return true
    }
  }

  func resolve(_ found: Found) -> WrittenMoment {
    let day = found.date ?? today
    let span = hours.span(day.weekday) ?? OpeningHours.usual.span(day.weekday) ?? 0..<1440
    return WrittenMoment(
      date: found.date, minuteOfDay: found.clock?.minutes(within: span), exact: found.exact)
  }

  /// What the words from `index` on say, and how many of them; nil where they say nothing of time.
  func piece(_ words: [String], at index: Int) throws(MomentError) -> (Piece, count: Int)? {
    let word = words[index]
    let next = index + 1 < words.count ? words[index + 1] : ""
    switch word {
    case "at", "on", "the", "of", "o'clock", "oclock", "by": return (.filler, 1)
    case "now": return (.exact(now), 1)
    case "today": return (.date(today), 1)
    case "tomorrow", "tmrw": return (.date(today.adding(days: 1)), 1)
    case "yesterday": return (.date(today.adding(days: -1)), 1)
    case "this", "next":
      guard let weekday = Weekday.number(next) else { return nil }
      return (.date(self.weekday(weekday, isNextWeek: word == "next")), 2)
    case "half", "quarter": return clockInWords(words, at: index)
    case "in": return counted(words, at: index)
    default: break
    }
    if let date = try date(words, at: index) { return date }
    if let weekday = Weekday.number(word) { return (.date(self.weekday(weekday, isNextWeek: false)), 1) }
    if next == "am" || next == "pm", let clock = ClockReading(word + next) { return (.clock(clock), 2) }
    if let clock = ClockReading(word) {
      let isAnnounced = index > 0 && ["at", "by"].contains(words[index - 1])
      let isSaid = next.hasPrefix("o'cl") || next == "oclock"
      guard !clock.isBare || isAnnounced || isSaid || isAlone(words) else { return nil }
      return (.clock(clock), 1)
    }
    return nil
  }

  /// Whether the text has nothing else that a number could belong to.
  private func isAlone(_ words: [String]) -> Bool {
    words.allSatisfy { word in
      Int(word) != nil || ["today", "tomorrow", "tmrw", "on", "at", "this", "next"].contains(word)
        || Weekday.number(word) != nil
    } && words.filter({ Int($0) != nil }).count == 1
  }

  private func weekday(_ weekday: Int, isNextWeek: Bool) -> CalendarDate {
    let monday = today.adding(days: 1 - today.weekday)
    if isNextWeek { return monday.adding(days: 6 + weekday) }
    let day = monday.adding(days: weekday - 1)
    if looksBack { return day > today ? day.adding(days: -7) : day }
    return day < today ? day.adding(days: 7) : day
  }

  /// `half past 3`, `half 3`, `quarter to 4`.
  private func clockInWords(_ words: [String], at index: Int) -> (Piece, count: Int)? {
    let isHalf = words[index] == "half"
    let rest = words[(index + 1)...]
    guard let first = rest.first else { return nil }
    let isTo = first == "to"
    let hasWord = isTo || first == "past"
    guard hasWord || isHalf, let hour = rest.dropFirst(hasWord ? 1 : 0).first, let clock = ClockReading(hour),
      clock.minutes % 60 == 0
    else { return nil }
    let offset = isHalf ? 30 : isTo ? -15 : 15
    if isHalf, isTo { return nil }
    let minutes = (clock.minutes + offset + 1440) % 1440
    return (.clock(ClockReading(minutes: minutes, isOpen: clock.isOpen)), hasWord ? 3 : 2)
  }

  /// `in 20 minutes`, `in 2 weeks`.
  private func counted(_ words: [String], at index: Int) -> (Piece, count: Int)? {
    guard index + 2 < words.count else { return nil }
    let count = ["a", "an", "one"].contains(words[index + 1]) ? 1 : Int(words[index + 1]) ?? 0
    guard (1...1000).contains(count) else { return nil }
    let unit = words[index + 2].hasSuffix("s") ? String(words[index + 2].dropLast()) : words[index + 2]
    switch unit {
    case "minute", "min": return (.exact(now.adding(minutes: count)), 3)
    case "hour", "hr": return (.exact(now.adding(minutes: 60 * count)), 3)
    case "day": return (.date(today.adding(days: count)), 3)
    case "week": return (.date(today.adding(days: 7 * count)), 3)
    default: return nil
    }
  }
}

extension MomentReader {
  /// The same practice at another moment.
  public func at(_ now: Timestamp, looksBack: Bool) -> Self {
    Self(zone: zone, now: now, dateOrder: dateOrder, hours: hours, looksBack: looksBack)
  }

  /// Where no practice has said anything.
  public static func plain(in zone: PracticeTimeZone) -> Self { Self(zone: zone, now: Timestamp(seconds: 0)) }
}
