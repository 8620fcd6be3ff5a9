public import Clinical

/// Cuts notes into sentences, and terse notes into the lines and fragments that do a sentence's work.
///
/// - A full stop, `!` or `?` ends a sentence when white space follows, but not after an abbreviation of the table, inside
///   numbers and dates, after initials, or as the mark of doubt in `? pancreatitis`.
/// - A semicolon ends one when words stand on both sides of it.
/// - A line end does, unless a long line goes on with a small letter, as in wrapped text.
/// - Two and more lines of a laboratory table, with the line of column names above them, stay together.
/// - What is longer than ``longestSentence`` bytes is cut at a space or, in a table, at a line end.
///
/// Ranges have no white space at their ends, are in order, do not overlap, and hold every other byte.
public struct SentenceSplitter: Sendable {
  /// In bytes. Pasted files have neither full stops nor mercy.
  public static let longestSentence = 4096

  private let abbreviations: SentenceAbbreviations

  /// - Parameter abbreviations: columns `form` (several separated by `|`) and `rule` (`inside`: the sentence
  ///   goes on; `either`: it ends only where a capital follows).
  /// - Throws: ``DataTableError`` for an unknown rule.
  public init(abbreviations: DataTable) throws(DataTableError) {
    self.abbreviations = try SentenceAbbreviations(table: abbreviations)
  }

  /// The sentences of `text`, or of the bytes of `range` in it, as ranges into `text`.
  ///
  /// Give the range of a section to keep sentences within it.
  ///
  /// - Precondition: `range` lies in the text.
  /// - Complexity: O(length of the range).
  public func sentences(in text: String, range: Range<Int>? = nil) -> [Range<Int>] {
    text.withUTF8Bytes { bytes in
      let range = range ?? 0..<bytes.count
      precondition(
        range.lowerBound >= 0 && range.upperBound <= bytes.count, "\(range) leaves a text of \(bytes.count) bytes")
      return sentences(in: bytes, range: range)
    }
  }

  func sentences(in bytes: UnsafeBufferPointer<UInt8>, range: Range<Int>) -> [Range<Int>] {
    var result: [Range<Int>] = []
    let lines = Array(TextLines(bytes, range: range))
    let tables = LabTables(bytes).blocks(in: lines)
    var nextTable = 0
    var index = 0
    while index < lines.count {
      if nextTable < tables.count, tables[nextTable].lowerBound == index {
        appendTable(lines[tables[nextTable]], bytes, to: &result)
        index = tables[nextTable].upperBound
        nextTable += 1
        continue
      }
      let limit = nextTable < tables.count ? tables[nextTable].lowerBound : lines.count
      var last = index
      while last + 1 < limit, LineBreak(bytes).continues(lines[last], lines[last + 1]) { last += 1 }
      let paragraph = lines[index].content.lowerBound..<lines[last].content.upperBound
      appendSentences(in: paragraph, bytes, to: &result)
      index = last + 1
    }
    return result
  }

  private func appendSentences(
    in paragraph: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>, to result: inout [Range<Int>]
  ) {
    let paragraph = bytes.trimmed(paragraph)
    if paragraph.isEmpty { return }
    var finder = SentenceEnds(bytes, paragraph: paragraph, abbreviations: abbreviations)
    var start = paragraph.lowerBound
    while let end = finder.next() {
      appendCut(start..<end, bytes, to: &result)
      start = end
    }
    appendCut(start..<paragraph.upperBound, bytes, to: &result)
  }

  private func appendCut(_ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>, to result: inout [Range<Int>]) {
    var rest = bytes.trimmed(range)
    while rest.count > Self.longestSentence {
      var cut = rest.lowerBound + Self.longestSentence
      while cut > rest.lowerBound + Self.longestSentence / 2, !bytes.isSpace(cut) { cut -= 1 }
      if !bytes.isSpace(cut) {
        cut = rest.lowerBound + Self.longestSentence
        // Never inside a code point.
        while bytes[cut] & 0xC0 == 0x80 { cut -= 1 }
      }
      result.append(bytes.trimmed(rest.lowerBound..<cut))
      rest = bytes.trimmed(cut..<rest.upperBound)
    }
    if !rest.isEmpty { result.append(rest) }
  }

  private func appendTable(
    _ lines: ArraySlice<TextLines.Line>, _ bytes: UnsafeBufferPointer<UInt8>, to result: inout [Range<Int>]
  ) {
    var start: Int?
    var end = 0
    for line in lines {
      if let from = start, line.content.upperBound - from > Self.longestSentence {
        appendCut(from..<end, bytes, to: &result)
        start = nil
      }
      if start == nil { start = line.content.lowerBound }
      end = line.content.upperBound
    }
    if let start { appendCut(start..<end, bytes, to: &result) }
  }
}
