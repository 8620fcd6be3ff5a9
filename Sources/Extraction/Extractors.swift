public import Clinical

/// The tables that extraction works with, by their places in `Models/`.
public struct ExtractionTables: Sendable {
  public var wordClasses: DataTable
  public var assertionRules: DataTable
  public var breeds: DataTable
  public var words: FactTables
  public var reading: ReadingTables

  /// Loads every table through `load`, which is given paths such as `extraction/labs.tsv`.
  ///
  /// - Throws: what `load` throws.
  public init(load: (String) throws -> DataTable) rethrows {
    wordClasses = try load("extraction/word-classes.tsv")
    assertionRules = try load("extraction/assertion-rules.tsv")
    breeds = try load("clinical/breeds.tsv")
    words = try FactTables(load: load)
    reading = try ReadingTables(load: load)
  }
}

/// The tables that ``FactWords`` are made of.
public struct FactTables: Sendable {
  public var findings: DataTable
  public var ambiguous: DataTable
  public var drugs: DataTable
  public var drugClasses: DataTable
  public var treatments: DataTable
  public var reactionWeights: DataTable

  /// Loads every table through `load`, as ``ExtractionTables/init(load:)`` does.
  ///
  /// - Throws: what `load` throws.
  public init(load: (String) throws -> DataTable) rethrows {
    findings = try load("extraction/findings.tsv")
    ambiguous = try load("extraction/ambiguous.tsv")
    drugs = try load("formulary/drugs.tsv")
    drugClasses = try load("formulary/drug-classes.tsv")
    treatments = try load("extraction/treatments.tsv")
    reactionWeights = try load("extraction/reaction-weights.tsv")
  }
}

/// The tables that facts are read by beside the assertion rules and ``FactWords``, which are worked out beforehand: small ones.
public struct ReadingTables: Sendable {
  public var units: DataTable
  public var vitals: DataTable
  public var labs: DataTable
  public var factContext: DataTable
  public var prevention: DataTable
  public var events: DataTable

  /// Loads every table through `load`, as ``ExtractionTables/init(load:)`` does.
  ///
  /// - Throws: what `load` throws.
  public init(load: (String) throws -> DataTable) rethrows {
    units = try load("extraction/units.tsv")
    vitals = try load("extraction/vitals.tsv")
    labs = try load("extraction/labs.tsv")
    factContext = try load("extraction/fact-context.tsv")
    prevention = try load("extraction/prevention.tsv")
    events = try load("extraction/events.tsv")
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
    let classes = try WordClasses(table: tables.wordClasses, drugs: tables.words.drugs, breeds: tables.breeds)
    let classifier = try AssertionClassifier(rules: tables.assertionRules, wordClasses: classes)
    try self.init(
      tables: tables.reading, classifier: classifier, words: try FactWords(tables: tables.words, classifier: classifier)
    )
  }

  /// - Parameters:
  ///   - tables: the small ones.
  ///   - classifier: of the same folder's tables.
  ///   - words: of the same folder's tables.
  /// - Throws: ``DataTableError`` naming the table and row that can't be understood.
  package init(
    tables: ReadingTables, classifier: AssertionClassifier, words: FactWords
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
  package init(tables: FactTables, classifier: AssertionClassifier) throws(DataTableError) {
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
