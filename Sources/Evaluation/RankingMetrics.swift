import Glibc

/// How good one ranking is, by the definitions of trec_eval.
///
/// A document without a judgement counts as not relevant, a grade of 1 or more as relevant. A ranking is judged as
/// deep as it is given; VetNet's hold 100 documents. Average over all judged queries, a query without any result
/// counting 0, as `trec_eval -c` does.
///
/// - Source: trec_eval 9, measures `ndcg_cut_10`, `map`, `recall_100`, `recip_rank`.
public struct RankingMetrics: Hashable, Sendable {
  /// Names of the metrics in reports.
  public static let names = ["ndcg@10", "map", "recall@100", "mrr"]

  /// Discounted cumulative gain of the first ten, relative to the best order of all judged documents: gain is the grade,
  /// the discount log2(rank + 1).
  public let ndcgAt10: Double
  /// Mean precision at the ranks of the relevant documents; one that isn't found counts 0.
  public let averagePrecision: Double
  /// The share of the relevant documents among the first hundred.
  public let recallAt100: Double
  /// One divided by the rank of the first relevant document.
  public let reciprocalRank: Double

  /// - Parameters:
  ///   - ranking: document ids, best first; an id that stands twice counts at its first place.
  ///   - judgements: grades by document id; below 1 means not relevant.
  /// - Complexity: O(ranking + judgements · log judgements).
  public init(ranking: [String], judgements: [String: Int]) {
    let relevant = judgements.values.filter { $0 > 0 }.sorted(by: >)
    var seen: Set<String> = []
    var (gain, precisions, found, foundAt100, firstRank) = (0.0, 0.0, 0, 0, 0)
    for id in ranking where seen.insert(id).inserted {
      let rank = seen.count
      guard let grade = judgements[id], grade > 0 else { continue }
      found += 1
      precisions += Double(found) / Double(rank)
      if rank <= 10 { gain += Self.discounted(grade, rank: rank) }
      if rank <= 100 { foundAt100 += 1 }
      if firstRank == 0 { firstRank = rank }
    }
    let ideal = relevant.prefix(10).enumerated().reduce(0) { $0 + Self.discounted($1.element, rank: $1.offset + 1) }
    ndcgAt10 = ideal > 0 ? gain / ideal : 0
    averagePrecision = relevant.isEmpty ? 0 : precisions / Double(relevant.count)
    recallAt100 = relevant.isEmpty ? 0 : Double(foundAt100) / Double(relevant.count)
    reciprocalRank = firstRank == 0 ? 0 : 1 / Double(firstRank)
  }

  private static func discounted(_ grade: Int, rank: Int) -> Double {
    Double(grade) / log2(Double(rank + 1))
  }

  /// In the order of ``names``.
  public var values: [Double] { [ndcgAt10, averagePrecision, recallAt100, reciprocalRank] }

  /// The order in which trec_eval sees scored documents: best score first, of equal scores the id that comes last in byte
  /// order.
  ///
  /// trec_eval compares scores in single precision; so does this.
  public static func order(_ scored: [(id: String, score: Double)]) -> [String] {
    scored.sorted { left, right in
      let (leftScore, rightScore) = (Float(left.score), Float(right.score))
      if leftScore != rightScore { return leftScore > rightScore }
      return right.id.utf8.lexicographicallyPrecedes(left.id.utf8)
    }
    .map(\.id)
  }
}
