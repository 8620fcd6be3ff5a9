public import Clinical

/// Finds the headings of a note, whatever hand wrote it: SOAP letters, words with a colon, words alone on their line,
/// Markdown, capitals.
///
/// A heading stands at the start of a line. Which words are headings is in `Models/lexicon/sections.tsv`, columns `id`,
/// `kind`, `form` (several separated by `|`) and `rule`:
///
/// - `word`: with a colon or a dash after it, or alone on its line with a capital;
/// - `colon`: with a colon or a dash after it, or alone on its line in capitals (`bloods` alone is an item of a list);
/// - `bare`: the same, and also directly before text (`O/E BAR, T 38.5`);
/// - `letter`: a capital with a colon and something other than a number after it, or alone on its line;
/// - `partner`: a letter that counts only in a note that has another letter as heading (`O:` alone is the owner).
///
/// A line in capitals that ends in a colon, and a Markdown heading, are headings even when no row names them.
public struct SectionSplitter: Sendable {
  private enum Rule: String { case word, colon, bare, letter, partner }

  private struct Form {
    let kind: String
    let rule: Rule
  }

  private struct Candidate {
    let kind: String
    let heading: Range<Int>
    let letter: UInt8?
    let needsPartner: Bool
  }

  /// Headings are short; a longer first part of a line is prose.
  private static let longestHeading = 60

  private let forms: [String: Form]
  /// Beginnings of lines for `bare` forms, longest first.
  private let bareForms: [(text: String, kind: String)]

  /// - Throws: ``DataTableError`` for a row with an unknown rule or no kind, and for a form that two rows claim.
  public init(headings: DataTable) throws(DataTableError) {
    var forms: [String: Form] = [:]
    var bareForms: [(text: String, kind: String)] = []
    for row in headings.rows {
      guard let rule = Rule(rawValue: row["rule"]) else { throw row.error("rule", "is no rule") }
      guard !row["kind"].isEmpty else { throw row.error("kind", "is empty") }
      for form in row.list("form") {
        let key = form.lowercased()
        guard forms.updateValue(Form(kind: row["kind"], rule: rule), forKey: key) == nil else {
          throw row.error("form", "holds '\(key)', which another row has")
        }
        if rule == .bare { bareForms.append((key, row["kind"])) }
      }
    }
    self.forms = forms
    self.bareForms = bareForms.sorted { ($0.text.utf8.count, $1.text) > ($1.text.utf8.count, $0.text) }
  }

  /// The sections of a note: in order, without gap or overlap, from its first byte to its last. None for an empty text.
  ///
  /// - Complexity: O(length).
  public func sections(of text: String) -> [Section] {
    text.withUTF8Bytes { sections(of: $0) }
  }

  func sections(of bytes: UnsafeBufferPointer<UInt8>) -> [Section] {
    guard !bytes.isEmpty else { return [] }
    var candidates: [Candidate] = []
    var letters: Set<UInt8> = []
    var previousIsBlank = true
    for line in TextLines(bytes, range: 0..<bytes.count) {
      let content = bytes.trimmed(line.content)
      if let candidate = heading(of: content, line: line, afterBlank: previousIsBlank, bytes) {
        candidates.append(candidate)
        if let letter = candidate.letter { letters.insert(letter) }
      }
      previousIsBlank = content.isEmpty
    }
    candidates.removeAll { $0.needsPartner && letters.count < 2 }

    var sections: [Section] = []
    let firstHeading = candidates.first?.heading.lowerBound ?? bytes.count
    if firstHeading > 0 { sections.append(Section(kind: Section.body, heading: 0..<0, body: 0..<firstHeading)) }
    for (index, candidate) in candidates.enumerated() {
      let end = index + 1 < candidates.count ? candidates[index + 1].heading.lowerBound : bytes.count
      sections.append(
        Section(kind: candidate.kind, heading: candidate.heading, body: candidate.heading.upperBound..<end))
    }
    return sections
  }

