public import VetNet
import Assessment
import Clinical

/// Fits the learned part of triage to the exemplars of a model folder.
public enum TriageFitting {
  private static let exemplars = "triage/exemplars.tsv"

  /// Reads `triage/exemplars.tsv` and `triage/learning.tsv` and gives the files that follow from them.
  ///
  /// - Parameter models: rules and exemplars; what was fitted before is not read.
  /// - Returns: the files and how well held-out cases were judged.
  /// - Throws: ``PracticeError`` for a table that is missing or can't be used; an error of the linear algebra without OpenBLAS.
  public static func run(models: ModelDirectory) throws -> TriageFitter.Outcome {
    guard models.has(exemplars) else {
      throw PracticeError(
        .models, "\(models.path)/\(exemplars) is not there",
        hint: "An installation leaves training texts out; fit in the source folder, with --models Models.")
    }
    let assessor = try models.ruleAssessor(protocol: Practice.Assessment.defaultTriageProtocol)
    let table = try models.table(exemplars, required: ["id", "urgency", "visit_type", "text"], uniqueKey: "id")
    let rows = try models.usable { () throws(DataTableError) in try Exemplar.all(in: table) }
    let learning = try models.table("triage/learning.tsv", required: ["task", "penalty"], uniqueKey: "task")
    let fitter = try models.usable { () throws(DataTableError) in
      try TriageFitter(
        assessor: assessor, exemplars: rows, learning: learning, version: table.metadata["version"] ?? "")
    }
    return try fitter.run()
  }
}
