import TextAnalysis

/// A question for the time between two events, taken apart: "how long between the first and second blockage", "how many weeks
/// after the biopsy was the surgery", "how long did it take from referral to scan".
struct QuestionInterval {
  /// What happened first and what then; the same words for two occasions of one thing.
  let events: (first: String, second: String)
  /// Which occasions of one thing, from 1; nil where there are two things.
  let ordinals: (first: Int, second: Int)?

  init?(_ text: String, classes: QuestionClasses) {
    let words = classes.words(of: text)
    let asksHowLong = zip(words, words.dropFirst()).contains {
      $0.isOne(of: .how) && $1.isOne(of: [.long, .soon, .many])
    }
    let isMeasured = asksHowLong && words.has([.long, .soon, .timeunit])
    let isWhen = words.first?.isOne(of: .when) == true && words.has(.first) && words.has(.second)
    if let between = words.first(.between), isMeasured || words.has([.timeunit, .gap]) {
      self.init(between: Array(words[(between + 1)...]))
    } else if isWhen {
      self.init(between: words.filter { !$0.isOne(of: [.when, .be]) })
    } else if isMeasured, let events = Self.fromTo(words) ?? Self.after(words) ?? Self.before(words) {
      self.init(events: (events.first.text, events.second.text))
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

  private typealias Events = (first: ArraySlice<ClassedWord>, second: ArraySlice<ClassedWord>)

  /// `how long … from <first> to <second>`.
  private static func fromTo(_ words: [ClassedWord]) -> Events? {
    guard let from = words.first(.from), let to = words[from...].first([.to, .until]), to > from + 1 else {
      return nil
    }
    return (words[(from + 1)..<to], words[(to + 1)...])
  }

  /// `how long after <first> did <second>`, `how long … <second> after <first>`.
  private static func after(_ words: [ClassedWord]) -> Events? {
    guard let after = words.first(.after) else { return nil }
    if let verb = words[after...].firstIndex(where: isHelper), verb > after + 1 {
      return (words[(after + 1)..<verb], words[(verb + 1)...])
    }
    return words.firstIndex(where: isHelper).flatMap { verb in
      verb < after ? (words[(after + 1)...], words[(verb + 1)..<after]) : nil
    }
  }

  /// `how long before <second> did <first>`, `how long … <first> before <second>`.
  private static func before(_ words: [ClassedWord]) -> Events? {
    guard let before = words.first(.before) else { return nil }
    if let verb = words[before...].firstIndex(where: isHelper), verb > before + 1 {
      return (words[(verb + 1)...], words[(before + 1)..<verb])
    }
    return words.firstIndex(where: isHelper).flatMap { verb in
      verb < before ? (words[(verb + 1)..<before], words[(before + 1)...]) : nil
    }
  }

  private static func isHelper(_ word: ClassedWord) -> Bool { WordForm.helpers.contains(word.text) }

  /// "The first bout of ileus and the second", "the first two burrs", "the two cruciates", "the biopsy and the surgery".
  private init(between words: [ClassedWord]) {
    let numbers = words.compactMap { Ordinal.value($0.text) }
    func topic(_ words: ArraySlice<ClassedWord>) -> String {
      words.filter { Ordinal.value($0.text) == nil && !$0.isOne(of: [.the, .possessive, .bout, .pairframe]) }.text
    }
    if let joint = words.last(.and) {
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
}
