import Glibc

/// Minimises a smooth function within bounds by projected gradient steps with momentum. The same function gives the same place.
///
/// - Source: A. Beck, M. Teboulle, "A fast iterative shrinkage-thresholding algorithm for linear inverse problems", SIAM Journal
///   on Imaging Sciences 2009;2:183-202, with the projection on the bounds as its proximal step, backtracking, and the restart of
///   B. O'Donoghue, E. Candès, "Adaptive restart for accelerated gradient schemes", Foundations of Computational Mathematics
///   2015;15:715-732.
struct BoundedMinimizer {
  var steps = 400
  /// Ends when no coordinate moved more than this.
  var tolerance = 1e-4

  /// - Parameters:
  ///   - start: where to begin.
  ///   - lower: bounds from below.
  ///   - upper: bounds from above.
  ///   - value: the function, which writes its gradient into the array that it is given.
  /// - Returns: the lowest place found.
  func minimum(
    from start: [Double], lower: [Double], upper: [Double], _ value: ([Double], inout [Double]) -> Double
  ) -> [Double] {
    func within(_ place: [Double]) -> [Double] {
      place.indices.map { min(upper[$0], max(lower[$0], place[$0])) }
    }
    var here = within(start)
    var ahead = here
    var momentum = 1.0
    var stepSize = 1.0
    var gradient = [Double](repeating: 0, count: start.count)
    var unused = gradient
    for _ in 0..<steps {
      let level = value(ahead, &gradient)
      var next = here
      while true {
        next = within(zip(ahead, gradient).map { $0 - stepSize * $1 })
        var bound = level
        for index in next.indices {
          let moved = next[index] - ahead[index]
          bound += gradient[index] * moved + moved * moved / (2 * stepSize)
        }
        if value(next, &unused) <= bound + 1e-10 || stepSize < 1e-9 { break }
        stepSize /= 2
      }
      let moved = zip(next, here).map { $0 - $1 }
      let isUphill = zip(zip(ahead, next), moved).reduce(0) { $0 + ($1.0.0 - $1.0.1) * $1.1 } > 0
      let following = isUphill ? 1 : (1 + (1 + 4 * momentum * momentum).squareRoot()) / 2
      let push = isUphill ? 0 : (momentum - 1) / following
      ahead = within(zip(next, moved).map { $0 + push * $1 })
      here = next
      momentum = following
      stepSize *= 1.1
      if moved.allSatisfy({ abs($0) < tolerance }) { break }
    }
    return here
  }
}
