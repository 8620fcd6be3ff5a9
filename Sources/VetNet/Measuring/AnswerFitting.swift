public import Briefing
public import Clinical

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
  /// What fits `briefing/answer-weights.tsv`, beginning at `briefing/answer-priors.tsv`.
  ///
  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public func answerFitter() throws -> AnswerFitter {
    let table = try table(
      "briefing/answer-priors.tsv", required: ["model", "feature", "prior", "sign"])
    return AnswerFitter(
      answerer: try answerer(), priors: try usable { () throws(DataTableError) in try AnswerPriors(table: table) })
  }
}
