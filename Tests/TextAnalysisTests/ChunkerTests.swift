import Clinical
import Testing
import TextAnalysis
import VetNetTestSupport

@Suite struct ChunkerTests {
  private let chunker: Chunker
  private let sections: SectionSplitter
  private let sentences: SentenceSplitter

  init() throws {
    chunker = try Fixtures.chunker.get()
    sections = try Fixtures.sections.get()
    sentences = try Fixtures.sentences.get()
  }

  private func words(_ text: String) -> Int { text.split { " \n\t\r".contains($0) }.count }

  private func prose(_ count: Int) -> String {
    (1...count).map { "On visit \($0) the patient was bright and ate well at home." }.joined(separator: " ")
  }

  @Test(arguments: ["", " ", "\n\n", " \r\n\t "]) func `a blank note has no passage`(text: String) {
    #expect(chunker.chunks(of: text).isEmpty)
  }

  @Test func `a short SOAP note is one passage from first letter to last`() {
    let text = "S: off food\nO: T 39.6, HR 120\nA: ?pancreatitis\nP: bloods, fluids\n"
    let chunks = chunker.chunks(of: text)
    #expect(chunks.map { text.at($0.range) } == [text.trimmingSpaces()])
    #expect(chunks.map(\.section) == ["objective"])
  }

  @Test func `a note without headings has no section`() {
    #expect(chunker.chunks(of: "Booster. Well.").map(\.section) == [nil])
  }

  @Test func `long sections stand alone, and are named`() {
    let text = "History: \(prose(12))\nPlan: \(prose(12))"
    let chunks = chunker.chunks(of: text)
    #expect(chunks.map(\.section) == ["history", "plan"])
  }

  @Test func `a long section is cut evenly, with a sentence in common`() {
    let text = prose(60)
    let chunks = chunker.chunks(of: text)
    #expect(chunks.count >= 4)
    for chunk in chunks { #expect((60...280).contains(words(text.at(chunk.range))), "\(words(text.at(chunk.range)))") }
    for (first, second) in zip(chunks, chunks.dropFirst()) {
      let shared = second.range.lowerBound..<first.range.upperBound
      #expect(text.at(shared).hasPrefix("On visit") && words(text.at(shared)) == 12)
    }
  }

  @Test func `a table stays whole even when it is longer than a passage`() {
    let table = (10..<70).map { "Analyte\($0)    \($0).5    mmol/l    1-99" }.joined(separator: "\n")
    let text = "Results:\n\(table)\nPlan: recheck in a week."
    #expect(chunker.chunks(of: text).contains { text.at($0.range).contains(table) })
  }

  @Test(arguments: 0..<60) func `every sentence is whole in a passage, and passages begin and end with sentences`(
    seed: UInt64
  ) {
    var generator = SplitMix64(seed: seed)
    let text = RandomText.notes(pieces: 40 + Int(seed) * 15, using: &generator)
    let chunks = chunker.chunks(of: text)
    let all = sections.sections(of: text).flatMap { sentences.sentences(in: text, range: $0.range) }
    let starts = Set(all.map(\.lowerBound))
    let ends = Set(all.map(\.upperBound))
    for sentence in all {
      #expect(
        chunks.contains { $0.range.lowerBound <= sentence.lowerBound && $0.range.upperBound >= sentence.upperBound })
    }
    for (ordinal, chunk) in chunks.enumerated() {
      #expect(chunk.ordinal == ordinal)
      #expect(starts.contains(chunk.range.lowerBound) && ends.contains(chunk.range.upperBound))
      #expect(text.slice(utf8: chunk.range) != nil)
    }
    #expect(zip(chunks, chunks.dropFirst()).allSatisfy { $0.range.lowerBound < $1.range.lowerBound })
  }

  @Test func `configured sizes hold`() {
    let small = Chunker(
      sections: sections, sentences: sentences,
      configuration: .init(targetWords: 30, maximumWords: 40, minimumWords: 5, overlapSentences: 0))
    let text = prose(40)
    let chunks = small.chunks(of: text)
    for chunk in chunks { #expect(words(text.at(chunk.range)) <= 40) }
    #expect(zip(chunks, chunks.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound })
  }

  @Test func `text without spaces is cut too`() {
    let text = String(repeating: "猫", count: 20_000)
    let chunks = chunker.chunks(of: text)
    #expect(chunks.count > 10)
    #expect(chunks.last?.range.upperBound == text.utf8.count)
  }
}
