public import Clinical
import Foundation

/// What a sentence is to a question: the thing it asks for, a no, or no answer at all.
package struct Reply: Sendable, Equatable {
  /// Probabilities; the rest of one is that the sentence tells what is asked for.
  package var no: Double
  package var other: Double

  package init(no: Double, other: Double) {
    self.no = no
    self.other = other
  }

  var told: Double { 1 - no - other }

  /// How likely it says no, provided it answers.
  var noOfAnswers: Double { no / max(no + told, 1e-9) }
}

/// How likely a sentence tells what a question asks for, says no to it, or answers it in no way, whatever words it says it in:
/// "meniscus intact" of a tear, "declined for now" of an operation, "blood sent" of a level.
///
/// Softmax regression over the buckets of ``ReplyFeatures``, learned from labelled questions: sentences of the notes that answer
/// them tell or say no, others don't answer. Data: `Models/briefing/answer-replies.tsv`, one row for each ``Label``: `reply`, `bias`,
/// `scale`, the weight that a step stands for, and `weights`, a signed byte of steps per bucket in Base64; all beside those of
/// a sentence that tells, which are nought.
public struct ReplyModel: Sendable {
  private enum Column: String, CaseIterable { case reply, bias, scale, weights }

  /// What has weights.
  package enum Label: String, CaseIterable, Sendable { case no, other }

  /// The weights of a label.
  package struct Weights: Sendable {
    let bias: Double
    let scale: Double
    /// By bucket.
    let steps: [Int8]

    package init(bias: Double, scale: Double, steps: [Int8]) {
      self.bias = bias
      self.scale = scale
      self.steps = steps
    }

    func score(_ buckets: [Int]) -> Double { bias + scale * Double(buckets.reduce(0) { $0 + Int(steps[$1]) }) }
  }

  /// In the order of ``Label``; empty where nothing was learned.
  private let weights: [Weights]

  /// Has learned nothing.
  public init() { weights = [] }

  /// - Parameter weights: one for each ``Label``, in their order.
  package init(_ weights: [Weights]) { self.weights = weights }

  /// - Throws: ``DataTableError`` unless there is one row for each label, of numbers and as many weights as there are buckets.
  public init(table: DataTable) throws(DataTableError) {
    if let row = table.rows.first(where: { Label(rawValue: $0[Column.reply.rawValue]) == nil }) {
      throw row.error(Column.reply.rawValue, "is none of \(Label.allCases.map(\.rawValue).joined(separator: " and "))")
    }
    guard table.rows.count <= Label.allCases.count else {
      throw DataTableError(
        table: table.name, line: 0, column: Column.reply.rawValue,
        problem: "has \(table.rows.count) rows instead of \(Label.allCases.count)")
    }
    var weights: [Weights] = []
    for label in Label.allCases {
      guard let row = table.rows.first(where: { $0[Column.reply.rawValue] == label.rawValue }) else {
        throw DataTableError(
          table: table.name, line: 0, column: Column.reply.rawValue, problem: "has no row '\(label.rawValue)'")
      }
      let column = Column.weights.rawValue
      guard let data = Data(base64Encoded: row[column]), data.count == ReplyFeatures.bucketCount else {
        throw row.error(column, "is not \(ReplyFeatures.bucketCount) bytes in Base64")
      }
      weights.append(
        Weights(
          bias: try row.number(Column.bias.rawValue), scale: try row.number(Column.scale.rawValue),
          steps: data.map { Int8(bitPattern: $0) }))
    }
    self.weights = weights
  }

  /// The table that ``init(table:)`` reads.
  public func text(head: [(String, String)]) -> String {
    let rows = zip(Label.allCases, weights).map { label, learned in
      let bytes = Data(learned.steps.map { UInt8(bitPattern: $0) })
      return "\(label.rawValue)\t\(learned.bias)\t\(learned.scale)\t\(bytes.base64EncodedString())"
    }
    let lines = head.map { "# \($0.0): \($0.1)" } + [Column.allCases.map(\.rawValue).joined(separator: "\t")] + rows
    return lines.joined(separator: "\n") + "\n"
  }

  var isLearned: Bool { weights.count == Label.allCases.count }

  /// What a sentence is to a question; nil where nothing was learned.
  ///
  /// - Complexity: O(buckets that are filled).
  package func reply(_ features: ReplyFeatures) -> Reply? {
    guard isLearned else { return nil }
    let odds = weights.map { exp(max(-Self.mostScore, min($0.score(features.buckets), Self.mostScore))) }
    let total = 1 + odds.reduce(0, +)
    return Reply(no: odds[0] / total, other: odds[1] / total)
  }

  /// Beyond it no probability would tell one from nought or from the whole, and their odds would have no logarithm.
  private static let mostScore = 30.0
}

extension ReplyModel: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(weights.count)
    for learned in weights {
      packer.add(learned.bias)
      packer.add(learned.scale)
      packer.add(all: learned.steps)
    }
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    let count = try unpacker.value(Int.self)
    guard count == 0 || count == Label.allCases.count else { throw PackingError() }
    var weights: [Weights] = []
    for _ in 0..<count {
      weights.append(
        Weights(bias: try unpacker.value(), scale: try unpacker.value(), steps: try unpacker.all()))
    }
    self.weights = weights
  }
}
