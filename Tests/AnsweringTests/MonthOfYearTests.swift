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

  @Test func `two times stay two`() throws {
    #expect(try AnswerFixtures.parse("weight in March 2025 and in this year").periods.count == 2)
  }

  @Test(arguments: [("34.9", "33.7", Answer.Class.conflicting), ("34.1", "33.7", .found)])
  func `two weights of one day in it disagree where no scale explains it`(
    first: String, second: String, expected: Answer.Class
  ) throws {
    let answer = try AnswerFixtures.ask(
      "what did Fern weigh in September this year?",
      [
        note("N1", "2026-09-15", "Weight \(first) kg. Nails clipped.", kind: .nurse, author: "A"),
        note("N2", "2026-09-15", "Seen after. Weight \(second) kg. No effusion.", author: "B"),
        note("N3", "2026-11-02", "Weight 33 kg.", author: "B"),
      ])
    #expect(answer.answerClass == expected, "\(answer.text)")
  }
}
