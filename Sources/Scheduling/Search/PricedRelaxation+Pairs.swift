/// Visits in two parts, priced together.
extension PricedRelaxation {
  /// The best of nothing, the first alone, and both in order; returns what it earns.
  mutating func place(_ pair: (first: Choice, second: Choice), loadPrice: [Int]) -> Int {
    for slot in byEnd.indices { byEnd[slot] = Chosen(gain: Number.min >> 1) }
    scan(pair.first, loadPrice) { option, start, slots, gain in
      if gain > byEnd[start + slots].gain { byEnd[start + slots] = Chosen(gain: gain, option: option, start: start) }
    }
    for slot in 1...width where byEnd[slot - 1].gain >= byEnd[slot].gain { byEnd[slot] = byEnd[slot - 1] }
    var total: Number = max(0, byEnd[width].gain)
    var first = byEnd[width].gain > 0 ? byEnd[width] : Chosen()
    var second = Chosen()
    scan(pair.second, loadPrice) { option, start, slots, gain in
      let end = start - pair.second.lag
      guard end >= 0 else { return }
      let before = byEnd[min(width, end)]
      guard before.option >= 0, gain &+ before.gain > total else { return }
      total = gain &+ before.gain
      first = before
      second = Chosen(gain: gain, option: option, start: start)
    }
    if first.option >= 0 { use(pair.first, first) }
    if second.option >= 0 { use(pair.second, second) }
    return Int(total)
  }

  /// Every option and start with what it earns beyond what it pays.
  private func scan(_ choice: Choice, _ loadPrice: [Int], _ visit: (Int, Int, Int, Number) -> Void) {
    var length = -1
    for (index, option) in choice.options.enumerated() {
      if option.slots != length {
        length = option.slots
        _ = priceStarts(of: choice, slots: length)
      }
      let worth = Int(option.worth) - loadPrice[option.vet] * length
      for range in option.starts {
        for start in range {
          let price = interval(option.vet, start, length) + Int(priced[start - choice.span.lowerBound])
          visit(index, start, length, Number(worth - price))
        }
      }
    }
  }
}
