import Answering
import Chart
import Clinical
import Cohorts
import Extraction
import Store

extension Practice {
  /// Patients of whom nothing is recorded that a list shows: each takes a look at its latest note.
  private static let silentLimit = 400
  /// Notes from the latest on among which the last plan is looked for.
  private static let planNotes = 12

  /// A list of patients from the facts of the whole practice; nil where a question asks for none, or for what facts don't name.
  ///
  /// - Complexity: reads the facts of the names asked for, and the notes of those who fit; never all notes.
  func answerFromRegister(_ text: String, askedAt: Timestamp) throws -> Answer? {
    guard let live = try connection.generations.live() else { return nil }
    let register = try models.register()
    var names: [FactKind: [String]] = [:]
    for kind in RegisterReader.kinds {
      names[kind] = try connection.facts.names(generation: live.rowID, kind: kind.rawValue)
    }
    guard let question = register.read(text, known: names, askedAt: askedAt, zone: timeZone) else { return nil }
    let facts = try registerFacts(question, generation: live.rowID, through: askedAt)
    let patients = question.includesUnrecorded ? try registerPatients(question, askedAt) : nil
    let rows = patients.map { $0.map(\.rowID) } ?? facts.keys.sorted()
    let listed = Dictionary(
      (patients ?? []).map { ($0.rowID, $0.value) }, uniquingKeysWith: { first, _ in first })
    var matches: [RegisterMatch] = []
    var silent = 0
    var isComplete = true
    var notes: [String: ClinicalNote] = [:]
    let today = timeZone.date(of: askedAt)
    for row in rows {
      let known =
        try listed[row] ?? (question.dependsOnSpecies ? connection.patients.patient(row: row)?.value : nil)
      let patient = known ?? Patient(id: "", name: "", species: .other)
      let items = facts[row] ?? []
      guard
        var match = register.match(
          question, try record(of: patient, items), askedAt: askedAt, zone: timeZone)
      else { continue }
      guard let patient = try known ?? connection.patients.patient(row: row)?.value,
        question.filter.admits(patient, on: today)
      else { continue }
      match.patient = patient
      if question.asksForPlans {
        let latest = try connection.notes.notes(patient: row, through: askedAt).suffix(Self.planNotes).map(\.value)
        guard let unseen = register.unseen(match, notes: latest, askedAt: askedAt, zone: timeZone) else { continue }
        match = unseen
      }
      if match.isSilent {
        guard silent < Self.silentLimit else {
          isComplete = false
          continue
        }
        silent += 1
        guard let latest = try connection.notes.latest(patient: row, through: askedAt) else { continue }
        notes[patient.id] = latest.value
      }
      matches.append(match)
    }
    for id in Set(matches.flatMap(\.noteIDs)) where notes[id] == nil {
      if let row = Int64(id), let note = try connection.notes.note(row: row) { notes[id] = note.value }
    }
    return register.answer(question, matches, notes: notes, isComplete: isComplete, zone: timeZone)
  }

  /// The facts that a question asks for, by patient, in time order.
  private func registerFacts(
    _ question: RegisterQuestion, generation: Int64, through moment: Timestamp
  ) throws -> [Int64: [NotedFact]] {
    let species = question.filter.species.isEmpty ? nil : question.filter.species
    let names = question.facts
    var found: [Int64: [NotedFact]] = [:]
    for (kind, name) in names {
      let facts = try connection.facts.facts(
        generation: generation, kind: kind.rawValue, name: name, species: species, through: moment)
      for fact in facts { found[fact.fact.patientRowID, default: []].append(fact) }
    }
    guard names.count > 1 else { return found }
    return found.mapValues { facts in
      facts.sorted {
        ($0.fact.recordedAt, $0.fact.noteRowID, $0.fact.value.range.lowerBound, $0.fact.rowID)
          < ($1.fact.recordedAt, $1.fact.noteRowID, $1.fact.value.range.lowerBound, $1.fact.rowID)
      }
    }
  }

  /// The patients that a question may mean, whether anything is recorded of them or not.
  private func registerPatients(_ question: RegisterQuestion, _ askedAt: Timestamp) throws -> [Stored<Patient>] {
    let today = timeZone.date(of: askedAt)
    return try connection.patients.patients(ofSpecies: question.filter.species, limit: .max)
      .filter { question.filter.admits($0.value, on: today) }
  }

  /// Facts as the record of a patient whose notes, under the numbers of their rows, have no text unless a course is judged by it.
  private func record(of patient: Patient, _ facts: [NotedFact]) throws -> PatientRecord {
    var record = PatientRecord(patient: patient, notes: [])
    for item in facts {
      guard let fact = Fact(item.fact.value) else { continue }
      let id = String(item.fact.noteRowID)
      if record.facts[id] == nil {
        let isCourse = fact.kind == .drug && fact.dosage?.duration != nil
        let text = isCourse ? try connection.notes.note(row: item.fact.noteRowID)?.value.text : nil
        record.notes.append(
          ClinicalNote(
            id: id, patientID: patient.id, recordedAt: item.fact.recordedAt, kind: item.noteKind, text: text ?? ""))
      }
      record.facts[id, default: []].append(fact)
    }
    return record
  }
}
