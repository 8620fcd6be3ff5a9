import Clinical
import TextAnalysis
import VetNetTestSupport

/// The shipped word lists, read once.
enum Fixtures {
  static let stopWords = Result {
    try modelTable("lexicon/stop-words.tsv", required: ["word", "kind"], uniqueKey: "word")
  }
  static let shorthand = Result { try modelTable("lexicon/shorthand.tsv", uniqueKey: "id") }
  static let spelling = Result { try modelTable("lexicon/spelling.tsv", uniqueKey: "id") }
  static let lexicon = Result {
    try AnalysisLexicon(stopWords: stopWords.get(), shorthand: shorthand.get(), spelling: spelling.get())
  }
  static let analyzer = lexicon.map { Analyzer(lexicon: $0) }
  static let sections = Result { try SectionSplitter(headings: modelTable("lexicon/sections.tsv", uniqueKey: "id")) }
  static let sentences = Result {
    try SentenceSplitter(abbreviations: modelTable("lexicon/sentence-abbreviations.tsv", uniqueKey: "id"))
  }
  static let chunker = Result { try Chunker(sections: sections.get(), sentences: sentences.get()) }
  static let thesaurus = Result {
    try Thesaurus(
      table: modelTable("lexicon/thesaurus.tsv", uniqueKey: "id"),
      drugs: modelTable("formulary/drugs.tsv", uniqueKey: "id"),
      classes: modelTable("formulary/drug-classes.tsv", uniqueKey: "id"), analyzer: analyzer.get())
  }
}

extension String {
  /// The text of a range that a test knows to be whole.
  func at(_ range: Range<Int>) -> String { slice(utf8: range).map(String.init) ?? "<no slice \(range)>" }
}

/// Whether a byte is white space, as the splitters see it.
func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
