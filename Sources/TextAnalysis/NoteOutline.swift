package import Clinical

/// A note cut into its sentences, each with the section it stands in.
package struct NoteOutline: Sendable {
  package struct Sentence: Hashable, Sendable {
    package let range: Range<Int>
    package let section: String
  }

  package let note: ClinicalNote
  /// In the order of the text; a line of a list or table is a sentence of its own.
  package let sentences: [Sentence]

  /// - Complexity: linear in the length of the note.
  package init(_ note: ClinicalNote, sections: SectionSplitter, splitter: SentenceSplitter) {
    self.note = note
    let bytes = Array(note.text.utf8)
    var sentences: [Sentence] = []
    for section in sections.sections(of: note.text) {
      for range in splitter.sentences(in: note.text, range: section.body) {
        for line in Self.lines(range, bytes) { sentences.append(Sentence(range: line, section: section.kind)) }
      }
    }
    self.sentences = sentences
  }

  /// The sentence that holds the byte at `offset`; the nearest one before it where it stands between sentences.
  package func sentence(at offset: Int) -> Sentence? {
    sentences.last { $0.range.lowerBound <= offset }
  }

  private static func lines(_ range: Range<Int>, _ bytes: [UInt8]) -> [Range<Int>] {
    bytes[range].split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
      .filter { line in line.contains { $0 > 0x20 } }
      .map { $0.startIndex..<$0.endIndex }
  }
}

/// Some words of a note, short enough for a line of a brief. What is shown is what is cited.
package struct Excerpt {
  package let note: ClinicalNote
  /// UTF-8 bytes of the note, on code point borders.
  package let range: Range<Int>
  private let isCutBefore: Bool
  private let isCutAfter: Bool

  /// The words of `range`, without the white space, bullets and stops around them.
  ///
  /// - Parameters:
  ///   - note: whose words.
  ///   - range: UTF-8 bytes of its text.
  ///   - focus: must be among the words that are kept when the range is too long.
  ///   - limit: the most bytes kept; words are not cut in two.
  package init?(_ note: ClinicalNote, _ range: Range<Int>, focus: Range<Int>? = nil, limit: Int = 100) {
    guard let slice = note.text.slice(utf8: range) else { return nil }
    let bytes = Array(slice.utf8)
    let dropped: (UInt8) -> Bool = { Self.edges.contains($0) }
    var leading = bytes.prefix(while: dropped).count
    leading += Self.enumerator(bytes[leading...])
    let trailing = bytes.reversed().prefix { dropped($0) || Self.stops.contains($0) }.count
    guard leading + trailing < bytes.count else { return nil }
    var lower = leading
    var upper = bytes.count - trailing
    if upper - lower > limit {
      let wanted = focus.map { max(lower, min(upper, $0.lowerBound - range.lowerBound)) } ?? lower
      let end = focus.map { max(lower, min(upper, $0.upperBound - range.lowerBound)) } ?? lower
      // Some words before the focus say what it is about; as many after it as fit.
      if end - lower > limit { lower = Self.wordStart(bytes, from: max(lower, wanted - limit / 3), to: wanted) }
      upper = Self.wordEnd(bytes, from: max(end, lower), to: min(upper, max(lower + limit, end)))
    }
    guard lower < upper else { return nil }
    self.note = note
    self.range = (range.lowerBound + lower)..<(range.lowerBound + upper)
    isCutBefore = lower > leading
    isCutAfter = upper < bytes.count - trailing
  }

  /// The words in quotation marks, white space single.
  package var quoted: String {
    let words = (note.text.slice(utf8: range) ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return "“\(isCutBefore ? "…" : "")\(words)\(isCutAfter ? "…" : "")”"
  }

  /// The bytes of "1. ", "2) " or "a) " at the start of an item of a list.
  private static func enumerator(_ bytes: ArraySlice<UInt8>) -> Int {
    let digits = bytes.prefix(3).prefix { (0x30...0x39).contains($0) }.count
    let label = digits > 0 ? digits : bytes.first.map { (0x61...0x7A).contains($0) } == true ? 1 : 0
    let rest = bytes.dropFirst(label)
    guard label > 0, label < 3, let sign = rest.first, sign == 0x29 || (sign == 0x2E && digits > 0),
      rest.dropFirst().first == 0x20
    else { return 0 }
    return label + 2
  }

  private static let edges = Set(" \t\r\n-*,;".utf8)
  private static let stops = Set(".:(".utf8)

  /// The first place from `lower` on at which a word begins; `limit` where there is none.
  private static func wordStart(_ bytes: [UInt8], from lower: Int, to limit: Int) -> Int {
    var index = lower
    while index < limit, index > 0, bytes[index - 1] > 0x20 { index += 1 }
    return index
  }

  /// The last place up to `upper` at which a word ends, not before `least`; where none does, the end of the word at `least`.
  private static func wordEnd(_ bytes: [UInt8], from least: Int, to upper: Int) -> Int {
    var index = upper
    while index > least, index < bytes.count, bytes[index] > 0x20 { index -= 1 }
    if index <= least {
      index = least
      while index < bytes.count, bytes[index] > 0x20 { index += 1 }
      return index
    }
    while index > least, Self.edges.contains(bytes[index - 1]) { index -= 1 }
    return index
  }
}
