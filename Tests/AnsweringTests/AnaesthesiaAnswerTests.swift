import Answering
import Clinical
import RecordTestSupport
import Testing

/// Trouble under anaesthesia, whole vaccination states and reactions to one thing.
@Suite struct AnaesthesiaAnswerTests {
  private static let rough = note(
    "N1", "2022-03-15", "Dental burr under GA. Apnoea after induction, bagged for two minutes. No abscess.",
    kind: .surgery)
  private static let smooth = note(
    "N2", "2024-03-15", "GA for radiographs, uneventful. Hips fine.", kind: .surgery)
  private static let plain = note("N3", "2025-03-15", "Bradycardia on examination, fit otherwise.")

  @Test(arguments: [
    "any anaesthetic problems?", "Did we have trouble with her under anaesthetic before", "GA complications?",
    "how did she cope with the sedation, any problems coming round?",
  ])
  func `trouble in the note of an anaesthetic is told, and only that`(question: String) throws {
    let answer = try AnswerFixtures.ask(question, [Self.rough, Self.smooth, Self.plain])
    #expect(answer.answerClass == .found)
    #expect(answer.citations.map(\.noteID) == ["N1"])
    #expect(answer.text.contains("Apnoea"))
  }

  @Test func `an uneventful anaesthetic is a no, silence is silence`() throws {
    #expect(try AnswerFixtures.ask("any anaesthetic problems?", [Self.smooth, Self.plain]).answerClass == .negative)
    #expect(try AnswerFixtures.ask("any anaesthetic problems?", [Self.plain]).answerClass == .notRecorded)
  }

  @Test func `denied trouble is none`() throws {
    let denied = note("N4", "2024-05-01", "Spay under GA. No apnoea. Recovered well.", kind: .surgery)
    #expect(try AnswerFixtures.ask("any anaesthetic complications?", [denied]).answerClass == .negative)
  }
}

@Suite struct PreventionStateTests {
  private static let given = note("N1", "2025-03-02", "DHP booster given today.")
  private static let old = note("N2", "2023-03-02", "DHP booster given today.")
  private static let due = note("N3", "2025-05-02", "Ears clean. DHP booster due March 2026.")

  @Test(arguments: [
    ("is her booster up to date?", ["N1"], Answer.Class.found),
    ("vaccines overdue?", ["N1"], .negative),
    ("is the booster overdue?", ["N2"], .found),
    ("are her vaccinations up to date?", ["N2"], .negative),
    ("is her booster overdue?", ["N1", "N3"], .found),
  ])
  func `a state is told by when it was given and when it is due`(
    question: String, notes: [String], expected: Answer.Class
  ) throws {
    let all = [Self.old, Self.given, Self.due].filter { notes.contains($0.id) }
    let answer = try AnswerFixtures.ask(question, all)
    #expect(answer.answerClass == expected)
    #expect(Set(answer.citations.map(\.noteID)) == Set(notes))
  }
}