  /// The heading that a line begins with; its range starts with the line.
  private func heading(
    of content: Range<Int>, line: TextLines.Line, afterBlank: Bool, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Candidate? {
    guard !content.isEmpty else { return nil }
    if bytes[content.lowerBound] == UInt8(ascii: "#") {
      return markdownHeading(content, line, afterBlank: afterBlank, bytes)
    }
    let start = skipDecoration(content, bytes)
    guard start < content.upperBound else { return nil }
    let limit = min(content.upperBound, start + Self.longestHeading)

    // `Plan:`, `S:`, `**Plan:**`, `Plan (today):`, `Plan - bloods`
    if let mark = mark(from: start, to: limit, bytes) {
      let words = bytes.trimmed(start..<mark.lowerBound)
      if let candidate = named(words, upTo: mark.upperBound, line, content, bytes) { return candidate }
      if mark.isColon, mark.upperBound == content.upperBound, isCapitals(words, bytes) {
        return Candidate(
          kind: Section.other, heading: line.content.lowerBound..<mark.upperBound, letter: nil, needsPartner: false)
      }
    }
    // Alone on its line.
    if content.upperBound <= limit {
      let words = trimStars(start..<content.upperBound, bytes)
      if let candidate = named(words, upTo: content.upperBound, line, content, bytes) { return candidate }
    }
    return bare(from: start, content, line, bytes)
  }

  /// The heading that `words` are by the table; `upTo` is where it ends.
  private func named(
    _ words: Range<Int>, upTo end: Int, _ line: TextLines.Line, _ content: Range<Int>,
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Candidate? {
    guard !words.isEmpty, let form = form(words, bytes) else { return nil }
    let heading = line.content.lowerBound..<end
    let hasMark = end > words.upperBound
    switch form.rule {
    case .word, .bare, .colon:
      if !hasMark {
        guard form.rule == .colon ? isCapitals(words, bytes) : bytes.isASCIIUpper(words.lowerBound) else { return nil }
      }
      return Candidate(kind: form.kind, heading: heading, letter: nil, needsPartner: false)
    case .letter, .partner:
      guard bytes.isASCIIUpper(words.lowerBound), end == words.upperBound || bytes[end - 1] == UInt8(ascii: ":")
      else { return nil }
      let rest = bytes.trimmed(end..<content.upperBound)
      // "P: 120" is a pulse.
      if let first = rest.first, bytes.isASCIIDigit(first), !isListMarker(rest, bytes) { return nil }
      return Candidate(
        kind: form.kind, heading: heading, letter: bytes[words.lowerBound], needsPartner: form.rule == .partner)
    }
  }

  /// Looks `words` up as they are, then without a closing bracket's contents.
  private func form(_ words: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Form? {
    let words = trimStars(words, bytes)
    if words.isEmpty { return nil }
    if let form = forms[bytes.lowercased(words)] { return form }
    guard bytes[words.upperBound - 1] == UInt8(ascii: ")"),
      let open = bytes[words].firstIndex(of: UInt8(ascii: "("))
    else { return nil }
    return forms[bytes.lowercased(bytes.trimmed(words.lowerBound..<open))]
  }

  private struct Mark {
    let lowerBound: Int
    let upperBound: Int
    let isColon: Bool
  }

  /// The colon, or the dash between spaces, that ends a heading; with the stars of bold type after it.
  private func mark(from start: Int, to limit: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Mark? {
    var index = start
    while index < limit {
      if bytes[index] == UInt8(ascii: ":") {
        var end = index + 1
        while end < bytes.count, bytes[end] == UInt8(ascii: "*") { end += 1 }
        return Mark(lowerBound: index, upperBound: end, isColon: true)
      }
      if bytes[index] == UInt8(ascii: "-"), index > start, bytes.isSpace(index - 1), index + 1 < bytes.count,
        bytes.isSpace(index + 1)
      {
        return Mark(lowerBound: index, upperBound: index + 1, isColon: false)
      }
      index += 1
    }
    return nil
  }

  private func bare(
    from start: Int, _ content: Range<Int>, _ line: TextLines.Line, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Candidate? {
    for form in bareForms {
      let end = start + form.text.utf8.count
      guard end < content.upperBound, bytes.isSpace(end), bytes.lowercased(start..<end) == form.text else { continue }
      return Candidate(
        kind: form.kind, heading: line.content.lowerBound..<end, letter: nil, needsPartner: false)
    }
    return nil
  }

  /// `## Plan`. One `#` before words that no row names is a heading only after a blank line and without a full stop:
  /// `# L tibia` is a fracture.
  private func markdownHeading(
    _ content: Range<Int>, _ line: TextLines.Line, afterBlank: Bool, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Candidate? {
    var index = content.lowerBound
    while index < content.upperBound, bytes[index] == UInt8(ascii: "#") { index += 1 }
    let level = index - content.lowerBound
    guard level <= 6, index < content.upperBound, bytes.isSpace(index) else { return nil }
    var words = bytes.trimmed(index..<content.upperBound)
    if words.isEmpty { return nil }
    while bytes[words.upperBound - 1] == UInt8(ascii: "#") || bytes[words.upperBound - 1] == UInt8(ascii: ":") {
      words = words.lowerBound..<(words.upperBound - 1)
      if words.isEmpty { return nil }
    }
    let heading = line.content.lowerBound..<content.upperBound
    if let form = form(bytes.trimmed(words), bytes) {
      return Candidate(kind: form.kind, heading: heading, letter: nil, needsPartner: false)
    }
    guard level > 1 else { return nil }
    return Candidate(kind: Section.other, heading: heading, letter: nil, needsPartner: false)
  }

  /// Past `**`, `1.` and `2)` in front of a heading.
  private func skipDecoration(_ content: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var start = content.lowerBound
    if isListMarker(content, bytes) {
      while start < content.upperBound, !bytes.isSpace(start) { start += 1 }
      while start < content.upperBound, bytes.isSpace(start) { start += 1 }
    }
    while start < content.upperBound, bytes[start] == UInt8(ascii: "*") { start += 1 }
    return start
  }

  private func isListMarker(_ content: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = content.lowerBound
    while index < content.upperBound, bytes.isASCIIDigit(index) { index += 1 }
    guard index > content.lowerBound, index - content.lowerBound <= 2, index + 1 < content.upperBound else {
      return false
    }
    return (bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: ")")) && bytes.isSpace(index + 1)
  }

  private func trimStars(_ words: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    var upper = words.upperBound
    while upper > words.lowerBound, bytes[upper - 1] == UInt8(ascii: "*") { upper -= 1 }
    return bytes.trimmed(words.lowerBound..<upper)
  }

  private func isCapitals(_ words: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var letters = 0
    for index in words {
      if bytes.isASCIILower(index) { return false }
      if bytes.isASCIIUpper(index) || bytes[index] >= 0xC3 { letters += 1 }
    }
    return letters >= 3
  }
}
