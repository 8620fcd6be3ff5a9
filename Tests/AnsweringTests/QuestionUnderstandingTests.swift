import Assessment
import Chart
import Clinical
import Extraction
import Formulary
import RecordTestSupport
import Testing
import TextAnalysis
import VetNetTestSupport

@testable import Answering

@Suite struct QuestionUnderstandingTests {
  @Test(arguments: [
    ("Is she on steroids?", true), ("Still on insulin?", true), ("both eyes clear?", true),
    ("Reception says diabetic. Is she?", true), ("The owner asks whether he may swim", true),
    ("When did the cough start?", false), ("pred dose?", false), ("creatinine?", false), ("Which ear?", false),
    ("last weight", false), ("Why was it stopped?", false),
  ])
  func `a question that no would answer is told from one that asks for something`(text: String, expected: Bool) throws {
    #expect(try AnswerFixtures.parse(text).isYesOrNo == expected)
  }

  @Test(arguments: [
    ("when did the cough start?", QuestionLexicon.Role.first), ("when was he diagnosed?", .first),
    ("how often does he get drops?", .frequency), ("NSAIDs ok?", .permission), ("can I give carprofen?", .permission),
    ("is it bigger than in May?", .comparison), ("heaviest ever", .extreme),
    ("weight this May against last June", .comparison),
  ])
  func `the form of a question is recognised`(text: String, role: QuestionLexicon.Role) throws {
    let roles = try AnswerFixtures.parse(text).roles
    #expect(roles.contains(role), "\(roles)")
  }

  @Test func `when in the middle of a sentence asks for no date`() throws {
    #expect(try AnswerFixtures.parse("what did she weigh when the lump was found?").asks(for: .when) == false)
    #expect(try AnswerFixtures.parse("how big was it and when was it found?").asks(for: .when))
  }

  @Test(arguments: [
    ("Can you tell me her weight the day she collapsed?", false),
    ("Could you give me the bloods from May please", false),
    ("Can you tell me if she is spayed?", true), ("Can she have meloxicam?", true),
    ("Could you check whether he is insured", true), ("Could she show a reaction to it?", true),
    ("Can he give blood?", true),
  ])
  func `a request is for what it names, and for whether where it says so`(text: String, isYesOrNo: Bool) throws {
    #expect(try AnswerFixtures.parse(text).isYesOrNo == isYesOrNo)
  }

  @Test func `a breed called by its first letters is no topic`() throws {
    let question = try AnswerFixtures.parse("What did the old Lab weigh?", names: ["Labrador Retriever"])
    #expect(question.kinds == [.weight])
  }

  @Test func `shorthand for several words asks for all of them together`() throws {
    let question = try AnswerFixtures.parse("FIV status?")
    for alternative in question.groups.flatMap(\.alternatives) where alternative.reason == nil {
      #expect(alternative.terms.count != 1 || !["felin", "virus"].contains(alternative.terms[0]))
    }
  }

  @Test(arguments: [
    ("weight this autumn", "2026-09-01"), ("weight last december", "2025-12-01"), ("weight in june 2024", "2024-06-01"),
    ("seen on 5 november", "2026-11-05"), ("seen on 5 november 2024", "2024-11-05"),
    ("creat mar 23", "2023-03-01"), ("insulin in oct 24", "2024-10-01"), ("the november fit", "2026-11-01"),
    ("the 2024 dental", "2024-01-01"),
    ("blood test from 9 november", "2026-11-09"), ("poorly at christmas", "2025-12-15"),
  ])
  func `seasons, months and days are periods`(text: String, first: String) throws {
    let parser = PeriodParser(now: noon("2026-11-20"), zone: .utc)
    let found = try #require(parser.parse(AnswerFixtures.classes.get().words(of: text)))
    #expect(PracticeTimeZone.utc.date(of: found.period.lowerBound) == day(first))
  }

  @Test(arguments: [
    ("weight on 4/6/24", "2024-06-04"), ("weight 04.06.2024", "2024-06-04"), ("weight on 2024-06-04", "2024-06-04"),
    ("his wt on 9 Dec 21", "2021-12-09"), ("weight on 12 May this year", "2026-05-12"),
    ("Weight on July 14 this year", "2026-07-14"), ("weight 23 march 2026", "2026-03-23"),
    ("her weight on the 14th of May 2024", "2024-05-14"), ("seen on the 5th of November last year", "2025-11-05"),
    ("creat dec 9th 2021", "2021-12-09"), ("creat dec 9th", "2025-12-09"), ("bloods from 30 Dec", "2025-12-30"),
  ])
  func `a day is one day, however it is written`(text: String, first: String) throws {
    let parser = PeriodParser(now: noon("2026-11-20"), zone: .utc)
    let found = try parser.parseAll(AnswerFixtures.classes.get().words(in: text))
    #expect(found.map { PracticeTimeZone.utc.date(of: $0.period.lowerBound) } == [day(first)])
    let isSince = text.contains(" from ")
    #expect(found.allSatisfy { ($0.period.upperBound == $0.period.lowerBound.adding(days: 1)) == !isSince })
  }

