import Clinical
import Extraction
import RecordTestSupport
import Testing

@testable import Answering

/// Which values are of what a question measures, and which of them were taken at a moment.
@Suite struct MeasuredSeriesTests {
  private static let notes = [
    note("N1", "2021-02-01", "Glucose 24.8 mmol/L. Fructosamine 612 umol/L. Wart left hock 6 mm across."),
    note("N2", "2021-03-08", "Neutered, routine. Wt 7.9 kg.", kind: .surgery),
    note("N3", "2021-09-20", "Glucose 9.1 mmol/L. Fructosamine 371 umol/L. Wart left hock 9 mm across. Wt 8.6 kg."),
    note("N4", "2022-09-12", "Glucose 8.0 mmol/L. Her sister weighs 4 kg. Wt 8.1 kg."),
  ]

  private static func series(_ question: String, written: Bool = false, impliesWeight: Bool = false) throws
    -> MeasuredSeries?
  {
    let asked = try RuleVerification.asked(question, of: notes)
    return MeasuredSeries(
      asked, outside: [], impliesWeight: impliesWeight ? [] : nil,
      subject: written ? asked.reader.parse(question) : nil)
  }

  @Test(arguments: [
    ("fructosamine", [612, 371]), ("glucose", [24.8, 9.1, 8.0]), ("weight", [7.9, 8.6, 8.1]), ("albumin", nil),
    ("glucose and fructosamine", nil),
  ])
  func `a series is of the one thing that is named, and of none that only resembles it`(
    question: String, values: [Double]?
  ) throws {
    #expect(try Self.series(question)?.values.compactMap(\.number) == values)
  }

  @Test func `what no fact holds is read from the sentences that name it with a number`() throws {
    let series = try #require(try Self.series("wart on the left hock", written: true))
    #expect(series.values.map(\.date.description) == ["2021-02-01", "2021-09-20"])
    #expect(series.values.allSatisfy { $0.number == nil && $0.told == nil })
  }

  @Test func `the weight is implied where nothing else is named`() throws {
    #expect(try Self.series("how much lighter", impliesWeight: true)?.values.count == 3)
    #expect(try Self.series("how much slimmer is the wart", impliesWeight: true) == nil)
  }

  @Test(arguments: [
    ("weight before the neutering and 18 months later", ["2021-03-08", "2022-09-12"]),
    ("weight after the neutering and now", ["2021-09-20", "2022-09-12"]),
    ("glucose since the neutering", ["2021-02-01", "2021-09-20", "2022-09-12"]),
    ("lowest and first fructosamine", ["2021-09-20", "2021-02-01"]),
    ("weight at the tail docking and now", []),
  ])
  func `a moment has the value that was taken at it`(question: String, days: [String]) throws {
    let asked = try RuleVerification.asked(question, of: Self.notes)
    let moments = try #require(AskedMoments(question, asked.words, periods: asked.reader.periods))
    let series = try #require(
      MeasuredSeries(
        asked, outside: moments.moments.filter { !$0.isOfSeries }.map(\.range), impliesWeight: nil, subject: nil))
    let values = MomentValues(series: series, events: EventFinder(asked: asked)).values(at: moments.moments)
    #expect(values?.map(\.date.description) ?? [] == days)
  }

  @Test func `words before the first moment are told from those behind it`() throws {
    let text = "kilos she lost before the scaling, roughly"
    let words = try AnswerFixtures.classes.get().words(in: text)
    var scan = MomentScan(text, words, periods: PeriodParser(now: noon("2026-11-20"), zone: .utc))
    scan.run()
    #expect((scan.before.text, scan.behind.text, scan.moments.count) == ("kilos she lost", "roughly", 1))
  }

  @Test(arguments: [
    ("her first visit", true), ("the latest we took", true), ("the first of the four spells", false),
    ("two months later", true), ("the scaling", false),
  ])
  func `an end of the record and a length of time stand by themselves`(text: String, stands: Bool) throws {
    let words = try AnswerFixtures.classes.get().words(in: text)
    let reader = MomentWords(words: words, periods: PeriodParser(now: noon("2026-11-20"), zone: .utc))
    #expect((reader.standing(at: 0, before: words.count) != nil) == stands)
  }
}
