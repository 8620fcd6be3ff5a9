import Answering
import Chart
import Clinical
import Cohorts
import Extraction
import Store

extension Practice.Answers {
  /// Patients of whom nothing is recorded that a list shows: each takes a look at its latest note.
  private static let silentLimit = 400
  /// Notes from the latest on among which the last plan is looked for.
  private static let planNotes = 12

  /// A list of patients from the facts of the whole practice; nil where a question asks for none, or for what facts don't name.
  ///
  /// - Complexity: reads the facts of the names asked for, or, of drugs that an animal is on, a row of each patient that ever was on
  ///   them; and the notes of those who fit and are cited. Never all notes.
  func answerFromRegister(_ text: String, askedAt: Timestamp) throws -> Answer? {
    guard let live = try connection.generations.live() else { return nil }
    guard let frame = try models.registerFrames().frame(of: text, askedAt: askedAt, zone: timeZone) else { return nil }
    let register = try models.register()
    var names: [FactKind: [String]] = [:]
    for kind in RegisterReader.kinds {
      names[kind] = try connection.facts.names(generation: live.rowID, kind: kind.rawValue)
    }
    guard let question = register.read(frame, known: names) else { return nil }
    let courses = try registerCourses(question, live, through: askedAt)
    let facts = try registerFacts(question, live, withoutCourses: courses != nil, through: askedAt)
    var matches: [RegisterMatch] = []
    var silent = 0
    var isComplete = true
    for patient in try registerPatients(question, recorded: Set(facts.keys).union((courses ?? [:]).keys), askedAt) {
      let record = try record(of: patient.known, facts[patient.row] ?? [])
      guard
        var match = register.match(
          question, record, courses: courses.map { $0[patient.row] ?? [] }, askedAt: askedAt, zone: timeZone),
        let known = try patient.known ?? connection.patients.patient(row: patient.row)?.value,
        question.filter.admits(known, on: timeZone.date(of: askedAt))
      else { continue }
      match.patient = known
      if question.asksForPlans {
        let last = try connection.notes.notes(patient: patient.row, through: askedAt).suffix(Self.planNotes).map(
          \.value)
        guard let unseen = register.unseen(match, notes: last, askedAt: askedAt, zone: timeZone) else { continue }
        match = unseen
      }
      if match.isSilent {
        guard silent < Self.silentLimit else {
          isComplete = false
          continue
        }
        silent += 1
        guard let latest = try connection.notes.latest(patient: patient.row, through: askedAt) else { continue }
        match.lastEntry = latest.value
      }
      matches.append(match)
    }
    let list = register.list(matches)
    var notes: [String: ClinicalNote] = [:]
    for id in list.noteIDs {
      if let row = Int64(id), let note = try connection.notes.note(row: row) { notes[id] = note.value }
    }
    return register.answer(question, list, notes: notes, isComplete: isComplete, zone: timeZone)
  }

  /// The patients to be judged, in the order of their rows: those of whom something asked for is recorded, or all whom the question may
  /// mean. Who they are is read only where it takes that to judge them.
  private func registerPatients(
    _ question: RegisterQuestion, recorded: Set<Int64>, _ askedAt: Timestamp
  ) throws -> [(row: Int64, known: Patient?)] {
    guard question.includesUnrecorded else {
      return try recorded.sorted().map { row in
        (row, try question.dependsOnSpecies ? connection.patients.patient(row: row)?.value : nil)
      }
    }
    let today = timeZone.date(of: askedAt)
    return try connection.patients.patients(ofSpecies: question.filter.species, limit: .max)
      .filter { question.filter.admits($0.value, on: today) }.map { ($0.rowID, $0.value) }
  }

  /// The courses of the drugs that an animal is asked to be on, by patient, as of a moment; nil where none is asked for, or the index
  /// has none that were folded as they are today.
  private func registerCourses(
    _ question: RegisterQuestion, _ live: Generation, through moment: Timestamp
  ) throws -> [Int64: [DrugCourseState]]? {
    let drugs = question.courseDrugs
    guard !drugs.isEmpty, live.courseVersion == DrugCourses.version else { return nil }
    let species = question.filter.species.isEmpty ? nil : question.filter.species
    var found: [Int64: [DrugCourseState]] = [:]
    // Those of whom something was written since they were folded, or since the moment that is asked of, are folded again.
    var again = Set(try connection.drugCourses.unfolded(generation: live.rowID))
    for course in try connection.drugCourses.courses(generation: live.rowID, drugs: drugs, species: species) {
      if course.lastWordAt > moment {
        again.insert(course.patientRowID)
      } else {
        found[course.patientRowID, default: []].append(course.state)
      }
    }
    for row in again.sorted() {
      if let species, let patient = try connection.patients.patient(row: row), !species.contains(patient.value.species)
      {
        continue
      }
      let states = try practice.index.foldedCourses(row...row, generation: live.rowID, through: moment).map(\.state)
      found[row] = states.filter { drugs.contains($0.drug) }
    }
    return found.filter { !$0.value.isEmpty }
  }

  /// The facts that a question asks for, by patient, in time order.
  private func registerFacts(
    _ question: RegisterQuestion, _ live: Generation, withoutCourses: Bool, through moment: Timestamp
  ) throws -> [Int64: [NotedFact]] {
    let species = question.filter.species.isEmpty ? nil : question.filter.species
    var facts: [NotedFact] = []
    for (kind, name) in question.facts(withoutCourses: withoutCourses) {
      facts += try connection.facts.facts(
        generation: live.rowID, kind: kind.rawValue, name: name, species: species, through: moment)
    }
    facts.sort {
      ($0.fact.recordedAt, $0.fact.noteRowID, $0.fact.value.range.lowerBound, $0.fact.rowID)
        < ($1.fact.recordedAt, $1.fact.noteRowID, $1.fact.value.range.lowerBound, $1.fact.rowID)
    }
    return Dictionary(grouping: facts, by: \.fact.patientRowID)
  }

  /// Facts as the record of a patient.
  private func record(of patient: Patient?, _ facts: [NotedFact]) throws -> PatientRecord {
    var record = PatientRecord(patient: patient ?? Patient(id: "", name: "", species: .other), notes: [])
    for case let item? in try practice.index.recordedFacts(facts) {
      if record.facts[item.note.id] == nil { record.notes.append(item.note) }
      record.facts[item.note.id, default: []].append(item.fact)
    }
    return record
  }
}
