import Clinical
import TextAnalysis
import Vectorization

/// A text as retrieval asks for it: its own terms, and what the thesaurus adds, with less weight and a reason.
///
/// How much of that bears on a collection is for ``Retrieval/QuestionReader`` to say, which knows the collection's words.
enum SearchTerms {
  /// An expansion of several words is worth its weight once, not once a word.
  ///
  /// - Parameters:
  ///   - text: what is looked for.
  ///   - analyzer: makes terms of it.
  ///   - thesaurus: knows what else they are called.
  ///   - signs: reads a case description; nil for a question, whose words stand for themselves.
  /// - Returns: the text's own terms in their order, then the additions.
  static func terms(
    of text: String, analyzer: Analyzer, thesaurus: Thesaurus, signs: CaseSigns? = nil
  ) -> [QueryTerm] {
    let tokens = analyzer.tokens(in: text, keepingStopWords: true)
    func added(_ expansions: [Expansion], reason: String, isCorrection: Bool) -> [QueryTerm] {
      expansions.flatMap { expansion in
        let words = text.slice(utf8: expansion.range).map(String.init) ?? ""
        let standsFor = tokens.filter {
          expansion.range.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= expansion.range.upperBound
        }
        return expansion.terms.map { term in
          QueryTerm(
            term, weight: expansion.weight / Double(expansion.terms.count),
            expandedFrom: "\(words) (\(reason)\(expansion.row))", standsFor: standsFor.map(\.text),
            isCorrection: isCorrection)
        }
      }
    }
    return (signs?.terms(of: text, analyzer: analyzer) ?? analyzer.terms(in: text).map { QueryTerm($0) })
      + added(thesaurus.expansions(of: tokens), reason: "", isCorrection: false)
      + added(thesaurus.misspeltDrugs(in: tokens), reason: "misspelt, ", isCorrection: true)
  }
}
