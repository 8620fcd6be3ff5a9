public import Clinical
import Foundation

/// How the scores become probabilities, and from which probability on a level is given. A row for each level above blue:
/// P(this level or more urgent) = σ(intercept + score·s), with s what the model says of the level.
///
/// Missing a level costs more than giving it for nothing. With costs that add up over the levels passed by, the least
/// expected cost is reached by giving every level whose probability is at least cost(over) / (cost(over) + cost(under)).
public struct LevelCalibration: Sendable {
  package struct Step: Sendable, Equatable {
    var level: Urgency
    var intercept: Double
    var score: Double
    /// How many times worse it is to miss the level than to give it wrongly.
    package var costRatio: Double

    package init(level: Urgency, intercept: Double, score: Double, costRatio: Double) {
      self.level = level
      self.intercept = intercept
      self.score = score
      self.costRatio = costRatio
    }

    var threshold: Double { 1 / (1 + costRatio) }
  }

  /// From green to red.
  let steps: [Step]
  public let version: String

  static let columns = ["level", "intercept", "score", "cost_ratio"]

  package init(steps: [Step], version: String) {
    self.steps = steps
    self.version = version
  }

  /// - Throws: ``DataTableError`` unless there is a row with numbers for each of green, yellow, orange, red, in that order.
  public init(table: DataTable) throws(DataTableError) {
    version = table.metadata["version"] ?? ""
    var steps: [Step] = []
    for row in table.rows {
      guard let level = Urgency(rawValue: row["level"]), level.rank == steps.count + 1 else {
        throw row.error("level", "must be green, yellow, orange and red, in this order")
      }
      let ratio = try row.number("cost_ratio")
      guard ratio > 0 else { throw row.error("cost_ratio", "must be above 0") }
      steps.append(
        Step(
          level: level, intercept: try row.number("intercept"), score: try row.number("score"), costRatio: ratio))
    }
    guard steps.count == 4 else {
      throw DataTableError(
        table: table.name, line: 0, column: "level", problem: "needs rows for green, yellow, orange and red")
    }
    self.steps = steps
  }

  /// P(at least this level), from green to red, never rising.
  package func reaching(scores: [Double]) -> [Double] {
    var least = 1.0
    return steps.indices.map { index in
      let step = steps[index]
      let z = step.intercept + step.score * scores[index]
      least = min(least, 1 / (1 + exp(-z)))
      return least
    }
  }

  /// P of each level by itself.
  static func probabilities(reaching: [Double]) -> [Urgency: Double] {
    var probabilities: [Urgency: Double] = [:]
    for urgency in Urgency.allCases {
      let rank = urgency.rank
      let atLeast = rank == 0 ? 1 : reaching[rank - 1]
      let above = rank == 4 ? 0 : reaching[rank]
      probabilities[urgency] = atLeast - above
    }
    return probabilities
  }

  /// The level of least expected cost.
  package func choice(reaching: [Double]) -> Urgency {
    var costs = [Double](repeating: 0, count: 5)
    for rank in 0...4 {
      for (index, step) in steps.enumerated() {
        costs[rank] += index < rank ? 1 - reaching[index] : step.costRatio * reaching[index]
      }
    }
    // Of equal costs the more urgent.
    let best = (0...4).reversed().min { costs[$0] < costs[$1] } ?? 2
    return Urgency(rank: best)
  }

  package func text(head: [(String, String)]) -> String {
    func cell(_ value: Double) -> String { "\((value * 10000).rounded() / 10000)" }
    let rows = steps.map {
      [$0.level.rawValue, cell($0.intercept), cell($0.score), cell($0.costRatio)]
    }
    let lines = head.map { "# \($0.0): \($0.1)" } + ([Self.columns] + rows).map { $0.joined(separator: "\t") }
    return lines.joined(separator: "\n") + "\n"
  }
}
