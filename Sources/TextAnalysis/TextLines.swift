/// The lines of a range of bytes, one after the other, with their ends: `\n`, `\r\n`, `\r`.
struct TextLines: Sequence, IteratorProtocol {
  struct Line: Hashable {
    /// Without the line end.
    let content: Range<Int>
    /// Where the next line begins.
    let next: Int
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let end: Int
  private var index: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, range: Range<Int>) {
    self.bytes = bytes
    end = range.upperBound
    index = range.lowerBound
  }

  mutating func next() -> Line? {
    guard index < end else { return nil }
    let start = index
    while index < end, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
    let contentEnd = index
    if index < end {
      index += bytes[index] == 0x0D && index + 1 < end && bytes[index + 1] == 0x0A ? 2 : 1
    }
    return Line(content: start..<contentEnd, next: index)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Space, tab, line ends and the first byte of a no-break space are all white.
  @inline(__always)
  func isSpace(_ index: Int) -> Bool {
    let byte = self[index]
    return byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
  }

  /// The length of the white space at `index`: 1 for ASCII, 2 for U+00A0, 0 for none.
  func spaceLength(_ index: Int, end: Int) -> Int {
    if isSpace(index) { return 1 }
    return self[index] == 0xC2 && index + 1 < end && self[index + 1] == 0xA0 ? 2 : 0
  }

  /// `range` without white space at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var lower = range.lowerBound
    var upper = range.upperBound
    while lower < upper {
      let length = spaceLength(lower, end: upper)
      guard length > 0 else { break }
      lower += length
    }
    while upper > lower {
      if isSpace(upper - 1) {
        upper -= 1
      } else if upper - lower >= 2, self[upper - 1] == 0xA0, self[upper - 2] == 0xC2 {
        upper -= 2
      } else {
        break
      }
    }
    return lower..<upper
  }

  func isASCIILetter(_ index: Int) -> Bool {
    let byte = self[index] | 0x20
    return byte >= 0x61 && byte <= 0x7A
  }

  func isASCIIUpper(_ index: Int) -> Bool { self[index] >= 0x41 && self[index] <= 0x5A }

  func isASCIILower(_ index: Int) -> Bool { self[index] >= 0x61 && self[index] <= 0x7A }

  func isASCIIDigit(_ index: Int) -> Bool { self[index] >= 0x30 && self[index] <= 0x39 }

  /// The bytes as a string in lower-case ASCII.
  func lowercased(_ range: Range<Int>) -> String {
    String(
      decoding: self[range].lazy.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
