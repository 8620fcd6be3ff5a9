public import Clinical

/// What a metric is computed from, case by case, so that resampling and swapping cases need not run a system again.
///
/// Shares, precisions and F1 values are ratios of sums over cases; weighted κ needs the two ratings of each case.
public enum MetricValues: Hashable, Sendable {
  /// Σ numerators / Σ denominators. A mean has denominators of 1; F1 is 2·TP / (2·TP + FP + FN).
  case ratio(numerators: [Double], denominators: [Double])
  /// Σ values: a count.
  case total([Double])
  /// Cohen's κ with quadratic weights of ratings 0..<categories.
  ///
  /// - Source: J. Cohen, "Weighted kappa", Psychological Bulletin 1968;70:213–220.
  case quadraticKappa(truth: [Int], rated: [Int], categories: Int)

  public static func mean(_ values: [Double]) -> MetricValues {
    .ratio(numerators: values, denominators: [Double](repeating: 1, count: values.count))
  }

  /// The share of cases for which something holds.
  public static func share(_ values: [Bool]) -> MetricValues { .mean(values.map { $0 ? 1 : 0 }) }

  /// Of the cases in which `condition` holds, the share in which `value` does.
  public static func share(_ value: [Bool], where condition: [Bool]) -> MetricValues {
    .ratio(
      numerators: zip(value, condition).map { $0 && $1 ? 1 : 0 }, denominators: condition.map { $0 ? 1 : 0 })
  }

  /// The harmonic mean of precision and recall of finding what is `true` in `truth`.
  public static func f1(truth: [Bool], found: [Bool]) -> MetricValues {
    .ratio(
      numerators: zip(truth, found).map { $0 && $1 ? 2 : 0 },
      denominators: zip(truth, found).map { ($0 ? 1 : 0) + ($1 ? 1 : 0) })
  }

  public var count: Int {
    switch self {
    case .ratio(let numerators, _): numerators.count
    case .total(let values): values.count
    case .quadraticKappa(let truth, _, _): truth.count
    }
  }

  /// The metric over all cases; nil where nothing was there to be measured.
  public var value: Double? { value(weights: [Double](repeating: 1, count: count)) }

  /// The metric when each case stands there as often as its weight says.
  ///
  /// - Complexity: O(cases), for κ O(cases + categories²).
  func value(weights: [Double]) -> Double? {
    switch self {
    case .ratio(let numerators, let denominators):
      var (upper, lower) = (0.0, 0.0)
      for index in weights.indices {
        upper += weights[index] * numerators[index]
        lower += weights[index] * denominators[index]
      }
      return lower > 0 ? upper / lower : nil
    case .total(let values):
      var sum = 0.0
      for index in weights.indices { sum += weights[index] * values[index] }
      return sum
    case .quadraticKappa(let truth, let rated, let categories):
      return Self.quadraticKappa(truth, rated, weights, categories)
    }
  }

  private static func quadraticKappa(
    _ truth: [Int], _ rated: [Int], _ weights: [Double], _ categories: Int
  ) -> Double? {
    var rows = [Double](repeating: 0, count: categories)
    var columns = rows
    var (total, observed) = (0.0, 0.0)
    for index in weights.indices {
      let distance = Double(truth[index] - rated[index])
      observed += weights[index] * distance * distance
      rows[truth[index]] += weights[index]
      columns[rated[index]] += weights[index]
      total += weights[index]
    }
    guard total > 0 else { return nil }
    var expected = 0.0
    for row in 0..<categories {
      for column in 0..<categories {
        expected += rows[row] * columns[column] / total * Double((row - column) * (row - column))
      }
    }
    // Both raters always say the same one thing: perfect agreement that chance would have, too.
    return expected > 0 ? 1 - observed / expected : nil
  }

