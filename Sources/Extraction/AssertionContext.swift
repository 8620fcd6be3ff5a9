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
  let classes: WordClasses
  private let headings: [Heading]

  private struct Heading: Sendable {
    let cue: CueMatch
    /// The words it is about.
    let body: Range<Int>
    let decides: Bool
  }

  init(text: ScannedText, rules: [AssertionRule], matcher: PhraseMatcher, classes: WordClasses) {
    self.text = text
    self.classes = classes
    var cues: [CueMatch] = []
    var headings: [CueMatch] = []
    // On each axis, and for each direction, the longest cue at a place takes its words.
    let lanes = AssertionRule.Axis.allCases.flatMap { axis in [false, true].map { (axis: axis, looksBack: $0) } }
    var free = Array(repeating: 0, count: lanes.count)
    for index in text.words.indices {
      let found = matcher.matches(at: index, in: text).filter { $0.end > index }
      if found.isEmpty { continue }
      if let heading = found.filter({ rules[$0.payload].direction == .heading }).max(by: { $0.end < $1.end }),
        index >= (headings.last?.words.upperBound ?? 0), Self.isHeading(index..<heading.end, in: text)
      {
        headings.append(CueMatch(rule: heading.payload, axis: .polarity, looksBack: false, words: index..<heading.end))
        for lane in lanes.indices { free[lane] = max(free[lane], heading.end) }
        continue
      }
      for (lane, (axis, looksBack)) in lanes.enumerated() where index >= free[lane] {
        let relevant = found.filter { rules[$0.payload].speaks(of: axis, lookingBack: looksBack) }
        guard let longest = found.lazy.filter({ rules[$0.payload].axes.contains(axis) }).map(\.end).max() else {
          continue
        }
        if !looksBack, let end = relevant.lazy.map(\.end).filter({ $0 < longest }).max() {
          for match in relevant where match.end == end {
            cues.append(
              CueMatch(
                rule: match.payload, axis: axis, looksBack: false, words: index..<end, hiddenUntil: longest))
          }
        }
        // "Negative for" does not look back because "negative" alone would.
        guard relevant.contains(where: { $0.end == longest }) else { continue }
        for match in relevant where match.end == longest {
          cues.append(CueMatch(rule: match.payload, axis: axis, looksBack: looksBack, words: index..<longest))
        }
        free[lane] = longest
      }
    }
    self.cues = cues
    self.headings = Self.bodies(of: headings, in: text, rules: rules)
  }

  /// The indices of the cues that begin in a range of words.
  func cues(in sentence: Range<Int>) -> Range<Int> {
    let lower = firstCue { $0.words.lowerBound >= sentence.lowerBound }
    return lower..<max(lower, firstCue { $0.words.lowerBound >= sentence.upperBound })
  }

  /// The heading a word stands under, if that heading decides anything.
  func heading(over word: Int) -> CueMatch? {
    headings.last { $0.body.contains(word) && $0.decides }?.cue
  }

  private func firstCue(where isBehind: (CueMatch) -> Bool) -> Int {
    var low = 0
    var high = cues.count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(cues[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  // MARK: - Headings

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
        if text.words[end].kind == .lineBreak {
          if rule.scope == .line && !aloneOnLine && text.isSentenceEnd(end) { break }
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
