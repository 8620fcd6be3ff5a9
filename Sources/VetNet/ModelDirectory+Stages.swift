import Assessment
import Briefing
import Clinical
import Extraction
import Interchange
import TextAnalysis

// Which files make which stage. Each is read once, when it is first needed.

extension ModelDirectory {
  func analyzer() throws -> Analyzer {
    try stage("analyzer") {
      let shorthand = try table("lexicon/shorthand.tsv")
      let spelling = try table("lexicon/spelling.tsv")
      let stopWords = try table("lexicon/stop-words.tsv")
      return try usable { () throws(DataTableError) in
        Analyzer(lexicon: try AnalysisLexicon(stopWords: stopWords, shorthand: shorthand, spelling: spelling))
      }
    }
  }

  func thesaurus() throws -> Thesaurus {
    try stage("thesaurus") {
      let analyzer = try analyzer()
      let table = try table("lexicon/thesaurus.tsv")
      let drugs = try self.table("formulary/drugs.tsv")
      let classes = try self.table("formulary/drug-classes.tsv")
      return try usable { () throws(DataTableError) in
        try Thesaurus(table: table, drugs: drugs, classes: classes, analyzer: analyzer)
      }
    }
  }

  func sections() throws -> SectionSplitter {
    try stage("sections") {
      let table = try table("lexicon/sections.tsv")
      return try usable { () throws(DataTableError) in try SectionSplitter(headings: table) }
    }
  }

  func sentences() throws -> SentenceSplitter {
    try stage("sentences") {
      let table = try table("lexicon/sentence-abbreviations.tsv")
      return try usable { () throws(DataTableError) in try SentenceSplitter(abbreviations: table) }
    }
  }

  func chunker() throws -> Chunker {
    try stage("chunker") { Chunker(sections: try sections(), sentences: try sentences()) }
  }

  func importVocabulary() throws -> ImportVocabulary {
    try stage("import vocabulary") {
      let headers = try table("import/header-aliases.tsv")
      let values = try table("import/value-aliases.tsv")
      return try usable { () throws(DataTableError) in try ImportVocabulary(headers: headers, values: values) }
    }
  }
}
