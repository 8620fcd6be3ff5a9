import Clinical

/// Makes plans: a greedy one by urgency, then ruin and recreate under simulated annealing, guided by the prices that
/// prove the bound.
///
///     let plan = try Solver(configuration: .init(seed: 7, iterationLimit: 20_000)).solve(instance) { 0 }
///
/// The same instance, seed and iteration limit give the same plan on every machine; a time limit gives the best plan
/// found by then. Either way every plan keeps every hard rule: ``PlanValidator`` has looked at it.
///
/// - Source: G. Schrimpf et al., "Record Breaking Optimization Results Using the Ruin and Recreate Principle", J. Comput.
///   Phys. 2000;159:139–171; J. Christiaens, G. Vanden Berghe, "Slack Induction by String Removals", Transp. Sci. 2020;54:417–433.
public struct Solver: Sendable {
  public struct Configuration: Hashable, Sendable {
    public var seed: UInt64
    /// Rounds of ruin and recreate, of each search; nil for no limit but time.
    public var iterationLimit: Int?
    /// Seconds by the caller's clock, bound included; nil for no limit but rounds.
    public var timeLimit: Double?
    /// Loss in 1/100 point that the first rounds accept with probability 1/e.
    public var startTemperature: Double
    /// The same for the last rounds.
    public var endTemperature: Double
    /// The bound that goes with the plan.
    public var bound: UpperBound.Configuration

    public init(
      seed: UInt64 = 1, iterationLimit: Int? = 20_000, timeLimit: Double? = nil, startTemperature: Double = 800,
      endTemperature: Double = 40, bound: UpperBound.Configuration = .init()
    ) {
      self.seed = seed
      self.iterationLimit = iterationLimit
      self.timeLimit = timeLimit
      self.startTemperature = startTemperature
      self.endTemperature = endTemperature
      self.bound = bound
    }
  }

  public let configuration: Configuration

  /// - Precondition: there is an iteration limit or a time limit.
  public init(configuration: Configuration = .init()) {
    precondition(
      configuration.iterationLimit != nil || configuration.timeLimit != nil, "the search needs a limit, or never ends")
    self.configuration = configuration
  }

  /// The best plan found for the instance.
  ///
  /// - Parameters:
  ///   - instance: what to plan.
  ///   - start: a plan to begin with, such as today's; what of it can't stand is dropped. The result is worth at least
  ///     as much as the part that stands.
  ///   - isCancelled: asked every few dozen rounds; the best plan so far is returned.
  ///   - elapsed: seconds since the caller began, never decreasing; `{ 0 }` where only the rounds count.
  /// - Returns: a plan that keeps every hard rule, with a proven bound.
  /// - Throws: ``SchedulingError`` with `.infeasible` when pins and breaks can't hold together. A job without a place
  ///   is not an error.
  public func solve(
    _ instance: Instance, startingFrom start: Plan? = nil, isCancelled: () -> Bool = { false }, elapsed: () -> Double
  ) throws(SchedulingError) -> Plan {
    let began = elapsed()
    let problem = SearchProblem(instance)
    let state = try firstState(problem, instance, startingFrom: start)
    let bound = boundAndPrices(
      instance, target: state.value - state.mandatoryPart, share: 0.2, from: began, elapsed: elapsed)
    let (plan, _) = search(
      from: state, instance, bound: bound, seed: configuration.seed, began: began, isCancelled: isCancelled,
      elapsed: elapsed)
    return try checked(plan, instance, bound: bound.value, seconds: elapsed() - began)
  }

  /// What is fixed, what of a former plan can stand, and the greedy plan around it.
  func firstState(
    _ problem: SearchProblem, _ instance: Instance, startingFrom start: Plan?
  ) throws(SchedulingError) -> SearchState {
    var state = SearchState(problem)
    try state.placeFixedParts(of: instance)
    if let start { state.adopt(start, of: instance) }
    state.construct()
    return state
  }

  /// The bound, for which no more than a share of the time is spent.
  func boundAndPrices(
    _ instance: Instance, target: Int, share: Double, from began: Double, elapsed: () -> Double,
    report: (UpperBound.Result) -> Void = { _ in }
  ) -> UpperBound.Result {
    UpperBound(configuration: configuration.bound).price(
      instance, target: target,
      isOver: { configuration.timeLimit.map { elapsed() > began + $0 * share } ?? false }, report: report)
  }

  /// One search to its end, and whether its plan is worth all that the bound allows.
  func search(
    from state: consuming SearchState, _ instance: Instance, bound: UpperBound.Result, seed: UInt64, began: Double,
    isCancelled: () -> Bool, elapsed: () -> Double
  ) -> (plan: Plan, isBest: Bool) {
    let problem = state.problem
    let optimum = bound.value + problem.mandatoryWorth * state.mandatoryCount
    // Without a round of pricing everything is free.
    let guide = configuration.bound.iterationLimit > 0 ? PriceGuide(problem, prices: bound.prices) : nil
    var search = RuinAndRecreate(state: state, seed: seed, guide: guide)
    search.run(configuration, from: began, optimum: optimum, isCancelled: isCancelled, elapsed: elapsed)
    search.restoreBest()
    return (search.state.plan(for: instance), search.bestValue >= optimum)
  }

  /// The plan with its value computed afresh.
  ///
  /// - Throws: ``SchedulingError`` with `.infeasible` when it breaks a rule.
  func checked(
    _ found: Plan, _ instance: Instance, bound: Int, seconds: Double
  ) throws(SchedulingError) -> Plan {
    var plan = found
    let report = PlanValidator(instance: instance).report(on: plan)
    guard let violation = report.violations.first else {
      plan.value = report.value
      plan.upperBound = max(bound, report.value)
      plan.seconds = seconds
      return plan
    }
    throw SchedulingError(
      .infeasible, field: "jobs", value: "\(violation)", problem: "what is pinned can't be planned around")
  }

  /// The greedy plan alone: every job in order of urgency to its best free place. Microseconds per job.
  ///
  /// - Throws: as ``solve(_:startingFrom:isCancelled:elapsed:)``.
  public static func greedy(_ instance: Instance) throws(SchedulingError) -> Plan {
    try Solver(configuration: .init(iterationLimit: 0, bound: .init(iterationLimit: 0))).solve(instance) { 0 }
  }
}
