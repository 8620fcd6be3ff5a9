import Clinical
import Extraction
import TextAnalysis

/// A question for the time between two events, taken apart: "how long between the first and second blockage".
struct QuestionInterval {
  /// What happened first and what then; the same words for two occasions of one thing.
  let events: (first: String, second: String)
  /// Which occasions of one thing, from 1; nil where there are two things.
  let ordinals: (first: Int, second: Int)?

  init?(_ text: String) {
    let words = WordForm.words(of: text)
    let asks =
      text.lowercased().contains("how long")
      || !Set(words).isDisjoint(with: ["gap", "interval", "time", "months", "weeks"])
      || !Set(words).isDisjoint(with: ["days", "years"])
    let isWhen = words.first == "when" && words.contains("first") && words.contains("second")
    guard asks || isWhen else { return nil }
    if let between = words.firstIndex(of: "between") {
      self.init(between: Array(words[(between + 1)...]))
    } else if isWhen {
      self.init(between: words.filter { !["when", "was", "were"].contains($0) })
    } else if let after = words.firstIndex(of: "after"), text.lowercased().hasPrefix("how long after"),
      let verb = words[after...].firstIndex(where: { ["did", "was", "were", "before", "until"].contains($0) })
    {
      self.init(
        events: (words[(after + 1)..<verb].joined(separator: " "), words[(verb + 1)...].joined(separator: " ")))
    } else {
      return nil
    }
    if events.first.isEmpty || events.second.isEmpty { return nil }
  }

  private init(events: (first: String, second: String), ordinals: (first: Int, second: Int)? = nil) {
    self.events = events
    self.ordinals = ordinals
  }

  /// "The first bout of ileus and the second", "the first two burrs", "the two cruciates", "the biopsy and the surgery".
  private init(between words: [String]) {
    let numbers = words.compactMap { Self.ordinals[$0] }
    func topic(_ words: ArraySlice<String>) -> String {
      words.filter { Self.ordinals[$0] == nil && !Self.frames.contains($0) }.joined(separator: " ")
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

  private static let ordinals = [
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4,
  ]
  private static let frames: Set = [
    "the", "her", "his", "its", "their", "two", "both", "of", "a", "one", "bout", "bouts", "episode", "episodes",
    "times", "time",
  ]
}

/// Answers for the time between two events with the sentences that tell of them, each with its date. What the record counts
/// itself ("21 months after the first") is shown too; nothing is counted here.
struct IntervalAnswer {
  /// Occasions closer together than this are one.
  private static let episodeDays = 28

  let interval: QuestionInterval
  let finder: OccasionFinder
  let zone: PracticeTimeZone

  /// The sentences that tell of the two events.
  ///
  /// - Parameter parse: makes a question of the words for an event.
  /// - Returns: both, in time order; nil where either is not found.
  func readings(parse: (String) -> Question) -> [Reading]? {
    let firsts = finder.tellings(of: parse(interval.events.first))
    guard let ordinals = interval.ordinals else {
      let seconds = finder.tellings(of: parse(interval.events.second))
      guard let first = firsts.first,
        let second = seconds.first(where: { day($0) > day(first) }) ?? seconds.first(where: { day($0) >= day(first) })
      else { return nil }
      return [first, second]
    }
    guard let first = occasion(ordinals.first, among: firsts), let second = occasion(ordinals.second, among: firsts),
      day(first) < day(second)
    else { return nil }
    return [first, second]
  }

  /// What the record itself says of the time between: a length of time "after" or "since", near what happened.
  func counted(near reading: Reading, among units: [EvidenceUnit]) -> EvidenceUnit? {
    let place = reading.match.unit.position
    return (place...(place + 2)).first { index in
      guard units.indices.contains(index), units[index].note.id == reading.match.unit.note.id else { return false }
      let words = Set(WordForm.words(of: units[index].text))
      return finder.signs.signs(of: units[index]).contains(.duration)
        && !words.isDisjoint(with: ["after", "since", "later", "between", "apart"])
    }.map { units[$0] }
  }

  private func day(_ reading: Reading) -> Int {
    zone.date(of: reading.match.unit.note.recordedAt).daysSince1970
  }

  /// The one that its note numbers so, else by counting those that lie apart.
  private func occasion(_ number: Int, among tellings: [Reading]) -> Reading? {
    let names = Self.numbers[number] ?? []
    if let numbered = tellings.first(where: { reading in
      let words = WordPhrases.words(in: reading.match.unit.note.text, range: reading.match.unit.range)
      guard let target = reading.match.target,
        let place = words.firstIndex(where: { $0.range.overlaps(target) })
      else { return false }
      return words[max(0, place - 4)..<place].contains { names.contains($0.text) }
    }) {
      return numbered
    }
    var episodes: [Reading] = []
    var last = Int.min / 2
    for reading in tellings where reading.assertion.temporality != .historical {
      if day(reading) - last > Self.episodeDays { episodes.append(reading) }
      last = day(reading)
    }
    return episodes.indices.contains(number - 1) ? episodes[number - 1] : nil
  }

  private static let numbers: [Int: Set<String>] = [
    1: ["first", "1st"], 2: ["second", "2nd", "another"], 3: ["third", "3rd"], 4: ["fourth", "4th"],
  ]
}
