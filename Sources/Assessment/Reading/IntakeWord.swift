import Extraction
import TextAnalysis

/// A word of an intake: folded for comparison, with its place in the text.
struct IntakeWord: Hashable, Sendable {
  /// Lower case, apostrophes dropped: `can't` is `cant`.
  let text: String
  /// UTF-8 bytes of the intake.
  let range: Range<Int>
  /// From 0; full stops, question marks, semicolons and line ends begin a new one.
  let sentence: Int
  /// From 0; commas, brackets, colons and spaced dashes begin a new one as well.
  let phrase: Int
  /// The value of a plain number such as `5` or `38.6`.
  let number: Double?
  /// Whether it is written as a name: a capital and small letters, not at the beginning of its sentence.
  var isName = false
  var closed = ClosedClassSet()

  func isOne(of closed: ClosedClass) -> Bool { self.closed.contains(closed) }
}

/// Cuts owners' and vets' writing into words for the concept tables.
///
/// Unlike the search tokenizer it drops apostrophes (half of all owners do), splits at hyphens, parts digits from letters
/// (`5min`, `30kg`), keeps the vets' joined letters (`v/d`, `pu/pd`, `p&m`, `v++`), and knows phrases.
enum IntakeScanner {
  /// - Complexity: O(bytes).
  static func words(in text: String) -> [IntakeWord] {
    var scan = IntakeScan(bytes: Array(text.utf8))
    scan.run()
    return scan.words
  }
}

private struct IntakeScan {
  let bytes: [UInt8]
  var words: [IntakeWord] = []
  private var index = 0
  private var sentence = 0
  private var phrase = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func run() {
    while index < bytes.count {
      let byte = bytes[index]
      if isLetter(at: index) {
        scanLetters()
      } else if Self.isDigit(byte) {
        scanNumber()
      } else if byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "+")
        || byte == UInt8(ascii: "#")
      {
        let start = index
        while index < bytes.count, bytes[index] == byte { index += 1 }
        append(start..<index)
      } else {
        scanMark(byte)
      }
    }
  }

  private mutating func scanMark(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\n"), UInt8(ascii: ";"), UInt8(ascii: "!"):
      breakSentence()
    case UInt8(ascii: "?"):
      // "?pancreatitis" is a vet's doubt, not the end of a sentence.
      let isDoubt = index + 1 < bytes.count && isLetter(at: index + 1)
      if !isDoubt { breakSentence() }
    case UInt8(ascii: "."):
      if index + 1 >= bytes.count || !Self.isDigit(bytes[index + 1]) { breakSentence() }
    case UInt8(ascii: ","), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ":"), UInt8(ascii: "\""):
      phrase += 1
    case UInt8(ascii: "-"):
      let isSpaced = index > 0 && bytes[index - 1] == 0x20
      if isSpaced { phrase += 1 }
    case 0xE2 where index + 2 < bytes.count && bytes[index + 1] == 0x80 && (0x93...0x94).contains(bytes[index + 2]):
      phrase += 1
      index += 2
    default:
      break
    }
    index += 1
  }

  private mutating func breakSentence() {
    sentence += 1
    phrase += 1
  }

  private mutating func scanLetters() {
    let start = index
    var runStart = index
    while index < bytes.count {
      if isLetter(at: index) {
        index += 1
      } else if let length = WordForm.apostropheLength(bytes, at: index), index + length < bytes.count,
        isLetter(at: index + length)
      {
        index += length
      } else if joins(at: index, runLength: index - runStart) {
        index += 1
        runStart = index
      } else {
        break
      }
    }
    append(start..<index)
  }

  /// Whether `/`, `&` or `+` at `index` belongs to a vet's abbreviation.
  private func joins(at index: Int, runLength: Int) -> Bool {
    guard runLength <= 4 else { return false }
    let byte = bytes[index]
    if byte == UInt8(ascii: "+") { return runLength <= 2 }
    guard byte == UInt8(ascii: "/") || byte == UInt8(ascii: "&") else { return false }
    var end = index + 1
    while end < bytes.count, isLetter(at: end) { end += 1 }
    return (1...4).contains(end - index - 1)
  }

  private mutating func scanNumber() {
    let start = index
    var isPlain = true
    while index < bytes.count {
      let byte = bytes[index]
      if Self.isDigit(byte) {
        index += 1
      } else if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ","),
        index + 1 < bytes.count, Self.isDigit(bytes[index + 1])
      {
        if byte != UInt8(ascii: ".") { isPlain = false }
        index += 1
      } else {
        break
      }
    }
    append(start..<index, isNumber: isPlain)
  }

  private mutating func append(_ range: Range<Int>, isNumber: Bool = false) {
    var folded = [UInt8]()
    folded.reserveCapacity(range.count)
    var position = range.lowerBound
    var isASCII = true
    while position < range.upperBound {
      if let length = WordForm.apostropheLength(bytes, at: position) {
        position += length
        continue
      }
      let byte = bytes[position]
      isASCII = isASCII && byte < 0x80
      folded.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
      position += 1
    }
    var text = String(decoding: folded, as: UTF8.self)
    if !isASCII { text = text.lowercased() }
    let isFirst = words.last?.sentence != sentence
    words.append(
      IntakeWord(
        text: text, range: range, sentence: sentence, phrase: phrase, number: isNumber ? Self.number(text) : nil,
        isName: !isFirst && isCapitalised(range)))
  }

  /// Nothing that is counted or measured has sixteen digits; longer still, it would be infinite, and no JSON could say it.
  private static func number(_ text: String) -> Double? {
    guard let number = Double(text), number < 1e15 else { return nil }
    return number
  }

  /// Whether the first letter alone is a capital: `Stacey`, not `GDV`.
  private func isCapitalised(_ range: Range<Int>) -> Bool {
    func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    guard range.count > 1, isCapital(bytes[range.lowerBound]) else { return false }
    return !bytes[range.dropFirst()].contains(where: isCapital)
  }

  /// ASCII letters, and every byte of a longer code point outside General Punctuation.
  private func isLetter(at index: Int) -> Bool {
    let byte = bytes[index]
    if (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) { return true }
    guard byte >= 0x80 else { return false }
    if byte == 0xE2, index + 1 < bytes.count, bytes[index + 1] == 0x80 { return false }
    if byte < 0xC0 {
      // A continuation byte is a letter where its leading byte is.
      var start = index
      while start > 0, bytes[start] < 0xC0, bytes[start] >= 0x80, index - start < 3 { start -= 1 }
      return !(bytes[start] == 0xE2 && start + 1 < bytes.count && bytes[start + 1] == 0x80) && bytes[start] != 0xC2
    }
    return byte != 0xC2
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
