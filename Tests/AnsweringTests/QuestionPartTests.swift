import Clinical
import Extraction
import RecordTestSupport
import Testing
import TextAnalysis

@testable import Answering

@Suite struct PeriodParserTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let question: String
    let first: String
    /// Nil: up to the present.
    let end: String?
    let words: Range<Int>
    var testDescription: String { question }
  }

  // Asked on Friday 20 November 2026.
  @Test(arguments: [
    Row(question: "weights this year", first: "2026-01-01", end: nil, words: 1..<3),
    Row(question: "visits this month", first: "2026-11-01", end: nil, words: 1..<3),
    Row(question: "vaccines last year", first: "2025-01-01", end: "2026-01-01", words: 1..<3),
    Row(question: "bloods last 2 weeks", first: "2026-11-06", end: nil, words: 1..<4),
    Row(question: "weight since march", first: "2026-03-01", end: nil, words: 1..<3),
    Row(question: "weight since december", first: "2025-12-01", end: nil, words: 1..<3),
    Row(question: "weight since mar 2025", first: "2025-03-01", end: nil, words: 1..<4),
    Row(question: "seizures in 2024", first: "2024-01-01", end: "2025-01-01", words: 1..<3),
    Row(question: "seizures in may", first: "2026-05-01", end: "2026-06-01", words: 1..<3),
    Row(question: "fits after february 2025", first: "2025-03-01", end: nil, words: 1..<4),
  ])
  func `a period is found with the words that name it`(row: Row) throws {
    let parser = PeriodParser(now: noon("2026-11-20"), zone: .utc)
    let found = try #require(parser.parse(AnswerFixtures.classes.get().words(of: row.question)))
    #expect(PracticeTimeZone.utc.date(of: found.period.lowerBound) == day(row.first))
    if let end = row.end {
      #expect(PracticeTimeZone.utc.date(of: found.period.upperBound) == day(end))
    } else {
      #expect(found.period.contains(noon("2026-11-20")))
    }
    #expect(found.words == row.words)
  }

  @Test(arguments: ["is he on pred", "last t4", "dose every 2 weeks", "in clinic", "since when", "this"])
  func `no period is found where none is named`(question: String) throws {
    let parser = PeriodParser(now: noon("2026-11-20"), zone: .utc)
    #expect(try parser.parse(AnswerFixtures.classes.get().words(of: question)) == nil)
  }

  @Test func `before a year is everything up to it`() throws {
    let parser = PeriodParser(now: noon("2026-11-20"), zone: .utc)
    let found = try #require(parser.parse(AnswerFixtures.classes.get().words(of: "before 2023")))
    #expect(found.period.contains(noon("2022-12-31")))
    #expect(!found.period.contains(noon("2023-01-01")))
  }
}

@Suite struct MisspellingTests {
  private static let words: Set<String> = ["prednisolone", "vaccine", "seizure", "fleas", "amlodipine", "lepto"]

  @Test(arguments: [
    ("seizre", "seizure"), ("siezure", "seizure"), ("vacine", "vaccine"), ("predinsolone", "prednisolone"),
    ("amlodpine", "amlodipine"), ("flaes", "fleas"), ("predislone", "prednisolone"),
  ])
  func `a slip or two leads to the word that was meant`(typed: String, meant: String) {
    #expect(Misspelling.nearest(to: typed, in: Self.words) == meant)
  }

  @Test(arguments: ["fle", "t4", "xeizure", "lepta1", "cat", "zzzzzzzz", ""])
  func `short words, words with digits and other first letters are left alone`(typed: String) {
    #expect(Misspelling.nearest(to: typed, in: Self.words) == nil)
  }

  @Test func `the answer does not hang on the order of a set`() {
    let words: Set<String> = ["castle", "cattle"]
    for _ in 0..<20 { #expect(Misspelling.nearest(to: "catttle", in: words) == "cattle") }
    #expect(Misspelling.nearest(to: "cantle", in: words) == "castle")
  }
}

@Suite struct SideTests {
  private func unit(_ text: String) -> EvidenceUnit {
    EvidenceUnit(
      note: note("N1", "2026-01-01", text), range: 0..<text.utf8.count, section: "body",
      tokens: Tokenizer().tokens(in: text), terms: [], facts: [], factTerms: [:], place: 0, position: 0)
  }

  private func sides(_ text: String) throws -> Set<Side> {
    try Side.named(in: unit(text), AnswerFixtures.classes.get())
  }

  @Test(
    arguments: [
      ("Left stifle operated.", [.left]), ("R ear clean.", [.right]), ("LH lame.", [.left]),
      ("Ulcer OD, OS clear.", [.right, .left]),
      ("as before, an ad hoc visit", []), ("Bright and well.", []),
    ] as [(String, Set<Side>)])
  func `sides are named in words and in capitals`(text: String, expected: Set<Side>) throws {
    #expect(try sides(text) == expected)
  }

  @Test(
    arguments: [
      ("Tilt to the left, fast phase right.", "Tilt", .left), ("Left eye clear, right ear red.", "ear", .right),
      ("Left ear right eye.", "ear", .left), ("Bright and well.", "well", nil),
    ] as [(String, String, Side?)])
  func `of two sides the one beside a word is its own`(text: String, word: String, expected: Side?) throws {
    let start = try #require(text.ranges(of: word).first).lowerBound.utf16Offset(in: text)
    let side = try Side.named(
      in: unit(text), nearest: start..<(start + word.utf8.count), AnswerFixtures.classes.get())
    #expect(side == expected)
  }

  @Test(arguments: [
    ("Which thigh was the mast cell on?", true), ("which foreleg was injured?", true), ("which knee", true),
    ("Which insurer?", false), ("was the left thigh shaved?", false),
  ])
  func `which of two parts is a question for a side`(text: String, expected: Bool) throws {
    #expect(try AnswerFixtures.parse(text).asksWhichSide == expected)
  }
}
