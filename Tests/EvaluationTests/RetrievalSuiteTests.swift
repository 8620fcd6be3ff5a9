import Clinical
import Evaluation
import Testing
import VetNetTestSupport

struct RetrievalSuiteTests {
  /// 120 documents about four topics; each topic's words ask for the documents about it.
  private func collection(patients: Bool = false) -> RetrievalCollection {
    let documents = SampleTexts.documents(120).enumerated().map { number, terms in
      RetrievalCollection.Document(
        id: "d\(number)", text: terms.joined(separator: " "), patientID: patients ? "p\(number % 3)" : nil)
    }
    let queries = SampleTexts.topics.enumerated().map { topic, words in
      RetrievalCollection.Query(id: "q\(topic)", text: words[0], patientID: patients ? "p1" : nil)
    }
    var judgements: [String: [String: Int]] = [:]
    for (number, document) in documents.enumerated() where !patients || number % 3 == 1 {
      judgements["q\(number % 4)", default: [:]][document.id] = 1
    }
    return RetrievalCollection(documents: documents, queries: queries, judgements: judgements)
  }

  private func suite(_ collection: RetrievalCollection) throws -> RetrievalSuite {
    var generator = SplitMix64(seed: 1)
    let analysis = RetrievalSuite.Analysis(version: "words") { $0.split(separator: " ").map(String.init) }
    return try RetrievalSuite(collection, analysis: analysis, using: &generator)
  }

  @Test func `every system and metric is reported, with figures that can be recomputed from the rankings`() throws {
    let collection = collection()
    let outcome = try suite(collection).run(baselines: ["none": [:]], versions: ["model": "m"], seed: 9)
    #expect(outcome.report.systems.keys.sorted() == ["default", "hybrid", "lexical", "vector"])
    #expect(outcome.report.n == 4)
    #expect(outcome.report.seed == 9)
    #expect(outcome.report.versions == ["analyzer": "words", "model": "m"])
    for (system, estimates) in outcome.report.systems {
      #expect(estimates.keys.sorted() == RankingMetrics.names.sorted())
      let metrics = try collection.queries.map { query in
        let ranking = try #require(outcome.rankings[system]?[query.id])
        #expect(ranking.count <= 100 && Set(ranking).count == ranking.count)
        return RankingMetrics(ranking: ranking, judgements: collection.judgements[query.id] ?? [:])
      }
      for (place, name) in RankingMetrics.names.enumerated() {
        let mean = metrics.reduce(0) { $0 + $1.values[place] } / 4
        #expect(abs((estimates[name]?.value ?? -1) - mean) < 1e-12)
      }
    }
    #expect(outcome.report.baselines["none"]?["map"]?.value == 0)
    #expect(
      outcome.report.comparisons.contains { $0.against == "none" && $0.metric == "ndcg@10" && $0.difference > 0.9 })
  }

  @Test func `meaning reaches documents that the words don't`() throws {
    let report = try suite(collection()).run(seed: 1).report
    let vector = try #require(report.systems["vector"]?["map"]?.value)
    let lexical = try #require(report.systems["lexical"]?["map"]?.value)
    #expect(vector > lexical + 0.1)
  }

  @Test func `a query with a patient is answered from that patient's documents`() throws {
    let outcome = try suite(collection(patients: true)).run(seed: 1)
    for rankings in outcome.rankings.values {
      for id in rankings.values.joined() {
        let number = try #require(Int(id.dropFirst()))
        #expect(number % 3 == 1)
      }
    }
  }

  @Test func `every variant of the ablation ranks every query`() throws {
    let collection = collection()
    let analysis = RetrievalSuite.Analysis(version: "words") { $0.split(separator: " ").map(String.init) }
    let rankings = try RetrievalAblation.rankings(collection, analysis: analysis, shipped: try suite(collection))
    #expect(
      rankings.keys.sorted() == [
        "default - feedback", "default - neighbours", "default, all additions", "default, few additions",
        "hybrid + feedback", "hybrid - neighbours", "hybrid, hashed", "hybrid, random", "hybrid, undamped",
        "lexical + feedback", "vector + feedback", "vector - neighbours", "vector, hashed", "vector, random",
        "vector, undamped",
      ])
    for byQuery in rankings.values { #expect(byQuery.count == 4 && byQuery.values.allSatisfy { !$0.isEmpty }) }
  }

  @Test func `runs repeat`() throws {
    let (first, again) = (try suite(collection()).run(seed: 2), try suite(collection()).run(seed: 2))
    #expect(first.report == again.report)
    #expect(first.rankings == again.rankings)
  }

  @Test func `queries without judgements are answered and not measured`() throws {
    var collection = collection()
    collection.queries.append(.init(id: "unjudged", text: "dog"))
    let outcome = try suite(collection).run(seed: 1)
    #expect(outcome.report.n == 4)
    #expect(outcome.rankings["default"]?["unjudged"]?.isEmpty == false)
  }

  @Test func `a collection without documents is measured as zero`() throws {
    let empty = RetrievalCollection(documents: [], queries: [.init(id: "q", text: "dog")], judgements: ["q": ["d": 1]])
    let report = try suite(empty).run(seed: 1).report
    #expect(report.systems["default"]?["ndcg@10"] == Estimate(value: 0, low: 0, high: 0))
  }
}
