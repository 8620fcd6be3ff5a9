/// Phrases of a table that stand for several, written out before anything reads the table.
///
///     # inflected: asked denied
///     id<TAB>asked<TAB>denied
///     insurance<TAB>bill(s) to<TAB>insurance (has) lapse~
///
/// In the columns that the head names, a word that ends in "~" is any form of that verb (``VerbForms``), and what stands in round
/// brackets, a word or the end of one, may be left out: "insurance has lapsed", "insurance lapses" and so on are one phrase, and so are
/// "bill to" and "bills to". A bracket by itself is a bracket. Nothing here lists words beside each other: what differs in more than
/// its ending is another phrase, or names a class of `extraction/word-classes.tsv`.
///
/// What is read is the table with the phrases in their places, on the same lines, so that nothing that reads tables need know of it.
public struct PhraseNotation: Sendable {
  /// Where the verbs stand that have forms of their own, in the model folder.
  public static let verbFile = "lexicon/verb-forms.tsv"
  /// A phrase may stand for so many; one that stands for more is a mistake.
  private static let mostPhrases = 64

  private let verbs: VerbForms

  /// - Parameter verbs: the forms that a word with "~" stands for.
  public init(verbs: VerbForms) {
    self.verbs = verbs
  }

  /// Whether a table's head says that phrases of it stand for several.
  ///
  /// - Parameter bytes: the table's file.
  /// - Returns: false where the head names no column.
  public static func isUsed(by bytes: [UInt8]) -> Bool { !columns(of: bytes).isEmpty }

  /// Whether a phrase stands for several.
  ///
  /// - Parameter phrase: as a table writes it.
  /// - Returns: false where every word of it stands for itself.
  public static func stands(in phrase: String) -> Bool {
    phrase.split(separator: " ").contains { $0.count > 1 && $0.contains { $0 == "~" || $0 == "(" || $0 == ")" } }
  }

  private static func columns(of bytes: [UInt8]) -> [String] {
    (DataTable.headValue("inflected", of: bytes) ?? "").split(separator: " ").map(String.init)
  }

  /// What a phrase stands for, the longest first.
  ///
  /// - Parameter written: the phrase as a table writes it.
  /// - Returns: one or more phrases, each once; nil where a word of it can't be read, where all of it may be left out, and where it
  ///   stands for more than 64.
  public func phrases(of written: String) -> [String]? {
    guard Self.stands(in: written) else { return [written] }
    var phrases: [[Substring]] = [[]]
    for word in written.split(separator: " ") {
      guard let choices = choices(for: word), phrases.count * choices.count <= Self.mostPhrases else { return nil }
      phrases = phrases.flatMap { begun in choices.map { begun + ($0.isEmpty ? [] : [$0]) } }
    }
    // Of a phrase something has to be there.
    guard phrases.allSatisfy({ !$0.isEmpty }) else { return nil }
    return Self.distinct(phrases.map { $0.joined(separator: " ") })
  }

  private static func distinct(_ phrases: [String]) -> [String] {
    var seen: Set<String> = []
    return phrases.filter { seen.insert($0).inserted }
  }

  /// What a word of a phrase may be; nil where it can't be read.
  private func choices(for word: Substring) -> [Substring]? {
    guard word.count > 1, word.contains(where: { $0 == "~" || $0 == "(" || $0 == ")" }) else { return [word] }
    if word.hasSuffix("~") {
      let verb = word.dropLast()
      return VerbForms.isVerb(verb) ? verbs.forms(of: String(verb)).map { $0[...] } : nil
    }
    guard let opening = word.firstIndex(of: "("), let closing = word.firstIndex(of: ")"), opening < closing else {
      return nil
    }
    let optional = word[word.index(after: opening)..<closing]
    let (before, after) = (word[..<opening], word[word.index(after: closing)...])
    let whole = before + optional + after
    guard !optional.isEmpty, !whole.contains(where: { $0 == "~" || $0 == "(" || $0 == ")" }) else { return nil }
    return [whole, before + after]
  }

  /// A table's bytes with the phrases written out.
  ///
  /// - Parameters:
  ///   - bytes: the table's file, UTF-8.
  ///   - name: of the file, for errors.
  /// - Returns: as many lines as there were.
  /// - Throws: ``DataTableError`` with line, column and phrase where a phrase can't be read, and for a column that isn't there.
  public func resolved(_ bytes: [UInt8], name: String) throws(DataTableError) -> [UInt8] {
    let named = Self.columns(of: bytes)
    var places: [Int]?
    var names: [String] = []
    var lines: [[UInt8]] = []
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      guard let first = line.first, first != UInt8(ascii: "#") else {
        lines.append(Array(line))
        continue
      }
      var cells = line.split(separator: 0x09, omittingEmptySubsequences: false).map(Array.init)
      guard let places else {
        names = cells.map { String(decoding: $0, as: UTF8.self).trimmingSpaces() }
        if let missing = named.first(where: { !names.contains($0) }) {
          throw DataTableError(
            table: name, line: number + 1, column: missing, problem: "the column is missing that 'inflected' names")
        }
        places = names.indices.filter { named.contains(names[$0]) }
        lines.append(Array(line))
        continue
      }
      for place in places where place < cells.count && Self.maySayMore(cells[place]) {
        cells[place] = try cell(cells[place], at: (name, number + 1, names[place]))
      }
      lines.append(Array(cells.joined(separator: [0x09])))
    }
    return Array(lines.joined(separator: [0x0A]))
  }

  private static func maySayMore(_ cell: [UInt8]) -> Bool {
    cell.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: ")") }
  }

  /// A cell with its phrases written out.
  private func cell(
    _ bytes: [UInt8], at place: (table: String, line: Int, column: String)
  ) throws(DataTableError) -> [UInt8] {
    var result: [String] = []
    for part in String(decoding: bytes, as: UTF8.self).split(separator: "|") {
      guard let phrases = phrases(of: part.trimmingSpaces()) else {
        throw DataTableError(
          table: place.table, line: place.line, column: place.column,
          problem:
            "'\(part.trimmingSpaces())' can't be read; write \"verb~\" for its forms and \"(word)\" or \"word(s)\" for what may be left out, at most \(Self.mostPhrases) phrases in one"
        )
      }
      result += phrases
    }
    return Array(Self.distinct(result).joined(separator: "|").utf8)
  }
}
