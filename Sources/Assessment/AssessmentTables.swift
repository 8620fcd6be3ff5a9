public import Clinical
public import Extraction

/// The files of `Models/` that assessments work with, by their places.
public struct AssessmentTables: Sendable {
  public var concepts: DataTable
  public var knownWords: DataTable
  public var times: DataTable
  public var pastEvidence: DataTable
  public var downgrades: DataTable
  public var ownerAssertions: DataTable
  public var toxins: DataTable
  public var bodyWeights: DataTable
  public var breeds: DataTable
  public var vitals: DataTable
  let plausibility: DataTable
  public var complexityPoints: DataTable
  public var complexityCues: DataTable
  public var durationPriors: DataTable
  public var durationMultipliers: DataTable
  public var visitTypes: DataTable
  public var specialties: DataTable
  public var guidedQuestions: DataTable
  /// What fitting writes; nil where rules only are wanted.
  public var learned: LearnedTables?

  /// What fitting wrote, and what it was fitted to.
  public struct LearnedTables: Sendable {
    /// The exemplars with their texts, where they are installed: a clone has them, an installation has not.
    public var exemplars: DataTable?
    public var levelCalibration: DataTable
    public var ruleTrust: DataTable
    public var model: CaseModel

    /// - Parameters:
    ///   - bytes: reads a file.
    ///   - load: reads a table.
    ///   - has: whether there is such a table.
    /// - Throws: what `bytes` and `load` throw; ``AssessmentError`` for a model that can't be used.
    public init(
      bytes: (String) throws -> [UInt8], load: (String) throws -> DataTable, has: (String) -> Bool = { _ in true }
    ) throws {
      exemplars = has("triage/exemplars.tsv") ? try load("triage/exemplars.tsv") : nil
      levelCalibration = try load("triage/level-calibration.tsv")
      ruleTrust = try load("triage/rule-trust.tsv")
      model = try CaseModel(bytes: try bytes(AssessmentTables.modelFile), file: AssessmentTables.modelFile)
    }
  }

  /// What ``TriageFitter`` writes beside tables.
  package static let modelFile = "triage/case-model.vnm"

  /// Loads the rules' tables through `load`, which is given paths such as `triage/concepts.tsv`; ``learned`` stays nil.
  ///
  /// - Throws: what `load` throws.
  public init(load: (String) throws -> DataTable) rethrows {
    concepts = try load("triage/concepts.tsv")
    knownWords = try load("triage/known-words.tsv")
    times = try load("triage/times.tsv")
    pastEvidence = try load("triage/past-evidence.tsv")
    downgrades = try load("triage/downgrades.tsv")
    ownerAssertions = try load("triage/assertion-rules.tsv")
    toxins = try load("triage/toxins.tsv")
    bodyWeights = try load("triage/body-weights.tsv")
    breeds = try load("clinical/breeds.tsv")
    vitals = try load("triage/vitals.tsv")
    plausibility = try load("clinical/plausible-values.tsv")
    complexityPoints = try load("complexity/points.tsv")
    complexityCues = try load("complexity/cues.tsv")
    durationPriors = try load("duration/priors.tsv")
    durationMultipliers = try load("duration/multipliers.tsv")
    visitTypes = try load("specialties/visit-types.tsv")
    specialties = try load("specialties/cues.tsv")
    guidedQuestions = try load("triage/guided-questions.tsv")
  }
}

extension IntakeReader {
  /// - Parameters:
  ///   - tables: the files of `Models/`.
  ///   - classifier: the notes' classifier; its word classes serve the owners' rules too.
  ///   - vitals: the notes' reader of vital signs.
  /// - Throws: ``DataTableError`` naming the table and row that can't be understood.
  public init(tables: AssessmentTables, classifier: AssertionClassifier, vitals: VitalsReader) throws(DataTableError) {
    let breeds = try BreedNames(table: tables.breeds)
    let lexicon = try ConceptLexicon(table: tables.concepts, knownWords: tables.knownWords, alsoKnown: breeds.words)
    self.init(
      lexicon: lexicon, breeds: breeds,
      quantities: try QuantityReader(times: tables.times),
      classifiers: [
        classifier,
        try AssertionClassifier(rules: tables.ownerAssertions, wordClasses: classifier.wordClasses),
      ], vitals: vitals, pastEvidence: try PastEvidence(table: tables.pastEvidence, lexicon: lexicon))
  }
}

extension CaseAssessor {
  /// - Parameters:
  ///   - tables: the files of `Models/`.
  ///   - triageProtocol: read with the same reader's lexicon.
  ///   - reader: from the same tables.
  /// - Throws: ``DataTableError`` naming the table and row that can't be understood.
  public init(tables: AssessmentTables, triageProtocol: TriageProtocol, reader: IntakeReader) throws(DataTableError) {
    self.init(
      triage: TriageEngine(
        protocol: triageProtocol, reader: reader,
        toxins: try ToxinTable(
          table: tables.toxins, knownWords: tables.knownWords, alsoKnown: reader.breeds.words,
          weights: BodyWeights(table: tables.bodyWeights)),
        vitals: try VitalRanges(table: tables.vitals),
        downgrades: try NamedDowngrade.all(in: tables.downgrades, lexicon: reader.lexicon),
        plausibility: try Plausibility(table: tables.plausibility)),
      caseFacts: try CaseFactReader(cues: tables.complexityCues, lexicon: reader.lexicon),
      complexity: try ComplexityModel(points: tables.complexityPoints),
      duration: try DurationModel(priors: tables.durationPriors, multipliers: tables.durationMultipliers),
      visitTypes: try VisitTypeClassifier(cues: tables.visitTypes, lexicon: reader.lexicon),
      specialties: try SpecialtyMatcher(cues: tables.specialties, lexicon: reader.lexicon),
      guidedQuestions: try GuidedQuestions(table: tables.guidedQuestions),
      learned: try tables.learned.map { tables throws(DataTableError) in
        try LearnedTriage(
          features: FeatureReader(lexicon: reader.lexicon), model: tables.model,
          calibration: try LevelCalibration(table: tables.levelCalibration), exemplars: tables.exemplars,
          trust: try RuleTrust(table: tables.ruleTrust))
      })
  }
}
