import Clinical
import Store
public import TextAnalysis
public import Vectorization

/// How a practice reads text in order to search it: what `reindex` cuts and counts, and what `ask` and `similar` look for.
///
/// For measuring from outside: a search that is evaluated must read text exactly as the one that is shipped.
public struct SearchText: Sendable {
  public let chunker: Chunker
  public let sentences: SentenceSplitter
  public let analyzer: Analyzer
  private let thesaurus: Thesaurus
  private let signs: CaseSigns
  /// Of the program and of every table that took part, by name.
  public let versions: [String: String]

  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public init(models: ModelDirectory) throws {
    chunker = try models.chunker()
    sentences = try models.sentences()
    analyzer = try models.analyzer()
    thesaurus = try models.thesaurus()
    signs = try models.caseSigns()
    versions = [
      "vetnet": VetNetVersion.current, "analyzer": analyzer.version, "chunking": try models.chunkingVersion(),
      "thesaurus": try models.thesaurusVersion(),
    ]
  }

  /// The terms of each passage of a text, repeated as often as they occur; none for a blank text.
  public func passages(of text: String) -> [[String]] {
    chunker.chunks(of: text).map { analyzer.terms(in: text, range: $0.range) }
  }

  /// The terms of several texts' passages, in order, on all cores.
  public func passages(of texts: [String]) -> [[[String]]] { Concurrent.map(texts) { passages(of: $0) } }

  /// How many passages each of several texts has, on all cores.
  public func passageCounts(of texts: [String]) -> [Int] { Concurrent.map(texts) { chunker.chunks(of: $0).count } }

  /// What was asked, as it stands.
  public func plainTerms(of question: String) -> [QueryTerm] {
    analyzer.terms(in: question).map { QueryTerm($0) }
  }

  /// What was asked, and what the thesaurus adds to it: the terms a practice searches with.
  ///
  /// - Parameters:
  ///   - question: the words.
  ///   - describesCase: whether they tell of a case, as for `similar`, so that what they deny counts less; `ask` takes its
  ///     questions as they stand.
  /// - Returns: the question's own terms in their order, then the additions.
  public func terms(of question: String, describesCase: Bool = false) -> [QueryTerm] {
    SearchTerms.terms(of: question, analyzer: analyzer, thesaurus: thesaurus, signs: describesCase ? signs : nil)
  }
}

extension ModelDirectory {
  /// Names the words that questions are widened with.
  fileprivate func thesaurusVersion() throws -> String {
    let tables = try ["lexicon/thesaurus", "lexicon/names", "formulary/drugs", "formulary/drug-classes"]
      .map { try text("\($0).tsv") }.joined()
    return "thesaurus-\(ContentHash(of: Array(tables.utf8)).hexadecimal.prefix(8))"
  }
}
