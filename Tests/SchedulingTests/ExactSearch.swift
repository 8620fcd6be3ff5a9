@testable import Scheduling

/// The proven optimum of a small instance, by branch and bound.
///
/// Depth first over the jobs, every candidate and start of each, and leaving it out. A branch is given up when what its
/// jobs earn beyond the prices of a bound, and what each other job with room left could, can't beat the best plan known. Prices
/// only steer how early: whatever they are, nothing better is overlooked. Shares with the solver the prices alone.
struct ExactSearch {
  private struct Option {
    let vet: Int
    let start: Int
    let slots: Int
    /// Earned beyond the prices.
    let reduced: Double
  }

  private let instance: Instance
  /// Jobs in the order they are decided: predecessors first.
  private let order: [Int]
  private let options: [[Option]]
  /// What all that is priced is worth, breaks and pinned visits paid.
  private let constant: Double
  private(set) var best: Plan
  private(set) var nodes = 0

  private var placed: [Placement?]
  /// Whether a vet's slot is taken, and units of a pool in use, `stride` slots a row.
  private var busy: [Bool]
  private var used: [Int]
  private let stride: Int

  /// A search that begins with any plan that stands.
  init(_ instance: Instance, known: Plan, rounds: Int = 1500) {
    self.instance = instance
    best = known
    let prices = UpperBound(configuration: .init(iterationLimit: rounds)).price(instance, target: known.value).prices
    let book = PriceBook(instance, prices)
    placed = instance.jobs.map(\.pin)
    stride = instance.horizon + 200
    busy = [Bool](repeating: false, count: instance.vets.count * stride)
    used = [Int](repeating: 0, count: instance.pools.count * stride)
    var constant = book.everything
    for (number, vet) in instance.vets.enumerated() {
      for pause in vet.breaks {
        constant -= pause.start.map { book.vet(number, $0, pause.length) }.min() ?? 0
      }
    }
    options = instance.jobs.map { job -> [Option] in
      if job.pin != nil { return [] }
      let all = job.candidates.flatMap { candidate in
        job.starts(for: candidate, in: instance).joined().map { start in
          Option(
            vet: candidate.vet, start: start, slots: candidate.slots,
            reduced: Double(job.base + candidate.bonus - job.timeCost(at: start))
              - book.visit(job, candidate.vet, start, candidate.slots))
        }
      }
      return all.sorted { $0.reduced > $1.reduced }
    }
    for job in instance.jobs {
      if let pin = job.pin, let slots = job.candidate(pin.vet)?.slots {
        constant -= book.visit(job, pin.vet, pin.start, slots)
        for slot in pin.start..<(pin.start + slots) { busy[pin.vet * stride + slot] = true }
        for pool in job.pools {
          for slot in pin.start..<(pin.start + slots + instance.pools[pool].cleaning) {
            used[pool * stride + slot] += 1
          }
        }
      }
    }
    self.constant = constant
    var order: [Int] = []
    func add(_ job: Int) {
      if order.contains(job) || instance.jobs[job].pin != nil { return }
      if let before = instance.jobs[job].after?.job { add(before) }
      order.append(job)
    }
    let choice = options
    for job in instance.jobs.indices.sorted(by: { choice[$0].count < choice[$1].count }) { add(job) }
    self.order = order
  }

  /// The best plan there is.
  mutating func run() -> Plan {
    descend(0, sure: constant)
    return best
  }

  private mutating func descend(_ depth: Int, sure: Double) {
    nodes += 1
    guard canBeat(sure + hope(from: depth)) else { return }
    guard depth < order.count else { return finish() }
    let job = order[depth]
    let rest = hope(from: depth + 1)
    for option in options[job] {
      if !canBeat(sure + option.reduced + rest) { break }
      guard fits(job, option) else { continue }
      occupy(job, option, isTaken: true)
      placed[job] = Placement(vet: option.vet, start: option.start)
      if canRest(option.vet) { descend(depth + 1, sure: sure + option.reduced) }
      placed[job] = nil
      occupy(job, option, isTaken: false)
    }
    if canBeat(sure + rest) { descend(depth + 1, sure: sure) }
  }

  /// Values are whole: less than one more is no more. The tolerance is far above rounding.
  private func canBeat(_ most: Double) -> Bool { most >= Double(best.value) + 0.999 }

