import Foundation

/// The standard normal distribution.
enum NormalDistribution {
  /// Φ⁻¹: the value below which a share `p` of the standard normal distribution lies, to about seven digits.
  ///
  /// - Precondition: 0 < p < 1.
  /// - Source: M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", J R Stat Soc C
  ///   1988;37(3):477-484, routine PPND7.
  static func quantile(_ p: Double) -> Double {
    precondition(p > 0 && p < 1, "\(p) is no share strictly between 0 and 1")
    let q = p - 0.5
    if abs(q) <= 0.425 {
      let r = 0.180625 - q * q
      let numerator =
        ((59.109374720 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179
      let denominator = ((67.187563600 * r + 78.757757664) * r + 17.895169469) * r + 1
      return q * numerator / denominator
    }
    var r = (-log(q < 0 ? p : 1 - p)).squareRoot()
    let value: Double
    if r <= 5 {
      r -= 1.6
      value =
        (((0.17023821103 * r + 1.3067284816) * r + 2.7568153900) * r + 1.4234372777)
        / ((0.12021132975 * r + 0.73700164250) * r + 1)
    } else {
      r -= 5
      value =
        (((0.017337203997 * r + 0.42868294337) * r + 3.0812263860) * r + 6.6579051150)
        / ((0.012258202635 * r + 0.24197894225) * r + 1)
    }
    return q < 0 ? -value : value
  }
}
