import Clinical
import Testing
import VetNetTestSupport

@Suite struct TextRangesTests {
  @Test(arguments: 0..<60) func `bytes to code points and back, for every pair of borders`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let text =
      seed.isMultiple(of: 2)
      ? RandomText.codePoints(25, using: &generator) : RandomText.notes(pieces: 6, using: &generator)
    let scalars = Array(text.unicodeScalars)
    let borders = text.codePointBorders.sorted()
    #expect(borders.count == scalars.count + 1)
    for (first, lower) in borders.enumerated() {
      for (second, upper) in borders.enumerated().dropFirst(first) {
        #expect(text.codePoints(utf8: lower..<upper) == first..<second)
        #expect(text.utf8Range(codePoints: first..<second) == lower..<upper)
        let slice = text.slice(utf8: lower..<upper)
        #expect(slice.map { Array($0.unicodeScalars) } == Array(scalars[first..<second]))
      }
    }
  }

  @Test(arguments: 0..<20) func `a range that cuts a code point in two has no slice`(seed: UInt64) {
    var generator = SplitMix64(seed: seed &+ 100)
    let text = "é🐶" + RandomText.codePoints(20, using: &generator)
    let borders = text.codePointBorders
    for offset in 0...text.utf8.count where !borders.contains(offset) {
      #expect(text.slice(utf8: offset..<text.utf8.count) == nil)
      #expect(text.slice(utf8: 0..<offset) == nil)
      #expect(text.codePoints(utf8: 0..<offset) == nil)
    }
  }

  @Test func `a grapheme is not a code point`() {
    let text = "a\r\nb e\u{301} 👩🏽‍⚕️"
    #expect(text.codePoints(utf8: 0..<4) == 0..<4)
    #expect(text.slice(utf8: 0..<2) == "a\r")
    #expect(text.utf8Range(codePoints: 6..<7) == 6..<8)
    #expect(text.codePoints(utf8: 0..<text.utf8.count) == 0..<text.unicodeScalars.count)
  }

  @Test func `a range outside the text has no slice`() {
    #expect("abc".slice(utf8: 0..<4) == nil)
    #expect("abc".slice(utf8: -1..<2) == nil)
    #expect("abc".slice(utf8: 3..<3) == "")
    #expect("abc".utf8Range(codePoints: 0..<4) == nil)
    #expect("abc".utf8Range(codePoints: -1..<2) == nil)
    #expect("".codePoints(utf8: 0..<0) == 0..<0)
  }
}
