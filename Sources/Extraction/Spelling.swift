import Clinical
import TextAnalysis

/// How words are folded before they are compared.
enum Spelling {
  /// What a spelling stands for, by ``WordForm``.
  struct Form: Sendable {
    let hash: UInt64
    let singular: UInt64
    /// How many of its last letters are *not*; 0 for a misspelt word.
    let tail: Int
  }

  static let not = FNV1a.hash(WordForm.not.utf8)

  /// What a word stands for; nil where it stands for itself.
  @inline(__always) static func form(ofHash hash: UInt64) -> Form? {
    forms.index.find(hash).map { forms.all[Int($0)] }
  }

  private static let forms: (index: HashIndex, all: [Form]) = {
    var index = HashIndex(capacity: WordForm.all.count)
    var all: [Form] = []
    for (spelling, form) in WordForm.all {
      let (word, tail) =
        switch form {
        case .denied(let verb, let tail): (verb, tail)
        case .slip(let word): (word, 0)
        }
      let (hash, singular) = hashes(of: Array(word.utf8))
      index.insert(hashes(of: Array(spelling.utf8)).hash, UInt32(all.count))
      all.append(Form(hash: hash, singular: singular, tail: tail))
    }
    return (index, all)
  }()

  /// The hash of a folded word and of the same word without a final "s".
  ///
  /// From six letters on, "ae" and "oe" become "e" and "our" becomes "or": anaemia and anemia, tumour and tumor are one
  /// word. Shorter words keep their letters ("shoe" is not "she").
  static func hashes<Letters: RandomAccessCollection>(
    of letters: Letters
  ) -> (hash: UInt64, singular: UInt64) where Letters.Element == UInt8, Letters.Index == Int {
    var hash = FNV1a()
    var beforeLast = hash
    let folds = letters.count >= 6
    var index = 0
    while index < letters.count {
      let letter = letters[index]
      if folds, index + 1 < letters.count {
        let next = letters[index + 1]
        if (letter == 0x61 || letter == 0x6F) && next == 0x65 {
          index += 1
          continue
        }
        if letter == 0x75, next == 0x72, index > 0, letters[index - 1] == 0x6F {
          index += 1
          continue
        }
      }
      beforeLast = hash
      hash.add(letter)
      index += 1
    }
    let plural = letters.count >= 4 && letters.last == 0x73 && letters[letters.count - 2] != 0x73
    return (hash.value, plural ? beforeLast.value : hash.value)
  }

  /// The hash of one word as a table writes it.
  static func hash(_ word: String) -> UInt64 {
    WordScanner.words(in: Array(word.utf8)).first?.hash ?? 0
  }
}

/// What a code point outside ASCII stands for.
enum FoldedCodePoint {
  case letters([UInt8])
  case hyphen
  case space
  case fraction
  /// A sign that means the same as an ASCII one.
  case ascii(UInt8)
  case other

  init(_ bytes: [UInt8], at index: Int, length: Int) {
    let end = min(index + length, bytes.count)
    var value: UInt32 = 0
    switch end - index {
    case 2: value = UInt32(bytes[index] & 0x1F) << 6 | UInt32(bytes[index + 1] & 0x3F)
    case 3:
      value =
        UInt32(bytes[index] & 0x0F) << 12 | UInt32(bytes[index + 1] & 0x3F) << 6 | UInt32(bytes[index + 2] & 0x3F)
    default: value = 0x1F600
    }
    switch value {
    case 0xA0, 0x2000...0x200B, 0x202F, 0x3000, 0xFEFF: self = .space
    case 0x2010...0x2015, 0x2212: self = .hyphen
    case 0xBC...0xBE: self = .fraction
    case 0xB5, 0x3BC: self = .letters([0x75])
    case 0xD7: self = .letters([0x78])
    case 0x2264: self = .ascii(0x3C)
    case 0x2265: self = .ascii(0x3E)
    case 0x2192, 0x21D2: self = .ascii(0x3E)
    case 0x2022, 0xB7, 0x25CF: self = .ascii(0x2A)
    case 0x201C, 0x201D: self = .ascii(0x22)
    case 0xB0, 0xBA: self = .ascii(0x60)
    case 0xC0...0xFF: self = .letters(Self.latin1[Int(value - 0xC0)])
    case 0x100...0x24F, 0x370...0x1FFF, 0x2C00...0xD7FF: self = .letters(Array(bytes[index..<end]))
    default: self = .other
    }
  }

  /// Base letters of U+00C0 to U+00FF.
  private static let latin1: [[UInt8]] = Array("aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty".utf8)
    .map { [$0] }
}
