public import Clinical
import Vectorization

/// How much a term's occurrences in a chunk speak for the chunk.
///
/// - Formula: weight · idf(n) · f·(k1 + 1) / (f + k1·(1 − b + b·length / average length)), with
///   idf(n) = ln(1 + (N − n + ½) / (n + ½)).
/// - Source: S. Robertson, H. Zaragoza, "The probabilistic relevance framework: BM25 and beyond", Foundations and Trends
///   in Information Retrieval 3 (2009), <https://doi.org/10.1561/1500000019>. The 1 in the idf is not in the textbook: it
///   keeps words that stand in more than half of the chunks from counting against a chunk.
public struct BM25: Hashable, Sendable {
  /// How slowly repetition saturates.
  public var k1: Double
  /// How far long chunks are held back, from 0 to 1.
  public var b: Double

  public init(k1: Double = 1.2, b: Double = 0.75) {
    self.k1 = k1
    self.b = b
  }

  /// One term's score in one chunk.
  ///
  /// - Parameters:
  ///   - posting: the term's occurrences.
  ///   - documentFrequency: n, the number of chunks with the term.
  ///   - statistics: N and the average length.
  ///   - weight: the term's weight in the question.
  /// - Returns: 0 or more.
  public func score(
    _ posting: Posting, documentFrequency: Int, statistics: CollectionStatistics, weight: Double = 1
  ) -> Double {
    scorer(documentFrequency: documentFrequency, statistics: statistics, weight: weight).score(posting)
  }

  /// ``score(_:documentFrequency:statistics:weight:)`` for many postings of one term: what they share is worked out once.
  func scorer(documentFrequency: Int, statistics: CollectionStatistics, weight: Double) -> Scorer {
    Scorer(
      weighting: TermWeighting(k1: k1, b: b, averageLength: statistics.averageLength),
      worth: weight * idf(documentFrequency: documentFrequency, statistics: statistics))
  }

  struct Scorer {
    let weighting: TermWeighting
    /// Weight times idf.
    let worth: Double

    func score(_ posting: Posting) -> Double {
      worth * weighting.saturation(count: Double(posting.frequency), length: posting.length)
    }
  }

  public func idf(documentFrequency: Int, statistics: CollectionStatistics) -> Double {
    TermWeighting.inverseDocumentFrequency(
      documentFrequency: documentFrequency, documentCount: statistics.chunkCount)
  }

  /// The factors of ``score(_:documentFrequency:statistics:weight:)``; their product is its value.
  public func explanation(
    of term: String, _ posting: Posting, documentFrequency: Int, statistics: CollectionStatistics, weight: Double = 1
  ) -> Explanation {
    let weighting = TermWeighting(k1: k1, b: b, averageLength: statistics.averageLength)
    let factors = [
      Explanation("weight in the question", value: weight),
      Explanation(
        "rarity: in \(documentFrequency) of \(statistics.chunkCount) chunks",
        value: idf(documentFrequency: documentFrequency, statistics: statistics)),
      Explanation(
        "occurrences: \(posting.frequency) among \(posting.length) terms",
        value: weighting.saturation(count: Double(posting.frequency), length: posting.length)),
    ]
    return Explanation("'\(term)'", value: factors.reduce(1) { $0 * $1.value }, details: factors)
  }
}
