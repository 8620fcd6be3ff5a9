/// What each start of each candidate takes away from others, at the prices of an ``UpperBound``.
///
/// A job that takes the place where it earns most may take it from one that has no other; the prices know how much a
/// slot is wanted. The search places jobs where they earn most beyond a share of the price; what a plan is worth stays
/// what it is.
final class PriceGuide {
  /// Shares of the price are counted in 256ths; the search draws them from this range.
  static let shares = 200..<300
  private static let lowShare = 192
  private static let highShare = 320

  /// At `mask[candidate] * 64 + start`, in 1/100 point, capped.
  let price: Table<Int32>
  /// Per vet, the part of the price for a slot of work.
  let loadPrice: Table<Int>
  /// Each job's candidates, those likely to be best first.
  let order: Table<Int>
  /// Per candidate, the most that any start earns beyond 3/4 and 5/4 of its price.
  private let mostAtLow: Table<Int>
  private let mostAtHigh: Table<Int>

  init(_ problem: SearchProblem, prices: SlotPrices) {
    let candidates = problem.vet.count
    price = Table(repeating: 0, count: problem.masks.count * 64)
    mostAtLow = Table(repeating: .min >> 2, count: candidates)
    mostAtHigh = Table(repeating: .min >> 2, count: candidates)
    order = Table(0..<candidates)
    loadPrice = Table(
      (0..<problem.vetCount).map {
        Int(prices.values[prices.loadRow + $0] + prices.values[prices.loadRow + problem.vetCount + $0])
      })
    let sums = RunningSums(prices, rows: problem.vetCount + problem.poolCount)
    for job in 0..<problem.jobCount {
      let own = problem.candidateStart[job]..<problem.candidateStart[job + 1]
      for number in own { priceStarts(of: job, number, problem, sums) }
      let ranked = own.sorted {
        (mostAtLow[$1] + mostAtHigh[$1], $0) < (mostAtLow[$0] + mostAtHigh[$0], $1)
      }
      for (position, number) in zip(own, ranked) { order[position] = number }
    }
  }

  private func priceStarts(of job: Int, _ number: Int, _ problem: SearchProblem, _ sums: RunningSums) {
    let vet = problem.vet[number]
    let slots = problem.slots[number]
    guard problem.firstWord[number] <= problem.lastWord[number] else { return }
    for word in problem.firstWord[number]...problem.lastWord[number] {
      var starts = problem.masks[problem.mask[number] + word]
      while starts != 0 {
        let start = word * 64 + starts.trailingZeroBitCount
        starts &= starts - 1
        var value = sums[vet, start, slots] + Double(loadPrice[vet] * problem.work[number])
        for entry in problem.poolStart[job]..<problem.poolStart[job + 1] {
          let pool = problem.jobPools[entry]
          value += sums[problem.vetCount + pool, start, slots + problem.cleaning[pool]]
        }
        let whole = Int(min(value, 1e9))
        price[problem.mask[number] * 64 + start] = Int32(whole)
        let earned = problem.worth[number] - problem.timeCost(job, at: start)
        mostAtLow[number] = max(mostAtLow[number], earned - (whole * Self.lowShare) >> 8)
        mostAtHigh[number] = max(mostAtHigh[number], earned - (whole * Self.highShare) >> 8)
      }
    }
  }

  /// No start of the candidate earns more beyond that share of its price: between two shares the best is convex.
  @inline(__always)
  func most(_ number: Int, share: Int) -> Int {
    let low = mostAtLow[number]
    return low &+ (((mostAtHigh[number] &- low) &* (share &- Self.lowShare)) / (Self.highShare &- Self.lowShare)) &+ 1
  }

  /// Prices of slots in a row, by two look-ups.
  private struct RunningSums {
    private let width: Int
    private var sums: [Double]

    init(_ prices: SlotPrices, rows: Int) {
      width = prices.width
      sums = [Double](repeating: 0, count: rows * (width + 1))
      for row in 0..<rows {
        for slot in 0..<width {
          sums[row * (width + 1) + slot + 1] = sums[row * (width + 1) + slot] + prices.values[row * width + slot]
        }
      }
    }

    /// Slots beyond the priced ones are free.
    subscript(row: Int, start: Int, slots: Int) -> Double {
      let base = row * (width + 1)
      return sums[base + min(width, start + slots)] - sums[base + min(width, start)]
    }
  }
}

extension SearchState {
  /// The place that earns most beyond a share of its price, if it adds anything to the plan; the gain is what it earns
  /// beyond the price. For `blink` see ``bestInsertion(_:blink:)``.
  func guidedInsertion(_ job: Int, _ guide: PriceGuide, share: Int, blink: UInt64) -> Insertion {
    let precedence = precedenceBounds(job)
    if precedence.lower >= precedence.upper { return .none }
    var best = Insertion(gain: .min >> 2, candidate: -1, start: 0)
    var chance = blink
    var position = problem.candidateStart[job]
    let end = problem.candidateStart[job &+ 1]
    while position < end {
      let number = guide.order[position]
      position &+= 1
      chance = (chance &>> 5) | (chance &<< 59)
      if chance & 31 == 0 || guide.most(number, share: share) <= best.gain { continue }
      let vet = problem.vet[number]
      let work = problem.work[number]
      // The price of work is paid anyway: what overtime costs now counts only beyond it.
      let overtime = loadCost(vet, adding: work) &- ((guide.loadPrice[vet] &* work &* share) &>> 8)
      let worth = problem.worth[number] &- max(0, overtime)
      let (lower, upper) = bounds(job, slots: problem.slots[number], precedence)
      let prices = guide.price.base + problem.mask[number] &* 64
      var word = problem.firstWord[number]
      while word <= problem.lastWord[number] {
        var starts = freeStarts(job, candidate: number, word: word, lower: lower, upper: upper)
        while starts != 0 {
          let first = word &* 64 &+ starts.trailingZeroBitCount
          starts &= starts &- 1
          let gain = worth &- timeCost(job, at: first) &- ((Int(prices[first]) &* share) &>> 8)
          if gain > best.gain { best = Insertion(gain: gain, candidate: number, start: first) }
        }
        word &+= 1
      }
    }
    if best.candidate < 0 { return .none }
    let added =
      problem.worth[best.candidate] &- timeCost(job, at: best.start)
      &- loadCost(problem.vet[best.candidate], adding: problem.work[best.candidate])
    return added > 0 ? best : .none
  }
}
