public import Clinical
public import Extraction

/// The files of `Models/` that assessments work with, by their places.
public struct AssessmentTables: Sendable {
  public var concepts: DataTable
  public var knownWords: DataTable
  public var times: DataTable
  public var ownerAssertions: DataTable
  public var toxins: DataTable
  public var vitals: DataTable
  public var complexityPoints: DataTable
  public var complexityCues: DataTable
  public var durationPriors: DataTable
  public var durationMultipliers: DataTable
  public var visitTypes: DataTable
  public var specialties: DataTable
  /// What fitting writes; all nil where rules only are wanted.
  public var learned: LearnedTables?

  /// The tables of the learned part of triage.
  public struct LearnedTables: Sendable {
    public var exemplars: DataTable
    public var levelWeights: DataTable
    public var exemplarWeights: DataTable
    public var levelCalibration: DataTable
    public var ruleTrust: DataTable
    public var visitWeights: DataTable
  }

  /// Loads every table through `load`, which is given paths such as `triage/concepts.tsv`.
  ///
  /// - Parameters:
  ///   - isLearned: whether the fitted tables are loaded too; not while they are being fitted.
  ///   - load: reads a table.
  /// - Throws: what `load` throws.
  public init(learned isLearned: Bool = true, load: (String) throws -> DataTable) rethrows {
    concepts = try load("triage/concepts.tsv")
    knownWords = try load("triage/known-words.tsv")
    times = try load("triage/times.tsv")
    ownerAssertions = try load("triage/assertion-rules.tsv")
    toxins = try load("triage/toxins.tsv")
    vitals = try load("triage/vitals.tsv")
    complexityPoints = try load("complexity/points.tsv")
    complexityCues = try load("complexity/cues.tsv")
    durationPriors = try load("duration/priors.tsv")
    durationMultipliers = try load("duration/multipliers.tsv")
    visitTypes = try load("specialties/visit-types.tsv")
    specialties = try load("specialties/cues.tsv")
    if isLearned {
      learned = LearnedTables(
        exemplars: try load("triage/exemplars.tsv"), levelWeights: try load("triage/level-weights.tsv"),
        exemplarWeights: try load("triage/exemplar-weights.tsv"),
        levelCalibration: try load("triage/level-calibration.tsv"), ruleTrust: try load("triage/rule-trust.tsv"),
        visitWeights: try load("specialties/visit-weights.tsv"))
    }
  }
}

extension IntakeReader {
  /// - Parameters:
  ///   - tables: the files of `Models/`.
  ///   - classifier: the notes' classifier; its word classes serve the owners' rules too.
  ///   - vitals: the notes' reader of vital signs.
  /// - Throws: ``DataTableError`` naming the table and row that can't be understood.
  public init(tables: AssessmentTables, classifier: AssertionClassifier, vitals: VitalsReader) throws(DataTableError) {
    self.init(
      lexicon: try ConceptLexicon(table: tables.concepts, knownWords: tables.knownWords),
      quantities: try QuantityReader(times: tables.times),
      classifiers: [
        classifier,
        try AssertionClassifier(rules: tables.ownerAssertions, wordClasses: classifier.wordClasses),
      ], vitals: vitals)
  }
}

extension CaseAssessor {
  /// - Parameters:
  ///   - tables: the files of `Models/`.
  ///   - triageProtocol: read with the same reader's lexicon.
  ///   - reader: from the same tables.
  /// - Throws: ``DataTableError`` naming the table and row that can't be understood.
  public init(tables: AssessmentTables, triageProtocol: TriageProtocol, reader: IntakeReader) throws(DataTableError) {
    var visitTypes = try VisitTypeClassifier(cues: tables.visitTypes, lexicon: reader.lexicon)
    visitTypes.weights = try tables.learned.map { tables throws(DataTableError) in
      try LinearScores(table: tables.visitWeights)
    }
    self.init(
      triage: TriageEngine(
        protocol: triageProtocol, reader: reader,
        toxins: try ToxinTable(table: tables.toxins, knownWords: tables.knownWords),
        vitals: try VitalRanges(table: tables.vitals)),
      caseFacts: try CaseFactReader(cues: tables.complexityCues, lexicon: reader.lexicon),
      complexity: try ComplexityModel(points: tables.complexityPoints),
      duration: try DurationModel(priors: tables.durationPriors, multipliers: tables.durationMultipliers),
      visitTypes: visitTypes, specialties: try SpecialtyMatcher(cues: tables.specialties, lexicon: reader.lexicon),
      learned: try tables.learned.map { tables throws(DataTableError) in
        LearnedTriage(
          features: FeatureReader(lexicon: reader.lexicon), weights: try LinearScores(table: tables.levelWeights),
          calibration: try LevelCalibration(table: tables.levelCalibration),
          index: try ExemplarIndex(try Exemplar.all(in: tables.exemplars), weights: tables.exemplarWeights),
          trust: try RuleTrust(table: tables.ruleTrust))
      })
  }
}
