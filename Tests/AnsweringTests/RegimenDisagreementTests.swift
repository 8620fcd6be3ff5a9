import Clinical
import RecordTestSupport
import Testing
import TextAnalysis
import VetNetTestSupport

@testable import Answering

/// What is prescribed beside what is said to be given.
@Suite struct RegimenDisagreementTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let question: String
    let prescribed: String
    let later: String
    /// When the later one was written; the first is of 1 September.
    var date = "2026-09-20"
    var kind = NoteKind.phone
    var testDescription: String { "\(question) | \(prescribed) | \(later)" }
  }

  private func answer(_ row: Row) throws -> Answer {
    try AnswerFixtures.ask(
      row.question,
      [
        note("N1", "2026-09-01", row.prescribed, author: "Dr A"),
        note("N2", row.date, row.later, kind: row.kind, author: "B"),
      ])
  }

  @Test(arguments: [
    Row(
      question: "pred - daily or eod?", prescribed: "Prednisolone 2.5 mg once daily continues.",
      later: "Mother rang. Says he gives the pred every other day since spring to save money."),
    Row(
      question: "how often is fluticasone actually given", prescribed: "Fluticasone 250 mcg one puff BID.",
      later: "O asked for repeat. She says fluticasone one puff once a day only, been like that since winter."),
    Row(
      question: "is the spironolactone still being given?", prescribed: "Spironolactone 20 mg once daily continues.",
      later: "O collecting, says she hasn't had spironolactone since last summer."),
    Row(
      question: "pergolide dose at present", prescribed: "On pergolide 1.5 mg sid.",
      later: "O rang for script. She says pergolide 1 mg once a day, same as ever."),
    Row(
      question: "dorzolamide one eye or both?", prescribed: "Dorzolamide drops left eye TID.",
      later: "O says the dorzolamide is for both eyes three times a day."),
    Row(
      question: "prascend dose?", prescribed: "On Prascend 1.5 mg sid says the groom.",
      later: "Rang for more Prascend. She gives one tab a day, 1mg same as ever."),
    Row(
      question: "prascend dose at present",
      prescribed:
        "yard visit. acth taken. on prascend 1.5mg sid says the groom. sound. groom says muzzle on every day. result to come.",
      later: "Mrs Grey rang for prascend script. She says one tab a day, 1mg same as ever. Asked about acth."),
    // Two hands on one day.
    Row(
      question: "how much furosemide is he getting", prescribed: "Current: furosemide 40 mg twice daily.",
      later: "Furosemide 30 mg twice daily, handed out as usual.", date: "2026-09-01", kind: .nurse),
    // The bottle says what is given, whatever was dictated.
    Row(
      question: "phenobarbital dose now", prescribed: "Phenobarbital to remain at 75 mg twice daily.",
      later: "Phenobarbital 60mg tabs x60, label: one tablet twice daily.", date: "2026-09-01", kind: .prescription),
    Row(
      question: "how often does he get amlodipine", prescribed: "Amlodipine 1.25 mg twice daily.",
      later: "Amlodipine 1.25mg x30 out to Mr R. Label: half a tablet every day.", date: "2026-09-01",
      kind: .prescription),
    Row(
      question: "how many mg of prednisolone does she get?", prescribed: "Prednisolone 10 mg sid, no change.",
      later: "Rang for more prednisolone. She says he has 15 mg once daily.", date: "2026-09-04"),
    // Long ago, and not about now.
    Row(
      question: "what dose of meloxicam was she given in September 2026?",
      prescribed: "Meloxicam 1 mg/kg SID, soft floor.",
      later: "Meloxicam out, label: 0.5 mg/kg once a day.", date: "2026-09-01", kind: .prescription),
    Row(
      question: "how much methimazole was she started on?", prescribed: "Goitre. Start methimazole 2.5 mg BID.",
      later: "Methimazole 5mg tabs x60, one BID, label printed.", date: "2026-09-01", kind: .prescription),
  ])
  func `a report or a label of another regimen is shown beside what was prescribed`(row: Row) throws {
    let answer = try answer(row)
    #expect(answer.answerClass == .conflicting, "\(answer.text)")
    #expect(Set(answer.citations.map(\.noteID)) == ["N1", "N2"])
  }

  @Test(
    arguments: [
      ("one tablet twice daily", 1, 2), ("half a tab SID", 0.5, 1), ("one BID", 1, 2),
      ("2 capsules every other day", 2, 0.5),
      ("one a day", 1, 1), ("two tablets a day", 2, nil), ("x60", nil, nil), ("60 tablets", nil, nil),
      ("two weeks, then daily", nil, nil),
    ] as [(String, Double?, Double?)])
  func `how many tablets are given is no number in the bottle`(text: String, count: Double?, perDay: Double?) throws {
    let words = try AnswerFixtures.classes.get().words(in: text)
    let portion = WrittenPortion(in: words, FrequencyWords(table: try modelTable("extraction/fact-context.tsv")))
    #expect(portion?.count == count)
    #expect(portion?.timesPerDay == perDay)
  }

  @Test(arguments: [
    Row(
      question: "pred dose?", prescribed: "Prednisolone 5 mg once daily continues.",
      later: "Rang with results: reduce prednisolone to 5 mg every other day."),
    Row(
      question: "pred dose?", prescribed: "Prednisolone 5 mg once daily continues.",
      later: "O says he is well on prednisolone 5 mg once daily."),
    Row(
      question: "pred dose?", prescribed: "Prednisolone 5 mg once daily continues.",
      later: "Prednisolone 2.5 mg once daily.", date: "2026-11-01", kind: .consult),
    Row(
      question: "is she still on meloxicam?", prescribed: "Meloxicam 1.5 mg once daily.",
      later: "O rang, stopped the meloxicam on Friday as told."),
    Row(
      question: "what does she take for leaking, Propalin?",
      prescribed: "Begin Propalin syrup 0.4 ml three times a day.",
      later: "Dry since Propalin but very restless, panting at night.", kind: .nurse),
    // A label that says the same, and a change of the same day.
    Row(
      question: "phenobarbital dose now", prescribed: "Phenobarbital to remain at 60 mg twice daily.",
      later: "Phenobarbital 30mg tabs x120, label: two tablets twice daily.", date: "2026-09-01", kind: .prescription),
    Row(
      question: "methimazole dose?", prescribed: "Methimazole 2.5 mg BID.",
      later: "Rang back the same evening: increase methimazole to 5 mg BID.", date: "2026-09-01"),
    Row(
      question: "reaction to methimazole?",
      prescribed: "Methimazole 2.5 mg BID. Scratched her face raw on it, stopped.",
      later: "Methimazole 5mg tabs x60, one BID, label printed.", date: "2026-09-01", kind: .prescription),
  ])
  func `a change is no disagreement, nor what comes to the same`(row: Row) throws {
    #expect(try answer(row).answerClass != .conflicting)
  }

  @Test(
    arguments: [
      ("bid", 2), ("twice a day", 2), ("every other day", 0.5), ("every 31 days", 1.0 / 31), ("q28d", 1.0 / 28),
      ("weekly", 1.0 / 7),
      ("every 8 hours", 3), ("as needed", nil), ("with food", nil),
    ] as [(String, Double?)])
  func `a frequency is read as times a day`(text: String, perDay: Double?) throws {
    let words = FrequencyWords(table: try modelTable("extraction/fact-context.tsv"))
    #expect(try words.timesPerDay(in: AnswerFixtures.classes.get().words(in: text)) == perDay)
  }
}
