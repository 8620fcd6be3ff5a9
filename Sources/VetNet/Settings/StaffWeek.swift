public import Clinical

/// Hours and breaks of a week in the words in which they are typed, and back.
public enum StaffWeek {
  /// `mon-fri 09:00-17:30, sat 09:00-12:00`, or "none".
  public static func words(_ hours: [StaffMember.WorkingHours]) -> String {
    joined(hours.map { ($0.weekday, stretch($0.minutes)) }) { days, own in ["\(days) \(own.joined(separator: " "))"] }
  }

  /// `mon-fri 12:00-14:00 30`: the window, and how long the break is within it; or "none".
  public static func words(_ breaks: [StaffMember.Break]) -> String {
    joined(breaks.map { ($0.weekday, "\(stretch($0.window)) \($0.minutes)") }) { days, own in
      own.map { "\(days) \($0)" }
    }
  }

  /// Breaks in the words that are made of them; "min" may stand behind the minutes.
  ///
  /// - Throws: ``PracticeError`` with `invalidArgument`, saying how they are written.
  public static func breaks(_ text: String) throws -> [StaffMember.Break] {
    let text = text.lowercased()
    if text.filter({ !$0.isWhitespace }) == "none" { return [] }
    func wrong(_ words: String) -> PracticeError {
      PracticeError(.invalidArgument, words, hint: "Write \"mon-fri 12:00-14:00 30\", or none.")
    }
    let breaks = try text.split(separator: ",").flatMap { entry in
      var words = entry.split(whereSeparator: \.isWhitespace).map(String.init)
      if words.last == "min" { words.removeLast() }
      guard words.count == 3, let minutes = Int(words[2].replacing("min", with: "")),
        let windows = OpeningHours(words.dropLast().joined(separator: " "))
      else { throw wrong("these breaks can't be read") }
      return try windows.stretches.flatMap { weekday, stretches in
        try stretches.map { window in
          guard (1...window.count).contains(minutes) else {
            throw wrong("a break of \(minutes) minutes does not fit into \(stretch(window))")
          }
          return StaffMember.Break(weekday: weekday, window: window, minutes: minutes)
        }
      }
    }
    guard !breaks.isEmpty else { throw wrong("these breaks can't be read") }
    return breaks.sorted { ($0.weekday, $0.window.lowerBound) < ($1.weekday, $1.window.lowerBound) }
  }

  /// `15:30`, of minutes past midnight.
  public static func clock(_ minutes: Int) -> String { OpeningHours.clock(minutes) }

  private static func stretch(_ minutes: Range<Int>) -> String {
    "\(OpeningHours.clock(minutes.lowerBound))-\(OpeningHours.clock(minutes.upperBound))"
  }

  /// Days with equal entries joined; `write` puts the days before what they have.
  private static func joined(
    _ entries: [(weekday: Int, text: String)], _ write: (_ days: String, _ own: [String]) -> [String]
  ) -> String {
    func own(_ day: Int) -> [String] { entries.filter { $0.weekday == day }.map(\.text) }
    var parts: [String] = []
    var day = 1
    while day <= 7 {
      let texts = own(day)
      var last = day
      while last < 7, own(last + 1) == texts { last += 1 }
      if !texts.isEmpty {
        parts += write(last == day ? Weekday.short(day) : "\(Weekday.short(day))-\(Weekday.short(last))", texts)
      }
      day = last + 1
    }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }
}
