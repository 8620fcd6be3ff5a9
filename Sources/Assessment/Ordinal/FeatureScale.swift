import Foundation

/// Brings what a case says to a common scale: rare words count more, and the words and the signs each make a vector of length 1.
struct FeatureScale: Sendable {
  /// ln((n + 1) / cases with it) of the words and signs that at least two exemplars have.
  private(set) var inverse: [String: Double] = [:]

  private enum Block { case words, signs, other }

  init(inverse: [String: Double]) {
    self.inverse = inverse
  }

  init(_ cases: [[CaseFeature]], leastCases: Int) {
    var frequency: [String: Int] = [:]
    for features in cases {
      for feature in features where Self.block(feature.name) != .other { frequency[feature.name, default: 0] += 1 }
    }
    for (name, count) in frequency where count >= leastCases {
      inverse[name] = (log(Double(cases.count + 1) / Double(count)) * 1000).rounded() / 1000
    }
  }

  /// The features with a known scale; others are left out.
  func scaled(_ features: [CaseFeature]) -> [CaseFeature] {
    var scaled: [CaseFeature] = []
    var sums: [Block: Double] = [:]
    for var feature in features {
      let block = Self.block(feature.name)
      if block != .other {
        guard let inverse = inverse[feature.name] else { continue }
        feature.value *= inverse
        sums[block, default: 0] += feature.value * feature.value
      }
      scaled.append(feature)
    }
    for index in scaled.indices {
      let block = Self.block(scaled[index].name)
      if block != .other, let sum = sums[block], sum > 0 { scaled[index].value /= sum.squareRoot() }
    }
    return scaled
  }

  private static func block(_ name: String) -> Block {
    guard let end = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return .other }
    return switch name[..<end] {
    case "word", "not", "aside", "pair": .words
    case "sign", "not-sign", "aside-sign": .signs
    default: .other
    }
  }
}
