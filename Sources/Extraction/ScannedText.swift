import Clinical

/// A text cut into words and sentences, read once and shared by everything that looks for something in it.
///
/// Sentences here are the reach of assertion cues: they also end at a line break (unless the line is merely wrapped),
/// and a question keeps its answer ("any vomiting? no" is one sentence).
public struct ScannedText: Sendable {
  let text: String
  package let bytes: [UInt8]
  package private(set) var words: [Word]
  /// Ranges of word indices, in order, without gaps.
  private(set) var sentences: [Range<Int>] = []
  private(set) var sentenceOfWord: [Int32] = []

  /// - Complexity: O(bytes).
  public init(_ text: String, classes: WordClasses) {
    self.text = text
    bytes = Array(text.utf8)
    words = WordScanner.words(in: bytes)
    classes.classify(&words, in: bytes)
    splitSentences()
  }

  /// The words that touch `range`; an empty range at the place where the next word begins when none does.
  package func wordRange(of range: Range<Int>) -> Range<Int> {
    let lower = firstWord { Int($0.end) > range.lowerBound }
    let upper = max(lower, firstWord { Int($0.start) >= range.upperBound })
    return lower..<upper
  }

  func byteRange(of wordRange: Range<Int>) -> Range<Int> {
    guard !wordRange.isEmpty else { return 0..<0 }
    return Int(words[wordRange.lowerBound].start)..<Int(words[wordRange.upperBound - 1].end)
  }

  func sentence(ofWord index: Int) -> Range<Int> {
    guard index >= 0, index < sentenceOfWord.count else { return words.count..<words.count }
    return sentences[Int(sentenceOfWord[index])]
  }

  func isSentenceEnd(_ index: Int) -> Bool {
    index >= words.count || index == sentence(ofWord: index).upperBound - 1
  }

  /// Whether a phrase is over before word `index`: at a comma, full stop, bracket, dash or line end.
  func isPhraseEnd(_ index: Int) -> Bool {
    guard index < words.count else { return true }
    if index > 0, sentenceOfWord[index] != sentenceOfWord[index - 1] { return true }
    return Self.isBorder(words[index])
  }

  func isPhraseStart(_ index: Int) -> Bool {
    guard index > 0, index < words.count else { return index == 0 }
    return sentenceOfWord[index] != sentenceOfWord[index - 1] || Self.isBorder(words[index - 1])
  }

  /// The first phrase border from `index` on, or `limit`.
  func phraseEnd(from index: Int, before limit: Int) -> Int {
    var end = index
    while end < limit, !Self.isBorder(words[end]) { end += 1 }
    return end
  }

  private static let borders: Set<UInt64> = Set(",.;:()[]!*|\"".utf8.map { FNV1a.hash([$0]) }).union([
    Sign.dash, Sign.lineBreak, Sign.question,
  ])

  static func isBorder(_ word: Word) -> Bool {
    word.kind != .word && word.kind != .number && borders.contains(word.hash)
  }

