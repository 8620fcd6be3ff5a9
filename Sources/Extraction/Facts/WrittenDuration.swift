/// How long something lasts as notes write it ("14d", "2-3 weeks", "6/52", "3/12"), read once.
public struct WrittenDuration: Hashable, Sendable {
  /// As written.
  public let text: String
  /// The longer end of a range; nil when the words name no days.
  public let days: Int?

  /// - Complexity: O(bytes).
  public init(_ text: String) {
    self.text = text
    days = Self.days(text)
  }

  /// In days, the longer end of a range; nil when the words name no duration.
  public static func days(_ text: some StringProtocol) -> Int? {
    let parts = text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "/" }.flatMap(split)
    var number: Int?
    for part in parts {
      if let fraction = fraction(part) { return fraction }
      if let value = Int(part) {
        number = value
      } else if let count = number, let days = unit(part) {
        return count <= 10_000 ? count * days : nil
      }
    }
    return nil
  }

  /// "14d" is a number and a unit.
  private static func split(_ word: Substring) -> [Substring] {
    let digits = word.prefix(while: \.isNumber)
    let rest = word.dropFirst(digits.count)
    return digits.isEmpty || rest.isEmpty || rest.first == "/" ? [word] : [digits, rest]
  }

  /// "5/7" days, "6/52" weeks, "3/12" months.
  private static func fraction(_ word: Substring) -> Int? {
    let parts = word.split(separator: "/")
    guard parts.count == 2, let count = Int(parts[0]), count <= 1000 else { return nil }
    switch parts[1] {
    case "7": return count
    case "52": return count * 7
    case "12": return count * 31
    default: return nil
    }
  }

  private static func unit(_ word: Substring) -> Int? {
    switch word {
    case "d", "day", "days": 1
    case "w", "wk", "wks", "week", "weeks": 7
    case "m", "mo", "mth", "mths", "month", "months": 31
    case "y", "yr", "yrs", "year", "years": 366
    default: nil
    }
  }
}
