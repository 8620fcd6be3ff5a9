import Clinical
import TextAnalysis

/// The two moments between which a question asks what became of something: "between the spay and February", "since his first
/// visit", "from its peak to nov 22". Without such words: from the first to the last.
struct AskedSpan {
  enum Moment {
    /// The words of an event.
    case event(String)
    /// What its words may mean, the likelier first: "nov 22" is a day and a month.
    case period([Range<Timestamp>])
    case extreme(isLeast: Bool)
    case first, last
  }

  let from: Moment
  let to: Moment
  /// The words that name the moments, in the question's bytes.
  let ranges: [Range<Int>]

  init(_ words: [Token], periods: PeriodParser) {
    let slots = Self.slots(words)
    guard let from = slots.from else {
      (self.from, to, ranges) = Self.within(words, periods) ?? (.first, .last, [])
      return
    }
    let end = slots.to.map { words[$0] }
    self.from = Self.moment(words[from], yearOf: end, periods)
    to = end.map { Self.moment($0, yearOf: nil, periods) } ?? .last
    ranges = ([from] + (slots.to.map { [$0] } ?? [])).map { Self.bytes(words[$0]) }
  }

  // MARK: - Slots

  /// `between <from> and <to>`, `from <from> to <to>`, `since <from>`, `after <from>`.
  private static func slots(_ words: [Token]) -> (from: Range<Int>?, to: Range<Int>?) {
    if let between = words.firstIndex(where: { $0.text == "between" }),
      let joint = words.lastIndex(where: { $0.text == "and" }), joint > between + 1, joint + 1 < words.count
    {
      return ((between + 1)..<joint, (joint + 1)..<words.count)
    }
    if let from = words.firstIndex(where: { $0.text == "from" }),
      let joint = words[from...].firstIndex(where: { ["to", "until", "till"].contains($0.text) }), joint > from + 1,
      joint + 1 < words.count
    {
      return ((from + 1)..<joint, (joint + 1)..<words.count)
    }
    guard let since = words.firstIndex(where: { $0.text == "since" || $0.text == "after" }), since + 1 < words.count
    else { return (nil, nil) }
    let rest = words[(since + 1)...]
    if let joint = rest.firstIndex(where: { ["until", "till", "to"].contains($0.text) }), joint + 1 < words.count,
      joint > since + 1
    {
      return ((since + 1)..<joint, (joint + 1)..<words.count)
    }
    return ((since + 1)..<words.count, nil)
  }

  /// "In 2023", "last year": its first and last moment.
  private static func within(_ words: [Token], _ periods: PeriodParser) -> (Moment, Moment, [Range<Int>])? {
    guard let found = periods.parse(words.map(\.text)) else { return nil }
    let moment = Moment.period([found.period])
    return (moment, moment, [bytes(words[found.words])])
  }

  private static func bytes(_ words: ArraySlice<Token>) -> Range<Int> {
    (words.first?.range.lowerBound ?? 0)..<(words.last?.range.upperBound ?? 0)
  }

  // MARK: - Moments

  private static let firsts: Set = ["first", "initial", "earliest", "start", "beginning", "baseline", "registration"]
  private static let lasts: Set = ["now", "today", "last", "latest", "recent", "present", "currently"]
  /// What the first and the last are of, where it is no event of its own.
  private static let visits: Set = [
    "the", "his", "her", "its", "their", "a", "on", "at", "of", "most", "visit", "weight", "weighing", "value",
    "reading",
    "result", "check", "one", "here", "with", "us", "appointment", "consult",
  ]

  /// What the words of a moment name; an earlier one without a year has that of the later.
  private static func moment(_ words: ArraySlice<Token>, yearOf end: ArraySlice<Token>?, _ periods: PeriodParser)
    -> Moment
  {
    let texts = words.map(\.text)
    let plain = Set(texts).subtracting(visits)
    if let isLeast = texts.lazy.compactMap(ChangeWords.isLeast).first { return .extreme(isLeast: isLeast) }
    if !plain.isEmpty, plain.isSubset(of: firsts) { return .first }
    if !plain.isEmpty, plain.isSubset(of: lasts) { return .last }
    var readings = monthOfYear(texts, periods).map { [$0] } ?? []
    if let year = end?.map(\.text).last(where: isYear), !texts.contains(where: isYear),
      let period = calendar(texts + [year], periods)
    {
      readings.append(period)
    }
    if let period = calendar(texts, periods) { readings.append(period) }
    if let found = periods.parse(texts), found.words.count >= plain.count { readings.append(found.period) }
    return readings.isEmpty ? .event(texts.joined(separator: " ")) : .period(readings)
  }

  private static func isYear(_ word: String) -> Bool { Int(word).map { (1990...2100).contains($0) } ?? false }

  /// "Nov 22" as November 2022.
  private static func monthOfYear(_ words: [String], _ periods: PeriodParser) -> Range<Timestamp>? {
    guard words.count == 2, words[1].count == 2, let year = Int(words[1]), words[0].first?.isLetter == true else {
      return nil
    }
    return calendar([words[0], String(2000 + year)], periods)
  }

  /// A month or a year that the words name and nothing else.
  private static func calendar(_ words: [String], _ periods: PeriodParser) -> Range<Timestamp>? {
    periods.parse(["in"] + words).flatMap { $0.words == 0..<(words.count + 1) ? $0.period : nil }
  }
}
