import Assessment
import Clinical

/// How each task is fitted: `triage/learning.tsv`, a row per task with its penalty and the share of each block of features.
struct LearningTable: Sendable {
  struct Settings: Sendable {
    let penalty: Double
    /// By ``FeatureBlock/allCases``; with ``kinship`` they add up to 1.
    let shares: [Double]
    /// What the company that words keep counts for, see ``WordKinship``.
    let kinship: Double
  }

  private var settings: [CaseModel.Task: Settings] = [:]

  /// - Throws: ``DataTableError`` for an unknown task, a task that is missing, a share below 0 or a penalty that is not above.
  init(table: DataTable) throws(DataTableError) {
    for row in table.rows {
      guard let task = CaseModel.Task(rawValue: row["task"]) else { throw row.error("task", "is no task") }
      let penalty = try row.number("penalty")
      guard penalty > 0 else { throw row.error("penalty", "must be above 0") }
      var shares: [Double] = []
      for block in FeatureBlock.allCases {
        let share = try row.number(block.rawValue)
        guard share >= 0 else { throw row.error(block.rawValue, "is below 0") }
        shares.append(share)
      }
      let kinship = try row.number("kinship")
      guard kinship >= 0 else { throw row.error("kinship", "is below 0") }
      // Kinship is worked into the weights of words, so words must have some.
      guard kinship == 0 || shares[FeatureBlock.words.index] > 0 else {
        throw row.error("kinship", "needs a share of words above 0")
      }
      let sum = shares.reduce(kinship, +)
      guard sum > 0 else { throw row.error("task", "has no share above 0") }
      settings[task] = Settings(penalty: penalty, shares: shares.map { $0 / sum }, kinship: kinship / sum)
    }
    for task in CaseModel.Task.allCases where settings[task] == nil {
      throw DataTableError(table: table.name, line: 0, column: "task", problem: "'\(task.rawValue)' is missing")
    }
  }

  subscript(task: CaseModel.Task) -> Settings {
    settings[task] ?? Settings(penalty: 1, shares: FeatureBlock.allCases.map { _ in 0.1 }, kinship: 0)
  }
}
