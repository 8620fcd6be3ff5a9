/// One run of the tokenizer over the bytes of a text: finds where compounds begin and end, and of what atoms they consist.
struct TokenScanner {
  /// An unbroken run of letters, or digits with their inner punctuation, or both.
  struct Atom {
    var start: Int
    var end: Int
    /// Where the letters in front of the first digit end; equal to `start` when it begins with a digit.
    var prefixEnd: Int
    /// Where the number ends that begins at `prefixEnd`.
    var numberEnd: Int
    /// Digits again after letters that followed a number, as in `3x5cm`: a code, not a quantity.
    var isCode = false

    var isLetters: Bool { prefixEnd == end }
    var beginsWithNumber: Bool { prefixEnd == start && numberEnd > start }
  }

  /// Longer runs than this are cut: no word or code is that long, and a pasted file must not become one token.
  static let longestRun = 128
  private static let mostAtoms = 8

  let cursor: UTF8Cursor
  let start: Int
  var index: Int
  var position = 0
  var tokens: [Token] = []
  private var atoms: [Atom] = []

  var bytes: UnsafeBufferPointer<UInt8> { cursor.bytes }
  var end: Int { cursor.end }

  init(_ bytes: UnsafeBufferPointer<UInt8>, range: Range<Int>) {
    cursor = UTF8Cursor(bytes, end: range.upperBound)
    start = range.lowerBound
    index = range.lowerBound
    tokens.reserveCapacity(range.count / 5)
    atoms.reserveCapacity(Self.mostAtoms)
  }

  mutating func scan() {
    while index < end {
      let (kind, length) = cursor.classify(index)
      switch kind {
      case .letter:
        if !scanPlainWord() { scanCompound() }
      case .digit, .fraction:
        scanCompound()
      case .punctuation where bytes[index] == UInt8(ascii: ".") && isDigit(index + 1) && !isWord(before: index):
        scanCompound()
      case .plus, .hyphen, .punctuation:
        scanSymbol(kind, length)
      default:
        index += max(1, length)
      }
    }
  }

  /// The short way for what most of a text is: ASCII letters between white space. False when it is anything else.
  private mutating func scanPlainWord() -> Bool {
    var at = index
    let limit = min(end, index + Self.longestRun)
    while at < limit, bytes.isASCIILetter(at) { at += 1 }
    guard at > index, at == end || bytes.isSpace(at) || bytes[at] == UInt8(ascii: ",") else { return false }
    emit(index, at, at: position)
    position += 1
    index = at
    return true
  }

  mutating func emit(_ lower: Int, _ upper: Int, at position: Int) {
    let slice = UnsafeBufferPointer(rebasing: bytes[lower..<upper])
    tokens.append(Token(text: String(decoding: slice, as: UTF8.self), range: lower..<upper, position: position))
  }

  // MARK: Neighbours

  func isDigit(_ index: Int) -> Bool { cursor.classify(index).kind == .digit }

  func isWord(_ index: Int) -> Bool {
    let kind = cursor.classify(index).kind
    return kind == .letter || kind == .digit || kind == .fraction
  }

  /// Whether a word ends right before `index`; every byte of a longer code point counts as part of one.
  func isWord(before index: Int) -> Bool {
    guard index > start else { return false }
    return bytes[index - 1] >= 0x80 || isWord(index - 1)
  }

  private func isLetter(_ index: Int) -> Bool { cursor.classify(index).kind == .letter }

  // MARK: Compounds

  private mutating func scanCompound() {
    atoms.removeAll(keepingCapacity: true)
    let first = index
    var connectors = ConnectorSet()
    while true {
      let atom = scanAtom()
      atoms.append(atom)
      index = atom.end
      if let signed = signEnd(after: atom) {
        index = signed
        break
      }
      guard atoms.count < Self.mostAtoms, index - first < Self.longestRun,
        let (connector, next) = connector(after: atom)
      else { break }
      connectors.insert(connector)
      index = next
    }
    emitCompound(first..<index, atoms: atoms, connectors: connectors)
  }

  /// Reads one atom at ``index``.
  private func scanAtom() -> Atom {
    var cursorIndex = index
    let limit = index + Self.longestRun
    cursorIndex = skipLetters(cursorIndex, limit: limit)
    var atom = Atom(start: index, end: cursorIndex, prefixEnd: cursorIndex, numberEnd: cursorIndex)
    let afterNumber = skipNumber(cursorIndex, limit: limit)
    guard afterNumber > cursorIndex else { return atom }
    atom.numberEnd = afterNumber
    cursorIndex = skipUnit(afterNumber, limit: limit)
    while cursorIndex < limit {
      let afterDigits = skipNumber(cursorIndex, limit: limit)
      guard afterDigits > cursorIndex else { break }
      atom.isCode = true
      cursorIndex = skipUnit(afterDigits, limit: limit)
    }
    atom.end = cursorIndex
    return atom
  }

