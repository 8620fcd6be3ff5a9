import Clinical
import Extraction
import FoundationEssentials
import TextAnalysis
import Vectorization

/// What a case description says beyond its words: which of them it denies, and what its measurements are in other units.
///
/// A case like "no vomiting" is not one of the vomiting cases, and "104.2 °F" is the record's "40.1". A question is left as it
/// stands: who asks whether something was *not* given looks for it all the same.
struct CaseSigns {
  /// What a word counts that the text denies, or says of somebody else.
  private static let deniedWeight = 0.3
  /// What a measurement counts in the record's unit, beside the words as they stand.
  private static let convertedWeight = 0.5

  private let classifier: AssertionClassifier
  private let parser: QuantityParser

  init(classifier: AssertionClassifier, parser: QuantityParser) {
    self.classifier = classifier
    self.parser = parser
  }

  /// The text's terms with the weights they deserve, and its measurements once more in the record's units.
  ///
  /// - Complexity: O(length of the text).
  func terms(of text: String, analyzer: Analyzer) -> [QueryTerm] {
    let context = classifier.context(of: text)
    let own = analyzer.tokens(in: text).map { token in
      let assertion = classifier.assertion(of: token.range, in: context)
      let isDenied = assertion.polarity == .absent || assertion.experiencer == .other
      return QueryTerm(token.text, weight: isDenied ? Self.deniedWeight : 1)
    }
    return own + converted(text, analyzer: analyzer)
  }

  private func converted(_ text: String, analyzer: Analyzer) -> [QueryTerm] {
    parser.quantities(in: text).flatMap { quantity -> [QueryTerm] in
      guard let base = parser.units.converted(quantity.value, from: quantity.unit), base.unit != quantity.unit,
        let words = text.slice(utf8: quantity.range).map(String.init)
      else { return [] }
      let value = (base.value * 10).rounded() / 10
      let number = value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
      return analyzer.terms(in: number).map {
        QueryTerm($0, weight: Self.convertedWeight, expandedFrom: "\(words) (\(number) \(base.unit))")
      }
    }
  }
}
