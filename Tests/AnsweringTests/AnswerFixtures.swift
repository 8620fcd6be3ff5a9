import Answering
import Assessment
import Chart
import Clinical
import Extraction
import Formulary
import RecordTestSupport
import TextAnalysis
import VetNetTestSupport

/// The shipped tables of answering, read once for all tests.
enum AnswerFixtures {
  static let analyzer = Fixtures.analyzer
  static let classes = Result { try QuestionClasses(table: modelTable("answering/word-classes.tsv")) }
  static let lexicon = Result {
    try QuestionLexicon(
      words: modelTable("briefing/question-words.tsv", uniqueKey: "id"),
      topics: modelTable("briefing/question-topics.tsv", uniqueKey: "id"),
      tests: TestWords(table: modelTable("briefing/test-words.tsv", uniqueKey: "id")), classes: classes.get())
  }
  static let parser = Result {
    QuestionParser(
      lexicon: try lexicon.get(), analyzer: try analyzer.get(), thesaurus: try Fixtures.thesaurus.get(),
      synonyms: try Fixtures.synonyms.get(), concepts: try Fixtures.concepts.get())
  }
  static let signs = Result {
    try SignReader(
      table: modelTable("briefing/answer-cues.tsv", uniqueKey: "id"),
      values: modelTable("briefing/answer-values.tsv", uniqueKey: "id"),
      classes: modelTable("extraction/word-classes.tsv"), closed: classes.get())
  }
  static let model = Result {
    var model = try AnswerModel(table: modelTable("briefing/answer-weights.tsv"))
    model.translation = try TranslationModel(table: modelTable("briefing/answer-translations.tsv"))
    model.replies = try ReplyModel(table: modelTable("briefing/answer-replies.tsv"))
    return model
  }
  static let opposites = Result {
    StateOpposites(
      table: try modelTable("briefing/question-opposites.tsv", uniqueKey: "id"),
      classes: try modelTable("extraction/word-classes.tsv"))
  }
  static let anaesthesia = Result {
    try AnaesthesiaWords(table: modelTable("briefing/anaesthesia-words.tsv", uniqueKey: "id"))
  }
  static let attributeRows = Result { try modelTable("briefing/attributes.tsv", uniqueKey: "id") }
  static let attributes = Result {
    try AttributeTable(table: attributeRows.get(), classes: modelTable("extraction/word-classes.tsv"))
  }
  static let tolerance = Result {
    try ToleranceKnowledge(
      words: modelTable("briefing/tolerance-words.tsv", uniqueKey: "id"),
      names: TreatmentNames(
        treatments: modelTable("extraction/treatments.tsv"), drugClasses: modelTable("formulary/drug-classes.tsv"),
        drugs: modelTable("formulary/drugs.tsv"), classifier: Fixtures.extractors.get().classifier),
      formulary: Formulary(tables: Formulary.Tables { try modelTable($0) }))
  }
  static let vitals = Result { try VitalRanges(table: modelTable("triage/vitals.tsv", uniqueKey: "id")) }
  static let answerer = Result {
    Answerer(
      parser: try parser.get(), analyzer: try analyzer.get(), sections: try Fixtures.sections.get(),
      sentences: try Fixtures.sentences.get(), classifier: try Fixtures.extractors.get().classifier,
      signs: try signs.get(),
      tables: AnswerTables(
        words: AnswerWords(
          opposites: try opposites.get(), attributes: try attributes.get(), alerts: try Fixtures.alerts.get(),
          anaesthesia: try anaesthesia.get(), tolerance: try tolerance.get(),
          frequencies: FrequencyWords(table: try modelTable("extraction/fact-context.tsv"))),
        prevention: try Fixtures.groups.get(), vitals: try vitals.get()),
      model: try model.get())
  }

  /// An answer about a dog of the given notes, with the facts that they are read for.
  static func ask(_ question: String, _ notes: [ClinicalNote], species: Species = .dog) throws -> Answer {
    let reader = try Fixtures.extractors.get().facts
    var facts: [String: [Fact]] = [:]
    for note in notes { facts[note.id] = reader.facts(in: note.text, kind: note.kind) }
    let patient = Patient(id: "P1", name: "Fern", species: species)
    return try answerer.get().answer(
      question, about: PatientRecord(patient: patient, notes: notes, facts: facts), askedAt: noon("2026-11-20"),
      zone: .utc)
  }

  static func parse(_ text: String, names: [String] = []) throws -> Question {
    try parser.get().parse(text, names: names, askedAt: noon("2026-11-20"), zone: .utc)
  }
}
