import Clinical
import Testing
import TextAnalysis
import VetNetTestSupport

/// A text and its tokens with positions, written `word@0`.
struct TokenRow: CustomTestStringConvertible, Sendable {
  let text: String
  let tokens: String
  var testDescription: String { text }

  init(_ text: String, _ tokens: String) {
    self.text = text
    self.tokens = tokens
  }
}

@Suite struct TokenizerTests {
  private func tokens(_ text: String) -> [Token] { Tokenizer().tokens(in: text) }

  @Test(arguments: [
    TokenRow("PU/PD", "PU/PD@0 PU@0 PD@1"),
    TokenRow("no V/D today", "no@0 V/D@1 today@3"),
    TokenRow("C/S/V/D", "C/S/V/D@0"),
    TokenRow("V+/D-", "V+@0 D-@1"),
    TokenRow("V+ D-, V++", "V+@0 D-@1 V++@2"),
    TokenRow("V-D-", "V-@0 D-@1"),
    TokenRow("V+D+ x3", "V+@0 D+@1 x3@2"),
    TokenRow("FIV- FeLV-", "FIV-@0 FeLV-@1"),
    TokenRow("K+ 5.4, Na+ 140", "K+@0 5.4@1 Na+@2 140@3"),
    TokenRow("pre- and post-op", "pre@0 and@1 post-op@2 post@2 op@3"),
    TokenRow("vomiting/diarrhoea", "vomiting@0 diarrhoea@1"),
    TokenRow("vomit+diarrhoea", "vomit@0 diarrhoea@1"),
    TokenRow("0.1mg/kg", "0.1mg/kg@0 0.1@0 mg/kg@1"),
    TokenRow("0.1 mg/kg", "0.1@0 mg/kg@1"),
    TokenRow("50mg", "50mg@0 50@0 mg@1"),
    TokenRow("12.4kg", "12.4kg@0 12.4@0 kg@1"),
    TokenRow("38.6°C", "38.6°C@0 38.6@0 °C@1"),
    TokenRow("PCV 43%", "PCV@0 43%@1 43@1"),
    TokenRow("120 µmol/L", "120@0 µmol/L@1"),
    TokenRow("HR120", "HR120@0 HR@0 120@1"),
    TokenRow("T38.5", "T38.5@0 T@0 38.5@1"),
    TokenRow("BCS5/9", "BCS5/9@0 BCS@0 5/9@1"),
    TokenRow("wt12.4kg", "wt12.4kg@0 wt@0 12.4@1 kg@2"),
    TokenRow("T4 fT4 q12h B12", "T4@0 fT4@1 q12h@2 B12@3"),
    TokenRow("½ tab, 2½ or 1/2", "½@0 tab@1 2½@2 or@3 1/2@4"),
    TokenRow("5/6 8-12 10:30 12.03.24", "5/6@0 8-12@1 10:30@2 12.03.24@3"),
    TokenRow("2024-03-05T10:40", "2024-03-05T10:40@0"),
    TokenRow("10-14d", "10-14d@0 10-14@0 d@1"),
    TokenRow("£1,000 1,2", "1,000@0 1@1 2@2"),
    TokenRow("x10^9/L", "x10^9/L@0 x10^9@0"),
    TokenRow("give .5mg", "give@0 .5mg@1 .5@1 mg@2"),
    TokenRow("1st 22nd", "1st@0 22nd@1"),
    TokenRow("3x5cm", "3x5cm@0"),
    TokenRow("?pancreatitis", "pancreatitis@0"),
    TokenRow("wax ++, yeast +++", "wax@0 ++@1 yeast@2 +++@3"),
    TokenRow("+/- sedation", "+/-@0 sedation@1"),
    TokenRow("± sedation", "±@0 sedation@1"),
    TokenRow("FIV-ve, stain +ve", "FIV@0 -ve@1 stain@2 +ve@3"),
    TokenRow("# L tibia", "#@0 L@1 tibia@2"),
    TokenRow("rib #s", "rib@0 #@1 s@2"),
    TokenRow("owner's dogs' don’t", "owner's@0 dogs@1 don’t@2"),
    TokenRow("b.i.d. i.v.", "b.i.d@0 i.v@1"),
    TokenRow("given today.Rpt", "given@0 today@1 Rpt@2"),
    TokenRow("follow-up X-ray", "follow@0 up@1 X-ray@2 ray@3"),
    TokenRow("blood-stained, well-hydrated", "blood@0 stained@1 well@2 hydrated@3"),
    TokenRow("NT-proBNP linear-FB", "NT-proBNP@0 NT@0 proBNP@1 linear-FB@2 linear@2 FB@3"),
    TokenRow(
      "10-month-old, COVID-19-positive", "10-month-old@0 10@0 month@1 old@2 COVID-19-positive@3 COVID@3 19@4 positive@5"
    ),
    TokenRow("P&M", "P&M@0"),
    TokenRow("985112345678900", "985112345678900@0"),
    TokenRow("985 112 345 678 900.", "985 112 345 678 900@0 985@0 112@1 345@2 678@3 900@4"),
    TokenRow("", ""),
    TokenRow(" \r\n\t…", ""),
  ]) func `compounds, doses and signs keep their meaning`(row: TokenRow) {
    #expect(tokens(row.text).map { "\($0.text)@\($0.position)" }.joined(separator: " ") == row.tokens)
  }

