import Clinical
import Testing
import TextAnalysis
import VetNetTestSupport

@Suite struct NormalizerTests {
  @Test(arguments: [
    ("Vomiting", "vomiting"), ("Hernía", "hernia"), ("e\u{301}cho", "echo"), ("ŒDEMA", "oedema"), ("ﬁts", "fits"),
    ("follow-up", "followup"), ("NT-proBNP", "ntprobnp"), ("b.i.d", "bid"), ("PU/PD", "pu/pd"), ("V+", "v+"),
    ("12.03.24", "12.03.24"), ("8–12", "8-12"), ("1,000", "1000"), (".5", "0.5"), ("½", "1/2"), ("2½", "2.5"),
    ("1¾", "1.75"), ("1⅛", "1.13"), ("1⁄2", "1/2"), ("µmol/L", "umol/l"), ("μg", "ug"), ("38℃", "38°c"),
    ("38ºC", "38°c"), ("don’t", "don't"), ("±", "+/-"), ("10⁹/l", "10^9/l"), ("10¹²", "10^12"), ("x\u{AD}ray", "xray"),
    ("Straße", "strasse"), ("", ""),
  ]) func `one spelling for what reads the same`(written: String, folded: String) {
    #expect(Normalizer.fold(written) == folded)
  }

  @Test(arguments: 0..<40) func `folding twice changes nothing, and a token folds as its source does`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let text = RandomText.notes(pieces: 100, using: &generator) + RandomText.codePoints(200, using: &generator)
    for token in Tokenizer().tokens(in: text) {
      let folded = Normalizer.fold(token.text)
      #expect(Normalizer.fold(folded) == folded, "\(token.text.unicodeScalars.map { String($0.value, radix: 16) })")
      #expect(Normalizer.fold(text.at(token.range)) == folded)
    }
  }
}
