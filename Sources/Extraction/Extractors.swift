public import Clinical

/// The tables that extraction works with, by their places in `Models/`.
public struct ExtractionTables: Sendable {
  public var wordClasses: DataTable
  public var assertionRules: DataTable
  public var findings: DataTable
  public var ambiguous: DataTable
  public var units: DataTable
  public var vitals: DataTable
  public var labs: DataTable
  public var factContext: DataTable
  public var prevention: DataTable
  public var events: DataTable
  public var drugs: DataTable
  public var drugClasses: DataTable
  public var breeds: DataTable
  public var treatments: DataTable
  public var reactionWeights: DataTable

  /// Loads every table through `load`, which is given paths such as `extraction/labs.tsv`.
  ///
  /// - Throws: what `load` throws.
  public init(load: (String) throws -> DataTable) rethrows {
    wordClasses = try load("extraction/word-classes.tsv")
    assertionRules = try load("extraction/assertion-rules.tsv")
    findings = try load("extraction/findings.tsv")
    ambiguous = try load("extraction/ambiguous.tsv")
    units = try load("extraction/units.tsv")
    vitals = try load("extraction/vitals.tsv")
    labs = try load("extraction/labs.tsv")
    factContext = try load("extraction/fact-context.tsv")
    prevention = try load("extraction/prevention.tsv")
    events = try load("extraction/events.tsv")
    drugs = try load("formulary/drugs.tsv")
    drugClasses = try load("formulary/drug-classes.tsv")
    breeds = try load("clinical/breeds.tsv")
    treatments = try load("extraction/treatments.tsv")
    reactionWeights = try load("extraction/reaction-weights.tsv")
  }

  /// The versions of all tables, from their heads.
  public var version: String {
    [
      wordClasses, assertionRules, findings, ambiguous, units, vitals, labs, factContext, prevention, events, drugs,
      treatments, reactionWeights, breeds,
    ].map { $0.metadata["version"] ?? "0" }.joined(separator: ".")
  }
}

/// Everything of this target, built once from its tables.
public struct Extractors: Sendable {
  public let classifier: AssertionClassifier
  public let quantities: QuantityParser
  public let vitals: VitalsReader
  public let findings: FindingExtractor
  public let facts: FactExtractor

  /// - Throws: ``DataTableError`` naming the table and row that can't be understood.
  public init(tables: ExtractionTables) throws(DataTableError) {
    let classes = try WordClasses(table: tables.wordClasses, drugs: tables.drugs, breeds: tables.breeds)
    let classifier = try AssertionClassifier(rules: tables.assertionRules, wordClasses: classes)
    try self.init(
      tables: tables, classifier: classifier, words: try FactWords(tables: tables, classifier: classifier))
  }

  /// - Parameters:
  ///   - tables: all of them.
  ///   - classifier: of the same tables.
  ///   - words: of the same tables.
  /// - Throws: ``DataTableError`` naming the table and row that can't be understood.
  package init(
    tables: ExtractionTables, classifier: AssertionClassifier, words: FactWords
  ) throws(DataTableError) {
    let classes = classifier.wordClasses
    self.classifier = classifier
    quantities = QuantityParser(units: try UnitTable(table: tables.units), wordClasses: classes)
    vitals = try VitalsReader(table: tables.vitals, parser: quantities, wordClasses: classes)
    findings = words.findings
    facts = try FactExtractor(tables: tables, words: words, vitals: vitals, parser: quantities)
  }
}

/// What of facts is found by the most words: findings, drugs and what was not tolerated.
package struct FactWords: Sendable {
  let findings: FindingExtractor
  let drugs: DrugLexicon
  let reactions: ReactionReader

  /// - Parameters:
  ///   - tables: what they are read from.
  ///   - classifier: judges what a text says of each finding.
  /// - Throws: ``DataTableError`` naming the table and row that can't be understood.
  package init(tables: ExtractionTables, classifier: AssertionClassifier) throws(DataTableError) {
    findings = try FindingExtractor(table: tables.findings, classifier: classifier, ambiguous: tables.ambiguous)
    drugs = try DrugLexicon(table: tables.drugs)
    reactions = try ReactionReader(
      treatments: tables.treatments, classes: tables.drugClasses, weights: tables.reactionWeights)
  }

  package func pack(into packer: inout Packer) {
    findings.pack(into: &packer)
    drugs.pack(into: &packer)
    reactions.lexicon.pack(into: &packer)
    reactions.model.pack(into: &packer)
  }

  /// With the classifier whose word classes the findings were made with, and `ambiguous.tsv`.
  package init(
    from unpacker: inout Unpacker, classifier: AssertionClassifier, ambiguous: DataTable
  ) throws(PackingError) {
    guard let ambiguous = try? AmbiguousForms(table: ambiguous) else { throw PackingError() }
    findings = try FindingExtractor(from: &unpacker, classifier: classifier, ambiguous: ambiguous)
    drugs = try DrugLexicon(from: &unpacker)
    reactions = ReactionReader(
      lexicon: try TreatmentLexicon(from: &unpacker), model: try ReactionModel(from: &unpacker))
  }
}
