public import Clinical

/// A measured value and the interval it would stay in for 95 of 100 samples of cases.
public struct Estimate: Hashable, Codable, Sendable {
  public var value: Double
  public var low: Double
  public var high: Double

  public init(value: Double, low: Double, high: Double) {
    self.value = value
    self.low = low
    self.high = high
  }

  /// The mean over cases with its percentile bootstrap interval.
  ///
  /// - Parameters:
  ///   - cases: one value per case; without cases everything is 0.
  ///   - resamples: how many samples of cases are drawn.
  ///   - generator: the source of chance.
  /// - Complexity: O(cases · resamples).
  /// - Source: B. Efron, R. Tibshirani, "An introduction to the bootstrap", 1993, chapter 13.
  public init(
    meanOf cases: [Double], resamples: Int = 2000, using generator: inout SplitMix64
  ) {
    guard !cases.isEmpty else {
      self.init(value: 0, low: 0, high: 0)
      return
    }
    var means: [Double] = []
    means.reserveCapacity(resamples)
    for _ in 0..<resamples {
      var sum = 0.0
      for _ in cases { sum += cases[generator.index(below: cases.count)] }
      means.append(sum / Double(cases.count))
    }
    means.sort()
    let value = cases.reduce(0, +) / Double(cases.count)
    self.init(
      value: value, low: Self.quantile(0.025, of: means) ?? value, high: Self.quantile(0.975, of: means) ?? value)
  }

  /// A quantile of ascending numbers, between neighbours by linear interpolation.
  static func quantile(_ share: Double, of sorted: [Double]) -> Double? {
    guard let last = sorted.indices.last else { return nil }
    let position = share * Double(last)
    let lower = Int(position)
    let upper = min(lower + 1, last)
    return sorted[lower] + (sorted[upper] - sorted[lower]) * (position - Double(lower))
  }
}

/// Whether two systems differ on the same cases by more than chance would have it.
public enum PairedRandomisation {
  /// The two-sided p-value of the difference of means: how often flipping which system a case's value belongs to, at
  /// random, gives a difference at least as large.
  ///
  /// - Parameters:
  ///   - first: one value per case.
  ///   - second: the other system's values on the same cases.
  ///   - permutations: how many random assignments are tried.
  ///   - generator: the source of chance.
  /// - Precondition: both have the same number of cases.
  /// - Returns: from 1 / (permutations + 1), the smallest that so many can show, to 1.
  /// - Source: M. Smucker, J. Allan, B. Carterette, "A comparison of statistical significance tests for information
  ///   retrieval evaluation", CIKM 2007, <https://doi.org/10.1145/1321440.1321528>.
  public static func pValue(
    _ first: [Double], _ second: [Double], permutations: Int = 10_000,
    using generator: inout SplitMix64
  ) -> Double {
    precondition(first.count == second.count, "\(first.count) and \(second.count) cases")
    // Equal cases can't change the difference, whoever they belong to.
    let differences = zip(first, second).map { $0 - $1 }.filter { $0 != 0 }
    let observed = abs(differences.reduce(0, +))
    // Sums of the same numbers in another sign order differ in their last digits.
    let threshold = observed - 1e-9 * (1 + observed)
    var atLeast = 0
    for _ in 0..<permutations {
      var sum = 0.0
      var bits: UInt64 = 0
      for (index, difference) in differences.enumerated() {
        if index % 64 == 0 { bits = generator.next() }
        sum += bits & 1 == 0 ? difference : -difference
        bits >>= 1
      }
      if abs(sum) >= threshold { atLeast += 1 }
    }
    return Double(atLeast + 1) / Double(permutations + 1)
  }
}
