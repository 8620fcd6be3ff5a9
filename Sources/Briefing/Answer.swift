public import Clinical

/// What the record says about a question, and where.
public struct Answer: Sendable {
  /// The ways in which a record can answer. Silence is not "no".
  public enum Class: String, CaseIterable, Encodable, Sendable {
    case found
    /// The record says no: absent, excluded, stopped, declined, not done.
    case negative
    /// The record is silent.
    case notRecorded = "not_recorded"
    /// Notes disagree and none corrects the other; both sides are shown.
    case conflicting
    /// The name fits several patients, who are listed as candidates.
    case ambiguousPatient = "ambiguous_patient"
  }

  public var answerClass: Class
  /// The patients a name fits; empty unless the class is ``Class/ambiguousPatient``.
  public var candidates: [Patient]
  /// The sentences in one text, or what is missing from the record.
  public var text: String
  public var sentences: [CitedSentence]
  public var citations: [Citation]
  /// Why these sentences: kinds of question recognised, expansions, scores.
  public var explanation: Explanation

  public init(
    _ answerClass: Class, text: String, sentences: [CitedSentence] = [], citations: [Citation] = [],
    candidates: [Patient] = [], explanation: Explanation = Explanation("nothing was searched", value: 0)
  ) {
    self.answerClass = answerClass
    self.candidates = candidates
    self.text = text
    self.sentences = sentences
    self.citations = citations
    self.explanation = explanation
  }
}
