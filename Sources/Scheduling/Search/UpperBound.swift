/// A proven limit on what any plan for an instance can be worth.
///
/// A price on every slot of every vet and pool, and on work beyond the thresholds, turns the shared limits into costs;
/// then each job can be placed by itself, or with the one job that waits for it, by looking at every start. Whatever the
/// prices, as long as none is negative, the sum is an upper bound, so stopping early only makes it looser.
///
/// Prices are improved by subgradient steps with momentum: overrun slots become dearer, idle ones cheaper. The search for
/// plans uses them too, see ``PriceGuide``.
///
/// - Source: A. M. Geoffrion, "Lagrangean relaxation for integer programming", Math. Program. Study 1974;2:82–114;
///   B. T. Polyak, "Minimization of unsmooth functionals", USSR Comput. Math. Math. Phys. 1969;9:14–29.
public struct UpperBound: Sendable {
  public struct Configuration: Hashable, Sendable {
    /// Rounds of pricing; with 0 every job simply gets its best start.
    public var iterationLimit: Int

    public init(iterationLimit: Int = 500) {
      self.iterationLimit = iterationLimit
    }
  }

  /// What pricing came to.
  struct Result: Sendable {
    /// In 1/100 point; no plan is worth more.
    var value: Int
    /// The prices that prove about as much.
    var prices: SlotPrices
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
    price(instance, target: target, isOver: isOver).value
  }

  /// The bound with its prices; `report` gets what there is after ``earlyRounds``, for those who can't wait.
  func price(
    _ instance: Instance, target: Int, isOver: () -> Bool = { false }, report: (Result) -> Void = { _ in }
  ) -> Result {
    if PricedRelaxation<Int32>.fits(instance) {
      return price(PricedRelaxation<Int32>(instance), target: target, isOver: isOver, report: report)
    }
    return price(PricedRelaxation<Int>(instance), target: target, isOver: isOver, report: report)
  }

  private func price<Number>(
    _ priced: PricedRelaxation<Number>, target: Int, isOver: () -> Bool, report: (Result) -> Void
  ) -> Result {
    var relaxation = priced
    let size = relaxation.size
    let surplus = relaxation.surplus
    let ceiling = Table((0..<size).map { relaxation.ceiling(of: $0) })
    let prices = Table(repeating: 0.0, count: size)
    let direction = Table(repeating: 0.0, count: size)
    let bestPrices = Table(repeating: 0.0, count: size)
    var (current, leastBound) = relaxation.solve(prices: prices)
    var best = current
    var stepFactor = Self.firstStep
    var roundsWithoutGain = 0
    func result() -> Result {
      Result(
        value: leastBound,
        prices: SlotPrices(
          values: (0..<size).map { bestPrices[$0] }, width: relaxation.width, loadRow: relaxation.loadRow))
    }
    for round in 0..<configuration.iterationLimit where best > Double(target) {
      if isOver() { break }
      if round == Self.earlyRounds { report(result()) }
      var norm = 0.0
      for row in 0..<size {
        // A price of nothing can't fall any further.
        let own = surplus[row] > 0 && prices[row] <= 0 ? 0 : surplus[row]
        let next = own + Self.momentum * direction[row]
        direction[row] = next
        norm += next * next
      }
      guard norm > 1e-9 else { break }
      let step = stepFactor * (current - Double(target)) / norm
      for row in 0..<size { prices[row] = min(ceiling[row], max(0, prices[row] - step * direction[row])) }
      let bound: Int
      (current, bound) = relaxation.solve(prices: prices)
      leastBound = min(leastBound, bound)
      if current < best - 0.5 {
        best = current
        bestPrices.assign(from: prices)
        roundsWithoutGain = 0
      } else {
        roundsWithoutGain += 1
        if roundsWithoutGain == Self.patience {
          roundsWithoutGain = 0
          stepFactor *= Self.shrinking
        }
      }
    }
    return result()
  }

  /// Rounds after which prices are good enough to begin a search with.
  static let earlyRounds = 100

  // Tuned on planning days of 100 visits and weeks of 400 and 800; only speed depends on them, never validity.

  /// Share of the way to the target, were the surplus a straight road there.
  private static let firstStep = 2.0
  /// How much of the last direction is kept: jobs with several equally good starts make the surplus jump about.
  private static let momentum = 0.98
  private static let patience = 20
  private static let shrinking = 0.5
}

/// What a slot of each vet and pool is worth, and a slot of each vet's work, in 1/100 point.
struct SlotPrices: Sendable {
  /// Row by row: vets' slots, then pools', then from ``loadRow`` on work beyond `t1` and beyond `t2`.
  let values: [Double]
  /// Slots in a row.
  let width: Int
  let loadRow: Int
}