  @Test(arguments: [
    ("fits since 9 Dec 2021", "2021-12-09", "2026-11-21"), ("weight before 4/6/24", "1970-01-01", "2024-06-04"),
    ("bloods after the 3rd of March 2025", "2025-03-04", "2026-11-21"),
  ])
  func `since, before and after a day are what lies on that side of it`(text: String, first: String, end: String) throws
  {
    let parser = PeriodParser(now: noon("2026-11-20"), zone: .utc)
    let found = try #require(parser.parse(AnswerFixtures.classes.get().words(in: text)))
    #expect(PracticeTimeZone.utc.date(of: found.period.lowerBound) == day(first))
    #expect(PracticeTimeZone.utc.date(of: found.period.upperBound) == day(end))
  }

  @Test(arguments: ["grade 3/6 murmur", "recheck in 2/52", "half of 1/4 tablet", "BCS 5/9", "ratio of 1-2-3 at 80"])
  func `a fraction, a grade and a row of numbers are no day`(text: String) throws {
    let parser = PeriodParser(now: noon("2026-11-20"), zone: .utc)
    #expect(try parser.parseAll(AnswerFixtures.classes.get().words(in: text)).isEmpty)
  }

  @Test(arguments: [
    ("BG on 3/2/26", "BG on 2026-03-02"), ("BG on 9/14/25", "BG on 9/14/25"), ("BG on 4/5/26", "BG on 4/5/26"),
    ("BG on 6/7/26 and on 3/2/2026", "BG on 6/7/26 and on 2026-03-02"), ("grade 3/2 murmur", "grade 3/2 murmur"),
  ])
  func `of two readings of a date the one that is a day of the record is meant`(text: String, settled: String) throws {
    let notes = ["2026-03-02", "2026-05-04", "2026-04-05"].map { note("N\($0)", $0, "Booster.") }
    let record = PatientRecord(
      patient: Patient(id: "P1", name: "Fern", species: .dog), notes: notes, facts: [:])
    #expect(AskedDate.settled(text, by: record, zone: .utc) == settled)
  }

  @Test func `two periods are both found`() throws {
    let parser = PeriodParser(now: noon("2026-11-20"), zone: .utc)
    let found = try parser.parseAll(
      AnswerFixtures.classes.get().words(of: "tear test this may against last december"))
    #expect(
      found.map { PracticeTimeZone.utc.date(of: $0.period.lowerBound) } == [day("2026-05-01"), day("2025-12-01")])
  }
}

@Suite struct AnswerTableTests {
  @Test func `every answer cue's example has its sign and its negative example has not`() throws {
    let table = try modelTable("briefing/answer-cues.tsv", uniqueKey: "id")
    let reader = try AnswerFixtures.signs.get()
    for row in table.rows {
      let sign = try #require(SentenceSigns.named[row["sign"]])
      #expect(reader.signs(of: unit(row["example"])).contains(sign), "\(row["id"])")
      #expect(!reader.signs(of: unit(row["negative_example"])).contains(sign), "\(row["id"])")
    }
  }

  @Test(
    "everyday phrases of questions, and forms of irregular words, stand for something in a note",
    arguments: ["briefing/question-synonyms.tsv", "lexicon/irregular-forms.tsv"])
  func standsForSomething(file: String) throws {
    let table = try modelTable(file, required: ["id", "forms", "weight", "example", "source"], uniqueKey: "id")
    let synonyms = try Fixtures.synonyms.get()
    for row in table.rows {
      #expect(!row["source"].isEmpty, "\(row["id"])")
      let tokens = try AnswerFixtures.analyzer.get().tokens(in: row["example"], keepingStopWords: true)
      #expect(synonyms.matches(of: tokens).contains { $0.row == row["id"] }, "\(row["id"])")
    }
  }

  @Test(arguments: [
    "model\tfeature\tweight\nevidence\tcolour\t1", "model\tfeature\tweight\nluck\town\t1",
    "model\tfeature\tweight\nevidence\town\tmuch", "model\tfeature\tweight\nlimit\tpatience\t1",
  ])
  func `a weight of an unknown model or feature, or that is no number, is refused`(table: String) {
    #expect(throws: DataTableError.self) { try AnswerModel(table: DataTable(name: "t", text: table)) }
  }

  @Test func `a score is the sum of weighted measures`() throws {
    let model = try AnswerModel(
      table: DataTable(name: "t", text: "model\tfeature\tweight\nevidence\town\t2\nevidence\tdate\t0.5"))
    var measures = Measures<EvidenceFeature>()
    measures[.own] = 0.5
    measures[.date] = 1
    measures[.reason] = 1
    #expect(abs(model.score(measures) - 1.5) < 1e-9)
    #expect(measures.named.map(\.name) == ["own", "date", "reason"])
  }

  private func unit(_ text: String) -> EvidenceUnit {
    let note = note("N1", "2026-01-01", text)
    return EvidenceUnit(
      note: note, range: 0..<text.utf8.count, section: "body", tokens: Tokenizer().tokens(in: text), terms: [],
      facts: [], factTerms: [:], place: 0, position: 0)
  }
}
