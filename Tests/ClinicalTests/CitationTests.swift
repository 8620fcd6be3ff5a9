import Clinical
import Testing
import VetNetTestSupport

@Suite struct CitationTests {
  private func note(_ text: String) -> ClinicalNote {
    ClinicalNote(id: "N1", patientID: "P1", recordedAt: Timestamp(seconds: 0), kind: .consult, text: text)
  }

  @Test(arguments: 0..<100) func `a citation quotes its range, in bytes and in code points`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let text =
      seed.isMultiple(of: 2)
      ? RandomText.codePoints(40, using: &generator) : RandomText.notes(pieces: 12, using: &generator)
    let note = note(text)
    let borders = text.codePointBorders.sorted()
    let scalars = Array(text.unicodeScalars)
    let first = Int.random(in: 0..<borders.count, using: &generator)
    let last = Int.random(in: first..<borders.count, using: &generator)
    let citation = try #require(Citation(note, range: borders[first]..<borders[last]))
    #expect(Array(citation.quote.unicodeScalars) == Array(scalars[first..<last]))
    #expect(citation.codePoints == first..<last)
    #expect(text.utf8Range(codePoints: citation.codePoints) == citation.range)
    #expect(citation.holds(in: note))
  }

  @Test(arguments: 0..<30) func `a range that leaves the text or cuts a code point is not cited`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let text = "é🐶" + RandomText.codePoints(20, using: &generator)
    let note = note(text)
    for offset in 0...text.utf8.count where !text.codePointBorders.contains(offset) {
      #expect(Citation(note, range: 0..<offset) == nil)
      #expect(Citation(note, range: offset..<text.utf8.count) == nil)
    }
    #expect(Citation(note, range: 0..<(text.utf8.count + 1)) == nil)
  }

  @Test func `a citation does not hold in a changed or another note`() throws {
    let before = note("Wt 12.4 kg. Bright.")
    let citation = try #require(Citation(before, range: 0..<10))
    var after = before
    after.text = "Wt 14.2 kg. Bright."
    #expect(!citation.holds(in: after))
    after.text = "Wt"
    #expect(!citation.holds(in: after))
    after = before
    after.text += " Addendum."
    #expect(citation.holds(in: after))
    after.id = "N2"
    #expect(!citation.holds(in: after))
  }
}
