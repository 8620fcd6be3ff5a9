package import Answering
import Assessment
import Briefing
import Chart
import Clinical
import Cohorts
package import Extraction
import Interchange
import Scheduling
import Store
package import TextAnalysis

// Which files make which stage. Each is read once, when it is first needed.

extension ModelDirectory {
  package func analyzer() throws -> Analyzer { try stage("analyzer", files.analyzer) }

  func thesaurus() throws -> Thesaurus {
    try stage("thesaurus") { try files.thesaurus(analyzer: try analyzer()) }
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

  /// Everything that reads findings and facts.
  package func extractors() throws -> Extractors {
    try stage("extractors") { try files.extractors(classifier: try assertionClassifier()) }
  }

  /// The assertion rules alone: all that a question needs, since the facts are in the file already.
  func assertionClassifier() throws -> AssertionClassifier {
    try stage("assertion classifier", files.assertionClassifier)
  }

  /// Reads case descriptions for ``SearchTerms``.
  func caseSigns() throws -> CaseSigns {
    try stage("case signs") {
      let classifier = try assertionClassifier()
      let units = try table("extraction/units.tsv")
      return try usable { () throws(DataTableError) in
        CaseSigns(
          classifier: classifier,
          parser: QuantityParser(units: try UnitTable(table: units), wordClasses: classifier.wordClasses))
      }
    }
  }

  /// Names the rules and word lists that facts are read with, by what is in them, and the code that reads them.
  func extractionVersion() throws -> String {
    try stage("extraction version") {
      var canonical = CanonicalBytes()
      for file in [
        "word-classes", "assertion-rules", "findings", "units", "vitals", "labs", "fact-context", "prevention",
        "events", "treatments", "reaction-weights",
      ] {
        canonical.append(try text("extraction/\(file).tsv"))
      }
      canonical.append("reader \(FactExtractor.codeVersion)")
      canonical.append(try text("lexicon/names.tsv"))
      canonical.append(try text(PhraseNotation.verbFile))
      canonical.append(try text("formulary/drugs.tsv"))
      canonical.append(try text("formulary/drug-classes.tsv"))
      return "facts-\(ContentHash(of: canonical).hexadecimal.prefix(8))"
    }
  }

  func importVocabulary() throws -> ImportVocabulary {
    try stage("import vocabulary") {
      let headers = try table("import/header-aliases.tsv")
      let values = try table("import/value-aliases.tsv")
      return try usable { () throws(DataTableError) in try ImportVocabulary(headers: headers, values: values) }
    }
  }

  func guessTables() throws -> GuessTables {
    try stage("guess tables") {
      let words = try table("import/heading-words.tsv")
      let fields = try table("import/guess-fields.tsv")
      let values = try table("import/guess-values.tsv")
      let vocabulary = try importVocabulary()
      return try usable { () throws(DataTableError) in
        try GuessTables(words: words, fields: fields, values: values, vocabulary: vocabulary)
      }
    }
  }

  func letterWords() throws -> LetterWords {
    try stage("letter words") {
      let table = try table("import/letter-words.tsv")
      return try usable { () throws(DataTableError) in try LetterWords(table) }
    }
  }

  func plausibility() throws -> Plausibility {
    try stage("plausibility") {
      let table = try table("clinical/plausible-values.tsv", uniqueKey: "id")
      return try usable { () throws(DataTableError) in try Plausibility(table: table) }
    }
  }

  /// Names the way in which text is cut: sections, sentences and the chunker's measures.
  func chunkingVersion() throws -> String {
    try stage("chunking version") {
      let configuration = try chunker().configuration
      let tables = try text("lexicon/sections.tsv") + text("lexicon/sentence-abbreviations.tsv")
      let checksum = ContentHash(of: Array(tables.utf8)).hexadecimal.prefix(8)
      return
        "chunks-\(configuration.targetWords)-\(configuration.maximumWords)-\(configuration.minimumWords)-\(configuration.overlapSentences)-\(checksum)"
    }
  }

  package func answerer() throws -> Answerer {
    try stage("answerer") {
      // In the opposite order of ``beginAnswering()``, so that two cores meet in the middle.
      let model = try answerModel()
      let words = try stage("answer words") {
        try files.answerWords(classifier: try assertionClassifier(), formulary: try formulary())
      }
      let classifier = try assertionClassifier()
      let signs = try stage("sentence signs") { try files.signReader(classes: try questionClasses()) }
      let (sections, sentences) = (try sections(), try sentences())
      let parser = try questionParser()
      return Answerer(
        parser: parser, analyzer: try analyzer(), sections: sections, sentences: sentences, classifier: classifier,
        signs: signs,
        tables: AnswerTables(words: words, prevention: try preventionGroups(), vitals: try vitalRanges()),
        model: model)
    }
  }

  private func answerModel() throws -> AnswerModel {
    var model = try stage("answer weights", files.answerWeights)
    model.translation = try stage("translations", files.translations)
    model.replies = try stage("replies", files.replies)
    return model
  }

  private func vitalRanges() throws -> VitalRanges {
    let rows = try table("triage/vitals.tsv", uniqueKey: "id")
    return try usable { () throws(DataTableError) in try VitalRanges(table: rows) }
  }

  func preventionGroups() throws -> PreventionGroups {
    try stage("prevention groups") {
      let groups = try table("briefing/prevention-groups.tsv", uniqueKey: "id")
      return try usable { () throws(DataTableError) in try PreventionGroups(table: groups) }
    }
  }

  /// What tells questions for lists of patients from others.
  func registerFrames() throws -> RegisterFrameReader {
    try stage("register frames") {
      let words = try table("briefing/register-words.tsv", uniqueKey: "id")
      let parser = try questionParser()
      return try usable { () throws(DataTableError) in
        RegisterFrameReader(parser: parser, words: try RegisterWords(table: words))
      }
    }
  }

  /// What lists patients by their facts. Questions are read as notes are, which takes all extraction tables.
  func register() throws -> Register {
    try stage("register") {
      let reader = RegisterReader(
        analyzer: try analyzer(), extractor: try extractors().facts, groups: try preventionGroups())
      let lexicon = try briefLexicon()
      return Register(
        reader: reader, alerts: lexicon.alerts, plans: lexicon.plans, sections: try sections(),
        sentences: try sentences())
    }
  }

  /// The closed classes of words that questions are read by.
  func questionClasses() throws -> QuestionClasses { try stage("question classes", files.questionClasses) }

  private func questionParser() throws -> QuestionParser {
    try stage("question parser") {
      let classes = try questionClasses()
      let lexicon = try stage("question words") { try files.questionLexicon(classes: classes) }
      let analyzer = try analyzer()
      let synonyms = try stage("question synonyms") { try files.synonyms(analyzer: analyzer) }
      let concepts = try stage("concepts") { try files.concepts(analyzer: analyzer) }
      return QuestionParser(
        lexicon: lexicon, analyzer: analyzer, thesaurus: try thesaurus(), synonyms: synonyms, concepts: concepts)
    }
  }

  /// Has another core begin with what every search needs: what words mean, and what is asserted of them.
  public func beginSearching() {
    let analyzer = begin("analyzer", files.analyzer)
    begin("thesaurus") { [files] in try files.thesaurus(analyzer: try analyzer.value()) }
  }

  /// Has another core begin with what an answer needs, while this one opens the practice file and reads the record.
  ///
  /// - Parameter aboutAll: whether no patient is named beside the question, so that a list of patients may be asked for.
  public func beginAnswering(aboutAll: Bool = false) {
    // What a question is looked at first by.
    begin("language guess", files.languageGuess)
    let analyzer = begin("analyzer", files.analyzer)
    let thesaurus = begin("thesaurus") { [files] in try files.thesaurus(analyzer: try analyzer.value()) }
    let classes = begin("question classes", files.questionClasses)
    let lexicon = begin("question words") { [files] in try files.questionLexicon(classes: try classes.value()) }
    let synonyms = begin("question synonyms") { [files] in try files.synonyms(analyzer: try analyzer.value()) }
    let concepts = begin("concepts") { [files] in try files.concepts(analyzer: try analyzer.value()) }
    begin("question parser") {
      // The thesaurus, which takes longest, was begun first.
      let (lexicon, analyzer, synonyms) = (try lexicon.value(), try analyzer.value(), try synonyms.value())
      return QuestionParser(
        lexicon: lexicon, analyzer: analyzer, thesaurus: try thesaurus.value(), synonyms: synonyms,
        concepts: try concepts.value())
    }
    begin("sentence signs") { [files] in try files.signReader(classes: try classes.value()) }
    let classifier = begin("assertion classifier", files.assertionClassifier)
    let formulary = begin("formulary", files.formulary)
    begin("answer words") { [files] in
      try files.answerWords(classifier: try classifier.value(), formulary: try formulary.value())
    }
    begin("replies", files.replies)
    begin("translations", files.translations)
    begin("answer weights", files.answerWeights)
    guard aboutAll else { return }
    begin("extractors") { [files] in try files.extractors(classifier: try classifier.value()) }
    begin("brief lexicon", files.briefLexicon)
  }

  private func briefLexicon() throws -> BriefLexicon { try stage("brief lexicon", files.briefLexicon) }

  func briefBuilder() throws -> BriefBuilder {
    try stage("brief builder") {
      BriefBuilder(
        sections: try sections(), sentences: try sentences(), classifier: try assertionClassifier(),
        lexicon: try briefLexicon(), knowledge: try briefKnowledge())
    }
  }

  func encounterReader() throws -> EncounterReader {
    try stage("encounter reader") {
      EncounterReader(builder: try briefBuilder(), quantities: try extractors().quantities, vitals: try vitalRanges())
    }
  }

  func ownerSummaries() throws -> OwnerSummaryBuilder {
    try stage("owner summaries") {
      let words = try table("lexicon/owner-words.tsv", uniqueKey: "id")
      let findings = try table("extraction/findings.tsv")
      return try usable { () throws(DataTableError) in
        OwnerSummaryBuilder(words: try OwnerWords(table: words, findings: findings))
      }
    }
  }

  func schedulingRules() throws -> SchedulingRules {
    try stage("scheduling rules") {
      let weights = try table("scheduling/weights.tsv")
      let parameters = try table("scheduling/parameters.tsv")
      let visits = try table("scheduling/visit-resources.tsv")
      let species = try table("scheduling/species-skills.tsv")
      return try usable { () throws(DataTableError) in
        try SchedulingRules(weights: weights, parameters: parameters, visitResources: visits, speciesSkills: species)
      }
    }
  }
}
