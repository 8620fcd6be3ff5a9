/// The problem with its shared limits priced: each job and break on its own, or with the one job that waits for it.
///
/// Rows of prices, one after the other: vets' slots, pools' slots, work beyond `t1`, work beyond `t2`. Prices are whole
/// numbers of 1/``scale`` of 1/100 point, so that no rounding can make a bound wrong. `Number` holds what one visit costs
/// at most: `Int32` where ``fits(_:)`` says so, for speed; running sums may wrap around, their differences don't.
struct PricedRelaxation<Number: FixedWidthInteger & SignedInteger> {
  /// A candidate's starts with the length it needs.
  struct Option {
    let vet: Int
    let slots: Int
    let worth: Number
    let starts: [ClosedRange<Int>]
  }

  struct Choice {
    /// In order of length, the worthiest first.
    let options: [Option]
    let pools: [(row: Int, cleaning: Int)]
    /// From the first start of any option to the last one.
    let span: Range<Int>
    /// The time cost of each start of the span, scaled, and no more than makes the start worthless.
    let timeCost: [Number]
    /// Slots between the end of the job that comes first and this one.
    var lag = 0
  }

  struct Chosen {
    var gain: Number = 0
    var option = -1
    var start = 0
  }

  private let instance: Instance
  /// Choices made alone, and pairs of which the second can be had only with the first, before it.
  private let alone: [Choice]
  let pairs: [(first: Choice, second: Choice)]
  /// Slots in a row.
  let width: Int
  private let isOpen: [Bool]
  private let poolRow: Int
  private let scale: Int

  /// Where the prices of load begin.
  let loadRow: Int
  /// How many prices there are.
  let size: Int
  /// Of the last solution, row by row, what is left of the limit: negative where it is overrun.
  let surplus: Table<Double>
  /// The greatest price of a slot that means anything.
  private let greatestPrice: Double

  /// Running sums of the prices of vets' and pools' slots, scaled, `width + 1` a row.
  let sums: Table<Number>
  let priced: Table<Number>
  /// The best first part of a pair that ends by each slot.
  var byEnd: [Chosen]

  init(_ instance: Instance) {
    self.instance = instance
    let layout = RelaxationLayout(instance)
    width = layout.width
    scale = Self.scale(for: layout)
    greatestPrice = Double(layout.greatestWorth + 1)
    poolRow = instance.vets.count * width
    loadRow = poolRow + instance.pools.count * width
    size = loadRow + 2 * instance.vets.count
    surplus = Table(repeating: 0, count: size)
    sums = Table(repeating: 0, count: (instance.vets.count + instance.pools.count) * (width + 1))
    var isOpen = [Bool](repeating: false, count: poolRow)
    for (number, vet) in instance.vets.enumerated() {
      for stretch in vet.available {
        for slot in stretch.clamped(to: 0..<width) { isOpen[number * width + slot] = true }
      }
    }
    self.isOpen = isOpen
    byEnd = [Chosen](repeating: Chosen(), count: width + 1)

    var choices: [Int: Choice] = [:]
    for (index, job) in instance.jobs.enumerated() where job.pin == nil {
      choices[index] = Self.choice(job, layout.starts[index], instance, layout, scale)
    }
    priced = Table(repeating: 0, count: (choices.values.map(\.span.count).max() ?? 0) + 1)
    var paired = Set<Int>()
    var pairs: [(first: Choice, second: Choice)] = []
    for (index, job) in instance.jobs.enumerated() {
      guard let after = job.after, let second = choices[index], let first = choices[after.job],
        !paired.contains(index), !paired.contains(after.job)
      else { continue }
      paired.formUnion([index, after.job])
      var follower = second
      follower.lag = after.lag
      pairs.append((first, follower))
    }
    self.pairs = pairs
    alone = instance.jobs.indices.filter { !paired.contains($0) }.compactMap { choices[$0] }
  }

  /// Whether every sum one visit can meet fits into `Number`.
  static func fits(_ instance: Instance) -> Bool {
    let layout = RelaxationLayout(instance)
    return layout.mostRows * (layout.greatestWorth + 1) <= Int(Number.max >> 2)
  }

