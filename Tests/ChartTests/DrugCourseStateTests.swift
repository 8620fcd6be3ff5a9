import Chart
import Clinical
import Extraction
import RecordTestSupport
import Testing

@Suite struct DrugCourseStateTests {
  private static let now = noon("2026-11-20")

  private func state(
    _ day: String, isEnded: Bool = false, plannedEnd: String? = nil, notes: Int = 1
  ) -> DrugCourseState {
    DrugCourseState(
      drug: "meloxicam", latest: FactReference(noteID: "N1", recordedAt: noon(day), kind: .drug, range: 0..<9),
      isEnded: isEnded, plannedEnd: plannedEnd.map(noon), noteCount: notes)
  }

  @Test func `a course is current while it goes on and was mentioned within 200 days`() {
    #expect(state("2026-11-01").isCurrent(at: Self.now))
    #expect(state("2026-05-04").isCurrent(at: Self.now))
    #expect(!state("2026-05-03").isCurrent(at: Self.now))
    #expect(!state("2026-11-01", isEnded: true).isCurrent(at: Self.now))
    #expect(state("2026-11-01", plannedEnd: "2026-11-20").isCurrent(at: Self.now))
    #expect(!state("2026-11-01", plannedEnd: "2026-11-19").isCurrent(at: Self.now))
  }

  @Test func `one of long standing is worth asking about for three years, if several notes gave it`() {
    #expect(state("2026-05-03", notes: 2).isUnconfirmed(at: Self.now))
    #expect(!state("2026-05-03").isUnconfirmed(at: Self.now))
    #expect(!state("2026-05-04", notes: 2).isUnconfirmed(at: Self.now))
    #expect(state("2023-11-21", notes: 2).isUnconfirmed(at: Self.now))
    #expect(!state("2023-11-20", notes: 2).isUnconfirmed(at: Self.now))
    #expect(!state("2026-05-03", isEnded: true, notes: 2).isUnconfirmed(at: Self.now))
  }

  @Test func `of each drug the last course is kept, with the words that it rests on`() throws {
    let reader = try Fixtures.extractors.get().facts
    let notes = [
      note("N1", "2025-08-01", "Start meloxicam 1 mg SID."), note("N2", "2025-09-01", "Stop meloxicam."),
      note("N3", "2026-10-01", "Restart meloxicam 1 mg SID. Caninsulin 4 iu BID started."),
      note("N4", "2026-11-01", "Stop insulin."),
    ]
    var record = PatientRecord(patient: Patient(id: "P1", name: "Fern", species: .dog), notes: notes)
    for note in notes { record.facts[note.id] = reader.facts(in: note.text, kind: note.kind) }
    let courses = DrugCourses(record.recordedFacts([.drug]))
    let meloxicam = try #require(courses.states.first { $0.drug == "meloxicam" })
    #expect(meloxicam.latest.noteID == "N3" && !meloxicam.isEnded && meloxicam.noteCount == 2)
    let insulin = try #require(courses.states.first { $0.drug.hasSuffix(" insulin") })
    #expect(insulin.latest.noteID == "N4" && insulin.isEnded)
    #expect(Set(courses.states.map(\.drug)).count == courses.states.count)
    // Whoever folds only the names that may tell of a drug comes to the same.
    for state in courses.states {
      let names = DrugCourses.names(tellingOf: [state.drug])
      let fewer = DrugCourses(record.recordedFacts([.drug]).filter { names.contains($0.fact.name) })
      #expect(fewer.states.first { $0.drug == state.drug } == state)
    }
  }
}
