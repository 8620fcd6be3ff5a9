/// The problem with its shared limits priced: each job and break on its own.
///
/// Rows of prices, one after the other: vets' slots, pools' slots, work beyond `t1`, work beyond `t2`.
struct PricedRelaxation {
  private static let scale = 64

  /// A candidate's starts with the length it needs; candidates of a job stand in order of length.
  private struct Option {
    let vet: Int
    let slots: Int
    let worth: Int
    let starts: [ClosedRange<Int>]
  }

  private struct Choice {
    let options: [Option]
    let pools: [Int]
    /// From the first start of any option to the last one.
    let span: Range<Int>
    /// The time cost of each start of the span, scaled.
    let timeCost: [Int]
  }

  private let instance: Instance
  private let choices: [Choice]
  private let width: Int
  private let isOpen: [Bool]
  private let poolRow: Int
  private let loadRow: Int

  /// How many prices there are.
  let size: Int
  /// Of the last solution, row by row, what is left of the limit: negative where it is overrun.
  private(set) var surplus: [Double]
  /// The least bound of all prices tried, rounded down.
  private(set) var leastBound = Int.max

  /// Running sums of the prices of vets' and pools' slots, scaled, `width + 1` a row.
  private var sums: [Int]
  private var priced: [Int]

  init(_ instance: Instance) {
    self.instance = instance
    let longest = instance.jobs.flatMap(\.candidates).map(\.slots).max() ?? 0
    let width = instance.horizon + longest + Instance.tail
    self.width = width
    poolRow = instance.vets.count * width
    loadRow = poolRow + instance.pools.count * width
    size = loadRow + 2 * instance.vets.count
    surplus = [Double](repeating: 0, count: size)
    sums = [Int](repeating: 0, count: (instance.vets.count + instance.pools.count) * (width + 1))
    var isOpen = [Bool](repeating: false, count: poolRow)
    for (number, vet) in instance.vets.enumerated() {
      for stretch in vet.available { for slot in stretch { isOpen[number * width + slot] = true } }
    }
    self.isOpen = isOpen
    var longestSpan = 0
    var choices: [Choice] = []
    for job in instance.jobs where job.pin == nil {
      let options = job.candidates.map { candidate in
        Option(
          vet: candidate.vet, slots: candidate.slots, worth: (job.base + candidate.bonus) * Self.scale,
          starts: job.starts(for: candidate, in: instance))
      }.filter { !$0.starts.isEmpty }.sorted { ($0.slots, $0.vet) < ($1.slots, $1.vet) }
      let ranges = options.flatMap(\.starts)
      guard let first = ranges.map(\.lowerBound).min(), let last = ranges.map(\.upperBound).max() else { continue }
      longestSpan = max(longestSpan, last - first + 1)
      choices.append(
        Choice(
          options: options, pools: job.pools, span: first..<(last + 1),
          timeCost: (first...last).map { job.timeCost(at: $0) * Self.scale }))
    }
    self.choices = choices
    priced = [Int](repeating: 0, count: longestSpan)
  }

  /// The greatest price that makes sense: what a row's overrun costs, where it has a cost.
  func ceiling(of row: Int) -> Double {
    if row < poolRow { return isOpen[row] ? .infinity : 0 }
    if row < loadRow { return .infinity }
    return Double(row < loadRow + instance.vets.count ? instance.balance.c1 : instance.balance.c2)
  }

  /// Places everything by itself under the prices, and returns the bound they prove; ``surplus`` says what it overruns.
  mutating func solve(prices: [Double]) -> Double {
    let vets = instance.vets.count
    var total = takeIn(prices)
    var loadPrice = [Int](repeating: 0, count: vets)
    for (number, vet) in instance.vets.enumerated() {
      let first = Self.scaled(prices[loadRow + number])
      let second = Self.scaled(prices[loadRow + vets + number])
      loadPrice[number] = first + second
      total += first * vet.t1 + second * vet.t2
      surplus[loadRow + number] = Double(vet.t1)
      surplus[loadRow + vets + number] = Double(vet.t2)
    }
    for job in instance.jobs {
      guard let pin = job.pin, let candidate = job.candidate(pin.vet) else { continue }
      total -= use(
        vet: pin.vet, pools: job.pools, start: pin.start, slots: candidate.slots, loadPrice: loadPrice[pin.vet])
    }
    for (number, vet) in instance.vets.enumerated() {
      for pause in vet.breaks { total -= placeBreak(pause, vet: number) }
    }
    for choice in choices { total += place(choice, loadPrice: loadPrice) }
    let bound = total >= 0 ? total / Self.scale : (total - Self.scale + 1) / Self.scale
    leastBound = min(leastBound, bound)
    return Double(total) / Double(Self.scale)
  }

  private static func scaled(_ price: Double) -> Int { Int((price * Double(scale)).rounded(.down)) }

