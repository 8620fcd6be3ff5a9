public import Clinical

/// The word lists that an ``Analyzer`` works with, from `Models/lexicon/`.
public struct AnalysisLexicon: Sendable {
  /// Folded words that carry no content.
  public let stopWords: Set<String>
  /// The stop words that may stand inside a phrase without breaking it: articles, possessives, persons,
  /// words of degree.
  public let fillers: Set<String>
  public let shorthand: ShorthandLexicon
  public let spelling: SpellingRules
  /// Sixteen hexadecimal digits that change with any cell of the tables.
  public let checksum: String

  /// - Parameters:
  ///   - stopWords: columns `word` and `kind`; kinds `article`, `possessive`, `person` and `degree` are ``fillers``.
  ///   - shorthand: see ``ShorthandLexicon``.
  ///   - spelling: see ``SpellingRules``; without it British and American spellings stay apart.
  /// - Throws: ``DataTableError`` naming the row that can't be used.
  public init(
    stopWords: DataTable, shorthand: DataTable, spelling: DataTable? = nil
  ) throws(DataTableError) {
    var words: Set<String> = []
    var fillers: Set<String> = []
    for row in stopWords.rows {
      let word = Normalizer.fold(row["word"])
      guard !word.isEmpty else { throw row.error("word", "is empty") }
      words.insert(word)
      if ["article", "possessive", "person", "degree"].contains(row["kind"]) { fillers.insert(word) }
    }
    self.stopWords = words
    self.fillers = fillers
    self.shorthand = try ShorthandLexicon(table: shorthand)
    var checksum = Checksum()
    checksum.add(stopWords)
    checksum.add(shorthand)
    if let spelling {
      self.spelling = try SpellingRules(table: spelling)
      checksum.add(spelling)
    } else {
      self.spelling = .none
    }
    self.checksum = checksum.hexadecimal
  }
}

extension AnalysisLexicon: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(set: stopWords)
    packer.add(set: fillers)
    shorthand.pack(into: &packer)
    spelling.pack(into: &packer)
    packer.add(checksum)
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    stopWords = try unpacker.set()
    fillers = try unpacker.set()
    shorthand = try ShorthandLexicon(from: &unpacker)
    spelling = try SpellingRules(from: &unpacker)
    checksum = try unpacker.text()
  }
}
