import Assessment
import Clinical
import Foundation
import LinearAlgebra

/// Which words of the exemplars keep like company, so that a case in words of its own resembles those that mean the same.
///
/// Each word's neighbours within ``window`` words are counted; the pointwise mutual information with them, where positive, is
/// reduced to ``rank`` directions and made of length 1. A case is the sum of its words. Being linear in the words, what is
/// learned from it is worked into the weights of ``FeatureBlock/words``: judging a case needs no table of directions.
///
/// - Formula: max(0, ln(n(a,b)·Σn / (n(a)·n(b)^0.75·(Σn)^0.25))), the square roots of the singular values as scales.
/// - Source: O. Levy, Y. Goldberg, I. Dagan, "Improving distributional similarity with lessons learned from word embeddings",
///   TACL 2015;3:211-225.
struct WordKinship {
  static let window = 3
  static let leastCount = 3
  static let rank = 150
  private static let smoothing = 0.75
  private static let seed: UInt64 = 7

  /// The place of a word's direction, by bucket; -1 for words that are too rare.
  private let places: [Int32]
  private let directions: Matrix

  /// - Parameters:
  ///   - texts: the words of each exemplar in their order.
  ///   - vectorizer: says which words have buckets.
  /// - Throws: ``LinearAlgebraError`` when OpenBLAS can't be loaded.
  /// - Complexity: O(words × window + pairs × rank).
  init(texts: [[String]], vectorizer: CaseVectorizer) throws(LinearAlgebraError) {
    var counts: [String: Int] = [:]
    for text in texts { for word in text { counts[word, default: 0] += 1 } }
    let words = counts.filter { $0.value >= Self.leastCount }.keys.sorted()
    let indices = Dictionary(uniqueKeysWithValues: words.enumerated().map { ($1, $0) })
    var together: [SIMD2<Int32>: Int] = [:]
    for text in texts {
      let known = text.map { indices[$0].map(Int32.init) ?? -1 }
      for (place, word) in known.enumerated() where word >= 0 {
        for other in known[max(0, place - Self.window)..<place] where other >= 0 {
          together[SIMD2(word, other), default: 0] += 1
          together[SIMD2(other, word), default: 0] += 1
        }
      }
    }
    var sums = [Double](repeating: 0, count: words.count)
    for (pair, count) in together { sums[Int(pair.x)] += Double(count) }
    let total = sums.reduce(0, +)
    var rows = [[(column: Int, value: Float)]](repeating: [], count: words.count)
    for (pair, count) in together {
      let chance = sums[Int(pair.x)] * pow(sums[Int(pair.y)], Self.smoothing) * pow(total, 1 - Self.smoothing)
      let information = log(Double(count) * total / chance)
      if information > 0 { rows[Int(pair.x)].append((Int(pair.y), Float(information))) }
    }
    var information = SparseRows(columns: words.count)
    for row in rows { information.append(row.sorted { $0.column < $1.column }) }
    var generator = SplitMix64(seed: Self.seed)
    let decomposition = try information.truncatedSVD(rank: Self.rank, using: &generator)
    var left = decomposition.left
    left.scaleColumns(by: decomposition.values.map { $0.squareRoot() })
    directions = Self.centred(left)
    var places = [Int32](repeating: -1, count: FeatureBlock.words.bucketCount)
    for (index, word) in words.enumerated() {
      let code = CaseFeature(.words, word).code
      if vectorizer.knows(code) { places[Int(code.bucket) - FeatureBlock.words.firstBucket] = Int32(index) }
    }
    self.places = places
  }

  /// Rows of length 1, less their mean.
  private static func centred(_ rows: Matrix) -> Matrix {
    var values: [Float] = []
    var mean = [Float](repeating: 0, count: rows.columns)
    for row in 0..<rows.rows {
      let line = rows.row(row)
      let norm = max(1e-9, line.reduce(0) { $0 + $1 * $1 }.squareRoot())
      for (column, value) in line.enumerated() {
        values.append(value / norm)
        mean[column] += value / norm / Float(rows.rows)
      }
    }
    for index in values.indices { values[index] -= mean[index % rows.columns] }
    return Matrix(rows: rows.rows, columns: rows.columns, values: values)
  }

  /// Each case as the sum of its words, a row each, scaled so that a case's similarity with itself is 1 on average.
  func sums(_ cases: [CaseVector]) -> Sums {
    var words = SparseRows(columns: directions.rows)
    for item in cases {
      words.append(
        item.entries.lazy.filter { Int($0.block) == FeatureBlock.words.index }.compactMap { entry in
          let place = places[Int(entry.bucket) - FeatureBlock.words.firstBucket]
          return place < 0 ? nil : (column: Int(place), value: entry.value)
        })
    }
    let sums = words.multiply(directions)
    let square = sums.values.reduce(0) { $0 + $1 * $1 }
    let scale = square > 0 ? (Float(sums.rows) / square).squareRoot() : 0
    return Sums(
      matrix: Matrix(rows: sums.rows, columns: sums.columns, values: sums.values.map { $0 * scale }), scale: scale)
  }

  struct Sums {
    let matrix: Matrix
    let scale: Float
  }

  /// What a weight for each direction adds to the weight of each bucket of words.
  func bucketWeights(_ weights: [Float], scale: Float) -> [Float] {
    places.map { place in
      place < 0 ? 0 : scale * zip(directions.row(Int(place)), weights).reduce(0) { $0 + $1.0 * $1.1 }
    }
  }
}
