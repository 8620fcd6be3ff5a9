import Clinical
import Extraction

/// A sentence that may be evidence: what it asserts of the question's topic, and how well it fits.
package struct Reading {
  package let match: Match
  /// Of what weighs most among what it names.
  let assertion: Assertion
  /// It denies anything specific that it names.
  let deniesPart: Bool
  let signs: SentenceSigns
  /// Of the clause in which it names what weighs most; of all of it where it names nothing.
  let nearSigns: SentenceSigns
  package var features: Measures<EvidenceFeature>
  /// By ``AnswerModel``; comparable within a question.
  var score = 0.0
  /// The share of the probability of all of the question's sentences.
  var share = 0.0

  var isDenial: Bool { assertion.polarity == .absent }
  var isAboutPatient: Bool { assertion.experiencer == .patient }
  /// Advice and conditions say nothing about what was.
  var isHypothetical: Bool { assertion.temporality == .hypothetical }

  static func isEarlier(_ first: Reading, _ second: Reading) -> Bool {
    (first.match.unit.note.recordedAt, first.match.unit.position) < (
      second.match.unit.note.recordedAt, second.match.unit.position
    )
  }
}
