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

  private struct Entry: Sendable {
    let form: String
    let candidate: Candidate
  }

  private let entries: [String: [Entry]]

  /// - Throws: ``DataTableError`` for a row without form, expansion or known case, and for a form with several meanings
  ///   of which one has no context words.
  public init(table: DataTable) throws(DataTableError) {
    var entries: [String: [Entry]] = [:]
    for row in table.rows {
      let forms = row.list("form")
      let expansion = row["expansion"].split(separator: " ").map { Normalizer.fold(String($0)) }
      guard !forms.isEmpty else { throw row.error("form", "is empty") }
      guard !expansion.isEmpty else { throw row.error("expansion", "is empty") }
      guard let letterCase = LetterCase(rawValue: row["case"]) else { throw row.error("case", "is no case rule") }
      let context = row.list("context")
      let candidate = Candidate(
        id: row["id"], expansion: expansion, letterCase: letterCase,
        contextWords: Set(context.filter { !$0.hasSuffix("*") }.map(Normalizer.fold)),
        contextPrefixes: context.filter { $0.hasSuffix("*") }.map { Normalizer.fold(String($0.dropLast())) })
      for form in forms {
        let key = Self.key(form)
        for other in entries[key] ?? [] where other.candidate != candidate && Self.overlap(other, form, candidate) {
          if !other.candidate.needsContext || !candidate.needsContext {
            throw row.error("form", "has two meanings, and one of them no context words")
          }
        }
        entries[key, default: []].append(Entry(form: form, candidate: candidate))
      }
    }
    self.entries = entries
  }

  /// The meanings that a word may have as it is written, in the table's order.
  ///
  ///     lexicon.candidates(for: "OD").map(\.id)  // right eye, once daily, overdose
  ///     lexicon.candidates(for: "od")            // none: only capitals count
  public func candidates(for written: String) -> [Candidate] {
    guard let entries = entries[Self.key(written)] else { return [] }
    var candidates: [Candidate] = []
    for entry in entries where Self.accepts(entry, written) && !candidates.contains(entry.candidate) {
      candidates.append(entry.candidate)
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
  public var forms: [String] { entries.values.flatMap { $0.map(\.form) }.sorted() }

  /// Points inside abbreviations say nothing: `b.i.d` is `bid`.
  static func key(_ form: String) -> String {
    if form.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) { return form }
    return form.utf8.allSatisfy { $0 < 0x80 }
      ? String(decoding: form.utf8.lazy.filter { $0 != UInt8(ascii: ".") }, as: UTF8.self).lowercased()
      : Normalizer.fold(form)
  }

  private static func accepts(_ entry: Entry, _ written: String) -> Bool {
    switch entry.candidate.letterCase {
    case .any: true
    case .upper: !written.utf8.contains { (0x61...0x7A).contains($0) }
    case .exact: written == entry.form
    }
  }

  private static func overlap(_ other: Entry, _ form: String, _ candidate: Candidate) -> Bool {
    accepts(other, form) || other.candidate.letterCase == candidate.letterCase
      || accepts(Entry(form: form, candidate: candidate), other.form)
  }
}
