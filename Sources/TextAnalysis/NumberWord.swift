/// The numbers that notes and questions write in words.
///
///     NumberWord.value("seven")  // 7
public enum NumberWord {
  /// From one to twelve.
  public static let all = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  ]

  /// What stands behind the digits of a place in a row: "3rd".
  public static let suffixes: Set<Substring> = ["st", "nd", "rd", "th"]

  /// The number that a word in lower case names; nil for any other word.
  public static func value(_ word: String) -> Int? { all.firstIndex(of: word).map { $0 + 1 } }
}
