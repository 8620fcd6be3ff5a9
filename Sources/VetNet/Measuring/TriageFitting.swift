public import Assessment
import Clinical

/// Fits the learned part of triage to the exemplars of a model folder.
public enum TriageFitting {
  /// The exemplars' table, and the seed that divides them for cross-validation.
  private static let exemplars = "triage/exemplars.tsv"
  public static let defaultSeed: UInt64 = 1

  /// Reads `triage/exemplars.tsv` and gives the tables that follow from it.
  ///
  /// - Parameters:
  ///   - models: rules and exemplars; what was fitted before is not read.
  ///   - seed: for the folds.
  /// - Returns: the tables' texts and what cross-validation gave.
  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public static func run(models: ModelDirectory, seed: UInt64 = defaultSeed) throws -> TriageFitter.Outcome {
    let assessor = try models.ruleAssessor(protocol: Practice.defaultTriageProtocol)
    let table = try models.table(exemplars, required: ["id", "urgency", "visit_type", "text"], uniqueKey: "id")
    let rows = try models.usable { () throws(DataTableError) in try Exemplar.all(in: table) }
    return TriageFitter(
      assessor: assessor, exemplars: rows, seed: seed, version: table.metadata["version"] ?? ""
    ).run()
  }
}