  private func firstWord(where isBehind: (Word) -> Bool) -> Int {
    var low = 0
    var high = words.count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(words[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  // MARK: - Sentences

  private mutating func splitSentences() {
    sentenceOfWord.reserveCapacity(words.count)
    var start = 0
    var lineStartByte = 0
    for index in words.indices {
      sentenceOfWord.append(Int32(sentences.count))
      let word = words[index]
      var ends = index == words.count - 1
      if word.kind == .lineBreak {
        ends = ends || !(isWrap(at: index, lineStartByte: lineStartByte) || isAnswered(before: index))
        lineStartByte = Int(word.end)
      } else if word.kind == .symbol {
        ends = ends || endsSentence(index)
      }
      if ends {
        sentences.append(start..<(index + 1))
        start = index + 1
      }
    }
  }

  /// A line that was broken because it was full: long, no closing mark, and the next goes on in lower case.
  private func isWrap(at index: Int, lineStartByte: Int) -> Bool {
    guard index > 0, index + 1 < words.count, Int(words[index].start) - lineStartByte >= 50 else { return false }
    let before = words[index - 1]
    let after = words[index + 1]
    guard after.kind == .word, !after.flags.contains(.capitalised) else { return false }
    return before.kind != .lineBreak && !(before.kind == .symbol && bytes[Int(before.start)] != 0x2C)
  }

  /// A question at the end of a line whose answer is the next line's first words: "Any cough?" over "No".
  ///
  /// The answer must stand alone; "No murmur." on the next line begins something new.
  private func isAnswered(before lineBreak: Int) -> Bool {
    guard lineBreak > 0, words[lineBreak - 1].hash == Sign.question, lineBreak + 1 < words.count else { return false }
    let answer = words[lineBreak + 1]
    guard answer.kind == .word, answer.classes.isSuperset(of: .answer) else { return false }
    return lineBreak + 2 >= words.count || Self.isBorder(words[lineBreak + 2])
  }

  /// "Q: drinking more? A: no".
  private func isMarkedAnswer(_ index: Int) -> Bool {
    index + 2 < words.count && words[index].byteCount == 1 && bytes[Int(words[index].start)] | 0x20 == 0x61
      && bytes[Int(words[index + 1].start)] == 0x3A && words[index + 2].classes.isSuperset(of: .answer)
  }

  /// "Head tilt L. Idiopathic": a side in capitals, and no initial of a name.
  private static let left = Spelling.hash("l")

  private func endsSentence(_ index: Int) -> Bool {
    let word = words[index]
    guard index + 1 < words.count else { return true }
    let next = words[index + 1]
    switch bytes[Int(word.start)] {
    case 0x21: return next.isSpaced
    case 0x3F:
      guard word.hash == Sign.question, next.isSpaced || next.kind == .lineBreak else { return false }
      if next.kind == .lineBreak { return !isAnswered(before: index + 1) }
      return
        !(next.classes.isSuperset(of: .answer) || next.hash == Sign.dash || isMarkedAnswer(index + 1)
        || isReportedAnswer(index + 1) || isTurnedDown(at: index + 1))
    case 0x2E:
      guard next.isSpaced || next.kind == .lineBreak || next.kind == .symbol else {
        // "seen.No murmur": a forgotten space.
        return next.flags.contains(.capitalised) && index > 0 && words[index - 1].byteCount > 2
      }
      guard index > 0, words[index - 1].kind == .word, next.kind != .lineBreak else { return true }
      let before = words[index - 1]
      if isSpeciesInitial(index - 1) || isRefusal(at: index + 1) { return false }
      // "Vomiting? No. Coughing?": an answer is no abbreviation.
      if index > 1, words[index - 2].hash == Sign.question, before.classes.isSuperset(of: .answer) {
        return true
      }
      // "Off milk 2 d. LDA ruled out": a unit behind its number.
      let isUnit = index > 1 && words[index - 2].kind == .number
      let isAbbreviation =
        before.classes.isSuperset(of: .abbreviation) && !(isUnit && next.flags.contains(.capitalised))
      // "p.r.n." goes on; "no V/D." and "5x." end.
      let isInitial =
        before.byteCount == 1 && index > 1 && words[index - 2].end == before.start
        && bytes[Int(words[index - 2].start)] == 0x2E
      // "Cruciate L. 9/24 recheck"
      if isAbbreviation, before.hash == Self.left, before.flags.contains(.capitalised), next.kind == .number {
        return true
      }
      return !((isAbbreviation || isInitial) && !word.isSpaced)
        || (isAbbreviation && next.flags.contains(.capitalised) && !next.flags.contains(.upperCase)
          && (next.byteCount > 3 || next.isOne(of: .sentencestart))
          && (!before.flags.contains(.capitalised) || before.hash == Self.left))
    default: return false
    }
  }
}
