public import Answering
import Chart
import Clinical
import Extraction
public import VetNet

extension ModelDirectory {
  /// What fits `briefing/answer-weights.tsv`, beginning at `briefing/answer-priors.tsv`, `briefing/answer-translations.tsv` and `briefing/answer-replies.tsv`.
  ///
  /// - Parameter kept: models whose weights stay as they are.
  /// - Returns: a fitter that begins at the priors.
  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public func answerFitter(keeping kept: Set<AnswerModel.Decision> = []) throws -> AnswerFitter {
    let table = try table(
      "briefing/answer-priors.tsv", required: ["model", "feature", "prior", "sign"])
    return AnswerFitter(
      answerer: try answerer(), priors: try usable { () throws(DataTableError) in try AnswerPriors(table: table) },
      keeping: kept)
  }
}
