import Clinical
import RecordTestSupport
import Testing

@testable import Answering

/// A month with the year that it is of, in a question of November 2026.
@Suite struct MonthOfYearTests {
  @Test(arguments: [
    (
      "what did she weigh in September this year?",
      [("2026-09-10", true), ("2026-08-20", false), ("2025-09-10", false)]
    ),
    (
      "what did she weigh in September last year?",
      [("2025-09-10", true), ("2026-09-10", false), ("2025-03-10", false)]
    ),
    ("weight in May of this year", [("2026-05-10", true), ("2026-09-10", false)]),
  ])
  func `a month of a year is one time`(question: String, days: [(String, Bool)]) throws {
    let periods = try AnswerFixtures.parse(question).periods
    #expect(periods.count == 1)
    for (day, isMeant) in days { #expect(periods.first?.contains(noon(day)) == isMeant, "\(day)") }
  }

  @Test(arguments: [
    "weight in March 2025 and in this year", "weight in March 2024, this year", "weight in May before 2025",
    "was she lame for two weeks last year?", "weight in the last week of 2025",
  ])
  func `what is no month of a year is left as it was`(question: String) throws {
    let periods = try AnswerFixtures.parse(question).periods
    let year = 365.25 * 86_400
    #expect(periods.contains { Double($0.upperBound.seconds - $0.lowerBound.seconds) > year / 2 })
  }

  @Test func `the highest of a month of last year is none of this year's`() throws {
    let answer = try AnswerFixtures.ask(
      "when was Fern heaviest in September last year?",
      [
        note("N1", "2025-09-02", "Weight 30.1 kg."), note("N2", "2025-09-20", "Weight 31.4 kg."),
        note("N3", "2026-09-15", "Weight 34 kg."),
      ])
    #expect(answer.citations.contains { $0.noteID == "N2" } && !answer.citations.contains { $0.noteID == "N3" })
  }

  @Test(arguments: [
    ("34.9", "33.7", Answer.Class.conflicting), ("34.1", "33.7", .found), ("3.4", "3.3", .found),
    ("0.11", "0.09", .conflicting),
  ])
  func `two weights of one day in it disagree where no scale explains it`(
    first: String, second: String, expected: Answer.Class
  ) throws {
    let answer = try AnswerFixtures.ask(
      "what did Fern weigh in September this year?",
      [
        note("N1", "2026-09-15", "Weight \(first) kg. Nails clipped.", kind: .nurse, author: "A"),
        note("N2", "2026-09-15", "Seen after. Weight \(second) kg. No effusion.", author: "B"),
        note("N3", "2026-11-02", "Weight \(second) kg.", author: "B"),
      ])
    #expect(answer.answerClass == expected, "\(answer.text)")
  }

  @Test func `why something was worse then is asked of that time alone`() throws {
    let answer = try AnswerFixtures.ask(
      "why was her murmur worse in June 2025?",
      [
        note("N1", "2025-06-19", "Heart murmur grade III/VI, worse since the tablets ran out."),
        note("N2", "2026-10-02", "Heart murmur grade V/VI with a thrill."),
      ])
    #expect(answer.citations.contains { $0.noteID == "N1" } && !answer.citations.contains { $0.noteID == "N2" })
  }

  @Test(arguments: ["is her murmur worse than in June last year?", "is her murmur worse than it was in June 2025?"])
  func `what is worse than it was then is shown then and now`(question: String) throws {
    let answer = try AnswerFixtures.ask(
      question,
      [
        note("N1", "2025-02-09", "Bright. Heart murmur grade II/VI."),
        note("N2", "2025-06-19", "Heart murmur grade III/VI left apex."),
        note("N3", "2026-10-02", "Heart murmur grade V/VI with a thrill."),
      ])
    #expect(Set(answer.citations.map(\.noteID)) == ["N2", "N3"], "\(answer.text)")
  }
}
