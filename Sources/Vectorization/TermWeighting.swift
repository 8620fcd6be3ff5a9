import Glibc

/// How much an occurrence of a term says: BM25's saturation of counts times the inverse document frequency.
///
/// The vectors and the lexical leg weigh terms alike, so that their scores explain each other.
///
/// - Source: S. Robertson, H. Zaragoza, "The probabilistic relevance framework: BM25 and beyond", Foundations and Trends
///   in Information Retrieval 3 (2009), <https://doi.org/10.1561/1500000019>.
public struct TermWeighting: Hashable, Sendable {
  /// How slowly repetition saturates; 1.2 to 2 is usual.
  public let k1: Double
  /// How far long texts are held back, from 0 (not at all) to 1 (in proportion to their length).
  public let b: Double
  /// Mean number of terms of a text; at least 1.
  public let averageLength: Double

  public init(k1: Double = 1.2, b: Double = 0.75, averageLength: Double) {
    self.k1 = k1
    self.b = b
    self.averageLength = max(1, averageLength)
  }

  /// The inverse document frequency.
  ///
  /// - Formula: ln(1 + (N − n + ½) / (n + ½)). The 1 inside, which the textbook lacks, keeps terms that stand in more
  ///   than half of the texts above zero.
  /// - Parameters:
  ///   - documentFrequency: n, the number of texts with the term.
  ///   - documentCount: N, the number of texts.
  /// - Returns: above 0.
  public static func inverseDocumentFrequency(documentFrequency: Int, documentCount: Int) -> Double {
    log(1 + (Double(max(0, documentCount - documentFrequency)) + 0.5) / (Double(documentFrequency) + 0.5))
  }

  /// What `count` occurrences in a text of `length` terms are worth, before the idf: from 0 up to k1 + 1.
  ///
  /// - Formula: f·(k1 + 1) / (f + k1·(1 − b + b·length / averageLength)).
  @inlinable
  public func saturation(count: Double, length: Int) -> Double {
    let lengthFactor = 1 - b + b * Double(length) / averageLength
    return count * (k1 + 1) / (count + k1 * lengthFactor)
  }

  /// The document frequency that an idf was computed from.
  static func documentFrequency(ofWeight weight: Double, documentCount: Int) -> Double {
    (Double(documentCount) + 1) / exp(weight) - 0.5
  }
}
