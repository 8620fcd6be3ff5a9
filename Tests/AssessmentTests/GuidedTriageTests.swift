import Clinical
import Foundation
import Testing

@testable import Assessment

struct GuidedTriageTests {
  private func session(level: Urgency = .yellow) -> GuidedTriage {
    GuidedTriage(
      level: level, probabilities: [.red: 0.2, .orange: 0.3, .yellow: 0.4, .green: 0.1, .blue: 0],
      open: [
        .init(id: "grey-gums", text: "grey gums?", level: .red, relevance: 3),
        .init(id: "far-fetched", text: "far-fetched?", level: .red, relevance: 0.1),
        .init(id: "no-urine", text: "no urine?", level: .orange, relevance: 1),
        .init(id: "limp", text: "limps?", level: .green, relevance: 9),
      ])
  }

  @Test func `the first question is about the likely finding whose level matters most`() {
    #expect(session().next?.id == "grey-gums")
  }

  @Test func `a yes raises to the finding's level, and a red case is asked nothing more`() {
    var session = session()
    session.answer("grey-gums", .yes)
    #expect(session.level == .red)
    #expect(session.next == nil)
  }

  @Test func `a question whose answer says nothing of the level is not asked`() {
    let session = GuidedTriage(
      level: .orange, probabilities: [.red: 0, .orange: 0.6, .yellow: 0.4],
      open: [
        .init(id: "impossible", text: "?", level: .red, relevance: 1),
        .init(id: "below", text: "?", level: .yellow, relevance: 9),
      ])
    #expect(session.next == nil)
  }

  @Test func `the gain is what an answer takes of the doubt, in bits`() throws {
    // One finding, level red, at the 80 % of P(red) = 0.5 that findings explain: yes leaves no doubt, no leaves 0.1 of 0.6.
    let session = GuidedTriage(
      level: .yellow, probabilities: [.red: 0.5, .orange: 0, .yellow: 0.5, .green: 0, .blue: 0],
      open: [.init(id: "red", text: "?", level: .red, relevance: 1)])
    func entropy(_ share: Double) -> Double { -share * log2(share) - (1 - share) * log2(1 - share) }
    let expected = entropy(0.5) - 0.6 * entropy(0.1 / 0.6)
    #expect(abs(try #require(session.next).gain - expected) < 1e-9)
  }

  @Test func `questions are worded for a person on the telephone, about that animal, and name shipped findings`() throws
  {
    let assessor = try Shipped.assessor()
    let ids = Set(try Shipped.vtl().discriminators.map(\.id))
    for finding in assessor.guidedQuestions.findings { #expect(ids.contains(finding), "\(finding)") }
    let intake = Intake("he is not himself", species: .rabbit)
    var session = assessor.guided(assessor.assess(intake), of: intake)
    var asked = 0
    while let question = session.next {
      #expect(question.text.hasSuffix("?") && !question.text.contains("{") && !question.text.contains("“"))
      session.answer(question.id, .no)
      asked += 1
    }
    #expect(asked > 2)
  }

  @Test(arguments: [GuidedAnswer.no, .unknown])
  func `neither a no nor a don't know lowers, and no question comes twice`(answer: GuidedAnswer) {
    var session = session()
    var asked: Set<String> = []
    while let question = session.next {
      #expect(asked.insert(question.id).inserted)
      session.answer(question.id, answer)
    }
    #expect(session.level == .yellow)
    #expect(!asked.contains("limp"))
  }

  @Test func `an answer to what was not asked changes nothing`() {
    var session = session()
    session.answer("something-else", .yes)
    #expect(session.level == .yellow)
    #expect(session.answers.isEmpty)
  }

  @Test func `a session about a shipped case ends, and its yes is in the explanation`() throws {
    let assessor = try Shipped.assessor()
    let intake = Intake("she is quiet and off her food since yesterday", species: .cat)
    let before = assessor.assess(intake)
    var session = assessor.guided(before, of: intake)
    if let question = session.next { session.answer(question.id, .yes) }
    let after = assessor.assess(intake, settled: session.conclusion)
    #expect(after.triage.urgency >= before.triage.urgency)
    #expect(after.triage.urgency == session.level)
    #expect(after.explanation.value == Double(after.triage.urgency.rank))
  }

  @Test func `a male is not asked about what only females have`() throws {
    let assessor = try Shipped.assessor()
    let intake = Intake("he is quiet and drinks a lot", species: .dog, sex: .maleNeutered)
    var session = assessor.guided(assessor.assess(intake), of: intake)
    while let question = session.next {
      #expect(question.id != "pyometra")
      session.answer(question.id, .unknown)
    }
  }

  @Test func `an override is a labelled case with the person's level and the program's letters`() throws {
    let assessor = try Shipped.assessor()
    let intake = Intake("nails need a clip, he is well", species: .dog)
    let before = assessor.assess(intake)
    let labelled = TriageOverride(
      intake, id: "override-1", assessment: before, urgency: .orange, reason: "grey at the desk", at: "2026-01-01")
    #expect(labelled.labels.urgency == "orange")
    #expect(labelled.labels.visitType == "emergency")
    #expect(labelled.labels.specialties.first == "emergency")
    #expect(labelled.labels.abcde.count == 5)
    #expect(labelled.override.given == before.triage.urgency.rawValue)
  }

  @Test func `what follows from a level follows from the one that somebody gave`() throws {
    let assessor = try Shipped.assessor()
    let intake = Intake("nails need a clip, he is well", species: .dog)
    let before = assessor.assess(intake)
    let after = assessor.assess(intake, settled: SettledLevel(.red, because: "grey at the desk"))
    #expect(after.triage.urgency == .red && after.triage.targetMinutes == 0)
    #expect(after.specialties.first?.specialty == .emergency)
    #expect(after.visitType.visitType == .emergency)
    #expect(after.complexity.points > before.complexity.points)
    #expect(after.duration.p50 > before.duration.p50)
    #expect(after.explanation.value == Double(Urgency.red.rank))
  }
}
