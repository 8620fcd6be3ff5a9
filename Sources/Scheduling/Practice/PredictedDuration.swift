internal import Glibc

/// How long a visit may take, as a log-normal distribution: most take about the median, a few much longer.
public struct PredictedDuration: Hashable, Sendable {
  /// Median in minutes.
  public let p50: Double
  /// Standard deviation of the logarithm.
  public let sigma: Double

  /// - Precondition: `p50` is positive and `sigma` not negative.
  public init(p50: Double, sigma: Double) {
    precondition(p50 > 0 && p50 < 100_000 && sigma >= 0 && sigma < 10, "p50 \(p50), sigma \(sigma)")
    self.p50 = p50
    self.sigma = sigma
  }

  /// The distribution whose median and other quantiles come nearest, by least squares of the logarithms.
  ///
  /// Returns nil unless all are positive and in order.
  public init?(p50: Double, p80: Double, p90: Double) {
    guard p50 > 0, p50 <= p80, p80 <= p90, p90 < 100_000 else { return nil }
    let (z80, z90) = (Self.normalQuantile(0.8), Self.normalQuantile(0.9))
    let sigma = (z80 * log(p80 / p50) + z90 * log(p90 / p50)) / (z80 * z80 + z90 * z90)
    self.init(p50: p50, sigma: min(9, sigma))
  }

  /// The minutes that a visit stays within with probability `quantile`.
  ///
  ///     PredictedDuration(p50: 20, sigma: 0.3).minutes(at: 0.5)  // 20
  ///
  /// - Precondition: `quantile` lies between 0 and 1, both excluded.
  public func minutes(at quantile: Double) -> Double { p50 * exp(sigma * Self.normalQuantile(quantile)) }

  /// The number a standard normal variable stays below with probability `p`, by halving; 60 halvings reach the last bit.
  static func normalQuantile(_ p: Double) -> Double {
    precondition(p > 0 && p < 1, "a quantile of \(p)")
    var (low, high) = (-9.0, 9.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if 0.5 * erfc(-middle / 2.0.squareRoot()) < p { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
