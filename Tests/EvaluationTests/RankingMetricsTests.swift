import Evaluation
import Testing

/// Expectations are worked out by hand from trec_eval's definitions.
struct RankingMetricsTests {
  struct Example: CustomTestStringConvertible {
    let name: String
    let ranking: [String]
    let judgements: [String: Int]
    /// nDCG@10, average precision, recall@100, reciprocal rank.
    let expected: [Double]

    var testDescription: String { name }
  }

  static let examples = [
    // DCG = 3/log2(2) + 1/log2(4) = 3 + 0.5; ideal 3 + 2/log2(3) + 1/log2(4) = 3 + 1.261860 + 0.5.
    // AP = (1/1 + 2/3) / 3.
    Example(
      name: "graded, one missing", ranking: ["a", "x", "b"], judgements: ["a": 3, "b": 1, "c": 2],
      expected: [3.5 / 4.761860, 5.0 / 9, 2.0 / 3, 1]),
    Example(
      name: "perfect", ranking: ["a", "c", "b", "x"], judgements: ["a": 3, "b": 1, "c": 2], expected: [1, 1, 1, 1]),
    Example(
      name: "nothing found", ranking: ["x", "y"], judgements: ["a": 1], expected: [0, 0, 0, 0]),
    Example(name: "empty", ranking: [], judgements: ["a": 1], expected: [0, 0, 0, 0]),
    Example(name: "nothing relevant", ranking: ["a"], judgements: ["a": 0], expected: [0, 0, 0, 0]),
    // Grades of 0 and below neither count as relevant nor as gain: 1/log2(4) over 1.
    Example(
      name: "judged as not relevant", ranking: ["a", "b", "c"], judgements: ["a": 0, "b": -1, "c": 1],
      expected: [0.5, 1.0 / 3, 1, 1.0 / 3]),
    // The eleventh place counts for everything but nDCG@10.
    Example(
      name: "eleventh", ranking: (1...10).map { "x\($0)" } + ["a"], judgements: ["a": 1],
      expected: [0, 1.0 / 11, 1, 1.0 / 11]),
    Example(
      name: "beyond a hundred", ranking: (1...100).map { "x\($0)" } + ["a"], judgements: ["a": 1],
      expected: [0, 1.0 / 101, 0, 1.0 / 101]),
    // The second "a" is as if it weren't there, so "b" stands second.
    Example(
      name: "an id twice", ranking: ["a", "a", "b"], judgements: ["a": 1, "b": 1], expected: [1, 1, 1, 1]),
  ]

  @Test(arguments: examples)
  func `metrics are those of trec_eval`(example: Example) {
    let metrics = RankingMetrics(ranking: example.ranking, judgements: example.judgements)
    for (value, expected) in zip(metrics.values, example.expected) { #expect(abs(value - expected) < 1e-6) }
    #expect(metrics.values.count == RankingMetrics.names.count)
  }

  @Test func `the ideal order holds ten documents, however many are relevant`() {
    let relevant = (0..<30).map { "d\($0)" }
    let judgements = Dictionary(uniqueKeysWithValues: relevant.map { ($0, 1) })
    let metrics = RankingMetrics(ranking: Array(relevant.prefix(10)), judgements: judgements)
    #expect(abs(metrics.ndcgAt10 - 1) < 1e-12)
    #expect(abs(metrics.recallAt100 - 1.0 / 3) < 1e-12)
  }

  @Test func `of equal scores, the id that comes last is ranked first, as trec_eval does`() {
    #expect(RankingMetrics.order([("1", 0.5), ("10", 0.5), ("9", 0.5), ("2", 0.7)]) == ["2", "9", "10", "1"])
    // Equal in single precision.
    #expect(RankingMetrics.order([("a", 0.1), ("b", 0.1 + 1e-12)]) == ["b", "a"])
    #expect(RankingMetrics.order([("b", 0.1), ("a", 0.1 + 1e-12)]) == ["b", "a"])
  }
}
