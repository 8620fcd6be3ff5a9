/// Means and covariances of effects that are learned one observation at a time.
struct KalmanState: Hashable, Sendable {
  private(set) var mean: [Double] = []
  /// Row after row, symmetric.
  private var covariance: [Double] = []
  private var drift: [Double] = []

  var count: Int { mean.count }

  /// Writes means, drifts and one triangle of the covariances.
  func write(to snapshot: inout SnapshotWriter) {
    snapshot.add(count)
    for place in 0..<count {
      snapshot.add(mean[place])
      snapshot.add(drift[place])
      for column in 0...place { snapshot.add(covariance[place * count + column]) }
    }
  }

  init() {}

  /// Reads what ``write(to:)`` wrote; nil for anything else.
  init?(_ snapshot: inout SnapshotReader) {
    guard let count = snapshot.count(limit: 10_000) else { return nil }
    covariance = [Double](repeating: 0, count: count * count)
    for place in 0..<count {
      guard let value = snapshot.number(), let step = snapshot.number() else { return nil }
      mean.append(value)
      drift.append(step)
      for column in 0...place {
        guard let shared = snapshot.number() else { return nil }
        covariance[place * count + column] = shared
        covariance[column * count + place] = shared
      }
    }
  }

  /// Adds an effect that nothing is known of but its spread.
  ///
  /// - Complexity: O(effects²).
  mutating func append(variance: Double, drift: Double) {
    let (old, new) = (count, count + 1)
    var grown = [Double](repeating: 0, count: new * new)
    for row in 0..<old {
      for column in 0..<old { grown[row * new + column] = covariance[row * old + column] }
    }
    grown[old * new + old] = variance
    covariance = grown
    mean.append(0)
    self.drift.append(drift)
  }

  /// The sum of some effects, and its variance.
  ///
  /// - Parameter design: places with their weights, each place once.
  /// - Returns: the mean, and the variance that is left of not knowing the effects; without any, 0 and 0.
  func predict(_ design: [(place: Int, weight: Double)]) -> (mean: Double, variance: Double) {
    var (sum, variance) = (0.0, 0.0)
    for (place, weight) in design {
      sum += mean[place] * weight
      for (other, otherWeight) in design { variance += weight * otherWeight * covariance[place * count + other] }
    }
    return (sum, max(0, variance))
  }

  /// Learns from one observation of a sum of effects.
  ///
  /// - Parameters:
  ///   - design: places with their weights, each place once.
  ///   - residual: what was observed, less what ``predict(_:)`` said.
  ///   - noise: the variance of the observation about the sum.
  /// - Complexity: O(effects²).
  mutating func update(_ design: [(place: Int, weight: Double)], residual: Double, noise: Double) {
    let size = count
    guard size > 0, !design.isEmpty else { return }
    for place in 0..<size { covariance[place * size + place] += drift[place] }
    var shared = [Double](repeating: 0, count: size)
    for (place, weight) in design {
      for row in 0..<size { shared[row] += covariance[place * size + row] * weight }
    }
    let variance = design.reduce(noise) { $0 + shared[$1.place] * $1.weight }
    guard variance > 0 else { return }
    for row in 0..<size { mean[row] += shared[row] / variance * residual }
    covariance.withUnsafeMutableBufferPointer { covariance in
      shared.withUnsafeBufferPointer { shared in
        for row in 0..<size {
          let gain = shared[row] / variance
          guard gain != 0 else { continue }
          for column in 0..<size { covariance[row * size + column] -= gain * shared[column] }
        }
      }
    }
  }
}
