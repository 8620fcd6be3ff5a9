/// A word, number or code of a text, and where it stands.
///
/// Several tokens can share a ``position``: a compound and its first part (`0.1mg/kg` and `0.1`), a shorthand form and
/// its expansion (`PU/PD`, `polyuria`, `polydipsia`).
public struct Token: Hashable, Sendable {
  /// The form to compare: as written after ``Tokenizer``, normalised, folded and stemmed after ``Analyzer``.
  public var text: String
  /// UTF-8 bytes of the source, end exclusive, on code point borders. No filter changes it, so that whatever is found
  /// through a token can be cited.
  public let range: Range<Int>
  /// Counts words from 0; a filter that drops a token leaves a gap.
  public let position: Int

  public init(text: String, range: Range<Int>, position: Int) {
    self.text = text
    self.range = range
    self.position = position
  }
}
