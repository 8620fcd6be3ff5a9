import Chart
import Clinical
import Extraction
import RecordTestSupport
import Testing
import TextAnalysis
import VetNetTestSupport

@testable import Answering

/// What a record denies is denied in every spelling.
@Suite struct SpellingOfNoTests {
  @Test(arguments: [
    "weren't", "weren’t", "werent", "weren`t", "weren´t", "wern't", "weren t", "were not", "were never", "not", "nver",
  ])
  func `a test that was not done is no result`(denial: String) throws {
    let notes = [note("N1", "2026-03-02", "Bright. Bile acids \(denial) measured. Wt 12 kg.")]
    for question in ["What were the bile acids?", "Were bile acids measured?"] {
      let answer = try AnswerFixtures.ask(question, notes)
      #expect(answer.answerClass == .negative, "\(question)")
      #expect(answer.text.contains("measured"), "\(question): \(answer.text)")
    }
  }

  @Test(arguments: [
    "UPC n/t - not enough urine.", "UPC n/d, sample too small.", "UPC nt. Ring Fri.", "UPC hasn't been run yet.",
    "UPC didnt get done.", "UPC wasent sent.", "UPC never done.",
  ])
  func `shorthand says that a test was not done`(text: String) throws {
    let answer = try AnswerFixtures.ask("What was the UPC?", [note("N1", "2026-03-02", "USG 1.018. \(text)")])
    #expect(answer.answerClass == .negative && answer.text.contains("UPC"), "\(answer.text)")
  }

  @Test func `what carries a name of n and t was done`() throws {
    let notes = [note("N1", "2026-03-02", "NT proBNP 812 pmol/L today.")]
    let answer = try AnswerFixtures.ask("What was the proBNP?", notes)
    #expect(answer.answerClass == .found && answer.text.contains("812"))
  }

  @Test(arguments: [
    "Add benazepril? Doesn't want it.", "Add benazepril? doesnt want it", "Add benazepril? He'd rather not.",
    "Add benazepril? Can’t afford it just now.", "Add benazepril? They wont consider it.",
    "Add benazepril? Mrs Kay nver keen, so left.", "Add benazepril? Hasn't been given.",
  ])
  func `a refusal belongs to the question that it answers`(text: String) throws {
    let answer = try AnswerFixtures.ask("Was benazepril added?", [note("N1", "2026-03-02", "CKD st 2. \(text)")])
    #expect(answer.answerClass == .negative)
    #expect(
      answer.citations.contains { $0.quote.hasPrefix("Add benazepril?") && $0.quote.count > 20 }, "\(answer.text)")
  }

  @Test(arguments: [
    (Species.cat, "T 101.2 F, P 160", Answer.Class.negative), (.cat, "T 104.1F off food", .found),
    (.dog, "Temp 38.6C", .negative), (.horse, "T 100.2F", .negative), (.dog, "T 103.9 F", .found),
  ])
  func `a fever is judged by the species' range in either unit`(species: Species, text: String, told: Answer.Class)
    throws
  {
    let notes = [note("N1", "2026-03-02", "Checked over. \(text).")]
    for question in ["Was Fern febrile in March 2026?", "Did Fern have a fever in March 2026?"] {
      let answer = try AnswerFixtures.ask(question, notes, species: species)
      #expect(answer.answerClass == told && !answer.citations.isEmpty, "\(question): \(answer.text)")
    }
  }

  @Test func `two temperatures of an undated past that differ give no verdict`() throws {
    let notes = [note("N1", "2025-03-02", "T 38.5C."), note("N2", "2026-03-02", "T 40.1C.")]
    let record = PatientRecord(
      patient: Patient(id: "P1", name: "Fern", species: .dog), notes: notes,
      facts: try Dictionary(
        uniqueKeysWithValues: notes.map {
          ($0.id, try Fixtures.extractors.get().facts.facts(in: $0.text, kind: $0.kind))
        }
      ))
    let ranges = try AnswerFixtures.vitals.get()
    func outcome(_ text: String) throws -> Bool? {
      VitalStateAnswer(question: try AnswerFixtures.parse(text), ranges: ranges, zone: .utc).outcome(in: record)?.isYes
    }
    #expect(try outcome("Was she febrile?") == nil)
    #expect(try outcome("Is she febrile?") == true)
    #expect(try outcome("Was she febrile in March 2025?") == false)
    #expect(try outcome("Was she hypothermic?") == false)
    #expect(try outcome("When was she febrile?") == nil)
  }

  @Test(arguments: [
    ("Isn't she allergic to penicillin?", true), ("Wasnt the spleen removed?", true), ("What's her weight?", false),
    ("On the scan, weren’t there stones?", true),
  ])
  func `a question may begin with a contraction`(text: String, isYesOrNo: Bool) throws {
    #expect(try AnswerFixtures.parse(text).isYesOrNo == isYesOrNo)
  }

  @Test(arguments: [
    "which drug can't she have", "which drug cant she have", "which drug can not she have", "any she cannot have",
  ])
  func `what must not be given is asked for in every spelling`(text: String) throws {
    #expect(try AnswerFixtures.parse(text).asksForNo)
  }

  @Test(arguments: [
    ("wasn't there a murmur when they opened the knee", "knee"), ("what's the T4 since the iodine", "iodine"),
  ])
  func `a clause that asks with a contraction has its circumstances beside it`(text: String, aside: String) throws {
    let question = try AnswerFixtures.parse(text)
    let told = question.circumstances.compactMap { text.slice(utf8: $0).map(String.init) }
    #expect(
      told.contains { $0.contains(aside) } && !told.contains { $0.contains("murmur") || $0.contains("T4") }, "\(told)")
  }
}
