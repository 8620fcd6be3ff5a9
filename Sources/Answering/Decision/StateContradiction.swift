import Chart
import Extraction
import TextAnalysis

extension StateOpposites {
  /// The sentence that asserts the state that a question is about and the one that speaks against it, in time order; nil when it is
  /// about no such state, or nothing speaks against it.
  ///
  /// - Complexity: linear in the record.
  func contradiction(_ question: Question, in units: [EvidenceUnit], classifier: AssertionClassifier) -> [EvidenceUnit]?
  {
    let asked = WordPhrases.words(in: question.text, range: nil)
    let places = units.map { Place(note: $0.note, range: $0.range) }
    return contradiction(askedIn: asked, in: places, classifier: classifier).map { [units[$0], units[$1]] }
  }
}
