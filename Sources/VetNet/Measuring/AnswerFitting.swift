public import Briefing
public import Chart
public import Clinical
import Extraction

extension Practice {
  /// The record that a question is answered from.
  ///
  /// - Returns: the record as of `askedAt`; nil for a question to the whole practice and for a name that several share.
  /// - Throws: ``PracticeError`` when no patient is called `reference`.
  public func recordAsked(
    _ question: String, patient reference: String?, askedAt: Timestamp
  ) throws -> PatientRecord? {
    try reading {
      guard case .patient(let patient) = try subject(of: question, reference: reference) else { return nil }
      return try record(of: patient, at: askedAt)
    }
  }
}

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