  /// What the jobs from a place in the order on earn at most beyond the prices, where there is room for each alone.
  private func hope(from depth: Int) -> Double {
    var sum = 0.0
    for job in order[depth...] {
      for option in options[job] {
        if option.reduced <= 0 { break }
        if hasRoom(job, option) {
          sum += option.reduced
          break
        }
      }
    }
    return sum
  }

  private func fits(_ job: Int, _ option: Option) -> Bool {
    if let after = instance.jobs[job].after {
      guard let before = placed[after.job], let slots = instance.jobs[after.job].candidate(before.vet)?.slots,
        before.start + slots + after.lag <= option.start
      else { return false }
    }
    return hasRoom(job, option)
  }

  private func hasRoom(_ job: Int, _ option: Option) -> Bool {
    let row = option.vet * stride
    for slot in option.start..<(option.start + option.slots) where busy[row + slot] { return false }
    for pool in instance.jobs[job].pools {
      let capacity = instance.pools[pool].capacity
      let end = option.start + option.slots + instance.pools[pool].cleaning
      for slot in option.start..<end where used[pool * stride + slot] >= capacity { return false }
    }
    return true
  }

  private mutating func occupy(_ job: Int, _ option: Option, isTaken: Bool) {
    for slot in option.start..<(option.start + option.slots) { busy[option.vet * stride + slot] = isTaken }
    for pool in instance.jobs[job].pools {
      for slot in option.start..<(option.start + option.slots + instance.pools[pool].cleaning) {
        used[pool * stride + slot] += isTaken ? 1 : -1
      }
    }
  }

  private func isFree(_ vet: Int, _ slots: Range<Int>) -> Bool { slots.allSatisfy { !busy[vet * stride + $0] } }

  private func canRest(_ vet: Int) -> Bool {
    BreakArrangement.arrange(instance.vets[vet].breaks) { isFree(vet, $0) } != nil
  }

  private mutating func finish() {
    var breaks: [Placement] = []
    for (number, vet) in instance.vets.enumerated() {
      guard let starts = BreakArrangement.arrange(vet.breaks, isFree: { isFree(number, $0) }) else {
        return
      }
      breaks += starts.map { Placement(vet: number, start: $0) }
    }
    var plan = Plan(value: 0, upperBound: 0, jobs: placed, breaks: breaks, seconds: 0)
    let report = PlanValidator(instance: instance).report(on: plan)
    guard report.isFeasible, report.value > best.value else { return }
    plan.value = report.value
    plan.upperBound = report.value
    best = plan
  }
}

/// Prices of a bound, slot by slot, looked up the plain way.
private struct PriceBook {
  let instance: Instance
  let prices: SlotPrices

  init(_ instance: Instance, _ prices: SlotPrices) {
    self.instance = instance
    self.prices = prices
  }

  private func sum(_ row: Int, _ start: Int, _ slots: Int) -> Double {
    (start..<(start + slots)).reduce(0) {
      $1 < prices.width ? $0 + prices.values[row * prices.width + $1] : $0
    }
  }

  func vet(_ vet: Int, _ start: Int, _ slots: Int) -> Double { sum(vet, start, slots) }

  func load(_ vet: Int) -> (first: Double, second: Double) {
    (prices.values[prices.loadRow + vet], prices.values[prices.loadRow + instance.vets.count + vet])
  }

  func visit(_ job: Instance.Job, _ vet: Int, _ start: Int, _ slots: Int) -> Double {
    let work = (load(vet).first + load(vet).second) * Double(slots)
    return job.pools.reduce(sum(vet, start, slots) + work) {
      $0 + sum(instance.vets.count + $1, start, slots + instance.pools[$1].cleaning)
    }
  }

  /// What all slots and thresholds are priced at together.
  var everything: Double {
    var total = 0.0
    for (number, vet) in instance.vets.enumerated() {
      total += sum(number, 0, prices.width)
      total += load(number).first * Double(vet.t1) + load(number).second * Double(vet.t2)
    }
    for (number, pool) in instance.pools.enumerated() {
      total += sum(instance.vets.count + number, 0, prices.width) * Double(pool.capacity)
    }
    return total
  }
}
