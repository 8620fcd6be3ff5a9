import Answering
import Briefing
import Chart
import Clinical
import Extraction
import Formulary
import TextAnalysis

/// The stages that a question waits for; any core may build them. They come as they were compiled, where that is possible.
extension ModelFiles {
  func analyzer() throws -> Analyzer { Analyzer(lexicon: try value(of: lexiconStage)) }

  func thesaurus(analyzer: Analyzer) throws -> Thesaurus { try value(of: thesaurusStage(analyzer)) }

  /// The table for questions.
  func synonyms(analyzer: Analyzer) throws -> Thesaurus { try value(of: synonymStage(analyzer)) }

  /// What things are called and how they are related.
  func concepts(analyzer: Analyzer) throws -> ConceptMap { try value(of: conceptStage(analyzer)) }

  func assertionClassifier() throws -> AssertionClassifier { try value(of: classifierStage) }

  func questionClasses() throws -> QuestionClasses { try value(of: questionClassStage) }

  func questionLexicon(classes: QuestionClasses) throws -> QuestionLexicon { try value(of: questionStage(classes)) }

  func signReader(classes: QuestionClasses) throws -> SignReader { try value(of: signStage(classes)) }

  /// Without what it has besides weights.
  func answerWeights() throws -> AnswerModel {
    let weights = try table("briefing/answer-weights.tsv")
    return try usable { () throws(DataTableError) in try AnswerModel(table: weights) }
  }

  func translations() throws -> TranslationModel { try value(of: translationStage) }
  func replies() throws -> ReplyModel { try value(of: replyStage) }

  /// Everything that reads findings and facts.
  func extractors(classifier: AssertionClassifier) throws -> Extractors {
    let words = try value(of: factStage(classifier))
    let tables = try ReadingTables { try table($0) }
    return try usable { () throws(DataTableError) in
      try Extractors(tables: tables, classifier: classifier, words: words)
    }
  }

  func briefLexicon() throws -> BriefLexicon {
    let alerts = try table("briefing/alerts.tsv", uniqueKey: "id")
    let groups = try table("briefing/prevention-groups.tsv", uniqueKey: "id")
    let cues = try table("briefing/plan-cues.tsv", uniqueKey: "id")
    let opposites = try table("briefing/question-opposites.tsv", uniqueKey: "id")
    let classes = try table("extraction/word-classes.tsv")
    return try usable { () throws(DataTableError) in
      try BriefLexicon(
        alerts: alerts, preventionGroups: groups, planCues: cues, opposites: opposites, classes: classes)
    }
  }

  func formulary() throws -> Formulary { try value(of: formularyStage) }

  func answerWords(classifier: AssertionClassifier, formulary: Formulary) throws -> AnswerWords {
    try value(of: answerStage(classifier, formulary))
  }

  /// All stages that can be compiled.
  ///
  /// - Throws: ``PracticeError`` naming the file and row of a table that can't be used.
  func stages() throws -> [any PackedStage] {
    let analyzer = Analyzer(lexicon: try lexiconStage.make())
    let (classifier, formulary) = (try classifierStage.make(), try formularyStage.make())
    let classes = try questionClassStage.make()
    return [
      lexiconStage, thesaurusStage(analyzer), synonymStage(analyzer), conceptStage(analyzer), classifierStage,
      factStage(classifier), questionClassStage, questionStage(classes), signStage(classes), translationStage,
      replyStage, formularyStage,
      answerStage(classifier, formulary),
    ]
  }

  // MARK: - What each is made of

  private static let lexiconSources = ["lexicon/shorthand.tsv", "lexicon/spelling.tsv", "lexicon/stop-words.tsv"]
  private static let classifierSources = [
    "extraction/word-classes.tsv", "extraction/assertion-rules.tsv", "formulary/drugs.tsv", "clinical/breeds.tsv",
  ]
  private static let formularySources = [
    "formulary/drugs.tsv", "formulary/drug-classes.tsv", "formulary/interactions.tsv",
    "formulary/species-cautions.tsv", "formulary/disease-cautions.tsv", "formulary/cross-reactions.tsv",
    "formulary/monitoring.tsv",
  ]

  private var lexiconStage: CompiledStage<AnalysisLexicon> {
    CompiledStage("lexicon", of: Self.lexiconSources) {
      let shorthand = try table("lexicon/shorthand.tsv")
      let spelling = try table("lexicon/spelling.tsv")
      let stopWords = try table("lexicon/stop-words.tsv")
      return try usable { () throws(DataTableError) in
        try AnalysisLexicon(stopWords: stopWords, shorthand: shorthand, spelling: spelling)
      }
    }
  }

