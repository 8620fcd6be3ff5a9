import Extraction

/// What is measured before it is judged whether a record is silent: what it knows of the question, what is measured of the best
/// sentence (`best.own`), and what the question is after (`asks.amount`, `of.lab`).
///
/// Things that are nowhere are told by the first; things beside which something near is written by the others.
package struct SilenceMeasures: Sendable {
  /// The names of ``values``, which the rows of the model `silence` have.
  package static let names: [String] =
    SilenceFeature.allCases.map(\.rawValue) + EvidenceFeature.allCases.map { "best.\($0.rawValue)" }
    + QuestionLexicon.Role.allCases.map { "asks.\($0.rawValue)" } + FactKind.allCases.map { "of.\($0.rawValue)" }

  package let record: Measures<SilenceFeature>
  /// In the order of ``names``.
  package let values: [Double]

  init(_ record: Measures<SilenceFeature>, best: Reading?, question: Question) {
    self.record = record
    let sentence = best?.features.values ?? [Double](repeating: 0, count: EvidenceFeature.allCases.count)
    values =
      record.values + sentence
      + QuestionLexicon.Role.allCases.map { question.roles.contains($0) ? 1 : 0 }
      + FactKind.allCases.map { question.kinds.contains($0) ? 1 : 0 }
  }
}
