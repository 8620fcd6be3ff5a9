import Clinical
import Extraction
import RecordTestSupport
import Testing
import VetNetTestSupport

@testable import Answering

/// At which moments a question asks for a value.
@Suite struct AskedMomentsTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let question: String
    /// Nil where it isn't looked at.
    var subject: String?
    var moments: [String] = []
    var testDescription: String { question }
  }

  /// `before the transfusion`, `first`, `2 at he blocked`, `2022-11`, `+14`.
  private static func told(_ moment: AskedMoments.Moment) -> String {
    switch moment.time {
    case .first: return "first"
    case .last: return "last"
    case .extreme(let isLeast): return isLeast ? "lowest" : "highest"
    case .later(let days): return "+\(days)"
    case .period(let readings):
      let day = PracticeTimeZone.utc.date(of: readings[0].lowerBound)
      return String("\(day)".prefix(7))
    case .event(let words):
      let ordinal = moment.ordinal.map { "\($0) " } ?? ""
      return "\(ordinal)\(moment.edge) \(words)"
    }
  }

  private static func check(_ row: Row) throws {
    let words = try AnswerFixtures.classes.get().words(in: row.question)
    let moments = AskedMoments(
      row.question, words, periods: PeriodParser(now: noon("2026-11-20"), zone: .utc))
    #expect(moments?.moments.map(told) ?? [] == row.moments)
    if let subject = row.subject { #expect(moments?.subject == subject) }
  }

  @Test(arguments: [
    Row(
      question: "PCV before and after the transfusion?", subject: "pcv",
      moments: ["before the transfusion", "after the transfusion"]),
    Row(
      question: "lump before the cream & after it", subject: "lump", moments: ["before the cream", "after the cream"]),
    Row(
      question: "T4 just before radioiodine, and one month later?", subject: "t4 just",
      moments: ["before radioiodine", "+31"]),
    Row(
      question: "weight at diagnosis v when insulin stopped", subject: "weight",
      moments: ["first", "at insulin stopped"]),
    Row(
      question: "weight at the start of treatment and at the end", subject: "weight",
      moments: ["start treatment", "end treatment"]),
    Row(question: "potassium when he crashed", subject: "potassium", moments: ["at he crashed"]),
    Row(
      question: "weight when she had the corn out compared with the pneumonia visit",
      moments: ["at she had the corn out", "at the pneumonia visit"]),
    Row(
      question: "potassium when he was blocked, and what had it come down to at discharge", subject: "potassium",
      moments: ["at he was blocked", "at discharge"]),
    Row(
      question: "potassium when he was blocked the first time and the second",
      moments: ["1 at he was blocked the time", "each he was blocked the time"]),
    Row(question: "urea each time she collapsed", subject: "urea", moments: ["each she collapsed"]),
    Row(question: "weight lost since the op", subject: "weight lost", moments: ["onwards the op"]),
    Row(question: "what did she weigh the day she collapsed", moments: ["at day she collapsed"]),
    Row(question: "temp on arrival", subject: "temp", moments: ["at arrival"]),
    Row(
      question: "sore before & after the ointment", subject: "sore",
      moments: ["before the ointment", "after the ointment"]),
    Row(question: "what is he on at the moment?"),
  ])
  func `an opener says how a moment lies to what happened`(row: Row) throws { try Self.check(row) }

  @Test(arguments: [
    Row(question: "weight lost since her heaviest", moments: ["highest"]),
    Row(question: "urates: highest and latest?", subject: "urates", moments: ["highest", "last"]),
    Row(question: "lightest on file and what he weighs these days, today", moments: ["lowest", "last"]),
    Row(question: "how much has he put on since his very first visit to us", moments: ["first"]),
    Row(question: "how much has she lost since we first saw her here", moments: ["first"]),
    Row(question: "From her first visit up to now, what has the T4 done?", moments: ["first", "last"]),
    Row(
      question: "how much did she gain between first coming here and her latest weigh-in", moments: ["first", "last"]),
    Row(question: "how far has it come from the first reading to the most recent one", moments: ["first", "last"]),
    Row(question: "lipase peak and ten days on", subject: "lipase", moments: ["highest", "+10"]),
    Row(question: "sodium in March 2021 against a year later", moments: ["2021-03", "+366"]),
    Row(question: "biggest gall stone: first scan and Nov 2023", moments: ["first", "2023-11"]),
    Row(question: "urates, first to latest", moments: ["first", "last"]),
    Row(question: "platelets when she first bruised, and most recently", moments: ["1 at she bruised", "last"]),
    Row(question: "lactate when she came in, and the morning after", moments: ["at she came in", "+1"]),
    Row(question: "how far did it rise between the fall and the next morning", moments: ["at the fall", "+1"]),
    Row(question: "T4 before the pills and three months after it", moments: ["before the pills", "+93"]),
    Row(question: "pulse during the colic against the last visit", moments: ["at the colic", "last"]),
    Row(question: "weight at the chip and then at the booster a year later", moments: ["at the chip", "+366"]),
    Row(question: "temp at the first fit/temp at the latest check", moments: ["1 at the fit", "last"]),
    Row(question: "heaviest, and what is he now?", moments: ["highest", "last"]),
    Row(question: "potassium at diagnosis and a month later", subject: "potassium", moments: ["first", "+31"]),
    Row(question: "glucose on admission and the next morning", subject: "glucose", moments: ["at admission", "+1"]),
    Row(question: "last weight", moments: ["last"]),
  ])
  func `an end, an extreme and so long after stand by themselves`(row: Row) throws { try Self.check(row) }

  @Test(arguments: [
    Row(question: "how much did she put on between March and May 2021", moments: ["2021-03", "2021-05"]),
    Row(question: "How far did the bp come down from its peak to march 22?", moments: ["highest", "2022-03"]),
    Row(question: "how much heavier at the July 2024 visit than at the spay", moments: ["2024-07", "at the spay"]),
    Row(question: "wt by Nov 22 against the 2019 operation", moments: ["2022-11", "at the 2019 operation"]),
    Row(
      question: "Between the fall in April 2023 and the dental, how much did she lose?",
      subject: "how much did she lose",
      moments: ["2023-04", "at the dental"]),
    Row(question: "highest pressure in 2023", moments: ["highest"]),
    Row(
      question: "Compare the sodium on the day the drip was started with the Feb 2026 level",
      moments: ["at the day the drip was started", "2026-02"]),
  ])
  func `a time of the calendar is one, and lends its year`(row: Row) throws { try Self.check(row) }

  /// Words that questions are made of, with marks and without.
  private static let pieces = [
    "weight", "potassium", "before", "after", "between", "and", "from", "to", "since", "at", "when", "each", "time",
    "the",
    "day", "first", "last", "highest", "a year later", "next morning", "vs", "compared with", "than", "start", "end",
    "of",
    "spay", "he blocked", "didn't", "she's", ",", "/", "&", "?", "May 2021", "4/6/24", "9 Dec 21", "before 1000-02-03",
    "99999999999-12-12", "on", "during", "how much", "lost", "the second", "it", "now", "in Oct 24", "two weeks on",
    "’",
  ]

  @Test func `whatever a question's words are, its moments lie within it`() throws {
    var random = SplitMix64(seed: 36)
    let classes = try AnswerFixtures.classes.get()
    let periods = PeriodParser(now: noon("2026-11-20"), zone: .utc)
    for _ in 0..<4000 {
      let text = (0...random.index(below: 9)).map { _ in Self.pieces[random.index(below: Self.pieces.count)] }
        .joined(separator: " ")
      let words = classes.words(in: text)
      let moments = AskedMoments(text, words, periods: periods)?.moments ?? []
      #expect(moments.allSatisfy { $0.range.upperBound <= text.utf8.count }, "\(text)")
      #expect(periods.parseAll(words).allSatisfy { $0.words.upperBound <= words.count }, "\(text)")
    }
  }

  @Test(arguments: ["weight each, time he blocked", "weight before 1000-02-03", "weight since 99999999999-12-12"])
  func `a mark in the middle and a day of no year that counts are no moment`(text: String) throws {
    let words = try AnswerFixtures.classes.get().words(in: text)
    #expect(
      AskedMoments(text, words, periods: PeriodParser(now: noon("2026-11-20"), zone: .utc))?.moments.count ?? 0 < 2)
  }
}
