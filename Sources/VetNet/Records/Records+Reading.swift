import Chart
import Clinical
import Extraction
import Store

// Notes, facts and appointments, as far as they are what was written.

extension Practice.Records {
  /// The record of a patient as of a moment: notes, facts and appointments.
  func record(of patient: Stored<Patient>, at moment: Timestamp) throws -> PatientRecord {
    let altered = try practice.integrity.alteredNotes(of: patient.rowID)
    let notes = try connection.notes.notes(patient: patient.rowID, through: moment)
      .filter { !altered.contains($0.rowID) }
    return PatientRecord(
      patient: patient.value, notes: notes.map(\.value), facts: try facts(of: patient.rowID, notes: notes, at: moment))
  }

  /// What a few notes of a patient say, without reading the others.
  func record(of patient: Stored<Patient>, notes ids: Set<String>, at moment: Timestamp) throws -> PatientRecord {
    let rows = try ids.compactMap { try connection.recordIDs.row(.note, $0) }
    let notes = try connection.notes.notes(rows: rows.sorted())
      .filter { try $0.value.recordedAt <= moment && practice.integrity.isIntact(noteID: $0.value.id) }
      .sorted { ($0.value.recordedAt, $0.rowID) < ($1.value.recordedAt, $1.rowID) }
    var facts: [String: [Fact]] = [:]
    if let live = try connection.generations.live() {
      for note in notes {
        let stored = try connection.facts.facts(generation: live.rowID, note: note.rowID)
        facts[note.value.id] = stored.compactMap { Fact($0.value) }
      }
    }
    return PatientRecord(patient: patient.value, notes: notes.map(\.value), facts: facts)
  }

  private func facts(of patient: Int64, notes: [StoredNote], at moment: Timestamp) throws -> [String: [Fact]] {
    guard let live = try connection.generations.live() else { return [:] }
    let ids = Dictionary(notes.map { ($0.rowID, $0.value.id) }, uniquingKeysWith: { first, _ in first })
    var facts: [String: [Fact]] = [:]
    for stored in try connection.facts.facts(generation: live.rowID, patient: patient, through: moment) {
      guard let id = ids[stored.noteRowID], let fact = Fact(stored.value) else { continue }
      facts[id, default: []].append(fact)
    }
    return facts
  }
}