  private static func scale(for layout: RelaxationLayout) -> Int {
    var scale = 64
    while scale > 1, layout.mostRows * (layout.greatestWorth + 1) > Int(Number.max >> 2) / scale { scale /= 2 }
    return scale
  }

  private static func choice(
    _ job: Instance.Job, _ starts: [[ClosedRange<Int>]], _ instance: Instance, _ layout: RelaxationLayout, _ scale: Int
  ) -> Choice? {
    let options = zip(job.candidates, starts).map { candidate, starts in
      Option(
        vet: candidate.vet, slots: candidate.slots, worth: Number((job.base + candidate.bonus) * scale), starts: starts)
    }.filter { !$0.starts.isEmpty }.sorted {
      ($0.slots, $1.worth, $0.vet) < ($1.slots, $0.worth, $1.vet)
    }
    let ranges = options.flatMap(\.starts)
    guard let first = ranges.map(\.lowerBound).min(), let last = ranges.map(\.upperBound).max() else { return nil }
    return Choice(
      options: options,
      pools: job.pools.map { (instance.vets.count + $0, instance.pools[$0].cleaning) }, span: first..<(last + 1),
      timeCost: (first...last).map { Number(min(job.timeCost(at: $0), layout.greatestWorth + 1) * scale) })
  }

  /// The greatest price that makes sense: what a row's overrun costs, where it has a cost.
  func ceiling(of row: Int) -> Double {
    if row < poolRow { return isOpen[row] ? greatestPrice : 0 }
    if row < loadRow { return greatestPrice }
    return min(
      greatestPrice, Double(row < loadRow + instance.vets.count ? instance.balance.c1 : instance.balance.c2))
  }

  /// Places everything by itself under the prices, and returns the bound they prove, in 1/100 point times ``scale``;
  /// ``surplus`` says what it overruns.
  private mutating func scaledBound(prices: Table<Double>) -> Int {
    let vets = instance.vets.count
    var total = takeIn(prices)
    var loadPrice = [Int](repeating: 0, count: vets)
    for (number, vet) in instance.vets.enumerated() {
      let first = scaled(prices[loadRow + number])
      let second = scaled(prices[loadRow + vets + number])
      loadPrice[number] = first + second
      total += first * vet.t1 + second * vet.t2
      surplus[loadRow + number] = Double(vet.t1)
      surplus[loadRow + vets + number] = Double(vet.t2)
    }
    for job in instance.jobs {
      guard let pin = job.pin, let candidate = job.candidate(pin.vet) else { continue }
      let pools = job.pools.map { (row: vets + $0, cleaning: instance.pools[$0].cleaning) }
      total -= price(vet: pin.vet, pools: pools, start: pin.start, slots: candidate.slots)
      total -= loadPrice[pin.vet] * candidate.slots
      use(vet: pin.vet, pools: pools, start: pin.start, slots: candidate.slots)
    }
    for (number, vet) in instance.vets.enumerated() {
      for pause in vet.breaks { total -= placeBreak(pause, vet: number) }
    }
    for choice in alone {
      let chosen = best(choice, loadPrice: loadPrice)
      if chosen.option >= 0 { use(choice, chosen) }
      total += Int(chosen.gain)
    }
    for pair in pairs { total += place(pair, loadPrice: loadPrice) }
    return total
  }

  /// As ``scaledBound(prices:)``, in 1/100 point: what the search for prices steers by, and the bound, rounded down.
  mutating func solve(prices: Table<Double>) -> (value: Double, bound: Int) {
    let total = scaledBound(prices: prices)
    return (Double(total) / Double(scale), total >= 0 ? total / scale : (total - scale + 1) / scale)
  }

  private func scaled(_ price: Double) -> Int { Int((min(price, greatestPrice) * Double(scale)).rounded(.down)) }

  /// Sums up the prices and sets the surplus to what there is; returns what all slots together are priced at.
  private func takeIn(_ prices: Table<Double>) -> Int {
    var total = 0
    for vet in instance.vets.indices {
      var sum = 0
      for slot in 0..<width {
        let row = vet * width + slot
        sums[vet * (width + 1) + slot] = Number(truncatingIfNeeded: sum)
        if isOpen[row] { sum += scaled(prices[row]) }
        surplus[row] = isOpen[row] ? 1 : 0
      }
      sums[vet * (width + 1) + width] = Number(truncatingIfNeeded: sum)
      total += sum
    }
    for (number, pool) in instance.pools.enumerated() {
      let base = (instance.vets.count + number) * (width + 1)
      let row = poolRow + number * width
      var sum = 0
      for slot in 0..<width {
        sums[base + slot] = Number(truncatingIfNeeded: sum)
        sum += scaled(prices[row + slot])
        surplus[row + slot] = Double(pool.capacity)
      }
      sums[base + width] = Number(truncatingIfNeeded: sum)
      total += sum * pool.capacity
    }
    return total
  }

