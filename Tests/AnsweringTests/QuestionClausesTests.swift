import Clinical
import RecordTestSupport
import Testing
import TextAnalysis
import VetNetTestSupport

@testable import Answering

/// What a question asks for, and what it only tells of when, where and beside what.
@Suite struct QuestionClausesTests {
  @Test(arguments: [
    ("x-ray of her spine for the arthritis", ["x-ray", "spine"], ["arthritis"]),
    ("kidney bloods before the dental", ["kidney bloods"], ["dental"]),
    ("was a culture done after the catheter came out", ["culture"], ["catheter"]),
    ("did the steroids help with the cough?", ["steroids"], ["cough"]),
    ("is she on insulin?", ["insulin"], []), ("vaccinated against rabies?", ["rabies"], []),
    ("has he been tested for lungworm", ["lungworm"], []), ("cough?", ["cough"], []),
  ])
  func `what stands behind a joint or in a clause that does not ask is a circumstance`(
    text: String, asked: [String], aside: [String]
  ) throws {
    let question = try AnswerFixtures.parse(text)
    func isNamed(_ word: String, asked: Bool) -> Bool {
      question.groups.contains { $0.text.lowercased().contains(word) && question.isAsked($0) == asked }
    }
    for word in asked { #expect(isNamed(word, asked: true), "\(word): \(question.circumstances)") }
    for word in aside { #expect(isNamed(word, asked: false), "\(word): \(question.circumstances)") }
  }

  @Test func `a question in which everything would be a circumstance asks for all of it`() throws {
    let text = "after the operation"
    let clauses = try QuestionClauses(text, things: [10..<19], classes: AnswerFixtures.classes.get())
    #expect(clauses.circumstances.isEmpty)
  }

  @Test(arguments: ["which teeth came out", "any other cats?", "how many units is he on"])
  func `a question of framing words alone still asks for those that say something`(text: String) throws {
    #expect(try !AnswerFixtures.parse(text).groups.isEmpty)
  }
}

@Suite struct AnsweredQuestionTests {
  private func joined(_ sentences: [String]) throws -> [(text: String, isYes: Bool?)] {
    let text = sentences.joined(separator: " ")
    var place = 0
    let ranges = sentences.map { sentence -> Range<Int> in
      defer { place += sentence.utf8.count + 1 }
      return place..<(place + sentence.utf8.count)
    }
    return try AnsweredQuestion.joined(ranges, in: text, signs: AnswerFixtures.signs.get()).map { part in
      (text.slice(utf8: part.sentence).map(String.init) ?? "", part.answer?.isYes)
    }
  }

  @Test(arguments: [
    ("Hx of colic?", "No hx.", false), ("Insured?", "No, O pays.", false), ("Neutered?", "Yes.", true),
    ("Pups before?", "none", false),
  ])
  func `a question and its answer are one sentence`(question: String, answer: String, isYes: Bool) throws {
    let parts = try joined(["BAR.", question, answer, "Wt 4 kg."])
    #expect(parts.map(\.text) == ["BAR.", question + " " + answer, "Wt 4 kg."])
    #expect(parts[1].isYes == isYes)
  }

  @Test(arguments: [("CKD?", "No murmur."), ("Cushing's?", "Never coughs at night."), ("Seen at 10.", "No.")])
  func `what tells of something else is no answer`(first: String, second: String) throws {
    #expect(try joined([first, second]).map(\.text) == [first, second])
  }

  @Test func `a disease that a note asks about and denies is denied`() throws {
    let notes = [note("N1", "2026-03-01", "Hx of Addison's? no hx. Neck rads NAD.")]
    #expect(try AnswerFixtures.ask("does she have a history of addisons?", notes).answerClass == .negative)
  }
}

@Suite struct SentenceValueTests {
  private func signs(_ text: String) throws -> SentenceSigns {
    let note = note("N1", "2026-01-01", text)
    return try AnswerFixtures.signs.get().signs(
      of: EvidenceUnit(
        note: note, range: 0..<text.utf8.count, section: "body", tokens: [], terms: [], facts: [], factTerms: [:],
        place: 0, position: 0))
  }

  @Test(arguments: [
    ("MDR1: heterozygous.", "Homozygous for the mutation.", true),
    ("12 cm of jejunum resected.", "Single enterotomy, no resection.", true),
    ("FIV snap positive.", "FIV negative cat.", true), ("407 extracted.", "407 still present.", true),
    ("Lap spay.", "Lap spay, three portals.", false), ("Bright, alert.", "FIV snap positive.", false),
    ("FIV snap positive.", "MDR1: heterozygous.", false),
    ("Single enterotomy, no resection.", "Resection was not needed: no resection.", false),
  ])
  func `two values of which only one can be exclude each other`(first: String, second: String, expected: Bool) throws {
    #expect(try signs(first).excludes(signs(second)) == expected)
    #expect(try signs(second).excludes(signs(first)) == expected)
  }

  @Test func `every row's example has a value that its negative example has not`() throws {
    for row in try modelTable("briefing/answer-values.tsv", uniqueKey: "id").rows {
      let own = try signs(row["example"]).rawValue >> 32
      let other = try signs(row["negative_example"]).rawValue >> 32
      #expect(own != 0 && own != other, "\(row["id"])")
    }
  }

  @Test func `more families of values than there is room for are refused`() throws {
    let closed = try AnswerFixtures.classes.get()
    let rows = (0...SentenceSigns.mostFamilies).map { "r\($0)\tf\($0)\tv\tword" }.joined(separator: "\n")
    #expect(throws: DataTableError.self) {
      try SignReader(
        table: DataTable(name: "cues", text: "id\tsign\tphrases"),
        values: DataTable(name: "values", text: "id\tfamily\tvalue\tphrases\n" + rows),
        classes: DataTable(name: "classes", text: "class\twords"), closed: closed)
    }
  }
}
