package import Answering
import Chart
package import Clinical
import Extraction
import Retrieval
import Store
import TextAnalysis

extension Practice {
  /// Passages that a question to the whole practice looks at.
  private static let passageLimit = 150

  /// Answers a question from the record as it was at a moment.
  ///
  /// The patient is the one named by `reference`, else the one whose name stands in the question; a name that fits several gives
  /// an answer of class ambiguous with the candidates. Without a patient the whole practice is asked. Each citation is read
  /// again from the file before the answer is returned; a sentence that has lost its source is dropped.
  ///
  /// - Parameters:
  ///   - question: in plain words.
  ///   - reference: an id, a microchip or a name; nil to take the patient from the question.
  ///   - askedAt: later notes do not exist yet.
  ///   - model: weights to answer by; nil for those that ship.
  /// - Returns: the answer; that the record is silent, or the name shared, is an answer and no error.
  /// - Throws: ``PracticeError`` when no patient is called `reference`.
  package func ask(
    _ question: String, patient reference: String?, askedAt: Timestamp, weighing model: AnswerModel? = nil
  ) throws -> Answer {
    try reading {
      models.beginAnswering()
      damagedNotes = []
      func answerer() throws -> Answerer {
        let shipped = try models.answerer()
        return model.map(shipped.weighing) ?? shipped
      }
      let answer: Answer
      switch try subject(of: question, reference: reference) {
      case .ambiguous(let candidates):
        return Answer(
          .ambiguousPatient, text: "\(candidates.count) patients may be meant; say which.", candidates: candidates)
      case .patient(let patient):
        passage?.touch(.patient, patient.value.id)
        if let booked = try answerFromDiary(question, about: patient, askedAt: askedAt) { return booked }
        let record = try record(of: patient, at: askedAt)
        answer = pipeline.answer(question, about: record, askedAt: askedAt, zone: timeZone, by: try answerer())
      case .practice:
        if let listed = try answerFromRegister(question, askedAt: askedAt) { return try verified(listed) }
        let passages = try passages(for: question, askedAt: askedAt)
        answer = try answerer().answer(question, aboutPractice: passages, askedAt: askedAt, zone: timeZone)
      }
      return try verified(answer)
    }
  }

  /// The record of a patient as of a moment: notes, facts and appointments.
  func record(of patient: Stored<Patient>, at moment: Timestamp) throws -> PatientRecord {
    let altered = try alteredNotes(of: patient.rowID)
    let notes = try connection.notes.notes(patient: patient.rowID, through: moment)
      .filter { !altered.contains($0.rowID) }
    return PatientRecord(
      patient: patient.value, notes: notes.map(\.value), facts: try facts(of: patient.rowID, notes: notes, at: moment))
  }

  /// What a few notes of a patient say, without reading the others.
  private func record(of patient: Stored<Patient>, notes ids: Set<String>, at moment: Timestamp) throws -> PatientRecord
  {
    let rows = try ids.compactMap { try connection.recordIDs.row(.note, $0) }
    let notes = try connection.notes.notes(rows: rows.sorted())
      .filter { try $0.value.recordedAt <= moment && isIntact(noteID: $0.value.id) }
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

  /// The notes that bear on a question to the whole practice, by patient.
  private func passages(for question: String, askedAt: Timestamp) throws -> [PatientRecord] {
    let filter = RetrievalFilter(dates: Timestamp(seconds: .min / 2)..<Timestamp(seconds: askedAt.seconds + 1))
    let hits = try hits(for: question, filter: filter, limit: Self.passageLimit)
    var order: [String] = []
    var notes: [String: Set<String>] = [:]
    for hit in hits {
      if notes[hit.patientID] == nil { order.append(hit.patientID) }
      notes[hit.patientID, default: []].insert(hit.noteID)
    }
    return try order.map { try record(of: stored(patient: $0), notes: notes[$0] ?? [], at: askedAt) }
  }

  /// The answer with every quote read again from its note; what no longer holds is taken out, and its sentences with it.
  private func verified(_ answer: Answer) throws -> Answer {
    let holds = try answer.citations.map { try isIntact(noteID: $0.noteID) && $0.holds(in: note($0.noteID)) }
    var answer = answer
    guard holds.contains(false) else { return warned(answer) }
    // What is left keeps its citations, under new numbers.
    var numbers: [Int: Int] = [:]
    for index in holds.indices where holds[index] { numbers[index] = numbers.count }
    answer.sentences.removeAll { sentence in sentence.citations.contains { !holds[$0] } }
    for index in answer.sentences.indices {
      answer.sentences[index].citations = answer.sentences[index].citations.compactMap { numbers[$0] }
    }
    answer.citations = zip(answer.citations, holds).filter(\.1).map(\.0)
    // It was computed from all of them.
    answer.headline = nil
    answer.text = answer.sentences.map(\.text).joined(separator: " ")
    if answer.sentences.isEmpty {
      answer.answerClass = .notRecorded
      answer.text = damagedNotes.isEmpty ? "The record changed while it was read; ask again." : ""
    }
    return warned(answer)
  }

  /// The answer with what it had to leave out: silence over a note that can't be trusted is not the record's.
  private func warned(_ answer: Answer) -> Answer {
    guard !damagedNotes.isEmpty else { return answer }
    let notes = damagedNotes.count == 1 ? "A note is" : "\(damagedNotes.count) notes are"
    var answer = answer
    answer.text += (answer.text.isEmpty ? "" : " ") + "\(notes) not what was written and left out; see vetnet doctor."
    return answer
  }
}
