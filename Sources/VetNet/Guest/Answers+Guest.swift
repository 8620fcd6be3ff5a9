package import Clinical
import Extraction
import Retrieval
import Store

extension Practice.Answers {
  /// Passages that a guest is handed: more than an answer needs, few enough for a small model.
  private static let guestPassages = 24

  /// A question with the passages that bear on it, for a guest; nil where it is ambiguous whom it is about.
  ///
  /// - Parameters:
  ///   - question: in plain words.
  ///   - reference: a patient; nil to take it from the question, else the whole practice.
  ///   - askedAt: later notes do not exist yet.
  /// - Returns: the passages in the order of the record.
  /// - Throws: ``PracticeError`` when no patient is called `reference`.
  package func guestQuestion(_ question: String, patient reference: String?, askedAt: Timestamp) throws
    -> GuestQuestion?
  {
    try reading {
      var filter = RetrievalFilter(dates: Timestamp(seconds: .min / 2)..<Timestamp(seconds: askedAt.seconds + 1))
      switch try subject(of: question, reference: reference) {
      case .ambiguous: return nil
      case .patient(let patient):
        practice.door.passage?.touch(.patient, patient.value.id)
        filter.patientIDs = [patient.value.id]
      case .practice: break
      }
      let hits = try practice.index.hits(for: question, filter: filter, limit: Self.guestPassages)
      var passages: [(at: Timestamp, passage: GuestQuestion.Passage)] = []
      for hit in hits {
        let note = try practice.records.note(hit.noteID)
        guard try practice.integrity.isIntact(noteID: note.id), let citation = Citation(note, range: hit.range) else {
          continue
        }
        practice.door.passage?.touch(.patient, note.patientID)
        passages.append(
          (
            note.recordedAt,
            GuestQuestion.Passage(
              note_id: note.id, recorded_at: "\(timeZone.date(of: note.recordedAt))", author: note.author,
              start: citation.codePoints.lowerBound, end: citation.codePoints.upperBound, text: citation.quote)
          ))
      }
      passages.sort { ($0.at, $0.passage.note_id, $0.passage.start) < ($1.at, $1.passage.note_id, $1.passage.start) }
      return GuestQuestion(question: question, askedAt: timeZone.iso8601(askedAt), passages: passages.map(\.passage))
    }
  }

  /// What of a guest's reply holds, by the notes as they stand now.
  package func judged(_ reply: GuestReply, to question: GuestQuestion) throws -> GuestAnswer {
    try reading {
      var notes: [String: ClinicalNote] = [:]
      for id in Set(question.passages.map(\.note_id)) where try practice.integrity.isIntact(noteID: id) {
        notes[id] = try practice.records.note(id)
      }
      return try models.guestCheck().judge(reply, to: question, notes: notes)
    }
  }
}

extension ModelDirectory {
  func guestCheck() throws -> GuestCheck {
    try stage("guest check") {
      GuestCheck(
        facts: try extractors().facts, classifier: try assertionClassifier(), drugs: try drugNames(),
        stopWords: Set(try table("lexicon/stop-words.tsv").rows.map { $0["word"] }))
    }
  }
}
