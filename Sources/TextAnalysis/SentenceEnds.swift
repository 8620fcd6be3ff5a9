/// Walks a paragraph and reports where sentences end.
struct SentenceEnds {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let paragraph: Range<Int>
  private let abbreviations: SentenceAbbreviations
  private var index: Int
  private var start: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, paragraph: Range<Int>, abbreviations: SentenceAbbreviations) {
    self.bytes = bytes
    self.paragraph = paragraph
    self.abbreviations = abbreviations
    index = paragraph.lowerBound
    start = paragraph.lowerBound
  }

  /// The end of the next sentence that is not the paragraph's last.
  mutating func next() -> Int? {
    while index < paragraph.upperBound {
      let at = index
      index += 1
      let end: Int?
      switch bytes[at] {
      case UInt8(ascii: "."): end = endAfterPoint(at)
      case UInt8(ascii: "!"), UInt8(ascii: "?"): end = endAfterMark(at)
      case UInt8(ascii: ";"): end = endAfterSemicolon(at)
      default: end = nil
      }
      if let end {
        index = end
        start = end
        return end
      }
    }
    return nil
  }

  // MARK: Marks

  private func endAfterMark(_ at: Int) -> Int? {
    // "?pancreatitis" and "? FB" ask; they end nothing.
    if bytes[at] == UInt8(ascii: "?"), at == start || bytes.isSpace(at - 1) { return nil }
    if at + 1 < paragraph.upperBound, isEndMark(at + 1) { return nil }
    guard let end = spaced(after: at + 1) else { return nil }
    // "Is it bad?" asked the owner.
    if end > at + 1, bytes.isASCIILower(bytes.trimmed(end..<paragraph.upperBound).lowerBound) { return nil }
    return end
  }

  private func endAfterSemicolon(_ at: Int) -> Int? {
    guard let end = spaced(after: at + 1), hasWords(2, in: start..<at) else { return nil }
    var stop = end
    while stop < paragraph.upperBound, bytes[stop] != UInt8(ascii: ";"), bytes[stop] != UInt8(ascii: "."),
      stop - end < 200
    {
      stop += 1
    }
    return hasWords(2, in: end..<stop) ? end : nil
  }

  private func endAfterPoint(_ at: Int) -> Int? {
    let next = at + 1
    guard next < paragraph.upperBound else { return nil }
    if isEndMark(next) { return nil }
    guard let end = spaced(after: next) else { return endWithoutSpace(at) }
    let follower = bytes.trimmed(end..<paragraph.upperBound).lowerBound
    if bytes[at] == UInt8(ascii: "."), at > paragraph.lowerBound, bytes[at - 1] == UInt8(ascii: ".") {
      // An ellipsis ends a sentence only before a capital.
      return isCapital(follower) ? end : nil
    }
    let word = wordBefore(at)
    if word.isEmpty { return end }
    if isListNumber(word) { return nil }
    if isInitial(word, follower) { return nil }
    switch abbreviations[bytes.lowercased(word)] {
    case .inside: return nil
    case .either: return isCapital(follower) ? end : nil
    case nil: break
    }
    if isPointed(word) { return isCapital(follower) ? end : nil }
    if bytes.isASCIILower(follower), isConsonants(word) { return nil }
    return end
  }

  /// "abdo soft.Rpt bloods": a full stop whose space was forgotten.
  private func endWithoutSpace(_ at: Int) -> Int? {
    guard at >= paragraph.lowerBound + 3, at + 2 < paragraph.upperBound, bytes.isASCIILower(at - 1),
      bytes.isASCIILower(at - 2), bytes.isASCIILetter(at - 3), bytes.isASCIIUpper(at + 1),
      bytes.isASCIILower(at + 2)
    else { return nil }
    return at + 1
  }

  // MARK: Neighbours

  /// Past closing quotes and brackets, when white space follows them.
  private func spaced(after from: Int) -> Int? {
    var at = from
    while at < paragraph.upperBound {
      switch bytes[at] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "*"): at += 1
      case 0xE2
      where at + 2 < paragraph.upperBound && bytes[at + 1] == 0x80
        && (bytes[at + 2] == 0x99 || bytes[at + 2] == 0x9D):
        at += 3
      default:
        return bytes.spaceLength(at, end: paragraph.upperBound) > 0 ? at : nil
      }
    }
    return nil
  }

  private func isEndMark(_ at: Int) -> Bool {
    bytes[at] == UInt8(ascii: ".") || bytes[at] == UInt8(ascii: "!") || bytes[at] == UInt8(ascii: "?")
  }

  /// The letters, digits and inner points right before a full stop.
  private func wordBefore(_ at: Int) -> Range<Int> {
    var from = at
    while from > start, at - from < 24 {
      let byte = bytes[from - 1]
      guard bytes.isASCIILetter(from - 1) || bytes.isASCIIDigit(from - 1) || byte == UInt8(ascii: ".") || byte >= 0x80
      else { break }
      from -= 1
    }
    while from < at, bytes[from] & 0xC0 == 0x80 { from += 1 }
    return from..<at
  }

  private func isCapital(_ at: Int) -> Bool {
    at < paragraph.upperBound && bytes.isASCIIUpper(at)
  }

  /// "1." at the start of the paragraph.
  private func isListNumber(_ word: Range<Int>) -> Bool {
    word.lowerBound == bytes.trimmed(start..<word.upperBound).lowerBound && word.count <= 2
      && word.allSatisfy { bytes.isASCIIDigit($0) }
  }

  /// "Dr J. Smith", "H. Marsh" at the start, "E. coli"; but "discussed w O. Recheck" ends.
  private func isInitial(_ word: Range<Int>, _ follower: Int) -> Bool {
    guard word.count == 1, bytes.isASCIIUpper(word.lowerBound), follower < paragraph.upperBound,
      bytes[word.lowerBound] != UInt8(ascii: "O")
    else { return false }
    guard bytes.isASCIIUpper(follower) else { return true }
    var before = word.lowerBound
    while before > start, bytes.isSpace(before - 1) { before -= 1 }
    if before == start { return true }
    let previous = wordBefore(bytes[before - 1] == UInt8(ascii: ".") ? before - 1 : before)
    guard let first = previous.first else { return false }
    let isName = bytes.isASCIIUpper(first) && (previous.count == 1 || bytes.isASCIILower(first + 1))
    return isName || ["by", "from", "with", "to"].contains(bytes.lowercased(previous))
  }

  /// `i.v`, `b.i.d`: points inside, and nothing but letters.
  private func isPointed(_ word: Range<Int>) -> Bool {
    bytes[word].contains(UInt8(ascii: ".")) && word.allSatisfy { !bytes.isASCIIDigit($0) }
  }

  /// `mths`, `rpt`, `hx`: two letters and more without a vowel are an abbreviation the table does not know.
  private func isConsonants(_ word: Range<Int>) -> Bool {
    word.count >= 2
      && word.allSatisfy { at in
        guard bytes.isASCIILower(at) else { return false }
        switch bytes[at] {
        case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"),
          UInt8(ascii: "y"):
          return false
        default: return true
        }
      }
  }

  private func hasWords(_ count: Int, in range: Range<Int>) -> Bool {
    var found = 0
    var inWord = false
    for at in range {
      let isWord = !bytes.isSpace(at)
      if isWord, !inWord { found += 1 }
      if found >= count { return true }
      inWord = isWord
    }
    return false
  }
}
