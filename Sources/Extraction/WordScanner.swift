import Clinical
import TextAnalysis

/// Cuts a text into ``Word``s in one pass over its bytes.
///
/// - Letters and digits part where a unit or a value begins ("12.4kg", "HR120"), but a single digit stays with its
///   letters ("T4", "L4").
/// - A hyphen between letters is not a word ("follow-up" is two words).
/// - Contractions and slips read as ``WordForm`` says: "wasnt" is two words, and "nver" is "never".
/// - Every word begins and ends on a code point border.
struct WordScanner {
  private let bytes: [UInt8]
  private var position = 0
  private var words: [Word] = []
  private var pendingSpace = false
  private var atLineStart = true
  /// The folded letters of the word being read; kept for its memory.
  private var folded: [UInt8] = []

  static func words(in bytes: [UInt8]) -> [Word] {
    var scanner = WordScanner(bytes)
    return scanner.scan()
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    words.reserveCapacity(bytes.count / 4)
  }

  private mutating func scan() -> [Word] {
    while position < bytes.count {
      let byte = bytes[position]
      switch Self.category[Int(byte)] {
      case .space:
        position += 1
        pendingSpace = true
      case .newline:
        append(.lineBreak, from: position, to: position + 1, hash: Sign.lineBreak)
        position += 1
        pendingSpace = true
        atLineStart = true
      case .letter: scanLetters()
      case .digit: scanNumber()
      case .symbol: scanSymbol()
      case .multi: scanMultibyte()
      }
    }
    return words
  }

  // MARK: - Kinds of byte

  private enum Category: UInt8 { case space, newline, letter, digit, symbol, multi }

  private static let category: [Category] = (0..<256).map { value in
    switch UInt8(value) {
    case 0x0A: .newline
    case 0x00...0x20, 0x7F: .space
    case 0x30...0x39: .digit
    case 0x41...0x5A, 0x61...0x7A: .letter
    case 0x80...0xFF: .multi
    default: .symbol
    }
  }

  /// The length of the code point at `index`.
  private func codePointLength(at index: Int) -> Int {
    let byte = bytes[index]
    let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    return min(length, bytes.count - index)
  }

