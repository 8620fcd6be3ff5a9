import Clinical
import TextAnalysis
import Vectorization

/// A text as retrieval asks for it: its own terms, and what the thesaurus adds, with less weight and a reason.
enum SearchTerms {
  /// An expansion of several words is worth its weight once, not once a word.
  static func terms(of text: String, analyzer: Analyzer, thesaurus: Thesaurus) -> [QueryTerm] {
    var terms = analyzer.terms(in: text).map { QueryTerm($0) }
    for expansion in thesaurus.expansions(of: text) where !expansion.terms.isEmpty {
      let words = text.utf8Slice(expansion.range)
      for term in expansion.terms {
        terms.append(
          QueryTerm(
            term, weight: expansion.weight / Double(expansion.terms.count), expandedFrom: "\(words) (\(expansion.row))")
        )
      }
    }
    return terms
  }
}

extension String {
  fileprivate func utf8Slice(_ range: Range<Int>) -> String { slice(utf8: range).map(String.init) ?? "" }
}