  private func thesaurusStage(_ analyzer: Analyzer) -> CompiledStage<Thesaurus> {
    thesaurusStage(
      "thesaurus", of: ["lexicon/thesaurus.tsv", "formulary/drugs.tsv", "formulary/drug-classes.tsv"], analyzer
    ) {
      let table = try table("lexicon/thesaurus.tsv")
      let drugs = try self.table("formulary/drugs.tsv")
      let classes = try self.table("formulary/drug-classes.tsv")
      return try usable { () throws(DataTableError) in
        try Thesaurus(table: table, drugs: drugs, classes: classes, analyzer: analyzer)
      }
    }
  }

  private func synonymStage(_ analyzer: Analyzer) -> CompiledStage<Thesaurus> {
    thesaurusStage("synonyms", of: ["briefing/question-synonyms.tsv", "lexicon/irregular-forms.tsv"], analyzer) {
      let table = try table("briefing/question-synonyms.tsv", uniqueKey: "id")
      let irregular = try self.table("lexicon/irregular-forms.tsv", uniqueKey: "id")
      return try usable { () throws(DataTableError) in
        try Thesaurus(table: table, irregular: irregular, analyzer: analyzer)
      }
    }
  }

  private func thesaurusStage(
    _ name: String, of sources: [String], _ analyzer: Analyzer, make: @escaping () throws -> Thesaurus
  ) -> CompiledStage<Thesaurus> {
    CompiledStage(
      name: name, sources: Self.lexiconSources + sources, make: make, pack: { $0.pack(into: &$1) },
      unpack: { unpacker throws(PackingError) in try Thesaurus(from: &unpacker, analyzer: analyzer) })
  }

  private func conceptStage(_ analyzer: Analyzer) -> CompiledStage<ConceptMap> {
    CompiledStage(
      name: "concepts",
      sources: Self.lexiconSources + [
        "concepts/concepts.tsv", "concepts/relations.tsv", "concepts/relation-words.tsv",
      ],
      make: {
        let concepts = try table("concepts/concepts.tsv")
        let relations = try table("concepts/relations.tsv", uniqueKey: "id")
        let words = try table("concepts/relation-words.tsv", uniqueKey: "relation")
        return try usable { () throws(DataTableError) in
          try ConceptMap(concepts: concepts, relations: relations, words: words, analyzer: analyzer)
        }
      }, pack: { $0.pack(into: &$1) },
      unpack: { unpacker throws(PackingError) in try ConceptMap(from: &unpacker, analyzer: analyzer) })
  }

  private var classifierStage: CompiledStage<AssertionClassifier> {
    CompiledStage("assertions", of: Self.classifierSources) {
      let classes = try table("extraction/word-classes.tsv")
      let rules = try table("extraction/assertion-rules.tsv")
      let drugs = try table("formulary/drugs.tsv")
      let breeds = try table("clinical/breeds.tsv")
      return try usable { () throws(DataTableError) in
        try AssertionClassifier(
          rules: rules, wordClasses: try WordClasses(table: classes, drugs: drugs, breeds: breeds))
      }
    }
  }

  private func factStage(_ classifier: AssertionClassifier) -> CompiledStage<FactWords> {
    CompiledStage(
      name: "facts",
      sources: Self.classifierSources + [
        "extraction/findings.tsv", "extraction/ambiguous.tsv", "extraction/treatments.tsv",
        "extraction/reaction-weights.tsv", "formulary/drug-classes.tsv",
      ],
      make: {
        let tables = try FactTables { try table($0) }
        return try usable { () throws(DataTableError) in try FactWords(tables: tables, classifier: classifier) }
      },
      pack: { $0.pack(into: &$1) },
      unpack: { unpacker throws(PackingError) in
        guard let ambiguous = try? table("extraction/ambiguous.tsv") else { throw PackingError() }
        return try FactWords(from: &unpacker, classifier: classifier, ambiguous: ambiguous)
      })
  }

  private var questionClassStage: CompiledStage<QuestionClasses> {
    CompiledStage("question classes", of: ["answering/word-classes.tsv"]) {
      let table = try table("answering/word-classes.tsv")
      return try usable { () throws(DataTableError) in try QuestionClasses(table: table) }
    }
  }

