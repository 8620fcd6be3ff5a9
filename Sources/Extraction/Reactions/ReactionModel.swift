package import Clinical
import Foundation

/// What a passage says of a treatment that it names.
public enum ReactionLabel: String, CaseIterable, Codable, Sendable {
  /// The patient did not tolerate it.
  case reaction
  /// It must not be given, for another reason: breed, gene, disease, or a bare flag.
  case avoid
  /// It went well.
  case tolerated
  /// Nothing of these.
  case none
}

/// Softmax regression over the buckets of ``ReactionFeatures``. Data: `extraction/reaction-weights.tsv`, learned.
///
/// A row a label: its bias, the weight that a step stands for, and a signed byte of steps per bucket in Base64.
package struct ReactionModel: Sendable {
  /// One per label, in the order of ``ReactionLabel``.
  package let biases: [Float]
  package let scales: [Float]
  /// Labels by buckets.
  package let steps: [[Int8]]
  /// By bucket, of all four labels together.
  private let lanes: [SIMD4<Int16>]

  package init(biases: [Float], scales: [Float], steps: [[Int8]]) {
    self.biases = biases
    self.scales = scales
    self.steps = steps
    lanes = (0..<ReactionFeatures.bucketCount).map { bucket in
      SIMD4(steps.map { Int16($0[bucket]) })
    }
  }

  /// - Throws: ``DataTableError`` unless there is a row for each label, of the right length.
  init(table: DataTable) throws(DataTableError) {
    var biases: [Float] = []
    var scales: [Float] = []
    var steps: [[Int8]] = []
    for label in ReactionLabel.allCases {
      guard let row = table.rows.first(where: { $0["label"] == label.rawValue }) else {
        throw DataTableError(table: table.name, line: 0, column: "label", problem: "has no row '\(label.rawValue)'")
      }
      guard let data = Data(base64Encoded: row["weights"]), data.count == ReactionFeatures.bucketCount else {
        throw row.error("weights", "is not \(ReactionFeatures.bucketCount) bytes in Base64")
      }
      biases.append(Float(try row.number("bias")))
      scales.append(Float(try row.number("scale")))
      steps.append(data.map { Int8(bitPattern: $0) })
    }
    self.init(biases: biases, scales: scales, steps: steps)
  }

  /// The probability of each label, in their order; they add up to 1.
  ///
  /// - Complexity: O(buckets that the passage fills).
  package func probabilities(_ buckets: [Int]) -> [Double] {
    var sum = SIMD4<Int32>.zero
    for bucket in buckets { sum &+= SIMD4(truncatingIfNeeded: lanes[bucket]) }
    return Self.softmax(
      ReactionLabel.allCases.indices.map { Double(biases[$0]) + Double(scales[$0]) * Double(sum[$0]) })
  }

  package static func softmax(_ scores: [Double]) -> [Double] {
    let top = scores.max() ?? 0
    let powers = scores.map { exp($0 - top) }
    let sum = powers.reduce(0, +)
    return powers.map { $0 / sum }
  }
}

extension ReactionModel: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(all: biases)
    packer.add(all: scales)
    packer.add(list: steps) { $0.add(all: $1) }
    packer.add(all: lanes)
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    biases = try unpacker.all()
    scales = try unpacker.all()
    steps = try unpacker.list { unpacker throws(PackingError) in try unpacker.all() }
    lanes = try unpacker.all()
    guard lanes.count == ReactionFeatures.bucketCount else { throw PackingError() }
  }
}
