/// Finds tables typed as text: consecutive lines of cells, or of a name, a number and its range.
struct LabTables {
  /// How a line looks from afar.
  private enum Shape {
    case prose
    /// Several cells, numbers among them or not.
    case cells(hasNumber: Bool)
    /// `ALT 38 U/L (10-100)`
    case measurement
  }

  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Ranges of line numbers, in order: two lines and more of which at least two hold numbers, column names included.
  func blocks(in lines: [TextLines.Line]) -> [Range<Int>] {
    var blocks: [Range<Int>] = []
    var start: Int?
    var numbered = 0
    for index in 0...lines.count {
      let shape = index < lines.count ? shape(of: bytes.trimmed(lines[index].content)) : .prose
      switch shape {
      case .prose:
        if let from = start, numbered >= 2 { blocks.append(from..<index) }
        start = nil
        numbered = 0
        continue
      case .cells(let hasNumber): numbered += hasNumber ? 1 : 0
      case .measurement: numbered += 1
      }
      if start == nil { start = index }
    }
    return blocks
  }

  private func shape(of line: Range<Int>) -> Shape {
    guard line.count >= 3, line.count <= 400 else { return .prose }
    var cells = 1
    var lastCell = line.lowerBound
    var hasNumber = false
    var index = line.lowerBound
    while index < line.upperBound {
      if isGap(index, in: line) {
        while index < line.upperBound, bytes.isSpace(index) || bytes[index] == UInt8(ascii: "|") { index += 1 }
        cells += 1
        lastCell = index
      } else {
        if bytes.isASCIIDigit(index) { hasNumber = true }
        index += 1
      }
    }
    if cells >= 3 { return .cells(hasNumber: hasNumber) }
    // Two cells are a name and its value; a date and what happened then are not.
    if cells == 2, bytes.isASCIILetter(line.lowerBound), beginsWithNumber(lastCell..<line.upperBound),
      !endsAsSentence(line)
    {
      return .cells(hasNumber: true)
    }
    return isMeasurement(line) ? .measurement : .prose
  }

  /// A tab, a bar, or two spaces; but two spaces after a full stop are only an old habit of typing.
  private func isGap(_ index: Int, in line: Range<Int>) -> Bool {
    switch bytes[index] {
    case UInt8(ascii: "\t"), UInt8(ascii: "|"): return true
    case 0x20:
      guard index + 1 < line.upperBound, bytes[index + 1] == 0x20, index > line.lowerBound else { return false }
      switch bytes[index - 1] {
      case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: ","), UInt8(ascii: ";"): return false
      default: return true
      }
    default: return false
    }
  }

  private func endsAsSentence(_ line: Range<Int>) -> Bool {
    bytes[line.upperBound - 1] == UInt8(ascii: ".")
  }

  /// A name of at most three words, a number, perhaps a unit and a flag, and a range, and nothing more.
  private func isMeasurement(_ line: Range<Int>) -> Bool {
    guard line.count <= 80, bytes.isASCIILetter(line.lowerBound), !endsAsSentence(line) else { return false }
    var wordsBefore = 0
    var wordsAfter = 0
    var numbers = 0
    var hasRange = false
    var index = line.lowerBound
    while index < line.upperBound {
      while index < line.upperBound, bytes.isSpace(index) { index += 1 }
      let start = index
      while index < line.upperBound, !bytes.isSpace(index) { index += 1 }
      guard index > start else { break }
      let word = start..<index
      if isRange(word) { hasRange = true }
      if beginsWithNumber(word) {
        numbers += 1
      } else if numbers == 0 {
        wordsBefore += 1
      } else {
        wordsAfter += 1
      }
    }
    return (1...3).contains(wordsBefore) && numbers >= 2 && wordsAfter <= 3 && hasRange
  }

  private func beginsWithNumber(_ word: Range<Int>) -> Bool {
    for index in word {
      if bytes.isASCIIDigit(index) { return true }
      switch bytes[index] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "+"),
        UInt8(ascii: "-"), UInt8(ascii: "."):
        continue
      default: return false
      }
    }
    return false
  }

  /// `3.9-6.9`, `(10-100)`, `<25`
  private func isRange(_ word: Range<Int>) -> Bool {
    var index = word.lowerBound
    while index < word.upperBound, bytes[index] == UInt8(ascii: "(") || bytes[index] == UInt8(ascii: "[") { index += 1 }
    guard index < word.upperBound else { return false }
    if bytes[index] == UInt8(ascii: "<") || bytes[index] == UInt8(ascii: ">") {
      return index + 1 < word.upperBound && bytes.isASCIIDigit(index + 1)
    }
    guard bytes.isASCIIDigit(index) else { return false }
    while index + 1 < word.upperBound {
      if bytes[index] == UInt8(ascii: "-"), bytes.isASCIIDigit(index - 1), bytes.isASCIIDigit(index + 1) {
        return true
      }
      index += 1
    }
    return false
  }
}
