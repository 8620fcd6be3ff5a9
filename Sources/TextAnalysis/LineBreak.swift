/// Whether a line end is only where the paper ended.
struct LineBreak {
  /// Shorter lines, in bytes, were ended on purpose.
  private static let shortestWrappedLine = 60

  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// True when `next` goes on with the sentence of `line`: a long line without an end mark, and a small letter after it.
  func continues(_ line: TextLines.Line, _ next: TextLines.Line) -> Bool {
    let here = bytes.trimmed(line.content)
    let there = bytes.trimmed(next.content)
    guard here.count >= Self.shortestWrappedLine, let first = there.first, bytes.isASCIILower(first),
      !isListItem(there)
    else { return false }
    switch bytes[here.upperBound - 1] {
    case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: ";"): return false
    default: return true
    }
  }

  /// `a) …`, `b. …`; items that begin with a sign or a number never begin with a small letter.
  private func isListItem(_ line: Range<Int>) -> Bool {
    guard line.count > 2 else { return false }
    let second = bytes[line.lowerBound + 1]
    return (second == UInt8(ascii: ")") || second == UInt8(ascii: ".")) && bytes.isSpace(line.lowerBound + 2)
  }
}
