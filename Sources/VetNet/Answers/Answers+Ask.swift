package import Answering
import Chart
package import Clinical
import Retrieval
import Store
import TextAnalysis

extension Practice.Answers {
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
      practice.memos.damagedNotes = []
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
        practice.door.passage?.touch(.patient, patient.value.id)
        if let booked = try answerFromDiary(question, about: patient, askedAt: askedAt) { return booked }
        let record = try practice.records.record(of: patient, at: askedAt)
        answer = pipeline.answer(question, about: record, askedAt: askedAt, zone: timeZone, by: try answerer())
      case .practice:
        if let listed = try answerFromRegister(question, askedAt: askedAt) { return try verified(listed) }
        let passages = try passages(for: question, askedAt: askedAt)
        answer = pipeline.answer(
          question, aboutPractice: passages, askedAt: askedAt, zone: timeZone, by: try answerer())
      }
      return try verified(answer)
    }
  }

  /// The notes that bear on a question to the whole practice, by patient.
  private func passages(for question: String, askedAt: Timestamp) throws -> [PatientRecord] {
    let filter = RetrievalFilter(dates: Timestamp(seconds: .min / 2)..<Timestamp(seconds: askedAt.seconds + 1))
    let hits = try practice.index.hits(for: question, filter: filter, limit: Self.passageLimit)
    var order: [String] = []
    var notes: [String: Set<String>] = [:]
    for hit in hits {
      if notes[hit.patientID] == nil { order.append(hit.patientID) }
      notes[hit.patientID, default: []].insert(hit.noteID)
    }
    return try order.map {
      try practice.records.record(of: practice.records.stored(patient: $0), notes: notes[$0] ?? [], at: askedAt)
    }
  }

  /// The answer with every quote read again from its note; what no longer holds is taken out, and its sentences with it.
  private func verified(_ answer: Answer) throws -> Answer {
    let holds = try answer.citations.map {
      try practice.integrity.isIntact(noteID: $0.noteID) && $0.holds(in: practice.records.note($0.noteID))
    }
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
      answer.text = practice.memos.damagedNotes.isEmpty ? "The record changed while it was read; ask again." : ""
    }
    return warned(answer)
  }

  /// The answer with what it had to leave out: silence over a note that can't be trusted is not the record's.
  private func warned(_ answer: Answer) -> Answer {
    guard !practice.memos.damagedNotes.isEmpty else { return answer }
    let notes = practice.memos.damagedNotes.count == 1 ? "A note is" : "\(practice.memos.damagedNotes.count) notes are"
    var answer = answer
    answer.text += (answer.text.isEmpty ? "" : " ") + "\(notes) not what was written and left out; see vetnet doctor."
    return answer
  }
}
