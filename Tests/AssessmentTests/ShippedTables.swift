import Clinical
import Extraction
import Foundation
import VetNetTestSupport

@testable import Assessment

/// The tables and protocols as they ship, read once for all tests.
enum Shipped {
  private static let tablesResult = Result {
    var tables = try AssessmentTables { try modelTable($0) }
    tables.learned = try AssessmentTables.LearnedTables(bytes: modelData) { try modelTable($0) }
    return tables
  }
  private static let extractorsResult = Result {
    try Extractors(tables: ExtractionTables { try modelTable($0) })
  }
  private static let readerResult = Result {
    let extractors = try extractorsResult.get()
    return try IntakeReader(
      tables: tablesResult.get(), classifier: extractors.classifier, vitals: extractors.vitals)
  }
  private static let vtlResult = Result {
    try TriageProtocol(file: "vtl.json", data: protocolData("vtl"), lexicon: reader().lexicon)
  }
  private static let assessorResult = Result {
    try CaseAssessor(tables: tablesResult.get(), triageProtocol: vtl(), reader: reader())
  }

  static func reader() throws -> IntakeReader { try readerResult.get() }
  static func vtl() throws -> TriageProtocol { try vtlResult.get() }
  static func assessor() throws -> CaseAssessor { try assessorResult.get() }
  static func engine() throws -> TriageEngine { try assessor().triage }
  static func toxins() throws -> ToxinTable { try engine().toxins }
  static func vitals() throws -> VitalRanges { try engine().vitals }

  /// What the reader of poisons finds in a text.
  static func toxinFindings(
    _ text: String, species: Species = .dog, breed: String? = nil, age: String? = nil, weight: Double? = nil
  ) throws -> [ToxinFinding] {
    let engine = try engine()
    let reading = engine.reader.reading(of: text)
    let intake = Intake(text, species: species, breed: breed, age: age, weight: weight)
    let facts = PatientFacts(intake, PatientContext(), reading, reader: engine.reader)
    return ToxinReader(table: engine.toxins, quantities: engine.reader.quantities, lexicon: engine.reader.lexicon)
      .findings(in: reading, facts: facts)
  }

  static func protocolData(_ name: String) throws -> Data { Data(try modelData("triage/\(name).json")) }
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
