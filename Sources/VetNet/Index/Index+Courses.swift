import Chart
import Clinical
import Extraction
import Store

extension Practice.Index {
  /// Patients that are read, folded and written in one transaction.
  private static let foldedAtOnce: Int64 = 512

  /// Brings the courses that a generation's facts of drugs come to up to date: those of patients whose facts changed, or all where
  /// they were never folded, or in another way than today's.
  ///
  /// - Complexity: reads the facts of drugs of the patients it folds, and of their notes those that write how long a course is.
  func foldCourses(_ generation: Int64) throws {
    guard let record = try reporting({ try connection.generations.generation(row: generation) }) else { return }
    if record.courseVersion != DrugCourses.version { try foldAll(generation) }
    while case let patients = try reporting({ try unfolded(generation) }), !patients.isEmpty {
      try continueUnlessStopped()
      try writing { for patient in patients { try fold(patient...patient, generation) } }
    }
  }

  private func foldAll(_ generation: Int64) throws {
    let turn = try writing { try connection.drugCourses.begin(generation: generation) }
    try forEachFoldedPatients { patients in
      try continueUnlessStopped()
      try writing { try fold(patients, generation) }
    }
    try writing { try connection.drugCourses.end(generation: generation, turn: turn, version: DrugCourses.version) }
  }

  /// Calls `body` with the rows of all patients, those together that are folded at once.
  func forEachFoldedPatients(_ body: (ClosedRange<Int64>) throws -> Void) throws {
    guard let rows = try reporting({ try connection.drugCourses.patientRows() }) else { return }
    for first in stride(from: rows.lowerBound, through: rows.upperBound, by: Int(Self.foldedAtOnce)) {
      try body(first...min(first + Self.foldedAtOnce - 1, rows.upperBound))
    }
  }

  private func unfolded(_ generation: Int64) throws -> [Int64] {
    try connection.drugCourses.unfolded(generation: generation, limit: Int(Self.foldedAtOnce))
  }

  private func fold(_ patients: ClosedRange<Int64>, _ generation: Int64) throws {
    let courses = try foldedCourses(patients, generation: generation)
    try connection.drugCourses.replace(patients: patients, generation: generation, with: courses)
  }

  /// What the facts of drugs of the patients in a range of rows come to, by patient and drug; without those that were written later than
  /// `moment`.
  func foldedCourses(
    _ patients: ClosedRange<Int64>, generation: Int64, through moment: Timestamp? = nil
  ) throws -> [StoredDrugCourse] {
    let facts = try connection.facts.facts(
      generation: generation, kind: FactKind.drug.rawValue, patients: patients, through: moment)
    let items = try recordedFacts(facts)
    let byPatient = Dictionary(grouping: items.indices) { facts[$0].fact.patientRowID }.sorted { $0.key < $1.key }
    return Concurrent.map(byPatient, portion: 64) { patient, places in
      let last = places.map { facts[$0].fact.recordedAt }.max() ?? Timestamp(seconds: .min)
      return DrugCourses(places.lazy.compactMap { items[$0] }).states.compactMap { state in
        Int64(state.latest.noteID).map { StoredDrugCourse(state, note: $0, patient: patient, lastWordAt: last) }
      }
    }.flatMap { $0 }
  }

  /// Stored facts as a chart reads them, nil for those that this VetNet does not know. Their notes go by the numbers of their rows, and
  /// have a text only where its words decide how long a course is.
  func recordedFacts(_ facts: [NotedFact]) throws -> [RecordedFact?] {
    let known = Concurrent.map(facts, portion: 256) { Fact($0.fact.value) }
    var texts: [Int64: String] = [:]
    for (item, fact) in zip(facts, known) where fact?.kind == .drug && fact?.dosage?.duration != nil {
      let row = item.fact.noteRowID
      if texts[row] == nil { texts[row] = try connection.notes.note(row: row)?.value.text }
    }
    return zip(facts, known).map { item, fact in
      fact.map { fact in
        RecordedFact(
          note: ClinicalNote(
            id: String(item.fact.noteRowID), patientID: "", recordedAt: item.fact.recordedAt, kind: item.noteKind,
            text: texts[item.fact.noteRowID] ?? ""),
          fact: fact)
      }
    }
  }
}

extension StoredDrugCourse {
  fileprivate init(_ state: DrugCourseState, note: Int64, patient: Int64, lastWordAt: Timestamp) {
    self.init(
      drug: state.drug, patientRowID: patient, noteRowID: note, recordedAt: state.latest.recordedAt,
      range: state.latest.range, isEnded: state.isEnded, plannedEnd: state.plannedEnd, noteCount: state.noteCount,
      lastWordAt: lastWordAt)
  }

  /// As the chart has it; its note goes by the number of its row.
  var state: DrugCourseState {
    DrugCourseState(
      drug: drug,
      latest: FactReference(noteID: String(noteRowID), recordedAt: recordedAt, kind: .drug, range: range),
      isEnded: isEnded, plannedEnd: plannedEnd, noteCount: noteCount)
  }
}