  private func byte(_ index: Int) -> UInt8 { index < bytes.count && index >= 0 ? bytes[index] : 0 }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }
  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  // MARK: - Words

  private mutating func append(
    _ kind: Word.Kind, from start: Int, to end: Int, hash: UInt64, singular: UInt64? = nil, flags: Word.Flags = []
  ) {
    var flags = flags
    if pendingSpace || start == 0 { flags.insert(.spaced) }
    if atLineStart && kind != .lineBreak { flags.insert(.lineStart) }
    words.append(
      Word(
        kind: kind, flags: flags, start: Int32(start), end: Int32(end), hash: hash, singular: singular ?? hash))
    pendingSpace = false
    if kind != .lineBreak { atLineStart = false }
  }

  private mutating func scanLetters() {
    let start = position
    folded.removeAll(keepingCapacity: true)
    var upper = 0
    var letters = 0
    var index = start
    scan: while index < bytes.count {
      let current = bytes[index]
      if Self.isLetter(current) {
        if current < 0x61 { upper += 1 }
        letters += 1
        folded.append(current | 0x20)
        index += 1
      } else if let length = WordForm.apostropheLength(bytes, at: index) {
        guard Self.isLetter(byte(index + length)), !folded.isEmpty else { break scan }
        index += length
      } else if current >= 0x80 {
        let length = codePointLength(at: index)
        switch FoldedCodePoint(bytes, at: index, length: length) {
        case .letters(let replacement):
          folded.append(contentsOf: replacement)
          letters += 1
          index += length
        default: break scan
        }
      } else if Self.isDigit(current) {
        let next = byte(index + 1)
        let single = !Self.isDigit(next) && !(next == 0x2E && Self.isDigit(byte(index + 2)))
        let isScore = next == 0x2F && Self.isDigit(byte(index + 2))
        guard single, !isScore else { break }
        folded.append(current)
        index += 1
        break scan
      } else {
        break
      }
    }
    if index == start {  // a lone code point that is no letter here
      index = start + codePointLength(at: start)
      position = index
      append(.symbol, from: start, to: index, hash: FNV1a.hash(bytes[start..<index]))
      return
    }
    let first = bytes[start]
    var flags: Word.Flags = []
    if first < 0x5B { flags.insert(.capitalised) }
    if upper == letters { flags.insert(.upperCase) }
    let (hash, singular) = Spelling.hashes(of: folded)
    if let form = Spelling.form(ofHash: hash) ?? cutContraction(&index) {
      position = index
      append(form, from: start, to: index, flags: flags)
      return
    }
    position = index
    append(.word, from: start, to: index, hash: hash, singular: singular, flags: flags)
  }

  private mutating func append(_ form: Spelling.Form, from start: Int, to end: Int, flags: Word.Flags) {
    guard form.tail > 0 else {
      append(.word, from: start, to: end, hash: form.hash, singular: form.singular, flags: flags)
      return
    }
    // The last letters are the "not"; the apostrophe within them goes with them.
    var letters = 0
    var middle = end
    while letters < form.tail, middle > start {
      middle -= 1
      if Self.isLetter(bytes[middle]) { letters += 1 }
    }
    append(.word, from: start, to: middle, hash: form.hash, singular: form.singular, flags: flags)
    append(
      .word, from: middle, to: end, hash: Spelling.not,
      flags: flags.subtracting(.capitalised).union(.contracted))
  }

  /// "Didn t": what the apostrophe parted; moves `end` behind the "t".
  private func cutContraction(_ end: inout Int) -> Spelling.Form? {
    guard folded.last == UInt8(ascii: "n"), byte(end) == 0x20, byte(end + 1) == UInt8(ascii: "t"),
      Self.category[Int(byte(end + 2))] != .letter, Self.category[Int(byte(end + 2))] != .digit
    else { return nil }
    let letters = String(decoding: folded, as: UTF8.self)
    guard WordForm.isCutContraction(letters) else { return nil }
    end += 2
    return Spelling.form(ofHash: Spelling.hashes(of: folded + [UInt8(ascii: "t")]).hash)
  }

  private mutating func scanNumber() {
    let start = position
    var index = start
    var digits = 0
    while Self.isDigit(byte(index)) {
      index += 1
      digits += 1
    }
    var flags: Word.Flags = []
    if digits == 4, byte(index) != 0x2E || !Self.isDigit(byte(index + 1)),
      (bytes[start] == 0x32 && bytes[start + 1] == 0x30) || (bytes[start] == 0x31 && bytes[start + 1] == 0x39)
    {
      flags.insert(.year)
    }
    // A thousands separator, then one decimal point or comma.
    while byte(index) == 0x2C, Self.isDigit(byte(index + 1)), Self.isDigit(byte(index + 2)),
      Self.isDigit(byte(index + 3)), !Self.isDigit(byte(index + 4)), index - start <= 3
    {
      index += 4
    }
    let separator = byte(index)
    if separator == 0x2E || separator == 0x2C, Self.isDigit(byte(index + 1)) {
      index += 1
      while Self.isDigit(byte(index)) { index += 1 }
    }
    if byte(index) == 0xC2, (0xBC...0xBE).contains(byte(index + 1)) { index += 2 }  // "1½"
    position = index
    append(.number, from: start, to: index, hash: FNV1a.hash(bytes[start..<index]), flags: flags)
  }

  private mutating func scanSymbol() {
    let start = position
    switch bytes[start] {
    case 0x2D: scanHyphen(length: 1)
    case 0x2B:
      var index = start
      while byte(index) == 0x2B { index += 1 }
      let behindWord = words.last.map { Int($0.end) == start && $0.kind != .symbol } ?? false
      let next = byte(index)
      position = index
      let isSign = behindWord && (!Self.isLetter(next) || isLetters("ve", at: index))
      append(.symbol, from: start, to: index, hash: isSign ? Sign.plus : FNV1a.hash([0x2B]))
    case 0x3F:
      var index = start
      while byte(index) == 0x3F { index += 1 }
      position = index
      let next = byte(index)
      let attachedBehind = !pendingSpace && start > 0 && !atLineStart && byte(start - 1) != 0x28
      let leading: Bool
      if Self.isLetter(next) || Self.isDigit(next) || next >= 0x80 {
        leading = true
      } else if attachedBehind {
        leading = false
      } else {
        var ahead = index
        while byte(ahead) == 0x20 { ahead += 1 }
        leading = Self.isLetter(byte(ahead)) || Self.isDigit(byte(ahead))
      }
      append(.symbol, from: start, to: index, hash: leading ? Sign.query : Sign.question)
    default:
      position = start + 1
      append(.symbol, from: start, to: start + 1, hash: FNV1a.hash([bytes[start]]))
    }
  }

  private func isLetters(_ letters: String, at index: Int) -> Bool {
    var index = index
    for letter in letters.utf8 {
      guard byte(index) | 0x20 == letter else { return false }
      index += 1
    }
    return !Self.isLetter(byte(index))
  }

  private mutating func scanHyphen(length: Int) {
    let start = position
    var end = start + length
    while byte(end) == 0x2D { end += 1 }
    let next = byte(end)
    if next == 0x3E {  // "->": an arrow, however it is typed
      position = end + 1
      append(.symbol, from: start, to: position, hash: FNV1a.hash([0x3E]))
      return
    }
    let nextIsWord = Self.isLetter(next) || Self.isDigit(next) || next >= 0xC3
    let attachedBehind = !pendingSpace && !atLineStart && start > 0
    position = end
    let hash: UInt64
    if attachedBehind, nextIsWord, let last = words.last, last.kind != .symbol {
      if isLetters("ve", at: end) {
        hash = Sign.minus
      } else if last.kind == .number && Self.isDigit(next) {
        hash = FNV1a.hash([0x2D])
      } else {
        return  // inside a compound
      }
    } else if attachedBehind, !nextIsWord, let last = words.last, last.kind == .word, last.byteCount <= 5 {
      hash = Sign.minus
    } else if pendingSpace || atLineStart, !nextIsWord {
      hash = Sign.dash
    } else if attachedBehind, !nextIsWord {
      hash = Sign.dash
    } else {
      hash = FNV1a.hash([0x2D])
    }
    append(.symbol, from: start, to: end, hash: hash)
  }

  private mutating func scanMultibyte() {
    let length = codePointLength(at: position)
    switch FoldedCodePoint(bytes, at: position, length: length) {
    case .letters: scanLetters()
    case .space:
      position += length
      pendingSpace = true
    case .hyphen: scanHyphen(length: length)
    case .fraction:
      let start = position
      position += length
      append(.number, from: start, to: position, hash: FNV1a.hash(bytes[start..<position]))
    case .ascii(let symbol):
      let start = position
      position += length
      append(.symbol, from: start, to: position, hash: FNV1a.hash([symbol]))
    case .other:
      let start = position
      position += length
      append(.symbol, from: start, to: position, hash: FNV1a.hash(bytes[start..<position]))
    }
  }
}
