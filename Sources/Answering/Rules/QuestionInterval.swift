import TextAnalysis

/// A question for the time between two events, taken apart: "how long between the first and second blockage", "how many weeks
/// after the biopsy was the surgery", "how long did it take from referral to scan".
struct QuestionInterval {
  /// What happened first and what then; the same words for two occasions of one thing.
  let events: (first: String, second: String)
  /// Which occasions of one thing, from 1; nil where there are two things.
  let ordinals: (first: Int, second: Int)?

  init?(_ text: String) {
    let words = WordForm.words(of: text)
    let asksHowLong = zip(words, words.dropFirst()).contains { $0 == "how" && ["long", "soon", "many"].contains($1) }
    let isMeasured = asksHowLong && (words.contains { ["long", "soon"].contains($0) || Self.units.contains($0) })
    let isWhen = words.first == "when" && words.contains("first") && words.contains("second")
    if let between = words.firstIndex(of: "between"), isMeasured || words.contains(where: Self.distances.contains) {
      self.init(between: Array(words[(between + 1)...]))
    } else if isWhen {
      self.init(between: words.filter { !["when", "was", "were"].contains($0) })
    } else if isMeasured, let events = Self.fromTo(words) ?? Self.after(words) ?? Self.before(words) {
      self.init(events: (events.first.joined(separator: " "), events.second.joined(separator: " ")))
    } else {
      return nil
    }
    if events.first.isEmpty || events.second.isEmpty { return nil }
  }

  private init(events: (first: String, second: String), ordinals: (first: Int, second: Int)? = nil) {
    self.events = events
    self.ordinals = ordinals
  }

  // MARK: - Slots

  private typealias Events = (first: ArraySlice<String>, second: ArraySlice<String>)

  /// `how long … from <first> to <second>`.
  private static func fromTo(_ words: [String]) -> Events? {
    guard let from = words.firstIndex(of: "from"),
      let to = words[from...].firstIndex(where: { ["to", "until", "till"].contains($0) }), to > from + 1
    else { return nil }
    return (words[(from + 1)..<to], words[(to + 1)...])
  }

  /// `how long after <first> did <second>`, `how long … <second> after <first>`.
  private static func after(_ words: [String]) -> Events? {
    guard let after = words.firstIndex(of: "after") else { return nil }
    if let verb = words[after...].firstIndex(where: WordForm.helpers.contains), verb > after + 1 {
      return (words[(after + 1)..<verb], words[(verb + 1)...])
    }
    return words.firstIndex(where: WordForm.helpers.contains).flatMap { verb in
      verb < after ? (words[(after + 1)...], words[(verb + 1)..<after]) : nil
    }
  }

  /// `how long before <second> did <first>`, `how long … <first> before <second>`.
  private static func before(_ words: [String]) -> Events? {
    guard let before = words.firstIndex(of: "before") else { return nil }
    if let verb = words[before...].firstIndex(where: WordForm.helpers.contains), verb > before + 1 {
      return (words[(verb + 1)...], words[(before + 1)..<verb])
    }
    return words.firstIndex(where: WordForm.helpers.contains).flatMap { verb in
      verb < before ? (words[(verb + 1)..<before], words[(before + 1)...]) : nil
    }
  }

  /// "The first bout of ileus and the second", "the first two burrs", "the two cruciates", "the biopsy and the surgery".
  private init(between words: [String]) {
    let numbers = words.compactMap(Ordinal.value)
    func topic(_ words: ArraySlice<String>) -> String {
      words.filter { Ordinal.value($0) == nil && !Self.frames.contains($0) }.joined(separator: " ")
    }
    if let joint = words.lastIndex(of: "and") {
      let (first, second) = (topic(words[..<joint]), topic(words[(joint + 1)...]))
      if first.isEmpty || second.isEmpty {
        let thing = first.isEmpty ? second : first
        self.init(
          events: (thing, thing),
          ordinals: (numbers.first ?? 1, numbers.count > 1 ? numbers[1] : (numbers.first ?? 1) + 1))
      } else {
        self.init(events: (first, second))
      }
    } else {
      self.init(events: (topic(words[...]), topic(words[...])), ordinals: (1, 2))
    }
  }

  private static let units: Set = ["days", "weeks", "months", "years", "hours"]
  private static let distances: Set = ["gap", "interval", "time", "months", "weeks", "days", "years"]
  private static let frames: Set = [
    "the", "her", "his", "its", "their", "two", "both", "of", "a", "one", "bout", "bouts", "episode", "episodes",
    "times", "time",
  ]
}
