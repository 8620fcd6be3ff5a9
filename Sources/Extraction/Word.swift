import Clinical

/// A word, number or sign of a text, with its place in the bytes.
///
/// Words are compared by a 64-bit hash of their folded spelling (lower case, no diacritics or apostrophes, American
/// digraphs), so "Diarrhoea", "diarrhea" and "DIARRHOEA" are equal. A contraction is two words, the verb and *not*: "can't",
/// "cant" and "can not" are equal.
package struct Word: Sendable {
  enum Kind: UInt8, Sendable { case word, number, symbol, lineBreak }

  struct Flags: OptionSet, Sendable {
    let rawValue: UInt8
    /// White space or a line break stands before it.
    static let spaced = Flags(rawValue: 1)
    static let capitalised = Flags(rawValue: 2)
    /// Every letter is upper case.
    static let upperCase = Flags(rawValue: 4)
    /// The first on its line.
    static let lineStart = Flags(rawValue: 8)
    /// Four digits that can be a year of a record.
    static let year = Flags(rawValue: 16)
    /// The *not* of a contraction: the "n't" of "wasn't".
    static let contracted = Flags(rawValue: 32)
  }

  let kind: Kind
  var flags: Flags
  let start: Int32
  let end: Int32
  /// The folded spelling, or one of ``Sign``.
  var hash: UInt64
  /// The hash without a final "s"; equal to ``hash`` where there is none.
  var singular: UInt64
  /// Which word classes it is in.
  var classes: WordClassSet = []
  var closed = ClosedClassSet()

  var range: Range<Int> { Int(start)..<Int(end) }
  var byteCount: Int { Int(end - start) }
  var isSpaced: Bool { flags.contains(.spaced) }
}

/// Signs that mean something else by where they stand; also the special atoms of a pattern.
enum Sign {
  /// "-" or "–" right behind a short word: "V-".
  static let minus: UInt64 = 0xA1
  /// "+" (one or more) right behind a word.
  static let plus: UInt64 = 0xA2
  /// A dash with white space on both sides.
  static let dash: UInt64 = 0xA3
  /// "?" before the word it doubts.
  static let query: UInt64 = 0xA4
  /// "?" after a word.
  static let question: UInt64 = 0xA5
  static let lineBreak: UInt64 = 0xA6
  /// A hyphen between two numbers: "2-3 weeks".
  static let hyphen = FNV1a.hash([0x2D])
  // Atoms of patterns; no word has these hashes.
  static let anyNumber: UInt64 = 0xB1
  static let year: UInt64 = 0xB2
  static let anyWord: UInt64 = 0xB3
  static let end: UInt64 = 0xB4
  static let start: UInt64 = 0xB5
  static let line: UInt64 = 0xB6

  /// The signs and atoms as patterns name them.
  static let named: [String: UInt64] = [
    "num": anyNumber, "year": year, "any": anyWord, "end": end, "start": start, "line": line, "minus": minus,
    "plus": plus, "dash": dash, "hyphen": hyphen, "query": query, "question": question,
  ]
}
