public import Answering
import Chart
import Clinical
import Extraction
public import VetNet

extension ModelDirectory {
  /// What fits `briefing/answer-weights.tsv`, beginning at `briefing/answer-priors.tsv`, and `briefing/answer-translations.tsv`.
  ///
  /// - Parameters:
  ///   - pairs: questions with the sentences that answer them, beside those of the records.
  ///   - kept: models whose weights stay as they are.
  /// - Returns: a fitter that knows the pairs already.
  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public func answerFitter(
    pairs: [AnswerPair] = [], keeping kept: Set<AnswerModel.Decision> = []
  ) throws -> AnswerFitter {
    let reader = try extractors().facts
    let table = try table(
      "briefing/answer-priors.tsv", required: ["model", "feature", "prior", "sign"])
    return AnswerFitter(
      answerer: try answerer(), priors: try usable { () throws(DataTableError) in try AnswerPriors(table: table) },
      pairs: pairs.map { $0.example { reader.facts(in: $0, kind: .consult) } }, keeping: kept)
  }
}
