import Chart
import Clinical
import Extraction
import RecordTestSupport
import Testing
import TextAnalysis
import VetNetTestSupport

@testable import Answering

/// Questions for events: the last vaccine, how often, since when, by whom, and all that happened over a time.
@Suite struct EventAnswerTests {
  private func ask(_ question: String, _ notes: [ClinicalNote]) throws -> Answer {
    try AnswerFixtures.ask(question, notes)
  }

  private static let history = [
    note("N1", "2022-05-01", "Booster DHP and L4 given, KC declined. Wt 12.1 kg.", author: "V1"),
    note("N2", "2023-05-02", "L4 given, next due 1/5/24. Kennel cough vaccine given.", author: "V2"),
    note("N3", "2024-02-01", "Seizure last night, two minutes. Phenobarbital 30 mg BID started.", author: "V1"),
    note("N4", "2024-02-09", "Another seizure on Sunday. Phenobarbital 45 mg BID.", author: "V1"),
    note("N5", "2024-09-12", "Seizure this morning. Bloods taken.", author: "V2"),
    note("N6", "2025-03-20", "Spay: routine midline ovariohysterectomy, three layers.", kind: .surgery, author: "V3"),
    note("N7", "2025-06-15", "L4 given. No seizures since autumn.", author: "V2"),
    note("N8", "2025-12-01", "Phenobarbital stopped, fit free.", author: "V1"),
    note("N9", "2026-10-01", "Itchy feet, pododermatitis. Owner rang first.", author: "V2"),
  ]

  struct Row: Sendable, CustomTestStringConvertible {
    let question: String
    let notes: [String]
    var testDescription: String { question }
  }

  @Test(arguments: [
    Row(question: "when was the last lepto jab?", notes: ["N7"]),
    Row(question: "last kennel cough vaccine", notes: ["N2"]),
    Row(question: "dates of her lepto vaccines", notes: ["N1", "N2", "N7"]),
    Row(question: "from when until when was she on phenobarbital?", notes: ["N3", "N8"]),
    Row(question: "how many times has she been spayed", notes: ["N6"]),
    Row(question: "who saw her last?", notes: ["N9"]),
    Row(question: "who did the spay?", notes: ["N6"]),
    Row(question: "what happened in 2024", notes: ["N3", "N4", "N5"]),
    Row(question: "summarise 2025, newest first", notes: ["N8", "N7", "N6"]),
    Row(question: "everything since the spay", notes: ["N6", "N7", "N8", "N9"]),
    Row(question: "timeline of the seizures", notes: ["N3", "N4", "N5", "N7", "N8"]),
  ])
  func `the notes that tell of an event are shown, in the order asked for`(row: Row) throws {
    let answer = try ask(row.question, Self.history)
    #expect(answer.answerClass == .found, "\(answer.text)")
    #expect(answer.citations.map(\.noteID).distinct == row.notes, "\(answer.text)")
  }

  @Test(arguments: [
    ("how many seizures has she had?", "2 on record (two): ", 2),
    ("how many seizures in September 2024", "1 on record (one): ", 1),
  ])
  func `what happened is counted by occasions, each of them cited`(question: String, head: String, count: Int) throws {
    let answer = try ask(question, Self.history)
    #expect(answer.headline?.hasPrefix(head) == true)
    #expect(answer.citations.count == count)
    // A denial is no occasion.
    #expect(!answer.citations.contains { $0.noteID == "N7" })
  }

  @Test(arguments: ["what happened after her last vaccine?", "what happened to her weight?", "history of a murmur?"])
  func `a question for one thing is no account of a time`(question: String) throws {
    let classes = try AnswerFixtures.classes.get()
    #expect(TimelineQuestion(question, namesPeriod: false, classes: classes, isTopic: { !$0.isEmpty }) == nil)
  }

  @Test(arguments: [
    ("when is Fern next in?", true), ("next appointment", true), ("any appointments booked?", true),
    ("is she coming in this week?", false), ("when is the next booster due?", false), ("next dose", false),
    ("when is she next in for her dental?", false),
  ])
  func `only what names nothing else is asked of the appointment book`(question: String, expected: Bool) throws {
    let classes = try AnswerFixtures.classes.get()
    #expect((DiaryQuestion(question, names: ["Fern"], classes: classes) != nil) == expected)
  }

  @Test(arguments: [
    ("Recheck 2 weeks.", "2026-01-15"), ("Plan: rpt bloods 3/12.", "2026-04-04"), ("Recheck in a month.", "2026-02-01"),
    ("Review 14 Feb.", "2026-02-14"), ("Ears clean.", nil), ("Meloxicam 0.1 mg/kg for 5 days.", nil),
  ])
  func `a plan to be seen again is read with its day`(text: String, expected: String?) throws {
    let note = note("N1", "2026-01-01", text)
    let (sections, sentences) = (try Fixtures.sections.get(), try Fixtures.sentences.get())
    let plan = StatedReturn.last(in: [note], cues: try Fixtures.cues.get(), zone: .utc) {
      NoteOutline($0, sections: sections, splitter: sentences)
    }
    #expect(plan.map { "\($0.day)" } == expected)
  }

  @Test func `a date that was written before the next treatment is not due any more`() throws {
    let record = try readRecord(
      note("N1", "2024-05-01", "L4 given, next due 1/5/25."), note("N2", "2025-05-06", "L4 given."))
    let due = PatientChart(record, protections: try Fixtures.groups.get()).prevention
      .dues(at: noon("2025-11-01"), zone: .utc)
    #expect(due.map(\.basis) == [.interval(365)])
    #expect(due.first?.state(on: day("2025-11-01"), soon: 31) == nil)
    #expect(due.first?.state(on: day("2026-06-01"), soon: 31) == "overdue by the usual yearly interval")
  }
}

extension Array where Element: Hashable {
  fileprivate var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
