import Answering
import Chart
import Clinical
@testable import Store
import PracticeTestSupport
import Testing
import VetNetTestSupport

@testable import VetNet

/// The courses of drugs that the file keeps are those of its facts, whatever happens to notes, and lists say the same with them and
/// without.
@Suite struct DrugCourseFoldTests {
  private static let now = Timestamp(seconds: 1_795_200_000)
  private static let sentences = [
    "Start meloxicam 1 mg SID.", "Meloxicam stopped, vomiting.", "Meloxicam 1 mg SID 14 d then as needed.",
    "Continue meloxicam 1 mg SID.", "Meloxicam 1 mg SID x5d. Meloxicam 1 mg SID 14 d then SID.",
    "Caninsulin 4 iu BID started.",
    "Stop insulin.", "Caninsulin 4 iu BID continued.", "Owner declined meloxicam.", "Carprofen 50 mg BID started.",
    "Carprofen stopped.", "Bright and well.", "Housemate is on meloxicam 1 mg SID.",
  ]
  private static let questions = [
    "who is on meloxicam?", "which dogs are on insulin?", "any pets on NSAIDs?", "which dogs are not on meloxicam?",
  ]

  private func made() throws -> (practice: Practice, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    let path = folder.file("p.vetnet")
    try Practice.create(at: path, name: nil, timeZone: .utc, now: Self.now)
    let practice = try Practice.open(at: path, models: try shippedModels(), access: .write)
    let source = try practice.connection.sources.id(named: "test")
    for number in 0..<6 {
      _ = try practice.connection.patients.upsert(
        Patient(id: "P\(number)", name: "Pet\(number)", species: number % 2 == 0 ? .dog : .cat), source: source)
    }
    return (practice, folder)
  }

  /// Without what is kept: as it is read from facts.
  private func answers(_ practice: Practice, at moment: Timestamp, usingCourses: Bool) throws -> [String] {
    let live = try #require(try practice.connection.generations.live())
    let set = "UPDATE generation SET course_version = ? WHERE id = ?"
    if !usingCourses { try practice.connection.execute(set, 0, live.rowID) }
    defer { if !usingCourses { try? practice.connection.execute(set, live.courseVersion, live.rowID) } }
    return try Self.questions.map { question in
      // No list where no note names the drug yet.
      guard let answer = try practice.answers.answerFromRegister(question, askedAt: moment) else {
        return "\(question) no list"
      }
      return "\(question) \(answer.answerClass) \(answer.text) \(answer.citations.map { "\($0.noteID) \($0.range)" })"
    }
  }

  private func check(_ practice: Practice, _ seed: UInt64, lists: inout Int) throws {
    for day in [0, -400] {
      let moment = Self.now.adding(days: day)
      let kept = try answers(practice, at: moment, usingCourses: true)
      lists += kept.count { !$0.hasSuffix("no list") }
      #expect(try kept == answers(practice, at: moment, usingCourses: false), "seed \(seed), \(day) days")
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `adding, amending, moving and retracting notes and merging patients leaves the courses of a fold from nothing`(
    seed: UInt64
  ) throws {
    let (practice, folder) = try made()
    defer { withExtendedLifetime(folder) {} }
    var generator = SplitMix64(seed: seed)
    var notes: [String] = []
    var lists = 0
    for step in 0..<24 {
      let patient = "P\(Int.random(in: 0..<6, using: &generator))"
      let sentence = Self.sentences[Int.random(in: 0..<Self.sentences.count, using: &generator)]
      let moment = Self.now.adding(days: -Int.random(in: 0..<1200, using: &generator))
      let id = notes.randomElement(using: &generator)
      switch (Int.random(in: 0..<9, using: &generator), id) {
      case (4, let id?):
        // Refused where it says that already.
        _ = try? practice.perform(AmendNote(id: id, text: sentence, reason: "a slip"), by: .local, at: Self.now)
      case (5, let id?):
        _ = try? practice.perform(
          MoveNote(id: id, patient: patient, reason: "another animal's"), by: .local, at: Self.now)
      case (7, _?):
        let other = "P\((Int(patient.dropFirst()) ?? 0) / 2 * 2 + 1)"
        let merge = MergePatients(first: patient, second: other, keep: .first, reason: "registered twice")
        _ = try? practice.perform(merge, by: .local, at: Self.now)
      case (6, let id?):
        try practice.perform(RetractNote(id: id, reason: "written twice"), by: .local, at: Self.now)
        notes.removeAll { $0 == id }
      default:
        // One that was merged takes no notes.
        guard try !practice.connection.patients.patients(id: patient).isEmpty else { continue }
        let added = "N\(step)"
        _ = try practice.connection.notes.upsert(
          ClinicalNote(id: added, patientID: patient, recordedAt: moment, kind: .consult, text: sentence),
          source: practice.connection.sources.id(named: "test"))
        notes.append(added)
      }
      if step % 4 == 3 {
        _ = try practice.index.indexNewNotes(now: Self.now) { _ in }
        try check(practice, seed, lists: &lists)
      }
    }
    #expect(lists > 20)
    let live = try #require(try practice.connection.generations.live())
    #expect(live.courseVersion == DrugCourses.version)
    let kept = try practice.connection.drugCourses.courses(generation: live.rowID, patients: 1...6)
    #expect(try practice.connection.drugCourses.unfolded(generation: live.rowID) == [])
    #expect(kept == (try practice.index.foldedCourses(1...6, generation: live.rowID)))
    let anew = try practice.connection.drugCourses.begin(generation: live.rowID)
    #expect(anew < 0)
    try practice.index.foldCourses(live.rowID)
    #expect(kept == (try practice.connection.drugCourses.courses(generation: live.rowID, patients: 1...6)))
  }

  @Test func `facts that came since the courses were folded are read`() throws {
    let (practice, folder) = try made()
    defer { withExtendedLifetime(folder) {} }
    let source = try practice.connection.sources.id(named: "test")
    for (number, text) in ["Start meloxicam 1 mg SID.", "Start meloxicam 1 mg SID.", "Meloxicam stopped."].enumerated()
    {
      _ = try practice.connection.notes.upsert(
        ClinicalNote(
          id: "N\(number)", patientID: "P\(number % 2)", recordedAt: Self.now.adding(days: number - 9), kind: .consult,
          text: text),
        source: source)
    }
    _ = try practice.index.indexNewNotes(now: Self.now) { _ in }
    let live = try #require(try practice.connection.generations.live())
    let before = try #require(try practice.answers.answerFromRegister("who is on meloxicam?", askedAt: Self.now))
    #expect(before.citations.map(\.patientID) == ["P1"])
    // As another process would leave it that was killed between the two: the note that stopped it is taken out.
    try practice.connection.chunks.removeDerived(note: 3)
    #expect(try practice.connection.drugCourses.unfolded(generation: live.rowID) == [1])
    let answer = try #require(try practice.answers.answerFromRegister("who is on meloxicam?", askedAt: Self.now))
    #expect(Set(answer.citations.map(\.patientID)) == ["P0", "P1"])
  }
}
