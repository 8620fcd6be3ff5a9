/// Adds what abbreviations stand for, at the abbreviation's position and range; the written form stays.
///
/// Runs before ``CaseFoldFilter``, because capitals decide. An abbreviation with several meanings is expanded only when
/// the words around it support exactly one; see ``ShorthandLexicon/meaning(at:in:)``. The parts of an expanded compound
/// are left alone: `C/S/V/D` as a whole is no list of four abbreviations.
public struct ShorthandFilter: TokenFilter {
  private let lexicon: ShorthandLexicon

  public init(lexicon: ShorthandLexicon) {
    self.lexicon = lexicon
  }

  public func apply(to tokens: [Token]) -> [Token] {
    var result: [Token] = []
    result.reserveCapacity(tokens.count + tokens.count / 8)
    var expandedUpTo = 0
    for (index, token) in tokens.enumerated() {
      result.append(token)
      guard token.range.lowerBound >= expandedUpTo, let meaning = lexicon.meaning(at: index, in: tokens) else {
        continue
      }
      expandedUpTo = token.range.upperBound
      for word in meaning.expansion {
        result.append(Token(text: word, range: token.range, position: token.position))
      }
    }
    return result
  }
}
