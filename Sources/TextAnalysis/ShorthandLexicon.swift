public import Clinical

/// What abbreviations stand for, with their ambiguity kept.
///
/// Columns: `id`, `form` (several separated by `|`), `expansion` (words), `case` (`any`, `upper`, `exact`), `context`
/// (words separated by `|`, a final `*` for any ending; empty for a form with one meaning), `example`,
/// `negative_example`, `source`. An ambiguous form has a row per meaning, each with its context words.
public struct ShorthandLexicon: Sendable {
  /// One meaning of a form.
  public struct Candidate: Hashable, Sendable {
    /// The row that says so.
    public let id: String
    /// Folded words, in order.
    public let expansion: [String]
    public let letterCase: LetterCase
    /// Folded words one of which must stand near; empty when the form has only this meaning.
    public let contextWords: Set<String>
    /// Beginnings of words, for context entries that end in `*`.
    public let contextPrefixes: [String]

    public var needsContext: Bool { !contextWords.isEmpty || !contextPrefixes.isEmpty }
  }

  /// How the form must be written to be this abbreviation.
  public enum LetterCase: String, Sendable {
    case any
    /// Every letter a capital: `AS`, never `as`.
    case upper
    /// Letter for letter as in the table: `mm` is not `MM`.
    case exact
  }

  /// How far from the form, in positions, a context word may stand.
  public static let window = 6

  /// A form of a row.
  private struct Entry: Sendable {
    let form: String
    let row: Int
    let letterCase: LetterCase
    /// The entry before it with the same key; -1 for the first.
    let previous: Int
  }

  private let table: DataTable
  private let entries: [Entry]
  /// The last entry of each key, by the key's hash.
  private let lastEntries: [UInt64: Int]

  /// - Throws: ``DataTableError`` for a row without form, expansion or known case, and for a form with several meanings
  ///   of which one has no context words.
  public init(table: DataTable) throws(DataTableError) {
    var entries: [Entry] = []
    var lastEntries: [UInt64: Int] = [:]
    lastEntries.reserveCapacity(2 * table.rows.count)
    for (number, row) in table.rows.enumerated() {
      guard !row.withBytes("expansion", \.isEmpty) else { throw row.error("expansion", "is empty") }
      guard let letterCase = LetterCase(rawValue: row["case"]) else { throw row.error("case", "is no case rule") }
      let count = entries.count
      try row.forEachPart("form") { bytes throws(DataTableError) in
        let form = String(decoding: bytes, as: UTF8.self)
        let key = Self.key(bytes)
        let last = lastEntries.updateValue(entries.count, forKey: key) ?? -1
        let entry = Entry(form: form, row: number, letterCase: letterCase, previous: last)
        try Self.check(entry, against: entries, in: table)
        entries.append(entry)
      }
      guard entries.count > count else { throw row.error("form", "is empty") }
    }
    self.table = table
    self.entries = entries
    self.lastEntries = lastEntries
  }

  /// - Throws: ``DataTableError`` where the same form has two meanings, one without context words.
  private static func check(_ entry: Entry, against entries: [Entry], in table: DataTable) throws(DataTableError) {
    guard entry.previous >= 0 else { return }
    let row = table.rows[entry.row]
    var place = entry.previous
    while place >= 0 {
      let entryBefore = entries[place]
      let rowBefore = table.rows[entryBefore.row]
      // What can be told without reading the meanings comes first.
      if overlap(entryBefore, entry), !hasContext(rowBefore) || !hasContext(row),
        candidate(rowBefore, entryBefore.letterCase) != candidate(row, entry.letterCase)
      {
        throw row.error("form", "has two meanings, and one of them no context words")
      }
      place = entryBefore.previous
    }
  }

  /// Whether a row's meaning needs words around it.
  private static func hasContext(_ row: DataTable.Row) -> Bool {
    var hasPart = false
    row.forEachPart("context") { _ in hasPart = true }
    return hasPart
  }

  private static func candidate(_ row: DataTable.Row, _ letterCase: LetterCase) -> Candidate {
    let context = row.list("context")
    return Candidate(
      id: row["id"], expansion: row["expansion"].split(separator: " ").map { Normalizer.fold(String($0)) },
      letterCase: letterCase, contextWords: Set(context.filter { !$0.hasSuffix("*") }.map(Normalizer.fold)),
      contextPrefixes: context.filter { $0.hasSuffix("*") }.map { Normalizer.fold(String($0.dropLast())) })
  }

