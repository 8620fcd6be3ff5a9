import Clinical
import RecordTestSupport
import Testing
import TextAnalysis

@testable import Answering

/// What is asked of an animal's life and people.
@Suite struct AttributeAnswerTests {
  @Test func `each row is asked for by its question and stated by its example only`() throws {
    let table = try AnswerFixtures.attributes.get()
    for row in try AnswerFixtures.attributeRows.get().rows {
      #expect(table.rows(askedIn: row["question"]).first?.row.id == row["id"], "\(row["id"])")
      let stated = try AnswerFixtures.ask(row["question"], [note("N1", "2025-01-01", row["example"])])
      #expect(stated.citations.map(\.noteID).contains("N1"), "\(row["id"])")
      let silent = try AnswerFixtures.ask(row["question"], [note("N1", "2025-01-01", row["negative_example"])])
      if row["closed"] == "yes" { #expect(silent.answerClass == .notRecorded, "\(row["id"]): \(silent.text)") }
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let question: String
    let answerClass: Answer.Class
    /// Of the notes below; empty for silence.
    var notes: Set<String> = []
    var testDescription: String { question }
  }

  private static let record = [
    note("N1", "2022-01-10", "Booster lapsed, owner will think. Lives with Moss, an older collie."),
    note(
      "N2", "2023-02-10", "Insured? No, O self-insures. Neighbour Tom Reid can bring her, authorise up to 250 pounds."
    ),
    note(
      "N3", "2024-03-10",
      "Insulin 4 iu BID. Mr Orr hates needles, wife will do it. Sire had diabetes per breeder."),
    note("N4", "2025-04-10", "Weight 19.1 kg. Moss died in March, so Isla is on her own now. Eating m/d only."),
  ]

  @Test(arguments: [
    Case(question: "insured?", answerClass: .negative, notes: ["N2"]),
    Case(question: "is she insured with anybody", answerClass: .negative, notes: ["N2"]),
    Case(
      question: "Mr Orr is asking about claiming, is Isla insured with anyone?", answerClass: .negative, notes: ["N2"]),
    Case(question: "who does she live with now?", answerClass: .found, notes: ["N4"]),
    Case(question: "spending limit for the neighbour", answerClass: .found, notes: ["N2"]),
    Case(question: "who can authorise treatment while Mr Orr is away", answerClass: .found, notes: ["N2"]),
    Case(question: "who gives the injections", answerClass: .found, notes: ["N3"]),
    Case(question: "any relatives with sugar diabetes?", answerClass: .found, notes: ["N3"]),
    Case(question: "what is she fed", answerClass: .found, notes: ["N4"]),
    Case(question: "what is Tom's phone number, is it written anywhere", answerClass: .notRecorded),
    Case(question: "were the ashes returned?", answerClass: .notRecorded),
    Case(question: "would they want CPR", answerClass: .notRecorded),
  ])
  func `the sentence that states it answers, the latest first, and silence is silence`(item: Case) throws {
    let answer = try AnswerFixtures.ask(item.question, Self.record)
    #expect(answer.answerClass == item.answerClass, "\(answer.text)")
    #expect(Set(answer.citations.map(\.noteID)).isSuperset(of: item.notes), "\(answer.text)")
    if item.notes.isEmpty { #expect(answer.citations.isEmpty) }
  }

  private static let household = [
    note(
      "N1", "2021-03-02",
      "New client. Mother died of heart failure at seven, says the breeder. Pays by standing order, 30 pounds a month."),
    note(
      "N2", "2022-06-14",
      "Ring Mr Vane first, he is home. Mrs Vane is allergic to latex. Policy cover lapsed in May."),
    note(
      "N3", "2023-09-05",
      "Twin toddlers visit on Fridays. Keep apart from the ferrets. Count breaths, ring if over 40."),
    note("N4", "2024-02-20", "Nipped the student, so gloves. Cousin Ida may sign, and has agreed to take him one day."),
  ]

  @Test(arguments: [
    Case(question: "is there heart failure in her parents", answerClass: .found, notes: ["N1"]),
    Case(question: "how do they pay", answerClass: .found, notes: ["N1"]),
    Case(question: "which of the two to ring first", answerClass: .found, notes: ["N2"]),
    Case(question: "who in the family is allergic to latex", answerClass: .found, notes: ["N2"]),
    Case(question: "is the insurance live?", answerClass: .negative, notes: ["N2"]),
    Case(question: "any kids there", answerClass: .found, notes: ["N3"]),
    Case(question: "can she go in with the others", answerClass: .negative, notes: ["N3"]),
    Case(question: "at what rate should they ring us", answerClass: .found, notes: ["N3"]),
    Case(question: "bite risk? locum doing bloods", answerClass: .found, notes: ["N4"]),
    Case(question: "Ida wants an ultrasound, can she ok it", answerClass: .found, notes: ["N4"]),
    Case(question: "who would have him if the owner goes into care", answerClass: .found, notes: ["N4"]),
    Case(question: "what is the policy number", answerClass: .notRecorded),
  ])
  func `family, money, people and plans are told in the words of practices`(item: Case) throws {
    let answer = try AnswerFixtures.ask(item.question, Self.household)
    #expect(answer.answerClass == item.answerClass, "\(answer.text)")
    #expect(Set(answer.citations.map(\.noteID)).isSuperset(of: item.notes), "\(answer.text)")
    if item.notes.isEmpty { #expect(answer.citations.isEmpty) }
  }

  @Test func `a star within a phrase stands for one or two words, and never for none or more`() {
    let phrases = WordPhrases(["ring * first"])
    func holds(_ text: String) -> Bool { phrases.first(in: WordPhrases.words(in: text, range: nil)) != nil }
    #expect(holds("Please ring Ann first."))
    #expect(holds("Ring Mrs Ash first"))
    #expect(!holds("Ring first."))
    #expect(!holds("Ring the lab and the owner first."))
    #expect(!holds("Ring her"))
  }

  @Test(
    "a class within a phrase stands for one of its words, at its beginning too, and one that may be left out for one or none",
    arguments: [
      ("His wife is very allergic.", true), ("Her sister is allergic", true), ("husband, allergic to cats", false),
      ("Is wife allergic", false), ("The wife is so allergic", false), ("My wife is quite allergic", true),
      ("My wife is badly allergic", false), ("My wife is *ly allergic", false),
    ])
  func classes(text: String, holds: Bool) throws {
    let slots = WordPhrases.slots(
      of: try DataTable(
        name: "t",
        text: "class\twords\tuse\nkin\twife|husband\tslot\nkin\tsister\tslot\ndegree\tvery|*ly|quite\t"))
    let phrases = WordPhrases(["<kin> is <degree?> allergic"], slots: slots)
    #expect((phrases.first(in: WordPhrases.words(in: text, range: nil)) != nil) == holds)
  }
}
