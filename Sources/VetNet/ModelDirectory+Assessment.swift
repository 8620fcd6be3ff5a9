import Assessment
import Clinical
import Extraction
import FoundationEssentials

// The stages of assessment, and the protocols that a practice may add to.

extension ModelDirectory {
  /// All models of assessment, with one triage protocol.
  ///
  /// - Parameter name: a file of `triage/` without its ending, such as `vtl`.
  /// - Throws: ``PracticeError`` naming the protocols there are, or the entry that can't be used.
  func assessor(protocol name: String) throws -> CaseAssessor {
    try stage("assessor \(name)") {
      let reader = try intakeReader()
      let engine = TriageEngine(
        protocol: try triageProtocol(name), reader: reader, toxins: try toxins(), vitals: try vitalRanges())
      let complexityCues = try table("complexity/cues.tsv", uniqueKey: "id")
      let points = try table("complexity/points.tsv", uniqueKey: "id")
      let visitCues = try table("specialties/visit-types.tsv", uniqueKey: "id")
      let specialtyCues = try table("specialties/cues.tsv", uniqueKey: "id")
      let duration = try durationModel()
      return try usable { () throws(DataTableError) in
        CaseAssessor(
          triage: engine, caseFacts: try CaseFactReader(cues: complexityCues, lexicon: reader.lexicon),
          complexity: try ComplexityModel(points: points), duration: duration,
          visitTypes: try VisitTypeClassifier(cues: visitCues, lexicon: reader.lexicon),
          specialties: try SpecialtyMatcher(cues: specialtyCues, lexicon: reader.lexicon))
      }
    }
  }

  func durationModel() throws -> DurationModel {
    try stage("duration model") {
      let priors = try table("duration/priors.tsv", uniqueKey: "id")
      let multipliers = try table("duration/multipliers.tsv", uniqueKey: "id")
      return try usable { () throws(DataTableError) in try DurationModel(priors: priors, multipliers: multipliers) }
    }
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
    if name != Practice.defaultTriageProtocol { bases["vtl"] = try triageProtocol(Practice.defaultTriageProtocol) }
    let data = Data(try data("triage/\(name).json"))
    return try usable { () throws(AssessmentError) in
      try TriageProtocol(file: "triage/\(name).json", data: data, lexicon: lexicon, bases: bases)
    }
  }

  private func intakeReader() throws -> IntakeReader {
    try stage("intake reader") {
      let concepts = try table("triage/concepts.tsv", required: ["id", "kind", "forms"])
      let knownWords = try table("triage/known-words.tsv", required: ["word"], uniqueKey: "word")
      let times = try table("triage/times.tsv")
      let owners = try table("triage/assertion-rules.tsv")
      let classes = try table("extraction/word-classes.tsv")
      let classifier = try assertionClassifier()
      return try usable { () throws(DataTableError) in
        IntakeReader(
          lexicon: try ConceptLexicon(table: concepts, knownWords: knownWords), quantities: try QuantityReader(times: times),
          classifiers: [
            classifier, try AssertionClassifier(rules: owners, wordClasses: try WordClasses(table: classes)),
          ])
      }
    }
  }

  private func toxins() throws -> ToxinTable {
    let table = try table("triage/toxins.tsv", uniqueKey: "id")
    let words = try self.table("triage/known-words.tsv")
    return try usable { () throws(DataTableError) in try ToxinTable(table: table, knownWords: words) }
  }

  private func vitalRanges() throws -> VitalRanges {
    let table = try table("triage/vitals.tsv", uniqueKey: "id")
    return try usable { () throws(DataTableError) in try VitalRanges(table: table) }
  }
}
