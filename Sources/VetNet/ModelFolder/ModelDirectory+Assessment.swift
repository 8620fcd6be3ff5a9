public import Assessment
public import Clinical
import Extraction
import FoundationEssentials

// The stages of assessment, and the protocols that a practice may add to.

extension ModelDirectory {
  /// All models of assessment, with one triage protocol.
  ///
  /// - Parameter name: a file of `triage/` without its ending, such as `vtl`.
  /// - Returns: the models, built once.
  /// - Throws: ``PracticeError`` naming the protocols there are, or the entry that can't be used.
  func assessor(protocol name: String) throws -> CaseAssessor {
    try stage("assessor \(name)") {
      let reader = try intakeReader()
      let triageProtocol = try triageProtocol(name)
      var tables = try assessmentTables()
      do {
        tables.learned = try AssessmentTables.LearnedTables(
          bytes: data, load: { try table($0) }, has: has)
      } catch let error as AssessmentError {
        return try usable { () throws(AssessmentError) in throw error }
      }
      return try usable { () throws(DataTableError) in
        try CaseAssessor(tables: tables, triageProtocol: triageProtocol, reader: reader)
      }
    }
  }

  /// The same with rules only, for fitting what is learned.
  package func ruleAssessor(protocol name: String) throws -> CaseAssessor {
    let reader = try intakeReader()
    let triageProtocol = try triageProtocol(name)
    let tables = try assessmentTables()
    return try usable { () throws(DataTableError) in
      try CaseAssessor(tables: tables, triageProtocol: triageProtocol, reader: reader)
    }
  }

  /// Sentences that reassure, play down or book, by which the floor of findings is tested.
  ///
  /// - Throws: ``PracticeError`` when `triage/reassurance.tsv` is missing or can't be used.
  public func reassurance() throws -> DataTable { try table("triage/reassurance.tsv", required: ["text"]) }

  func durationModel() throws -> DurationModel {
    try stage("duration model") {
      let tables = try assessmentTables()
      return try usable { () throws(DataTableError) in
        try DurationModel(priors: tables.durationPriors, multipliers: tables.durationMultipliers)
      }
    }
  }

  /// Ranks people for cases.
  func staffRanking() throws -> StaffRanking {
    try stage("staff ranking") {
      let table = try table("specialties/people.tsv", uniqueKey: "factor")
      return try usable { () throws(DataTableError) in try StaffRanking(table: table) }
    }
  }

  /// Learns lengths of visits, having seen none yet.
  ///
  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public func durationLearner() throws -> DurationLearner {
    let model = try durationModel()
    let table = try table("duration/learning.tsv", uniqueKey: "id")
    return try usable { () throws(DataTableError) in
      DurationLearner(model: model, parameters: try DurationLearner.Parameters(table: table))
    }
  }

  /// A learner as a practice file keeps it; nil when the bytes are of another form.
  func durationLearner(snapshot: [UInt8]) throws -> DurationLearner? {
    let model = try durationModel()
    let table = try table("duration/learning.tsv", uniqueKey: "id")
    return try usable { () throws(DataTableError) in
      DurationLearner(
        model: model, parameters: try DurationLearner.Parameters(table: table), snapshot: snapshot)
    }
  }

  /// The versions of what predicts lengths, by name.
  public func durationVersions() throws -> [String: String] {
    [
      "vetnet": VetNetVersion.current, "duration priors": try durationModel().version,
      "duration learning": try table("duration/learning.tsv").metadata["version"] ?? "",
    ]
  }

  private func assessmentTables() throws -> AssessmentTables {
    try stage("assessment tables") { try AssessmentTables { try table($0) } }
  }

  /// The protocols in `triage/`, by the name that `--protocol` takes.
  func triageProtocolNames() -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path + "/triage")) ?? []
    return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// A protocol with what it extends.
  private func triageProtocol(_ name: String) throws -> TriageProtocol {
    let names = triageProtocolNames()
    guard names.contains(name) else {
      throw PracticeError(
        .invalidArgument, "there is no triage protocol '\(name)'", hint: "There are \(names.joined(separator: ", ")).")
    }
    let lexicon = try intakeReader().lexicon
    // VTL stands by itself; others may build on it.
    var bases: [String: TriageProtocol] = [:]
    if name != Practice.Assessment.defaultTriageProtocol {
      bases["vtl"] = try triageProtocol(Practice.Assessment.defaultTriageProtocol)
    }
    let data = Data(try data("triage/\(name).json"))
    return try usable { () throws(AssessmentError) in
      try TriageProtocol(file: "triage/\(name).json", data: data, lexicon: lexicon, bases: bases)
    }
  }

  private func intakeReader() throws -> IntakeReader {
    try stage("intake reader") {
      let tables = try assessmentTables()
      let classifier = try assertionClassifier()
      let units = try table("extraction/units.tsv")
      let vitals = try table("extraction/vitals.tsv")
      return try usable { () throws(DataTableError) in
        let classes = classifier.wordClasses
        let parser = QuantityParser(units: try UnitTable(table: units), wordClasses: classes)
        return try IntakeReader(
          tables: tables, classifier: classifier,
          vitals: try VitalsReader(table: vitals, parser: parser, wordClasses: classes))
      }
    }
  }
}
