import Clinical
@testable import Store
import Testing

@Suite struct DrugCourseStoreTests {
  /// A generation with a fact of a drug of each of three patients, and a course of each.
  private func filled() throws -> (practice: TestPractice, generation: Int64) {
    let practice = try TestPractice()
    for id in ["P2", "P3"] {
      _ = try practice.connection.patients.upsert(Patient(id: id, name: id, species: .cat), source: practice.source)
    }
    let generation = try practice.beginGeneration()
    for number in 1...3 {
      try practice.write("N\(number)", "meloxicam", patient: "P\(number)", at: Int64(number))
      try add(note: Int64(number), to: practice, generation)
    }
    let courses = practice.connection.drugCourses
    let turn = try courses.begin(generation: generation)
    try courses.replace(patients: 1...3, generation: generation, with: (1...3).map(course))
    try courses.end(generation: generation, turn: turn, version: 1)
    return (practice, generation)
  }

  private func course(_ number: Int) -> StoredDrugCourse {
    StoredDrugCourse(
      drug: "meloxicam", patientRowID: Int64(number), noteRowID: Int64(number),
      recordedAt: Timestamp(seconds: Int64(number)), range: 0..<9, isEnded: number == 2,
      plannedEnd: number == 3 ? Timestamp(seconds: 50) : nil, noteCount: number,
      lastWordAt: Timestamp(seconds: Int64(number)))
  }

  private func add(note: Int64, kind: String = "drug", to practice: TestPractice, _ generation: Int64) throws {
    try practice.connection.facts.insert(
      [FactValue(kind: kind, name: "meloxicam", range: 0..<9)], note: note, patient: note, recordedAt: note,
      generation: generation)
  }

  @Test func `courses come back as they were written, by drug and species`() throws {
    let (practice, generation) = try filled()
    let courses = practice.connection.drugCourses
    #expect(try courses.courses(generation: generation, drugs: ["meloxicam"]) == (1...3).map(course))
    #expect(try courses.courses(generation: generation, drugs: ["meloxicam"], species: [.dog]) == [course(1)])
    #expect(try courses.courses(generation: generation, drugs: ["insulin"]) == [])
    #expect(try courses.courses(generation: generation, patients: 2...3) == [course(2), course(3)])
    #expect(try practice.connection.generations.generation(row: generation)?.courseVersion == 1)
  }

  @Test func `a patient whose facts of drugs come or go has no courses until they are made again`() throws {
    let (practice, generation) = try filled()
    let courses = practice.connection.drugCourses
    try add(note: 1, kind: "finding", to: practice, generation)
    #expect(try courses.unfolded(generation: generation) == [])
    try add(note: 1, to: practice, generation)
    #expect(try courses.unfolded(generation: generation) == [1])
    #expect(try courses.courses(generation: generation, patients: 1...3) == [course(2), course(3)])
    // A note that goes takes its facts with it; where they were the last, nothing is left to be folded.
    try practice.connection.execute("DELETE FROM note WHERE id = 3")
    #expect(try courses.unfolded(generation: generation) == [1])
    #expect(try courses.courses(generation: generation, patients: 1...3) == [course(2)])
    try courses.replace(patients: 1...1, generation: generation, with: [course(1)])
    #expect(try courses.unfolded(generation: generation) == [])
    #expect(try courses.courses(generation: generation, patients: 1...3) == [course(1), course(2)])
    let row = try practice.write("N4", "meloxicam", patient: "P2", at: 4).rowID
    try practice.connection.facts.insert(
      [FactValue(kind: "drug", name: "meloxicam", range: 0..<9)], note: row, patient: 2, recordedAt: 4,
      generation: generation)
    try courses.replace(patients: 2...2, generation: generation, with: [course(2)])
    try practice.connection.execute("DELETE FROM note WHERE external_id = 'N4'")
    #expect(try courses.unfolded(generation: generation) == [2])
    #expect(try courses.courses(generation: generation, patients: 1...3) == [course(1)])
  }

  @Test func `a patient that goes leaves nothing`() throws {
    let (practice, generation) = try filled()
    try practice.connection.patients.delete(row: 2)
    #expect(try practice.connection.drugCourses.courses(generation: generation, patients: 1...3).count == 2)
    #expect(try practice.connection.drugCourses.unfolded(generation: generation) == [])
    #expect(try practice.connection.foreignKeyCheck() == [])
  }

  @Test func `who is overtaken doesn't say that all is folded`() throws {
    let (practice, generation) = try filled()
    let courses = practice.connection.drugCourses
    let first = try courses.begin(generation: generation)
    let second = try courses.begin(generation: generation)
    try courses.end(generation: generation, turn: first, version: 1)
    #expect(try practice.connection.generations.generation(row: generation).map { $0.courseVersion < 0 } == true)
    try courses.end(generation: generation, turn: second, version: 1)
    #expect(try practice.connection.generations.generation(row: generation)?.courseVersion == 1)
  }

  @Test func `a generation that was never folded notes nobody`() throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    try practice.write("N1", "meloxicam")
    try add(note: 1, to: practice, generation)
    #expect(try practice.connection.drugCourses.unfolded(generation: generation) == [])
  }
}
