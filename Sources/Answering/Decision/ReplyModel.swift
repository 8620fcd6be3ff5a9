public import Clinical
import Foundation

/// How likely a sentence says no to a question that "no" would answer, whatever words it says it in: "meniscus intact" of a
/// tear, "the tubes lie in the drawer with their seals on" of their use.
///
/// Logistic regression over the buckets of ``ReplyFeatures``, learned from pairs of questions and the sentences that answer
/// them. Data: `Models/briefing/answer-replies.tsv`, one row: `bias`, `scale`, the weight that a step stands for, and `weights`, a
/// signed byte of steps per bucket in Base64.
public struct ReplyModel: Sendable {
  private enum Column: String, CaseIterable { case bias, scale, weights }

  private let bias: Double
  private let scale: Double
  /// By bucket; empty where nothing was learned.
  private let steps: [Int8]

  /// Has learned nothing.
  public init() { self.init(bias: 0, scale: 0, steps: []) }

  package init(bias: Double, scale: Double, steps: [Int8]) {
    self.bias = bias
    self.scale = scale
    self.steps = steps
  }

  /// - Throws: ``DataTableError`` unless there is one row, of numbers and as many weights as there are buckets.
  public init(table: DataTable) throws(DataTableError) {
    guard table.rows.count == 1, let row = table.rows.first else {
      throw DataTableError(
        table: table.name, line: 0, column: Column.weights.rawValue,
        problem: "has \(table.rows.count) rows instead of one")
    }
    let column = Column.weights.rawValue
    guard let data = Data(base64Encoded: row[column]), data.count == ReplyFeatures.bucketCount else {
      throw row.error(column, "is not \(ReplyFeatures.bucketCount) bytes in Base64")
    }
    self.init(
      bias: try row.number(Column.bias.rawValue), scale: try row.number(Column.scale.rawValue),
      steps: data.map { Int8(bitPattern: $0) })
  }

  /// The table that ``init(table:)`` reads.
  public func text(head: [(String, String)]) -> String {
    let bytes = Data(steps.map { UInt8(bitPattern: $0) })
    let lines = head.map { "# \($0.0): \($0.1)" } + [Column.allCases.map(\.rawValue).joined(separator: "\t")]
    return (lines + ["\(bias)\t\(scale)\t\(bytes.base64EncodedString())"]).joined(separator: "\n") + "\n"
  }

  /// The probability of a no, 0…1; nil where nothing was learned.
  ///
  /// - Complexity: O(buckets that are filled).
  package func probability(_ features: ReplyFeatures) -> Double? {
    guard !steps.isEmpty else { return nil }
    let sum = features.buckets.reduce(0) { $0 + Int(steps[$1]) }
    return 1 / (1 + exp(-(bias + scale * Double(sum))))
  }
}

extension ReplyModel: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(bias)
    packer.add(scale)
    packer.add(all: steps)
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    bias = try unpacker.value()
    scale = try unpacker.value()
    steps = try unpacker.all()
  }
}
