import Clinical
import Testing
import TextAnalysis
import VetNetTestSupport

@Suite struct ExcerptTests {
  private func note(_ text: String) -> ClinicalNote {
    ClinicalNote(id: "N1", patientID: "P1", recordedAt: Timestamp(seconds: 0), kind: .consult, text: text)
  }

  @Test(arguments: 0..<200) func `an excerpt lies in its range on code point borders and never cuts a word`(
    seed: UInt64
  ) throws {
    var generator = SplitMix64(seed: seed)
    let note = note(RandomText.notes(pieces: 30, using: &generator))
    let borders = note.text.codePointBorders.sorted()
    let lower = borders[Int.random(in: 0..<borders.count, using: &generator)]
    let upper = borders.filter { $0 >= lower }.randomElement(using: &generator) ?? lower
    let focusLower = borders.filter { (lower...upper).contains($0) }.randomElement(using: &generator) ?? lower
    let focusUpper = borders.filter { (focusLower...upper).contains($0) }.randomElement(using: &generator) ?? upper
    guard let excerpt = Excerpt(note, lower..<upper, focus: focusLower..<focusUpper, limit: 40) else { return }
    #expect(excerpt.range.lowerBound >= lower && excerpt.range.upperBound <= upper && !excerpt.range.isEmpty)
    let citation = try #require(Citation(note, range: excerpt.range))
    #expect(citation.holds(in: note))
    // What is shown is what is cited, but for white space and the marks of what was left out.
    let words = citation.quote.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(["“\(words)”", "“…\(words)”", "“\(words)…”", "“…\(words)…”"].contains(excerpt.quoted))
    let bytes = Array(note.text.utf8)
    if excerpt.quoted.hasPrefix("“…"), excerpt.range.lowerBound > 0 {
      #expect(bytes[excerpt.range.lowerBound - 1] <= 0x20)
    }
  }

  @Test(arguments: [
    ("- Pimobendan 2.5 mg BID.", "“Pimobendan 2.5 mg BID”"), ("1. MMVD stage C", "“MMVD stage C”"),
    ("a) Hospitalise.", "“Hospitalise”"), ("12) Recheck", "“Recheck”"), ("2.5 mg BID", "“2.5 mg BID”"),
    ("  two\n lines ", "“two lines”"),
  ])
  func `bullets, numbers of lists and stops are left out`(text: String, shown: String) throws {
    let note = note(text)
    #expect(try #require(Excerpt(note, 0..<text.utf8.count)).quoted == shown)
  }

  @Test func `a long sentence keeps its focus`() throws {
    let text =
      String(repeating: "walked well today and ", count: 20) + "grade IV murmur heard"
      + String(repeating: " then home", count: 20)
    let note = note(text)
    let before = text.utf8.distance(from: text.startIndex, to: try #require(text.firstRange(of: "murmur")).lowerBound)
    let focus = before..<(before + "murmur".utf8.count)
    let excerpt = try #require(Excerpt(note, 0..<text.utf8.count, focus: focus, limit: 60))
    #expect(excerpt.quoted.contains("grade IV murmur heard"))
    #expect(excerpt.quoted.hasPrefix("“…") && excerpt.quoted.hasSuffix("…”"))
    #expect(excerpt.range.count <= 80)
  }

  @Test(arguments: ["", "   ", "...", "- "]) func `nothing is no excerpt`(text: String) {
    #expect(Excerpt(note(text), 0..<text.utf8.count) == nil)
  }

  @Test(arguments: 0..<60) func `the sentences of an outline are in order and hold every word`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let note = note(RandomText.notes(pieces: 40, using: &generator))
    let outline = NoteOutline(note, sections: try Fixtures.sections.get(), splitter: try Fixtures.sentences.get())
    for (one, next) in zip(outline.sentences, outline.sentences.dropFirst()) {
      #expect(one.range.upperBound <= next.range.lowerBound)
    }
    let bytes = Array(note.text.utf8)
    for sentence in outline.sentences { #expect(!bytes[sentence.range].contains(0x0A)) }
  }
}