  private func questionStage(_ classes: QuestionClasses) -> CompiledStage<QuestionLexicon> {
    CompiledStage(
      name: "questions",
      sources: ["briefing/question-words.tsv", "briefing/question-topics.tsv", "briefing/test-words.tsv"],
      make: {
        let words = try table("briefing/question-words.tsv", uniqueKey: "id")
        let topics = try table("briefing/question-topics.tsv", uniqueKey: "id")
        let tests = TestWords(table: try table("briefing/test-words.tsv", uniqueKey: "id"))
        return try usable { () throws(DataTableError) in
          try QuestionLexicon(words: words, topics: topics, tests: tests, classes: classes)
        }
      }, pack: { $0.pack(into: &$1) },
      unpack: { unpacker throws(PackingError) in try QuestionLexicon(from: &unpacker, classes: classes) })
  }

  private func signStage(_ classes: QuestionClasses) -> CompiledStage<SignReader> {
    CompiledStage(
      name: "signs",
      sources: ["briefing/answer-cues.tsv", "briefing/answer-values.tsv", "extraction/word-classes.tsv"],
      make: {
        let cues = try table("briefing/answer-cues.tsv", uniqueKey: "id")
        let values = try table("briefing/answer-values.tsv", uniqueKey: "id")
        let slots = try table("extraction/word-classes.tsv")
        return try usable { () throws(DataTableError) in
          try SignReader(table: cues, values: values, classes: slots, closed: classes)
        }
      }, pack: { $0.pack(into: &$1) },
      unpack: { unpacker throws(PackingError) in try SignReader(from: &unpacker, closed: classes) })
  }

  private var translationStage: CompiledStage<TranslationModel> {
    CompiledStage("translations", of: ["briefing/answer-translations.tsv"]) {
      let table = try table("briefing/answer-translations.tsv", required: ["word", "rarity", "met", "terms"])
      return try usable { () throws(DataTableError) in try TranslationModel(table: table) }
    }
  }

  private var replyStage: CompiledStage<ReplyModel> {
    CompiledStage("replies", of: ["briefing/answer-replies.tsv"]) {
      let table = try table("briefing/answer-replies.tsv", required: ["bias", "scale", "weights"])
      return try usable { () throws(DataTableError) in try ReplyModel(table: table) }
    }
  }

  private var formularyStage: CompiledStage<Formulary> {
    CompiledStage("formulary", of: Self.formularySources) {
      let tables = try Formulary.Tables { try table($0) }
      return try usable { () throws(DataTableError) in try Formulary(tables: tables) }
    }
  }

  private func answerStage(
    _ classifier: AssertionClassifier, _ formulary: Formulary
  ) -> CompiledStage<AnswerWords> {
    CompiledStage(
      name: "answers",
      sources: Self.classifierSources + [
        "briefing/question-opposites.tsv", "briefing/attributes.tsv", "briefing/alerts.tsv",
        "briefing/anaesthesia-words.tsv", "briefing/tolerance-words.tsv", "extraction/treatments.tsv",
        "formulary/drug-classes.tsv", "extraction/fact-context.tsv",
      ],
      make: { try makeAnswerWords(classifier, formulary) }, pack: { $0.pack(into: &$1) },
      unpack: { unpacker throws(PackingError) in
        try AnswerWords(from: &unpacker, classifier: classifier, formulary: formulary)
      })
  }

  private func makeAnswerWords(_ classifier: AssertionClassifier, _ formulary: Formulary) throws -> AnswerWords {
    let classes = try table("extraction/word-classes.tsv")
    let opposites = StateOpposites(
      table: try table("briefing/question-opposites.tsv", uniqueKey: "id"), classes: classes)
    let states = try table("briefing/attributes.tsv", uniqueKey: "id")
    let alerts = try table("briefing/alerts.tsv", uniqueKey: "id")
    let anaesthesia = try table("briefing/anaesthesia-words.tsv", uniqueKey: "id")
    let words = try table("briefing/tolerance-words.tsv", uniqueKey: "id")
    let treatments = try table("extraction/treatments.tsv")
    let (drugClasses, drugs) = (try table("formulary/drug-classes.tsv"), try table("formulary/drugs.tsv"))
    let frequencies = FrequencyWords(table: try table("extraction/fact-context.tsv"))
    return try usable { () throws(DataTableError) in
      let names = try TreatmentNames(
        treatments: treatments, drugClasses: drugClasses, drugs: drugs, classifier: classifier)
      return AnswerWords(
        opposites: opposites, attributes: try AttributeTable(table: states, classes: classes),
        alerts: try AlertLexicon(table: alerts, classes: classes),
        anaesthesia: try AnaesthesiaWords(table: anaesthesia),
        tolerance: try ToleranceKnowledge(words: words, names: names, formulary: formulary), frequencies: frequencies)
    }
  }
}
