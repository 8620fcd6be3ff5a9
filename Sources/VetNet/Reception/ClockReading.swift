/// A time of day as people write it in one word: `15:00`, `15.30`, `1530`, `3pm`, `3:30pm`, `9h`, `9h30`, `noon`, `midnight`; and
/// `3`, which is a time only where something else says so.
struct ClockReading: Hashable {
  /// 0..<1440
  var minutes: Int
  /// Whether morning or afternoon is left open: an hour from 1 to 12 without am or pm, and without a leading zero.
  var isOpen: Bool
  /// Whether it is nothing but a number of one or two digits.
  var isBare = false

  init(minutes: Int, isOpen: Bool = false) {
    self.minutes = minutes
    self.isOpen = isOpen
  }

  init?(_ word: String) {
    switch word {
    case "noon", "midday":
      self.init(minutes: 720)
      return
    case "midnight":
      self.init(minutes: 0)
      return
    default: break
    }
    var text = word[...]
    var isAfternoon: Bool?
    for (suffix, afternoon) in [("a.m.", false), ("p.m.", true), ("am", false), ("pm", true)]
    where text.hasSuffix(suffix) {
      isAfternoon = afternoon
      text = text.dropLast(suffix.count)
      break
    }
    var digits: [String] = [""]
    var separators = ""
    for character in text {
      if character.isASCII, character.isNumber {
        digits[digits.count - 1].append(character)
      } else {
        separators.append(character)
        digits.append("")
      }
    }
    guard digits[0].count <= 4, let first = Int(digits[0]) else { return nil }
    let hour: Int
    let minute: Int
    switch (digits.count, separators, digits.last?.count ?? 0) {
    case (1, _, 4) where isAfternoon == nil: (hour, minute) = first.quotientAndRemainder(dividingBy: 100)
    case (1, _, 1...2): (hour, minute) = (first, 0)
    case (2, ":", 2), (2, ".", 2), (2, "h", 2): (hour, minute) = (first, Int(digits[1]) ?? 60)
    case (2, "h", 0): (hour, minute) = (first, 0)
    default: return nil
    }
    guard digits[0].count != 3, minute < 60, hour < 24 else { return nil }
    if let isAfternoon {
      guard (1...12).contains(hour) else { return nil }
      self.init(minutes: (hour % 12 + (isAfternoon ? 12 : 0)) * 60 + minute)
      return
    }
    self.init(
      minutes: hour * 60 + minute,
      isOpen: (1...12).contains(hour) && !digits[0].hasPrefix("0") && digits[0].count < 3 && !separators.contains("h"))
    isBare = digits.count == 1 && digits[0].count < 3
  }

  /// As it stands, nothing guessed.
  var plainMinutes: Int { minutes }

  /// The half of the day that is meant: as it stands where that lies in `hours`, else twelve hours later where that does.
  func minutes(within hours: Range<Int>) -> Int {
    guard isOpen, !hours.contains(minutes) else { return minutes }
    let later = (minutes + 720) % 1440
    return hours.contains(later) ? later : minutes
  }
}
