import Clinical
import TextAnalysis

/// Which words of a question tell the circumstances of asking, not what is asked: "when was the last booster, *the cattery is
/// on the phone*".
///
/// A question is cut at its punctuation. A segment that states something in the words of whoever asks ("I'm about to …", "the
/// owner says …", "thinking about …") is an aside, unless it asks itself ("wants to know whether …") or the asking segment
/// points back to it ("did anyone do *it*").
struct QuestionAsides {
  /// Places of words, by the order of the tokens.
  let places: Set<Int>

  /// - Parameters:
  ///   - text: the question as typed.
  ///   - tokens: of it, in order.
  ///   - words: the tokens in lower case, with their classes.
  init(_ text: String, _ tokens: [Token], words: [ClassedWord]) {
    let segments = Self.segments(text, tokens)
    let asides = segments.filter { Self.isAside(words[$0], endsAsQuestion: Self.asks($0, text, tokens)) }
    let asking = segments.filter { !asides.contains($0) }
    // "The lump was to be measured again, did anyone do it?": what is asked stands in the statement.
    let pointsBack = asking.contains { words[$0].has([.pronounback, .pointing]) }
    places = asides.isEmpty || asking.isEmpty || pointsBack ? [] : Set(asides.flatMap { $0 })
  }

  private static func segments(_ text: String, _ tokens: [Token]) -> [Range<Int>] {
    var segments: [Range<Int>] = []
    var start = 0
    for index in tokens.indices.dropFirst() {
      let between = Self.text(text, from: tokens[index - 1].range.upperBound, to: tokens[index].range.lowerBound)
      let isShort = tokens[index - 1].range.count == 1
      let isCut =
        between.contains { ",;?!".contains($0) } || between.contains(" - ") || between.contains(" – ")
        // "E. coli" is one name.
        || (between.contains { ".:".contains($0) } && between.contains(" ") && !isShort)
      if isCut {
        segments.append(start..<index)
        start = index
      }
    }
    if start < tokens.count { segments.append(start..<tokens.count) }
    return segments
  }

  private static func asks(_ segment: Range<Int>, _ text: String, _ tokens: [Token]) -> Bool {
    let end = tokens[segment.upperBound - 1].range.upperBound
    let next = segment.upperBound < tokens.count ? tokens[segment.upperBound].range.lowerBound : text.utf8.count
    return Self.text(text, from: end, to: next).contains("?")
  }

  /// Empty where words overlap, as in "V/D".
  private static func text(_ text: String, from start: Int, to end: Int) -> Substring {
    start < end ? text.slice(utf8: start..<end) ?? "" : ""
  }

  private static func isAside(_ words: ArraySlice<ClassedWord>, endsAsQuestion: Bool) -> Bool {
    let words = Array(words.drop { $0.isOne(of: .clausehead) })
    // What makes a segment ask, whoever does the asking in it.
    guard let first = words.first, words.count > 1, !endsAsQuestion,
      !words.has(.interrogatives.union([.asker]))
    else { return false }
    if first.isOne(of: .intention) || (first.isOne(of: .about) && words[1].isOne(of: .to)) { return true }
    if first.isOne(of: .speaker) { return !words[1].isOne(of: .needing) }
    guard first.isOne(of: [.asidesubject, .possessive, .title]) || !words.prefix(2).has(.segmentOpeners) else {
      return false
    }
    // "The cattery on the mainland is asking": the verb comes within a few words.
    return words.dropFirst().prefix(7).has(.teller)
  }
}
