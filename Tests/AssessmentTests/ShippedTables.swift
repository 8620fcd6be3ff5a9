import Clinical
import Extraction
import Foundation
import VetNetTestSupport

@testable import Assessment

/// The tables and protocols as they ship, read once for all tests.
enum Shipped {
  static func reader() throws -> IntakeReader { try readerResult.get() }

  private static let readerResult = Result { try makeReader() }

  private static func makeReader() throws -> IntakeReader {
    let knownWords = try modelTable("triage/known-words.tsv", required: ["word"], uniqueKey: "word")
    let lexicon = try ConceptLexicon(
      table: modelTable("triage/concepts.tsv", required: ["id", "kind", "forms"]), knownWords: knownWords)
    let quantities = try QuantityReader(times: modelTable("triage/times.tsv"))
    let classes = try WordClasses(table: modelTable("extraction/word-classes.tsv"))
    let classifier = try AssertionClassifier(
      rules: modelTable("extraction/assertion-rules.tsv"), wordClasses: classes)
    let owners = try AssertionClassifier(rules: modelTable("triage/assertion-rules.tsv"), wordClasses: classes)
    return IntakeReader(lexicon: lexicon, quantities: quantities, classifiers: [classifier, owners])
  }

  static func toxins() throws -> ToxinTable {
    try ToxinTable(
      table: modelTable("triage/toxins.tsv", uniqueKey: "id"), knownWords: modelTable("triage/known-words.tsv"))
  }

  static func vitals() throws -> VitalRanges { try VitalRanges(table: modelTable("triage/vitals.tsv", uniqueKey: "id")) }

  static func protocolData(_ name: String) throws -> Data { Data(try modelData("triage/\(name).json")) }

  static func vtl() throws -> TriageProtocol { try vtlResult.get() }

  private static let vtlResult = Result {
    try TriageProtocol(file: "vtl.json", data: protocolData("vtl"), lexicon: reader().lexicon)
  }

  static func engine() throws -> TriageEngine { try engineResult.get() }

  private static let engineResult = Result {
    try TriageEngine(protocol: vtl(), reader: reader(), toxins: toxins(), vitals: vitals())
  }
}

extension Shipped {
  static func assessor() throws -> CaseAssessor { try assessorResult.get() }

  private static let assessorResult = Result {
    let lexicon = try reader().lexicon
    return try CaseAssessor(
      triage: engine(),
      caseFacts: CaseFactReader(cues: modelTable("complexity/cues.tsv"), lexicon: lexicon),
      complexity: ComplexityModel(points: modelTable("complexity/points.tsv")),
      duration: DurationModel(
        priors: modelTable("duration/priors.tsv"), multipliers: modelTable("duration/multipliers.tsv")),
      visitTypes: VisitTypeClassifier(cues: modelTable("specialties/visit-types.tsv"), lexicon: lexicon),
      specialties: SpecialtyMatcher(cues: modelTable("specialties/cues.tsv"), lexicon: lexicon))
  }
}

extension Intake {
  init(
    _ text: String, species: Species? = nil, breed: String? = nil, age: String? = nil, sex: Sex = .unknown,
    weight: Double? = nil
  ) {
    self.init(
      id: "test", species: species, breed: breed, age: age, sex: sex, weightKilograms: weight, text: text)
  }
}
