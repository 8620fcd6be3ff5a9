/// How far visits were from their own predictions, in standard deviations: of all visits and of each type, the latest of them.
///
/// A quantile is the normal distribution's while there are few, then that of the residuals; of the type's own where it has many.
struct ResidualQuantiles: Hashable, Sendable {
  /// Residuals in the order in which they came, and sorted.
  private struct Window: Hashable, Sendable {
    var recent: [Double] = []
    /// Where the oldest stands once the window is full.
    var oldest = 0
    var sorted: [Double] = []

    mutating func add(_ value: Double, limit: Int) {
      if recent.count == limit {
        sorted.remove(at: place(of: recent[oldest]))
        recent[oldest] = value
        oldest = (oldest + 1) % limit
      } else {
        recent.append(value)
      }
      sorted.insert(value, at: place(of: value))
    }

    /// The first place at which `value` could stand.
    private func place(of value: Double) -> Int {
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] < value { low = middle + 1 } else { high = middle }
      }
      return low
    }

    /// Between neighbours by linear interpolation at (n + 1)·p, so that a new value lies below it with the share p.
    func quantile(_ p: Double) -> Double? {
      guard let last = sorted.indices.last else { return nil }
      let position = p * Double(sorted.count + 1) - 1
      let lower = min(last, max(0, Int(position.rounded(.down))))
      let upper = min(last, lower + 1)
      return sorted[lower] + (sorted[upper] - sorted[lower]) * min(1, max(0, position - Double(lower)))
    }
  }

  private static let limit = 2000
  private static let typeLimit = 400

  private let weight: Double
  private var all = Window()
  private var byType: [String: Window] = [:]

  /// - Parameter weight: so many residuals count as much as the normal distribution.
  init(weight: Double) { self.weight = weight }

  /// Writes the windows, types in the order of their names.
  func write(to snapshot: inout SnapshotWriter) {
    for (name, window) in [("", all)] + byType.sorted(by: { $0.key < $1.key }).map({ ($0.key, $0.value) }) {
      snapshot.add(name)
      snapshot.add(window.oldest)
      snapshot.add(window.recent.count)
      for value in window.recent { snapshot.add(value) }
    }
    snapshot.add("end")
    snapshot.add(-1)
  }

  /// Reads what ``write(to:)`` wrote; nil for anything else.
  init?(weight: Double, _ snapshot: inout SnapshotReader) {
    self.weight = weight
    var isFirst = true
    while let name = snapshot.text(), let oldest = snapshot.integer() {
      if oldest < 0 { return }
      guard let count = snapshot.count(limit: Self.limit), oldest <= count else { return nil }
      var window = Window()
      for _ in 0..<count {
        guard let value = snapshot.number() else { return nil }
        window.recent.append(value)
      }
      window.oldest = oldest
      window.sorted = window.recent.sorted()
      if isFirst { all = window } else { byType[name] = window }
      isFirst = false
    }
    return nil
  }

  /// - Complexity: O(log n) comparisons and O(n) moves, n at most 2,000.
  mutating func add(_ residual: Double, visitType: String) {
    all.add(residual, limit: Self.limit)
    byType[visitType, default: Window()].add(residual, limit: Self.typeLimit)
  }

  /// The number of standard deviations that a share `p` of visits of a type does not exceed.
  func quantile(_ p: Double, visitType: String) -> Double {
    var value = NormalDistribution.quantile(p)
    func pull(_ window: Window, _ weight: Double) {
      guard let own = window.quantile(p) else { return }
      let count = Double(window.sorted.count)
      value += (own - value) * count / (count + weight)
    }
    pull(all, weight)
    if let window = byType[visitType] { pull(window, 4 * weight) }
    return value
  }
}
