/// A proven limit on what any plan for an instance can be worth.
///
/// A price on every slot of every vet and pool, and on work beyond the thresholds, turns the shared limits into costs;
/// then each job and each break can be placed by itself, by looking at every start. Whatever the prices, as long as none
/// is negative, the sum is an upper bound, so stopping early only makes it looser. Prices are whole numbers of 1/64 of
/// 1/100 point: no rounding can make the bound wrong.
///
/// Prices are improved by subgradient steps with momentum: overrun slots become dearer, idle ones cheaper.
///
/// - Source: A. M. Geoffrion, "Lagrangean relaxation for integer programming", Math. Program. Study 1974;2:82–114;
///   B. T. Polyak, "Minimization of unsmooth functionals", USSR Comput. Math. Math. Phys. 1969;9:14–29.
public struct UpperBound: Sendable {
  public struct Configuration: Hashable, Sendable {
    /// Rounds of pricing; with 0 every job simply gets its best start.
    public var iterationLimit: Int

    public init(iterationLimit: Int = 300) {
      self.iterationLimit = iterationLimit
    }
  }

  public let configuration: Configuration

  public init(configuration: Configuration = .init()) {
    self.configuration = configuration
  }

  /// The least bound found, in 1/100 point.
  ///
  /// - Parameters:
  ///   - instance: what is to be planned.
  ///   - target: the value of a known plan; only steers the steps.
  ///   - isOver: asked every round; the best bound so far is returned.
  /// - Returns: a value no plan exceeds.
  /// - Complexity: O(rounds × Σ candidates' starts).
  public func compute(_ instance: Instance, target: Int, isOver: () -> Bool = { false }) -> Int {
    var relaxation = PricedRelaxation(instance)
    let size = relaxation.size
    var prices = [Double](repeating: 0, count: size)
    var direction = prices
    var current = relaxation.solve(prices: prices)
    var best = current
    var stepFactor = Self.firstStep
    var roundsWithoutGain = 0
    for _ in 0..<configuration.iterationLimit where best > Double(target) {
      if isOver() { break }
      var norm = 0.0
      for row in 0..<size {
        // A price of nothing can't fall any further.
        let surplus = relaxation.surplus[row] > 0 && prices[row] <= 0 ? 0 : relaxation.surplus[row]
        direction[row] = surplus + Self.momentum * direction[row]
        norm += direction[row] * direction[row]
      }
      guard norm > 1e-9 else { break }
      let step = stepFactor * (current - Double(target)) / norm
      for row in 0..<size {
        prices[row] = min(relaxation.ceiling(of: row), max(0, prices[row] - step * direction[row]))
      }
      current = relaxation.solve(prices: prices)
      if current < best - 0.5 {
        best = current
        roundsWithoutGain = 0
      } else {
        roundsWithoutGain += 1
        if roundsWithoutGain == Self.patience {
          roundsWithoutGain = 0
          stepFactor *= Self.shrinking
        }
      }
    }
    return relaxation.leastBound
  }

  // Tuned on planning days of 100 visits and weeks of 400 and 800; only speed depends on them, never validity.

  /// Share of the way to the target, were the surplus a straight road there.
  private static let firstStep = 0.3
  /// How much of the last direction is kept: jobs with several equally good starts make the surplus jump about.
  private static let momentum = 0.95
  private static let patience = 20
  private static let shrinking = 0.6
}
