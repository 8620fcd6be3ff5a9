public import VetNet
import Clinical
import Extraction

/// Fits what extraction learns of reactions; the table it writes is the one that ships.
public enum ReactionFitting {
  private static let exemplars = "extraction/reaction-exemplars.tsv"

  /// Reads `extraction/reaction-exemplars.tsv`.
  ///
  /// - Parameter models: the exemplars and the tables that notes are read with; what was fitted before changes nothing.
  /// - Returns: what fits, and the version of the exemplars.
  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public static func fitter(models: ModelDirectory) throws -> (fitter: ReactionFitter, version: String) {
    guard models.has(exemplars) else {
      throw PracticeError(
        .models, "\(models.path)/\(exemplars) is not there",
        hint: "An installation leaves training texts out; fit in the source folder, with --models Models.")
    }
    let table = try models.table(exemplars, required: ["id", "label", "text"], uniqueKey: "id")
    let extractors = try models.extractors()
    let fitter = try models.usable { () throws(DataTableError) in
      try ReactionFitter(exemplars: table, extractors: extractors)
    }
    return (fitter, table.metadata["version"] ?? "")
  }
}
