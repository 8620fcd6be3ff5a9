/// A cue found in a text, for one axis.
struct CueMatch: Sendable {
  let rule: Int
  let axis: AssertionRule.Axis
  /// Whether it is about what stands before it; otherwise about what follows.
  let looksBack: Bool
  let words: Range<Int>
  /// The end of a longer cue that takes these words; then this one counts only for targets within the longer one
  /// ("if" in "if vomiting recurs", asked about the vomiting).
  var hiddenUntil: Int? = nil
}

/// The cues and headings of a text, found once for all targets in it.
public struct AssertionContext: Sendable {
  /// The text as words and sentences.
  public let text: ScannedText
  /// In the order of the text; several may share their words.
  let cues: [CueMatch]
  /// The first cue that begins at each word or later; one entry more than words.
  private let firstCues: [Int32]
  private let headings: [Heading]
  private let subjects: [SubjectTracker.Span]
  let entries: DatedEntries

  private struct Heading: Sendable {
    let cue: CueMatch
    /// The words it is about.
    let body: Range<Int>
    let decides: Bool
  }

  init(
    text: ScannedText, rules: [AssertionRule], matcher: PhraseMatcher
  ) {
    var tracker = SubjectTracker(text: text)
    self.subjects = tracker.spans()
    self.text = text
    entries = DatedEntries(text: text, months: .month)
    (cues, headings) = Self.found(in: text, rules) { matcher.matches(at: $0, in: text) }
    firstCues = Self.firsts(of: cues, wordCount: text.words.count)
  }

  /// The same text with other cues: what hangs on none of them is not read again.
  init(_ other: AssertionContext, rules: [AssertionRule], matches: (Int) -> [PhraseMatcher.Match]) {
    subjects = other.subjects
    text = other.text
    entries = other.entries
    (cues, headings) = Self.found(in: text, rules, matches: matches)
    firstCues = Self.firsts(of: cues, wordCount: text.words.count)
  }

  private static func found(
    in text: ScannedText, _ rules: [AssertionRule], matches: (Int) -> [PhraseMatcher.Match]
  ) -> (cues: [CueMatch], headings: [Heading]) {
    var cues: [CueMatch] = []
    var headings: [CueMatch] = []
    var lanes = Lanes()
    for index in text.words.indices {
      let found = matches(index)
      if found.isEmpty || isEye(text.words[index]) { continue }
      if index >= (headings.last?.words.upperBound ?? 0), let heading = heading(at: index, found, text, rules) {
        headings.append(heading)
        lanes.take(until: heading.words.upperBound)
        continue
      }
      lanes.append(found, at: index, from: start(of: index, in: text), rules: rules, to: &cues)
    }
    return (cues, bodies(of: headings, in: text, rules: rules))
  }

  /// "Was not seen": the helping verb belongs to the denial that begins with "not".
  private static func start(of index: Int, in text: ScannedText) -> Int {
    guard index > 0, text.words[index].hash == Spelling.not,
      text.words[index - 1].classes.isSuperset(of: .aux),
      text.sentenceOfWord[index - 1] == text.sentenceOfWord[index]
    else { return index }
    return index - 1
  }

  /// The indices of the cues that begin in a range of words.
  func cues(in sentence: Range<Int>) -> Range<Int> {
    let last = firstCues.count - 1
    return Int(firstCues[min(sentence.lowerBound, last)])..<Int(firstCues[min(sentence.upperBound, last)])
  }

  private static func firsts(of cues: [CueMatch], wordCount: Int) -> [Int32] {
    var result: [Int32] = []
    result.reserveCapacity(wordCount + 1)
    var next = 0
    for word in 0...wordCount {
      while next < cues.count, cues[next].words.lowerBound < word { next += 1 }
      result.append(Int32(next))
    }
    return result
  }

  /// The heading a word stands under, if that heading decides anything.
  func heading(over word: Int) -> CueMatch? {
    headings.last { $0.body.contains(word) && $0.decides }?.cue
  }

  /// The last stretch around a word that has a subject of its own.
  func subject(of word: Int) -> SubjectTracker.Span? {
    subjects.last { $0.words.contains(word) }
  }

  /// "OS ulcer": the left eye, not the owner's.
  private static func isEye(_ word: Word) -> Bool {
    word.hash == leftEye && word.byteCount == 2 && word.flags.contains(.upperCase)
  }

  private static let leftEye = Spelling.hash("os")

  // MARK: - Headings

  private static func heading(
    at index: Int, _ found: [PhraseMatcher.Match], _ text: ScannedText, _ rules: [AssertionRule]
  ) -> CueMatch? {
    var best: PhraseMatcher.Match?
    for match in found where match.end > index && rules[match.payload].direction == .heading {
      if match.end > best?.end ?? 0 { best = match }
    }
    guard let best, isHeading(index..<best.end, in: text) else { return nil }
    return CueMatch(rule: best.payload, axis: .polarity, looksBack: false, words: index..<best.end)
  }

  /// A heading begins a line or a sentence and is followed by a colon, a dash or the end of the line.
  private static func isHeading(_ words: Range<Int>, in text: ScannedText) -> Bool {
    let first = text.words[words.lowerBound]
    let startsSentence = text.sentence(ofWord: words.lowerBound).lowerBound == words.lowerBound
    let afterNumber =
      words.lowerBound > 0 && text.words[words.lowerBound - 1].flags.contains(.lineStart)
      && text.words[words.lowerBound - 1].kind == .symbol
    guard first.flags.contains(.lineStart) || startsSentence || afterNumber else { return false }
    guard words.upperBound < text.words.count else { return false }
    let next = text.words[words.upperBound]
    switch text.bytes[Int(next.start)] {
    case 0x3A, 0x0A: return true
    default:
      let isDash = next.hash == Sign.dash || next.hash == Sign.minus
      return isDash && first.flags.contains(.lineStart)
    }
  }