  @Test(arguments: 0..<40) func `every token is a slice of the source, on code point borders and in order`(seed: UInt64)
  {
    var generator = SplitMix64(seed: seed)
    let texts = [
      RandomText.notes(pieces: 120, using: &generator), RandomText.codePoints(300, using: &generator),
    ]
    for text in texts {
      let borders = text.codePointBorders
      let tokens = tokens(text)
      for token in tokens {
        #expect(borders.contains(token.range.lowerBound) && borders.contains(token.range.upperBound))
        #expect(text.at(token.range) == token.text)
        #expect(!token.range.isEmpty)
      }
      for (first, second) in zip(tokens, tokens.dropFirst()) {
        #expect(first.position <= second.position)
        #expect(
          (first.range.lowerBound, second.range.upperBound) <= (
            second.range.lowerBound, max(first.range.upperBound, second.range.upperBound)
          ))
      }
    }
  }

  @Test(arguments: 0..<20) func `every ASCII letter and digit is in a token`(seed: UInt64) {
    var generator = SplitMix64(seed: seed &+ 1000)
    let text = RandomText.notes(pieces: 150, using: &generator)
    var covered = Set<Int>()
    for token in tokens(text) { covered.formUnion(token.range) }
    let bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() {
      let isWord = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      // Single letters of a compound such as `C/S` are in the whole.
      if isWord { #expect(covered.contains(index), "byte \(index) of \(text)") }
    }
  }

  @Test(arguments: 0..<20) func `a range gives the tokens that the same text alone would`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed &+ 2000)
    let before = RandomText.notes(pieces: 10, using: &generator)
    let middle = RandomText.notes(pieces: 20, using: &generator)
    let after = RandomText.notes(pieces: 10, using: &generator)
    let offset = before.utf8.count
    let inRange = Tokenizer().tokens(in: before + middle + after, range: offset..<(offset + middle.utf8.count))
    let alone = tokens(middle)
    #expect(inRange.map(\.text) == alone.map(\.text))
    #expect(inRange.map { $0.range.lowerBound - offset } == alone.map(\.range.lowerBound))
  }

  @Test func `a run without end is cut and loses nothing`() {
    let text = String(repeating: "x", count: 10_000)
    let tokens = tokens(text)
    #expect(tokens.map(\.text).joined() == text)
    #expect(tokens.allSatisfy { $0.range.count <= 256 })
  }
}
