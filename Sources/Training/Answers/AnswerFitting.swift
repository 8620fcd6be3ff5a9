import Chart
import Clinical
import Extraction
public import VetNet

extension ModelDirectory {
  /// What fits `briefing/answer-weights.tsv`, beginning at `briefing/answer-priors.tsv`, and `briefing/answer-translations.tsv`.
  ///
  /// - Parameter pairs: questions with the sentences that answer them, beside those of the records.
  /// - Returns: a fitter that knows the pairs already.
  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public func answerFitter(pairs: [AnswerPair] = []) throws -> AnswerFitter {
    let reader = try extractors().facts
    let table = try table(
      "briefing/answer-priors.tsv", required: ["model", "feature", "prior", "sign"])
    return AnswerFitter(
      answerer: try answerer(), priors: try usable { () throws(DataTableError) in try AnswerPriors(table: table) },
      pairs: pairs.map { $0.example { reader.facts(in: $0, kind: .consult) } })
  }
}
