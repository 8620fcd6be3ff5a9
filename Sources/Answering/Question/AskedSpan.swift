import Clinical

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

  init(_ words: [ClassedWord], periods: PeriodParser) {
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
  private static func slots(_ words: [ClassedWord]) -> (from: Range<Int>?, to: Range<Int>?) {
    if let between = words.first(.between), let joint = words.last(.and), joint > between + 1, joint + 1 < words.count {
      return ((between + 1)..<joint, (joint + 1)..<words.count)
    }
    if let from = words.first(.from), let joint = words[from...].first([.to, .until]), joint > from + 1,
      joint + 1 < words.count
    {
      return ((from + 1)..<joint, (joint + 1)..<words.count)
    }
    guard let since = words.first([.since, .after]), since + 1 < words.count else { return (nil, nil) }
    if let joint = words[(since + 1)...].first([.to, .until]), joint + 1 < words.count, joint > since + 1 {
      return ((since + 1)..<joint, (joint + 1)..<words.count)
    }
    return ((since + 1)..<words.count, nil)
  }

  /// "In 2023", "last year": its first and last moment.
  private static func within(_ words: [ClassedWord], _ periods: PeriodParser) -> (Moment, Moment, [Range<Int>])? {
    guard let found = periods.parse(words) else { return nil }
    let moment = Moment.period([found.period])
    return (moment, moment, [bytes(words[found.words])])
  }

  private static func bytes(_ words: ArraySlice<ClassedWord>) -> Range<Int> {
    (words.first?.range.lowerBound ?? 0)..<(words.last?.range.upperBound ?? 0)
  }

  // MARK: - Moments

  /// What the words of a moment name; an earlier one without a year has that of the later.
  private static func moment(
    _ words: ArraySlice<ClassedWord>, yearOf end: ArraySlice<ClassedWord>?, _ periods: PeriodParser
  ) -> Moment {
    // What the first and the last are of, where it is no event of its own, is left out.
    let plain = words.filter { !$0.isOne(of: .occasions) }
    if let isLeast = words.lazy.compactMap(ChangeWords.isLeast).first { return .extreme(isLeast: isLeast) }
    if !plain.isEmpty, plain.allSatisfy({ $0.isOne(of: .earliest) }) { return .first }
    if !plain.isEmpty, plain.allSatisfy({ $0.isOne(of: [.now, .last, .latest, .recent]) }) { return .last }
    let words = Array(words)
    var readings = monthOfYear(words, periods).map { [$0] } ?? []
    if let year = end?.last(where: isYear), !words.contains(where: isYear),
      let period = periods.calendar(words + [year])
    {
      readings.append(period)
    }
    if let period = periods.calendar(words) { readings.append(period) }
    if let found = periods.parse(words), found.words.count >= Set(plain.map(\.text)).count {
      readings.append(found.period)
    }
    return readings.isEmpty ? .event(words.text) : .period(readings)
  }

  private static func isYear(_ word: ClassedWord) -> Bool { Int(word.text).map { (1990...2100).contains($0) } ?? false }

  /// "Nov 22" as November 2022.
  private static func monthOfYear(_ words: [ClassedWord], _ periods: PeriodParser) -> Range<Timestamp>? {
    guard words.count == 2, words[1].text.count == 2, let year = Int(words[1].text),
      words[0].text.first?.isLetter == true
    else { return nil }
    return periods.calendar([words[0], ClassedWord(text: String(2000 + year), classes: [])])
  }
}
