import Evaluation
import Foundation
import PracticeTestSupport
import Testing
import VetNet
import VetNetTestSupport

/// The suite from a folder to its report and predictions, with the shipped word lists.
struct RetrievalEvaluationTests {
  private static let corpus = """
    {"_id":"d1","title":"Consult","text":"Seizure this morning, two minutes, postictal for an hour. Phenobarbital started.","patient_id":"p1"}
    {"_id":"d2","title":"","text":"Booster given. Bright, eating well.","patient_id":"p1"}
    {"_id":"d3","title":"Consult","text":"Another seizure. Phenobarbital dose raised after bloods.","patient_id":"p2"}
    {"_id":"d4","title":"","text":"Vomiting and diarrhoea since Sunday, bland diet.","patient_id":"p2"}
    """
  private static let queries = """
    {"_id":"q1","text":"how were the fits treated?","patient_id":"p1"}
    {"_id":"q2","text":"vomiting"}
    {"_id":"q3","text":"booster"}
    """
  private static let qrels = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td4\t1\n"

  private func folder(qrels: String? = qrels) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.corpus, to: "corpus.jsonl")
    try folder.write(Self.queries, to: "queries.jsonl")
    if let qrels { try folder.write(qrels, to: "qrels.tsv") }
    return folder
  }

  private func run(_ folder: TemporaryFolder, seed: UInt64 = 1) throws -> (RetrievalCollection, RetrievalSuite.Outcome)
  {
    let collection = try RetrievalCollection(folder: folder.path, needsJudgements: false)
    return (
      collection, try RetrievalEvaluation(collection, models: shippedModels()).run(seed: seed)
    )
  }

  @Test func `the report's JSON has the contract's keys`() throws {
    let report = try run(folder(), seed: 7).1.report
    let object = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any])
    #expect(Set(object.keys).isSuperset(of: ["suite", "n", "systems", "baselines", "versions", "seed"]))
    #expect(object["suite"] as? String == "retrieval")
    #expect(object["n"] as? Int == 2)
    #expect(object["seed"] as? Int == 7)
    let systems = try #require(object["systems"] as? [String: [String: [String: Double]]])
    #expect(systems.keys.sorted() == ["default", "hybrid", "lexical", "vector"])
    let baselines = try #require(object["baselines"] as? [String: [String: [String: Double]]])
    #expect(Array(baselines.keys) == ["fts5"])
    for metrics in Array(systems.values) + Array(baselines.values) {
      #expect(metrics.keys.sorted() == ["map", "mrr", "ndcg@10", "recall@100"])
      for estimate in metrics.values { #expect(estimate.keys.sorted() == ["high", "low", "value"]) }
    }
    let versions = try #require(object["versions"] as? [String: String])
    #expect(Set(versions.keys).isSuperset(of: ["vetnet", "analyzer", "chunking", "thesaurus", "projection"]))
  }

  @Test func `a query with a patient is answered within that patient, by every system and the baseline`() throws {
    let (_, outcome) = try run(folder())
    for rankings in outcome.rankings.values { #expect(Set(rankings["q1"] ?? []).isSubset(of: ["d1", "d2"])) }
  }

  @Test func `the default knows that fits are seizures, the words alone don't`() throws {
    let (_, outcome) = try run(folder())
    #expect(outcome.rankings["default"]?["q1"]?.first == "d1")
    #expect(outcome.rankings["lexical"]?["q1"]?.contains("d1") == false)
    #expect(outcome.rankings["fts5"]?["q1"]?.contains("d1") == false)
  }

  @Test func `predictions hold every query and system once, whether or not it is judged`() throws {
    let (collection, outcome) = try run(folder())
    let predictions = outcome.predictions(for: collection.queries)
    let systems = ["default", "fts5", "hybrid", "lexical", "vector"]
    #expect(predictions.map { [$0.id, $0.system] } == ["q1", "q2", "q3"].flatMap { id in systems.map { [id, $0] } })
    let unlabelled = try run(folder(qrels: nil))
    #expect(unlabelled.1.predictions(for: collection.queries) == predictions)
    #expect(unlabelled.1.report.n == 0)
  }

  @Test func `runs repeat, and their seed moves intervals only`() throws {
    let folder = try folder()
    let (first, again, other) = (try run(folder).1, try run(folder).1, try run(folder, seed: 2).1)
    #expect(first.report == again.report)
    #expect(first.rankings == other.rankings)
  }

  @Test(arguments: ["corpus.jsonl", "queries.jsonl", "qrels.tsv"])
  func `a missing file is named`(file: String) throws {
    let folder = try folder()
    try FileManager.default.removeItem(atPath: folder.file(file))
    let error = #expect(throws: EvaluationError.self) { try RetrievalCollection(folder: folder.path) }
    #expect(error?.file.hasSuffix(file) == true)
    #expect(error?.line == nil)
  }

  @Test func `BEIR's folder of judgements is found too`() throws {
    let folder = try folder(qrels: nil)
    try folder.write(Self.qrels, to: "qrels/test.tsv")
    #expect(try RetrievalCollection(folder: folder.path).judgedQueries.map(\.id) == ["q1", "q2"])
  }

  @Test func `the table shows every system, every baseline and the tests`() throws {
    let lines = try run(folder()).1.report.lines(metrics: RankingMetrics.names)
    for word in ["default", "hybrid", "lexical", "vector", "fts5 (baseline)", "ndcg@10", "(p "] {
      #expect(lines.contains { $0.contains(word) })
    }
  }
}
