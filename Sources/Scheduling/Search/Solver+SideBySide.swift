import Dispatch
import Synchronization

extension Solver {
  /// The best of several searches that run side by side, each with random numbers of its own.
  ///
  /// The first also computes the bound; the others begin as soon as its prices are good enough. With an iteration limit
  /// alone the result depends on the instance, the seed and the number of searches, never on the machine: each search
  /// does its own rounds, and of equal plans the first search's is taken.
  ///
  /// - Parameters:
  ///   - instance: what to plan.
  ///   - searches: how many, at least 1; more than the machine has cores make no sense.
  ///   - start: as for ``solve(_:startingFrom:isCancelled:elapsed:)``.
  ///   - isCancelled: asked by every search every few dozen rounds.
  ///   - elapsed: seconds since the caller began.
  /// - Returns: a plan that keeps every hard rule, with a proven bound.
  /// - Throws: as ``solve(_:startingFrom:isCancelled:elapsed:)``.
  public func solve(
    _ instance: Instance, searches: Int, startingFrom start: Plan? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }, elapsed: @escaping @Sendable () -> Double
  ) throws(SchedulingError) -> Plan {
    guard searches > 1 else {
      return try solve(instance, startingFrom: start, isCancelled: isCancelled, elapsed: elapsed)
    }
    let began = elapsed()
    let handover = Handover(waiting: searches - 1, endsEarly: configuration.iterationLimit == nil)
    let finished = DispatchGroup()
    let isOver = { @Sendable in isCancelled() || handover.isOver }
    for number in 1..<searches {
      DispatchQueue.global().async(group: finished) {
        // What is wrong with the instance the first search says.
        guard let state = try? firstState(SearchProblem(instance), instance, startingFrom: start),
          let bound = handover.take()
        else { return }
        let seed = configuration.seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        let (plan, isBest) = search(
          from: state, instance, bound: bound, seed: seed, began: began, isCancelled: isOver, elapsed: elapsed)
        handover.add(plan, of: number, isBest: isBest)
      }
    }
    defer { handover.give(nil) }
    let state = try firstState(SearchProblem(instance), instance, startingFrom: start)
    let bound = boundAndPrices(
      instance, target: state.value - state.mandatoryPart, share: 0.4, from: began, elapsed: elapsed,
      report: { handover.give($0) })
    handover.give(bound)
    let (first, isBest) = search(
      from: state, instance, bound: bound, seed: configuration.seed, began: began, isCancelled: isOver,
      elapsed: elapsed)
    handover.add(first, of: 0, isBest: isBest)
    finished.wait()
    return try checked(handover.best(or: first), instance, bound: bound.value, seconds: elapsed() - began)
  }
}

/// What the searches tell one another.
private final class Handover: Sendable {
  private struct Contents {
    var bound: UpperBound.Result?
    var isGiven = false
    var plans: [Int: Plan] = [:]
    var isOver = false
  }

  private let contents = Mutex(Contents())
  private let given = DispatchSemaphore(value: 0)
  private let waiting: Int
  /// Whether a plan that reaches the bound ends all searches; the rounds of each count otherwise.
  private let endsEarly: Bool

  init(waiting: Int, endsEarly: Bool) {
    self.waiting = waiting
    self.endsEarly = endsEarly
  }

  var isOver: Bool { contents.withLock { $0.isOver } }

  /// Lets the others begin, with a bound or, nil, not at all; only the first call counts.
  func give(_ bound: UpperBound.Result?) {
    let isFirst = contents.withLock { contents in
      if contents.isGiven { return false }
      contents.isGiven = true
      contents.bound = bound
      return true
    }
    if isFirst { for _ in 0..<waiting { given.signal() } }
  }

  func take() -> UpperBound.Result? {
    given.wait()
    return contents.withLock { $0.bound }
  }

  func add(_ plan: Plan, of search: Int, isBest: Bool) {
    contents.withLock {
      $0.plans[search] = plan
      if endsEarly, isBest { $0.isOver = true }
    }
  }

  /// The plan of the greatest value, of the first search that has one.
  func best(or first: Plan) -> Plan {
    contents.withLock { contents in
      contents.plans.sorted { $0.key < $1.key }.reduce(first) { $1.value.value > $0.value ? $1.value : $0 }
    }
  }
}
