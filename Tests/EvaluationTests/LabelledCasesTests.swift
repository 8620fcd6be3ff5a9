import Clinical
import Extraction
import Testing
import VetNet
import VetNetTestSupport

@testable import Evaluation

struct LabelledCasesTests {
  private static let intake =
    #"{"id":"a","text":"off food","labels":{"urgency":"yellow","visit_type":"standard consult"}}"#

  @Test(arguments: [
    (#"{"id":"a","labels":{}}"#, "'text' is missing"),
    (#"{"id":"a","text":3,"labels":{}}"#, "'text' is of the wrong kind"),
    (#"{"id":"a","text":"x","labels":{"urgency":"purple"}}"#, "'labels.urgency' is not among the words it may be"),
    (#"{"id":"a","text":"x","labels":{"complexity":5}}"#, "'labels.complexity' is not among"),
    (#"{"id":"a","text":"x","labels":{"abcde":{"airway":"fine"}}}"#, "'labels.abcde' is not among"),
    ("not json", "is not an intake with labels"),
  ])
  func `a row that can't be used is named by file, line and field`(row: String, problem: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("\n" + row + "\n", to: "cases.jsonl")
    let error = #expect(throws: EvaluationError.self) { try IntakeCase.read([file]) }
    #expect(error?.file == file)
    #expect(error?.line == 2)
    #expect(error?.problem.contains(problem) == true)
  }

  @Test func `an id that stands there twice is told`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Self.intake + "\n" + Self.intake + "\n", to: "cases.jsonl")
    let error = #expect(throws: EvaluationError.self) { try IntakeCase.read([file]) }
    #expect(error?.problem == "the id 'a' stands there twice")
  }

  @Test(arguments: [
    ("on 12.5 mg daily", "12.5 mg", true), ("on 112.5 mg daily", "12.5 mg", false),
    ("gave 5 mg", "5 MG", true), ("gave 5 mg", "5 m", true), ("weighs 4.25", "4.2", false),
    ("weighs 4.2 kg", "4.2", true), ("twice a day", "once", false), ("20", "20", true), ("2020", "20", false),
  ])
  func `a variant stands in an answer unless another digit touches its own`(
    answer: String, variant: String, stands: Bool
  ) {
    #expect(AnswerJudgement.stands(variant, in: answer.lowercased()) == stands)
  }

  @Test(arguments: [
    ("Weight 4.2 kg on 2024-03-05.", true), ("Weight 4.20 kg.", true), ("Weight 4.3 kg.", false),
    ("Left ear is sore.", true), ("Right ear is sore.", false), ("1 note says so.", true),
    ("Given meloxicam.", true), ("Given carprofen.", false), ("Seen on 2024-03-06.", false),
  ])
  func `a sentence says no number, date, side or drug that its quote doesn't`(text: String, holds: Bool) throws {
    let note = ClinicalNote(
      id: "N1", patientID: "P1",
      recordedAt: PracticeTimeZone.utc.timestamp(of: try #require(ISODateTime("2024-03-05T10:00"))),
      text: "Wt 4.2 kg. L ear sore, left meloxicam")
    let citation = try #require(Citation(note, range: 0..<note.text.utf8.count))
    let sentence = CitedSentence(text: text, citations: [0])
    #expect(SentenceSupport.holds(sentence, in: [citation], drugs: ["meloxicam", "carprofen"]) == holds)
  }

  @Test func `a sentence without a citation is unsupported`() {
    #expect(!SentenceSupport.holds(CitedSentence(text: "All is well.", citations: []), in: [], drugs: []))
    #expect(!SentenceSupport.holds(CitedSentence(text: "All is well.", citations: [3]), in: [], drugs: []))
  }

  @Test func `advice has no polarity to be right about, an ended thing may be called absent`() throws {
    let folder = try TemporaryFolder()
    let rows = [
      #"{"id":"1","text":"call if collapse","target":"collapse","start":8,"end":16,"polarity":"present","temporality":"hypothetical","experiencer":"patient"}"#,
      #"{"id":"2","text":"pred stopped","target":"pred","start":0,"end":4,"polarity":"present","temporality":"historical","experiencer":"patient","ended":true}"#,
      #"{"id":"3","text":"no cough","target":"cough","start":3,"end":8,"polarity":"absent","temporality":"current","experiencer":"patient"}"#,
    ]
    let suite = try AssertionSuite([try folder.write(rows.joined(separator: "\n"), to: "a.jsonl")])
    let metrics = suite.metrics([
      Assertion(polarity: .absent, temporality: .hypothetical, experiencer: .patient),
      Assertion(polarity: .absent, temporality: .current, experiencer: .patient),
      Assertion(polarity: .present, temporality: .current, experiencer: .patient),
    ])
    #expect(metrics["polarity_accuracy"]?.value == 0.5)
    #expect(metrics["negation_f1"]?.value == 0)
    #expect(metrics["historical_f1"]?.value == 1)
    #expect(metrics["all_correct"]?.value.map { abs($0 - 2.0 / 3) < 1e-9 } == true)
  }

  @Test func `offsets that don't enclose the target are told`() throws {
    let folder = try TemporaryFolder()
    let row =
      #"{"id":"1","text":"é cough","target":"cough","start":3,"end":8,"polarity":"present","temporality":"current","experiencer":"patient"}"#
    let file = try folder.write(row, to: "a.jsonl")
    let error = #expect(throws: EvaluationError.self) { try AssertionSuite([file]) }
    #expect(error?.description == "\(file), line 1: start and end don't enclose the target")
  }

  @Test func `a case that stands nearly, or as a situation, in two splits is told`() throws {
    let folder = try TemporaryFolder()
    func row(_ id: String, _ situation: String, _ text: String) -> String {
      """
      {"id":"\(id)","situation":"\(situation)","text":"\(text)","labels":{"urgency":"red","visit_type":"emergency"}}
      """
    }
    let words = "my dog has been sick four times since breakfast and now he will not get up at all"
    try folder.write(
      [row("a", "vomiting", words), row("b", "limp", "he limps")].joined(separator: "\n"), to: "exemplars/dev.jsonl")
    try folder.write(
      [row("c", "flat", "Hello, " + words + " today"), row("d", "limp", "lame")].joined(separator: "\n"),
      to: "exemplars/test.jsonl")
    let outcome = try LabelCheck().run(folder.path)
    #expect(outcome.counts.map(\.cases) == [2, 2])
    #expect(outcome.problems.count == 2)
    #expect(outcome.problems.contains { $0.problem.hasPrefix("'a' is nearly 'c'") })
    #expect(outcome.problems.contains { $0.problem.hasPrefix("the situation 'limp' of 'd'") })
  }
}
