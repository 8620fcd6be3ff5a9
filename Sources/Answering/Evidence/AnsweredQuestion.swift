import Clinical
import TextAnalysis

/// A question that a note asks and answers itself: "Insured? No, O pays.", "Hx of colic? no hx."
///
/// The answer alone names nothing, and the question alone says nothing: both are one sentence.
enum AnsweredQuestion {
  /// Joins questions with the answers that follow them.
  ///
  /// - Parameters:
  ///   - sentences: in order, without overlaps, in UTF-8 bytes.
  ///   - text: the note.
  ///   - signs: reads what is declined or left undone.
  /// - Returns: the sentences, and of each that was joined what its question asks and what the answer is.
  static func joined(_ sentences: [Range<Int>], in text: String, signs: SignReader) -> [(
    sentence: Range<Int>, answer: (asked: Range<Int>, isYes: Bool)?
  )] {
    var joined: [(sentence: Range<Int>, answer: (asked: Range<Int>, isYes: Bool)?)] = []
    for sentence in sentences {
      if let last = joined.last, last.answer == nil, asks(last.sentence, in: text),
        let isYes = answer(sentence, in: text, signs: signs)
      {
        joined[joined.count - 1] = (
          last.sentence.lowerBound..<sentence.upperBound, (asked(by: last.sentence, in: text), isYes)
        )
      } else {
        joined.append((sentence, nil))
      }
    }
    return joined
  }

  private static func asks(_ range: Range<Int>, in text: String) -> Bool {
    text.slice(utf8: range)?.utf8.last { $0 > 0x20 } == UInt8(ascii: "?")
  }

  /// What a question asks: its last clause, and items of a list before it. "Vomiting since Monday, has he eaten anything odd?"
  /// asks nothing of the vomiting.
  private static func asked(by sentence: Range<Int>, in text: String) -> Range<Int> {
    let bytes = Array(
      text.utf8[text.utf8.index(text.startIndex, offsetBy: sentence.lowerBound)...].prefix(sentence.count))
    var start = 0
    var lastBorder = bytes.count
    for place in bytes.indices.reversed() where borders.contains(bytes[place]) {
      let words = WordPhrases.words(
        in: text, range: (sentence.lowerBound + place + 1)..<(sentence.lowerBound + lastBorder))
      // The clause that asks counts whatever its length; what stands before it only while it is an item of a list.
      if lastBorder != bytes.count, words.count > itemWords {
        start = lastBorder + 1
        break
      }
      lastBorder = place
    }
    if start == 0, lastBorder != bytes.count {
      let words = WordPhrases.words(in: text, range: sentence.lowerBound..<(sentence.lowerBound + lastBorder))
      if words.count > itemWords { start = lastBorder + 1 }
    }
    return (sentence.lowerBound + start)..<sentence.upperBound
  }

  private static let itemWords = 3
  private static let borders: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":")]

  /// Yes or no where the sentence begins with either by itself: "no, leave", "no hx", but "No murmur" tells of a murmur.
  private static func answer(_ range: Range<Int>, in text: String, signs: SignReader) -> Bool? {
    let words = WordPhrases.words(in: text, range: range)
    if isTurnedDown(words, signs) { return false }
    guard let first = words.first else { return nil }
    let said = signs.closed.classes(of: first.text)
    guard !said.isDisjoint(with: [.yes, .nay]) else { return nil }
    let isYes = said.contains(.yes)
    guard words.count > 1 else { return isYes }
    let between = text.slice(utf8: first.range.upperBound..<words[1].range.lowerBound) ?? ""
    return between.contains { !$0.isWhitespace } || signs.closed.isOne(words[1].text, of: .history) ? isYes : nil
  }

  /// "Start a third drug? Owner not keen.", "Add it? Doesn't want it.", "Chest film? Mrs K never keen, so not done": the refusal is
  /// the answer. It begins with who refuses, or with nobody, and names nothing else before it.
  private static func isTurnedDown(_ words: [Token], _ signs: SignReader) -> Bool {
    var start = 0
    if let first = words.first, signs.closed.isOne(first.text, of: .title) { start = 2 }
    // Who is asked, and the helping verbs before "not".
    while start < words.count,
      WordForm.helpers.contains(words[start].text) || signs.closed.isOne(words[start].text, of: .refuser)
    {
      start += 1
    }
    return !signs.signs(startingAt: start, in: words).isDisjoint(with: [.declined, .takenBack])
  }
}