  /// The meanings that a word may have as it is written, in the table's order.
  ///
  ///     lexicon.candidates(for: "OD").map(\.id)  // right eye, once daily, overdose
  ///     lexicon.candidates(for: "od")            // none: only capitals count
  public func candidates(for written: String) -> [Candidate] {
    var written = written
    guard var place = lastEntries[written.withUTF8(Self.key)] else { return [] }
    var accepted: [Entry] = []
    while place >= 0 {
      if Self.accepts(entries[place], written) { accepted.append(entries[place]) }
      place = entries[place].previous
    }
    var candidates: [Candidate] = []
    for entry in accepted.reversed() {
      let candidate = Self.candidate(table.rows[entry.row], entry.letterCase)
      if !candidates.contains(candidate) { candidates.append(candidate) }
    }
    return candidates
  }

  /// The one meaning that the words around `tokens[index]` support; nil when none or several are supported.
  ///
  /// The tokens are the tokenizer's, in order and unfiltered.
  ///
  /// - Complexity: O(candidates × window).
  public func meaning(at index: Int, in tokens: [Token]) -> Candidate? {
    resolve(candidates(for: tokens[index].text), at: index, in: tokens)
  }

  func resolve(_ candidates: [Candidate], at index: Int, in tokens: [Token]) -> Candidate? {
    guard let first = candidates.first else { return nil }
    if candidates.count == 1, !first.needsContext { return first }
    let near = nearWords(at: index, in: tokens)
    var supported: Candidate?
    for candidate in candidates
    where near.contains(where: { word in
      candidate.contextWords.contains(word) || candidate.contextPrefixes.contains(where: word.hasPrefix)
    }) {
      if let supported, supported.expansion != candidate.expansion { return nil }
      supported = candidate
    }
    return supported
  }

  private func nearWords(at index: Int, in tokens: [Token]) -> [String] {
    let here = tokens[index]
    var words: [String] = []
    func take(_ token: Token) {
      if !token.range.overlaps(here.range) { words.append(Normalizer.fold(token.text)) }
    }
    var before = index - 1
    while before >= 0, here.position - tokens[before].position <= Self.window {
      take(tokens[before])
      before -= 1
    }
    var after = index + 1
    while after < tokens.count, tokens[after].position - here.position <= Self.window {
      take(tokens[after])
      after += 1
    }
    return words
  }

  /// Every form of the table, in order of spelling.
  public var forms: [String] { entries.map(\.form).sorted() }

  /// The hash under which a form is found. Points inside abbreviations say nothing: `b.i.d` is `bid`.
  private static func key(_ form: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard form.allSatisfy({ $0 < 0x80 }) else {
      return FNV1a.hash(Normalizer.fold(String(decoding: form, as: UTF8.self)).utf8)
    }
    return FNV1a.hash(
      form.lazy.filter { $0 != UInt8(ascii: ".") }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
  }

  private static func accepts(_ entry: Entry, _ written: String) -> Bool {
    switch entry.letterCase {
    case .any: true
    case .upper: !written.utf8.contains { (0x61...0x7A).contains($0) }
    case .exact: written == entry.form
    }
  }

  private static func overlap(_ one: Entry, _ other: Entry) -> Bool {
    accepts(one, other.form) || one.letterCase == other.letterCase || accepts(other, one.form)
  }
}

extension ShorthandLexicon: Packable {
  package func pack(into packer: inout Packer) {
    table.pack(into: &packer)
    packer.add(list: entries) { packer, entry in
      packer.add(entry.form)
      packer.add(UInt32(entry.row))
      entry.letterCase.pack(into: &packer)
      packer.add(Int32(entry.previous))
    }
    let last = lastEntries.sorted { $0.value < $1.value }
    packer.add(all: last.map(\.key))
    packer.add(all: last.map { UInt32($0.value) })
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    table = try DataTable(from: &unpacker)
    entries = try unpacker.list { unpacker throws(PackingError) in
      Entry(
        form: try unpacker.text(), row: Int(try unpacker.value(UInt32.self)), letterCase: try unpacker.choice(),
        previous: Int(try unpacker.value(Int32.self)))
    }
    let (keys, numbers) = (try unpacker.all(UInt64.self), try unpacker.all(UInt32.self))
    lastEntries = Dictionary(zip(keys, numbers.lazy.map(Int.init)), uniquingKeysWith: { first, _ in first })
  }
}