  private static func bodies(of headings: [CueMatch], in text: ScannedText, rules: [AssertionRule]) -> [Heading] {
    var result: [Heading] = []
    for (position, heading) in headings.enumerated() {
      let rule = rules[heading.rule]
      let limit = position + 1 < headings.count ? headings[position + 1].words.lowerBound : text.words.count
      var start = heading.words.upperBound
      while start < limit, text.words[start].kind != .word, text.words[start].kind != .number,
        text.words[start].kind != .lineBreak
      {
        start += 1
      }
      let aloneOnLine = start < limit && text.words[start].kind == .lineBreak
      var end = aloneOnLine ? start + 1 : start
      while end < limit {
        // "Outstanding: histology. Bloods back, anaemia": the list ends with its sentence.
        if rule.reach.scope == .sentence, !aloneOnLine, end > start, text.isSentenceEnd(end) { break }
        if text.words[end].kind == .lineBreak {
          if rule.reach.scope == .line && !aloneOnLine && text.isSentenceEnd(end) { break }
          if end + 1 < limit, text.words[end + 1].kind == .lineBreak { break }
        }
        end += 1
      }
      let decides = rule.polarity != nil || rule.temporality != nil || rule.experiencer != nil
      result.append(Heading(cue: heading, body: heading.words.lowerBound..<end, decides: decides))
    }
    return result
  }
}

/// On each axis, and for each direction, the longest cue at a place takes its words.
struct Lanes {
  /// The first word not taken, per axis and direction.
  private var free: (Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0)
  /// Where the last words end that only look like a denial or doubt.
  private(set) var blockedUntil = 0

  mutating func take(until end: Int) {
    for axis in AssertionRule.Axis.allCases {
      for looksBack in [false, true] { setFree(axis, looksBack, max(free(axis, looksBack), end)) }
    }
  }

  mutating func append(
    _ all: [PhraseMatcher.Match], at index: Int, from start: Int, rules: [AssertionRule], to cues: inout [CueMatch]
  ) {
    let found =
      all.contains { rules[$0.payload].isSelective } ? appendSelective(all, at: index, from: start, rules, &cues) : all
    for axis in AssertionRule.Axis.allCases {
      var longest = 0
      for match in found where match.end > longest && match.end > index && rules[match.payload].axes.contains(axis) {
        longest = match.end
      }
      if longest == 0 { continue }
      // Words that only look like a cue are none for what they hold either: "my son stood on the kitten".
      let isBlocked = found.contains {
        $0.end == longest && rules[$0.payload].direction == .block && rules[$0.payload].axes.contains(axis)
      }
      if isBlocked, axis == .polarity { blockedUntil = max(blockedUntil, longest) }
      for looksBack in [false, true] {
        if index < free(axis, looksBack) {
          guard longest > free(axis, looksBack) else { continue }
          // "Is not only": the longer look-alike takes the words of the cue it begins in. "Was not attributable to" is both of its
          // cues, and the rules' priorities tell which counts.
          if isBlocked {
            cues.removeAll { $0.axis == axis && $0.looksBack == looksBack && $0.words.upperBound > index }
          }
        }
        var hidden = 0
        var isTaken = false
        for match in found where match.end > index && rules[match.payload].speaks(of: axis, lookingBack: looksBack) {
          if match.end == longest {
            isTaken = true
          } else if match.end > hidden, rules[match.payload].direction != .block {
            hidden = match.end
          }
        }
        // "No increase in effort", asked about the increase, is a plain denial though "no increase in" is none for the effort.
        let isSpared = isBlocked && axis == .polarity && hidden == index + 1
        if !looksBack, !isBlocked || isSpared, hidden > 0 {
          for match in found where match.end == hidden && rules[match.payload].speaks(of: axis, lookingBack: false) {
            // "If he has" looks back in "stop if he has seizures", and is a condition for what follows all the same.
            let isPlain = !isTaken && rules[match.payload].isCondition
            cues.append(
              CueMatch(
                rule: match.payload, axis: axis, looksBack: false, words: start..<hidden,
                hiddenUntil: isPlain ? nil : longest))
          }
        }
        // "Negative for" does not look back because "negative" alone would.
        if !isTaken { continue }
        for match in found where match.end == longest && rules[match.payload].speaks(of: axis, lookingBack: looksBack) {
          cues.append(CueMatch(rule: match.payload, axis: axis, looksBack: looksBack, words: start..<longest))
        }
        setFree(axis, looksBack, longest)
      }
    }
  }

  private func free(_ axis: AssertionRule.Axis, _ looksBack: Bool) -> Int {
    switch (axis, looksBack) {
    case (.polarity, false): free.0
    case (.polarity, true): free.1
    case (.temporality, false): free.2
    case (.temporality, true): free.3
    case (.experiencer, false): free.4
    case (.experiencer, true): free.5
    }
  }

  private mutating func setFree(_ axis: AssertionRule.Axis, _ looksBack: Bool, _ value: Int) {
    switch (axis, looksBack) {
    case (.polarity, false): free.0 = value
    case (.polarity, true): free.1 = value
    case (.temporality, false): free.2 = value
    case (.temporality, true): free.3 = value
    case (.experiencer, false): free.4 = value
    case (.experiencer, true): free.5 = value
    }
  }
}
