/// A proven limit on what any plan for an instance can be worth.
///
/// A price on every slot of every vet and pool, and on work beyond the thresholds, turns the shared limits into costs;
/// then each job and each break can be placed by itself, by looking at every start. Whatever the prices, as long as none
/// is negative, the sum is an upper bound, so stopping early only makes it looser. Prices are whole numbers of 1/64 of
/// 1/100 point: no rounding can make the bound wrong.
///
/// Prices are improved by the volume algorithm: steps from the best prices so far along the averaged surplus.
///
/// - Source: A. M. Geoffrion, "Lagrangean relaxation for integer programming", Math. Program. Study 1974;2:82–114;
///   F. Barahona, R. Anbil, "The volume algorithm", Math. Program. 2000;87:385–399.
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
    let zero = [Double](repeating: 0, count: size)
    var best = relaxation.solve(prices: zero)
    var bestPrices = zero
    var surplus = relaxation.surplus
    var prices = zero
    var stepFactor = 0.5
    var withoutGain = 0
    for _ in 0..<configuration.iterationLimit where best > Double(target) {
      if isOver() { break }
      var norm = 0.0
      for row in 0..<size where surplus[row] < 0 || bestPrices[row] > 0 { norm += surplus[row] * surplus[row] }
      guard norm > 1e-9 else { break }
      let step = stepFactor * (best - Double(target) * 0.999) / norm
      for row in 0..<size {
        prices[row] = min(relaxation.ceiling(of: row), max(0, bestPrices[row] - step * surplus[row]))
      }
      let bound = relaxation.solve(prices: prices)
      var agreement = 0.0
      for row in 0..<size {
        agreement += surplus[row] * relaxation.surplus[row]
        surplus[row] += Self.averaging * (relaxation.surplus[row] - surplus[row])
      }
      if bound < best {
        best = bound
        swap(&bestPrices, &prices)
        withoutGain = 0
        if agreement > 0 { stepFactor = min(2, stepFactor * 1.1) }
      } else {
        withoutGain += 1
        if withoutGain >= 8 {
          withoutGain = 0
          stepFactor = max(0.002, stepFactor * 0.66)
        }
      }
    }
    return relaxation.leastBound
  }

  /// The weight of the newest solution in the average.
  private static let averaging = 0.12
}
