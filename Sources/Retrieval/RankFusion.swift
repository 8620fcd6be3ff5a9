/// One way of ranking the chunks, to be fused with others.
public struct RankedLeg: Hashable, Sendable {
  /// Such as `vector` or `lexical`.
  public var name: String
  /// How much the leg counts beside the others; 0 leaves it out.
  public var weight: Double
  /// Best first.
  public var chunks: [ScoredChunk]

  public init(name: String, weight: Double = 1, chunks: [ScoredChunk]) {
    self.name = name
    self.weight = weight
    self.chunks = chunks
  }
}

/// A chunk's place after fusion.
public struct FusedChunk: Hashable, Sendable {
  public let chunkID: Int64
  /// The sum of the shares.
  public let score: Double
  /// What each leg contributed, in the order of the legs; 0 from a leg that didn't rank the chunk.
  public let shares: [Double]
}

/// Makes one ranking of several.
public protocol RankFusion: Sendable {
  /// What a leg contributes to the score of the chunk at each of its ranks.
  ///
  /// - Parameters:
  ///   - chunks: the leg's ranking.
  ///   - weight: the leg's weight divided by the sum of all legs' weights.
  /// - Returns: one number per chunk.
  func shares(of chunks: [ScoredChunk], weight: Double) -> [Double]
}

extension RankFusion {
  /// All chunks that any leg ranked and that got a score above zero, best first; of equal scores the lowest chunk id.
  public func fuse(_ legs: [RankedLeg]) -> [FusedChunk] {
    let total = legs.reduce(0) { $0 + max(0, $1.weight) }
    guard total > 0 else { return [] }
    var shares: [Int64: [Double]] = [:]
    for (number, leg) in legs.enumerated() where leg.weight > 0 {
      for (chunk, share) in zip(leg.chunks, self.shares(of: leg.chunks, weight: leg.weight / total)) {
        shares[chunk.chunkID, default: [Double](repeating: 0, count: legs.count)][number] = share
      }
    }
    return shares.map { FusedChunk(chunkID: $0.key, score: $0.value.reduce(0, +), shares: $0.value) }
      .filter { $0.score > 0 }
      .sorted { ($0.score, $1.chunkID) > ($1.score, $0.chunkID) }
  }
}

/// Fuses by ranks alone, for legs whose scores can't be compared.
///
/// - Formula: Σ weight / (k + rank), ranks from 1.
/// - Source: G. V. Cormack, C. L. A. Clarke, S. Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual
///   rank learning methods", SIGIR 2009, <https://doi.org/10.1145/1571941.1572114>.
public struct ReciprocalRankFusion: RankFusion, Hashable {
  /// The larger, the less the first ranks stand out.
  public var k: Double

  public init(k: Double = 60) {
    self.k = k
  }

  public func shares(of chunks: [ScoredChunk], weight: Double) -> [Double] {
    chunks.indices.map { weight / (k + Double($0 + 1)) }
  }
}

/// Fuses by scores, each leg's divided by its best, so that a clear winner of one leg stays clear.
///
/// - Formula: Σ weight · max(0, score) / best score of the leg; from 0 to 1.
public struct RelativeScoreFusion: RankFusion, Hashable {
  public init() {}

  public func shares(of chunks: [ScoredChunk], weight: Double) -> [Double] {
    guard let best = chunks.first?.score, best > 0 else { return [Double](repeating: 0, count: chunks.count) }
    return chunks.map { weight * (max(0, $0.score) / best) }
  }
}