  /// The metric of `self` and of `other` when the cases in `places` are exchanged between them.
  ///
  /// - Precondition: both are of one kind and over the same cases.
  /// - Complexity: O(cases), for κ O(cases + categories²); ratios and counts are summed without a copy.
  func values(exchanging places: [Bool], with other: MetricValues) -> (own: Double?, others: Double?) {
    switch (self, other) {
    case (.ratio(let n1, let d1), .ratio(let n2, let d2)):
      var (upper1, lower1, upper2, lower2) = (0.0, 0.0, 0.0, 0.0)
      for index in 0..<places.count {
        let isExchanged = places[index]
        upper1 += isExchanged ? n2[index] : n1[index]
        lower1 += isExchanged ? d2[index] : d1[index]
        upper2 += isExchanged ? n1[index] : n2[index]
        lower2 += isExchanged ? d1[index] : d2[index]
      }
      return (lower1 > 0 ? upper1 / lower1 : nil, lower2 > 0 ? upper2 / lower2 : nil)
    case (.total(let first), .total(let second)):
      var (sum1, sum2) = (0.0, 0.0)
      for index in 0..<places.count {
        let isExchanged = places[index]
        sum1 += isExchanged ? second[index] : first[index]
        sum2 += isExchanged ? first[index] : second[index]
      }
      return (sum1, sum2)
    case (.quadraticKappa(let truth, let first, let categories), .quadraticKappa(_, let second, _)):
      let ones = [Double](repeating: 1, count: truth.count)
      let own = places.indices.map { places[$0] ? second[$0] : first[$0] }
      let others = places.indices.map { places[$0] ? first[$0] : second[$0] }
      return (
        Self.quadraticKappa(truth, own, ones, categories), Self.quadraticKappa(truth, others, ones, categories)
      )
    default:
      preconditionFailure("two kinds of metric")
    }
  }
}

extension Estimate {
  /// A metric with its percentile bootstrap interval; nil where nothing was there to be measured.
  ///
  /// - Complexity: O(cases · resamples).
  /// - Source: B. Efron, R. Tibshirani, "An introduction to the bootstrap", 1993, chapter 13.
  public init?(
    _ values: MetricValues, resamples: Int = 2000, using generator: inout SplitMix64
  ) {
    guard let value = values.value else { return nil }
    let count = values.count
    var resampled: [Double] = []
    resampled.reserveCapacity(resamples)
    var weights = [Double](repeating: 0, count: count)
    for _ in 0..<resamples {
      for index in weights.indices { weights[index] = 0 }
      for _ in 0..<count { weights[generator.index(below: count)] += 1 }
      // A sample without a single case of the kind in question says nothing about it.
      if let value = values.value(weights: weights) { resampled.append(value) }
    }
    resampled.sort()
    self.init(
      value: value, low: Self.quantile(0.025, of: resampled) ?? value,
      high: Self.quantile(0.975, of: resampled) ?? value)
  }
}

extension PairedRandomisation {
  /// The two-sided p-value of the difference of a metric between two systems on the same cases.
  ///
  /// - Precondition: both are over the same cases.
  /// - Returns: from 1 / (permutations + 1) to 1; nil where one of them can't be computed.
  static func pValue(
    _ first: MetricValues, _ second: MetricValues, permutations: Int = 2000,
    using generator: inout SplitMix64
  ) -> Double? {
    guard let one = first.value, let other = second.value else { return nil }
    let threshold = abs(one - other) - 1e-9
    var atLeast = 0
    var places = [Bool](repeating: false, count: first.count)
    for _ in 0..<permutations {
      var bits: UInt64 = 0
      for index in places.indices {
        if index % 64 == 0 { bits = generator.next() }
        places[index] = bits & 1 == 1
        bits >>= 1
      }
      guard case (let left?, let right?) = first.values(exchanging: places, with: second) else { continue }
      if abs(left - right) >= threshold { atLeast += 1 }
    }
    return Double(atLeast + 1) / Double(permutations + 1)
  }
}
