public import Chart
public import Clinical
public import Extraction
public import TextAnalysis
import VetNetTestSupport

/// The shipped rules and tables by which records are read, read once for all tests; targets add what they test.
public enum Fixtures {
  public static let extractors = Result { try Extractors(tables: ExtractionTables { try modelTable($0) }) }
  public static let sections = Result {
    try SectionSplitter(headings: modelTable("lexicon/sections.tsv", uniqueKey: "id"))
  }
  public static let sentences = Result {
    try SentenceSplitter(abbreviations: modelTable("lexicon/sentence-abbreviations.tsv", uniqueKey: "id"))
  }
  public static let alertTable = Result { try modelTable("briefing/alerts.tsv", uniqueKey: "id") }
  public static let groupTable = Result { try modelTable("briefing/prevention-groups.tsv", uniqueKey: "id") }
  public static let cueTable = Result { try modelTable("briefing/plan-cues.tsv", uniqueKey: "id") }
  public static let classTable = Result { try modelTable("extraction/word-classes.tsv") }
  public static let findingTable = Result { try modelTable("extraction/findings.tsv") }
  public static let labTable = Result { try modelTable("extraction/labs.tsv") }
  public static let alerts = Result { try AlertLexicon(table: alertTable.get(), classes: classTable.get()) }
  public static let groups = Result { try PreventionGroups(table: groupTable.get()) }
  public static let cues = Result { try PlanCues(table: cueTable.get()) }

  public static let analyzer = Result {
    Analyzer(
      lexicon: try AnalysisLexicon(
        stopWords: modelTable("lexicon/stop-words.tsv"), shorthand: modelTable("lexicon/shorthand.tsv"),
        spelling: modelTable("lexicon/spelling.tsv")))
  }
  public static let thesaurus = Result {
    try Thesaurus(
      table: modelTable("lexicon/thesaurus.tsv"), drugs: modelTable("formulary/drugs.tsv"),
      classes: modelTable("formulary/drug-classes.tsv"), analyzer: try analyzer.get())
  }
  public static let synonyms = Result {
    try Thesaurus(
      table: modelTable("briefing/question-synonyms.tsv", uniqueKey: "id"),
      irregular: modelTable("lexicon/irregular-forms.tsv", uniqueKey: "id"), analyzer: try analyzer.get())
  }
  public static let concepts = Result {
    try ConceptMap(
      concepts: modelTable("concepts/concepts.tsv"), relations: modelTable("concepts/relations.tsv", uniqueKey: "id"),
      words: modelTable("concepts/relation-words.tsv", uniqueKey: "relation"), analyzer: try analyzer.get())
  }

  package static func outline(_ note: ClinicalNote) throws -> NoteOutline {
    NoteOutline(note, sections: try sections.get(), splitter: try sentences.get())
  }
}
