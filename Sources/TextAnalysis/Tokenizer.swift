/// Cuts a note into words, numbers and codes, the way a vet writes them.
///
/// | written | tokens (positions) |
/// |---|---|
/// | `PU/PD`, `V/D`, `P&M`, `O/E` | the whole (0), and each part of two letters and more: `PU` (0), `PD` (1) |
/// | `vomiting/diarrhoea`, `blood-stained` | `vomiting` (0), `diarrhoea` (1): a part is longer than five letters |
/// | `mg/kg`, `mmol/L` | the whole: every part is a unit |
/// | `V+`, `D-`, `FIV-`, `K+` | the word with its sign; `V+/D-` gives `V+`, `D-` |
/// | `0.1mg/kg`, `50mg`, `12.4kg`, `38.6°C`, `43%` | the whole (0), the number (0), the unit (1; none for `%`) |
/// | `HR120`, `T38.5`, `BCS5/9` | the whole (0), the letters (0), the number (1) and its unit |
/// | `T4`, `fT4`, `q12h`, `x3`, `1st` | the whole |
/// | `5/6`, `1/2`, `½`, `8-12`, `10:30`, `12.03.24`, `1,000` | the whole |
/// | `follow-up`, `X-ray` | the whole (0), and its parts of two letters and more: `follow` (0), `up` (1) |
/// | `owner's`, `b.i.d.` | the whole (`b.i.d`) |
/// | `++`, `+/-`, `±`, `+ve`, `-ve`, `#` | as they are |
/// | `?pancreatitis` | `pancreatitis`: later stages read the question mark from the text |
/// | `985 112 345 678 900` | the 15 digits of a microchip as a whole (0), and its groups |
///
/// `text` is the slice of the source, unchanged; see ``Normalizer`` for the form to compare. Tokens are ordered by where
/// they begin, a compound before its parts. Runs longer than 128 bytes are cut.
public struct Tokenizer: Sendable {
  public init() {}

  /// The tokens of `text`, or of the bytes of `range` in it.
  ///
  /// - Precondition: `range` lies in the text.
  /// - Complexity: O(length of the range).
  public func tokens(in text: String, range: Range<Int>? = nil) -> [Token] {
    text.withUTF8Bytes { bytes in
      let range = range ?? 0..<bytes.count
      precondition(
        range.lowerBound >= 0 && range.upperBound <= bytes.count, "\(range) leaves a text of \(bytes.count) bytes")
      var scanner = TokenScanner(bytes, range: range)
      scanner.scan()
      return scanner.tokens
    }
  }
}