  /// Whatever `Number` wraps around to, taken as the amount it stands for.
  func interval(_ row: Int, _ start: Int, _ slots: Int) -> Int {
    let base = row * (width + 1) + start
    return Int(sums[base + slots] &- sums[base])
  }

  private func price(vet: Int, pools: [(row: Int, cleaning: Int)], start: Int, slots: Int) -> Int {
    pools.reduce(interval(vet, start, slots)) { $0 + interval($1.row, start, slots + $1.cleaning) }
  }

  /// Notes that slots are taken.
  private func use(vet: Int, pools: [(row: Int, cleaning: Int)], start: Int, slots: Int) {
    let row = surplus.base + vet * width
    for slot in start..<(start + slots) { row[slot] -= isOpen[vet * width + slot] ? 1 : 0 }
    for pool in pools {
      let row = surplus.base + pool.row * width
      for slot in start..<(start + slots + pool.cleaning) { row[slot] -= 1 }
    }
    surplus[loadRow + vet] -= Double(slots)
    surplus[loadRow + instance.vets.count + vet] -= Double(slots)
  }

  func use(_ choice: Choice, _ chosen: Chosen) {
    let option = choice.options[chosen.option]
    use(vet: option.vet, pools: choice.pools, start: chosen.start, slots: option.slots)
  }

  private func placeBreak(_ pause: Instance.Break, vet: Int) -> Int {
    var least = Int.max
    var chosen = pause.start.lowerBound
    for start in pause.start {
      let price = interval(vet, start, pause.length)
      if price < least { (least, chosen) = (price, start) }
    }
    for slot in chosen..<(chosen + pause.length) where isOpen[vet * width + slot] { surplus[vet * width + slot] -= 1 }
    return least
  }

  /// The best candidate and start, or none: what it earns beyond what it pays.
  private func best(_ choice: Choice, loadPrice: [Int]) -> Chosen {
    var best = Chosen()
    var length = -1
    var leastPriced: Number = 0
    for (index, option) in choice.options.enumerated() {
      if option.slots != length {
        length = option.slots
        leastPriced = priceStarts(of: choice, slots: length)
      }
      let worth = Int(option.worth) - loadPrice[option.vet] * length
      // The vet's slots cost nothing at least.
      if worth - Int(leastPriced) <= Int(best.gain) { continue }
      let vetSums = sums.base + option.vet * (width + 1)
      for range in option.starts {
        let count = range.count
        let from = vetSums + range.lowerBound
        let to = from + length
        let others = priced.base + (range.lowerBound - choice.span.lowerBound)
        var least = Number.max
        for offset in 0..<count { least = min(least, to[offset] &- from[offset] &+ others[offset]) }
        guard worth - Int(least) > Int(best.gain) else { continue }
        var offset = 0
        while to[offset] &- from[offset] &+ others[offset] != least { offset += 1 }
        best = Chosen(gain: Number(worth - Int(least)), option: index, start: range.lowerBound + offset)
      }
    }
    return best
  }

  /// Puts time cost plus pools' prices of every start of the span into ``priced``; returns the least.
  func priceStarts(of choice: Choice, slots: Int) -> Number {
    let count = choice.span.count
    let target = priced.base
    choice.timeCost.withUnsafeBufferPointer { costs in
      for offset in 0..<count { target[offset] = costs[offset] }
    }
    for pool in choice.pools {
      let from = sums.base + (pool.row * (width + 1) + choice.span.lowerBound)
      let to = from + (slots + pool.cleaning)
      for offset in 0..<count { target[offset] &+= to[offset] &- from[offset] }
    }
    var least = Number.max
    for offset in 0..<count { least = min(least, target[offset]) }
    return least
  }
}