  /// Sums up the prices and sets the surplus to what there is; returns what all slots together are priced at.
  private mutating func takeIn(_ prices: [Double]) -> Int {
    var total = 0
    for vet in instance.vets.indices {
      var sum = 0
      for slot in 0..<width {
        let row = vet * width + slot
        sums[vet * (width + 1) + slot] = sum
        if isOpen[row] { sum += Self.scaled(prices[row]) }
        surplus[row] = isOpen[row] ? 1 : 0
      }
      sums[vet * (width + 1) + width] = sum
      total += sum
    }
    for (number, pool) in instance.pools.enumerated() {
      let base = (instance.vets.count + number) * (width + 1)
      var sum = 0
      for slot in 0..<width {
        sums[base + slot] = sum
        sum += Self.scaled(prices[poolRow + number * width + slot])
        surplus[poolRow + number * width + slot] = Double(pool.capacity)
      }
      sums[base + width] = sum
      total += sum * pool.capacity
    }
    return total
  }

  /// Notes that slots are taken; returns what they are priced at.
  private mutating func use(vet: Int, pools: [Int], start: Int, slots: Int, loadPrice: Int) -> Int {
    let base = vet * (width + 1) + start
    var price = sums[base + slots] - sums[base] + loadPrice * slots
    for slot in start..<(start + slots) where isOpen[vet * width + slot] { surplus[vet * width + slot] -= 1 }
    for pool in pools {
      let base = (instance.vets.count + pool) * (width + 1) + start
      let occupied = slots + instance.pools[pool].cleaning
      price += sums[base + occupied] - sums[base]
      for slot in start..<(start + occupied) { surplus[poolRow + pool * width + slot] -= 1 }
    }
    surplus[loadRow + vet] -= Double(slots)
    surplus[loadRow + instance.vets.count + vet] -= Double(slots)
    return price
  }

  private mutating func placeBreak(_ pause: Instance.Break, vet: Int) -> Int {
    let base = vet * (width + 1)
    var least = Int.max
    var chosen = pause.start.lowerBound
    for start in pause.start {
      let price = sums[base + start + pause.length] - sums[base + start]
      if price < least { (least, chosen) = (price, start) }
    }
    for slot in chosen..<(chosen + pause.length) where isOpen[vet * width + slot] { surplus[vet * width + slot] -= 1 }
    return least
  }

  /// Gives the job its best candidate and start, or none; returns what it earns beyond what it pays.
  private mutating func place(_ choice: Choice, loadPrice: [Int]) -> Int {
    var best = 0
    var chosen: (vet: Int, start: Int, slots: Int)?
    var pricedLength = -1
    for option in choice.options {
      if option.slots != pricedLength {
        pricedLength = option.slots
        priceStarts(of: choice, slots: option.slots)
      }
      let worth = option.worth - loadPrice[option.vet] * option.slots - best
      let row = option.vet * (width + 1)
      for range in option.starts {
        guard let start = leastStart(in: range, row: row, slots: option.slots, from: choice.span.lowerBound) else {
          continue
        }
        let price = sums[row + start + option.slots] - sums[row + start] + priced[start - choice.span.lowerBound]
        let gain = option.worth - loadPrice[option.vet] * option.slots - price
        if gain > best, worth > 0 {
          best = gain
          chosen = (option.vet, start, option.slots)
        }
      }
    }
    if let chosen {
      _ = use(
        vet: chosen.vet, pools: choice.pools, start: chosen.start, slots: chosen.slots, loadPrice: 0)
    }
    return best
  }

  /// Puts time cost plus pools' prices of every start of the span into ``priced``.
  private mutating func priceStarts(of choice: Choice, slots: Int) {
    for offset in choice.timeCost.indices { priced[offset] = choice.timeCost[offset] }
    for pool in choice.pools {
      let base = (instance.vets.count + pool) * (width + 1) + choice.span.lowerBound
      let occupied = slots + instance.pools[pool].cleaning
      let count = choice.span.count
      priced.withUnsafeMutableBufferPointer { priced in
        sums.withUnsafeBufferPointer { sums in
          for offset in 0..<count { priced[offset] &+= sums[base &+ offset &+ occupied] &- sums[base &+ offset] }
        }
      }
    }
  }

  /// The start in `range` at which vet and pools together cost least.
  private func leastStart(in range: ClosedRange<Int>, row: Int, slots: Int, from first: Int) -> Int? {
    var least = Int.max
    var chosen: Int?
    priced.withUnsafeBufferPointer { priced in
      sums.withUnsafeBufferPointer { sums in
        for start in range {
          let price = sums[row &+ start &+ slots] &- sums[row &+ start] &+ priced[start &- first]
          if price < least { (least, chosen) = (price, start) }
        }
      }
    }
    return chosen
  }
}