  /// Letters, marks, and apostrophes between letters.
  private func skipLetters(_ from: Int, limit: Int) -> Int {
    var at = from
    while at < limit {
      let (kind, length) = cursor.classify(at)
      switch kind {
      case .letter: at += length
      case .mark where at > from: at += length
      case .apostrophe where at > from && isLetter(at + length): at += length
      default: return at
      }
    }
    return at
  }

  /// Letters, `°` or `%` right after a number.
  private func skipUnit(_ from: Int, limit: Int) -> Int {
    let (kind, length) = cursor.classify(from)
    if kind == .degree || (kind == .punctuation && bytes[from] == UInt8(ascii: "%")) {
      return kind == .degree ? skipLetters(from + length, limit: limit) : from + length
    }
    return skipLetters(from, limit: limit)
  }

  /// Digits and fractions, with `.` `,` `:` `/` `-` `^` between digits; `.5` may begin with its point.
  private func skipNumber(_ from: Int, limit: Int) -> Int {
    var at = from
    if at < end, bytes[at] == UInt8(ascii: "."), isDigit(at + 1), !isWord(before: at) { at += 1 }
    var afterDigit = false
    while at < limit {
      let (kind, length) = cursor.classify(at)
      switch kind {
      case .digit, .fraction:
        at += length
        afterDigit = true
      case .mark where afterDigit: at += length
      case .hyphen, .slash:
        guard afterDigit, isDigit(at + length) else { return at }
        at += length
      case .punctuation:
        guard afterDigit, length == 1, isDigit(at + 1), isNumberPunctuation(at) else { return at }
        at += 1
      default: return at
      }
    }
    return at
  }

  private func isNumberPunctuation(_ at: Int) -> Bool {
    switch bytes[at] {
    case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "^"): true
    case UInt8(ascii: ","): isDigit(at + 2) && isDigit(at + 3) && !isDigit(at + 4)
    default: false
    }
  }

  /// What joins two atoms, and where the next one begins; nil when the compound ends here.
  private func connector(after atom: Atom) -> (ConnectorSet, next: Int)? {
    let (kind, length) = cursor.classify(index)
    let next = index + length
    switch kind {
    case .slash where isWord(next): return (.slash, next)
    case .hyphen where isWord(next):
      if isPolarity(next) || isSignPair(atom, next) { return nil }
      return (.hyphen, next)
    case .punctuation where bytes[index] == UInt8(ascii: "&") && isLetter(next): return (.ampersand, next)
    case .punctuation where bytes[index] == UInt8(ascii: "."):
      // Letters with points, such as `b.i.d.`: each a single letter.
      guard atom.isLetters, atom.end - atom.start == 1, isLetter(next), !isWord(next + 1) else { return nil }
      return (.point, next)
    default: return nil
    }
  }

  /// `ve` and nothing more, as in `FIV-ve`.
  private func isPolarity(_ at: Int) -> Bool {
    at + 2 <= end && bytes[at] == UInt8(ascii: "v") && bytes[at + 1] == UInt8(ascii: "e") && !isWord(at + 2)
  }

  /// The hyphen in `V-D-` or `V-D+`: two signs, not a joint.
  private func isSignPair(_ atom: Atom, _ next: Int) -> Bool {
    guard atom.isLetters, atom.end - atom.start == 1, next + 1 < end, isLetter(next) else { return false }
    let sign = bytes[next + 1]
    return (sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")) && !isWord(next + 2)
  }

  /// The end of the signs that belong to a short word: `V+`, `V++`, `D-`, `FeLV-`, `K+`. Nil when there are none.
  private func signEnd(after atom: Atom) -> Int? {
    guard atom.isLetters, atom.end - atom.start <= 5, index < end else { return nil }
    let sign = bytes[index]
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    if isPolarity(index + 1) { return nil }
    var after = index + 1
    while after < end, bytes[after] == sign, after - index < 5 { after += 1 }
    if sign == UInt8(ascii: "+") {
      // `vomit+diarrhoea` is a plain plus.
      return isWord(after) && atom.end - atom.start > 2 ? nil : after
    }
    if isSignPair(atom, after), after == index + 1 { return after }
    guard !isWord(after), isAcronym(atom) else { return nil }
    return after
  }

  /// A single letter or a word with two capitals: `V`, `FIV`, `FeLV`, but not `Pre` in "Pre- and post-op".
  private func isAcronym(_ atom: Atom) -> Bool {
    if atom.end - atom.start == 1 { return true }
    var capitals = 0
    for at in atom.start..<atom.end where bytes[at] < 0x80 {
      if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[at]) { capitals += 1 }
    }
    return capitals >= 2
  }
}

/// The signs that hold a compound together.
struct ConnectorSet: OptionSet {
  let rawValue: UInt8
  static let slash = ConnectorSet(rawValue: 1)
  static let hyphen = ConnectorSet(rawValue: 2)
  static let ampersand = ConnectorSet(rawValue: 4)
  static let point = ConnectorSet(rawValue: 8)
}
