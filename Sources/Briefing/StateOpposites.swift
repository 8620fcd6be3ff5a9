public import Clinical
import Extraction
import TextAnalysis

/// States that can't be left again, and what speaks against them: an animal that is neutered and later in season. Data:
/// `Models/briefing/question-opposites.tsv`, columns `cues` (words of a question about it), `lasting`, `contrary`, `unless` (words
/// beside which the state is only talked about).
public struct StateOpposites: Sendable {
  private struct Row: Sendable {
    let cues: WordPhrases
    let lasting: WordPhrases
    let contrary: WordPhrases
    /// Beside these the state is only talked about.
    let unless: WordPhrases
  }

  private let rows: [Row]

  public init(table: DataTable) {
    rows = table.rows.map { row in
      Row(
        cues: WordPhrases(row.list("cues")), lasting: WordPhrases(row.list("lasting")),
        contrary: WordPhrases(row.list("contrary")),
        unless: WordPhrases(row.list("unless")))
    }
  }

  /// A sentence that asserts the state and a later one that speaks against it; nil when the question is about no such state,
  /// or nothing speaks against it. What was so before the state was reached is no contradiction.
  ///
  /// - Complexity: linear in the record.
  func contradiction(_ question: Question, in units: [EvidenceUnit], classifier: AssertionClassifier) -> [EvidenceUnit]?
  {
    let asked = WordPhrases.words(in: question.text, range: nil)
    guard let row = rows.first(where: { $0.cues.first(in: asked) != nil }) else { return nil }
    var asserted: EvidenceUnit?
    var contrary: EvidenceUnit?
    for unit in units {
      let words = WordPhrases.words(in: unit.note.text, range: unit.range)
      if let range = row.contrary.first(in: words) {
        if classifier.assertion(of: range, in: unit.note.text).isActive, asserted != nil { contrary = unit }
      } else if asserted == nil, row.unless.first(in: words) == nil, let range = row.lasting.first(in: words) {
        let assertion = classifier.assertion(of: range, in: unit.note.text)
        if assertion.polarity == .present, assertion.experiencer == .patient, assertion.temporality != .hypothetical {
          asserted = unit
        }
      }
    }
    guard let asserted, let contrary else { return nil }
    return [asserted, contrary]
  }
}
