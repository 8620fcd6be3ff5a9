package import Clinical
import Store

extension Practice.Records {
  /// A note by its id.
  package func note(_ id: String) throws -> ClinicalNote { try storedNote(id).value }

  func storedNote(_ id: String) throws -> StoredNote {
    let found = try reporting { try connection.notes.notes(id: id) }
    guard let note = found.first else { throw PracticeError(.notFound, "there is no note '\(id)'") }
    guard found.count == 1 else {
      throw PracticeError(
        .notFound, "notes of \(found.count) sources have the id '\(id)'",
        hint: "Write one of: \(found.map(\.value.id).joined(separator: ", "))")
    }
    return note
  }

  /// Writes a note and indexes it.
  ///
  /// - Parameters:
  ///   - patient: whose.
  ///   - kind: what it records.
  ///   - author: a staff id or a name.
  ///   - text: the note, kept byte for byte.
  ///   - recordedAt: when it was recorded.
  ///   - now: the present moment, for the index.
  ///   - isDryRun: checks everything and writes nothing.
  /// - Returns: the note with its new id.
  /// - Throws: ``PracticeError`` for an empty note.
  package func addNote(
    to patient: Patient, kind: NoteKind, author: String?, text: String, recordedAt: Timestamp, now: Timestamp,
    isDryRun: Bool = false
  ) throws -> ClinicalNote {
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw PracticeError(.invalidArgument, "the note is empty; nothing was written")
    }
    try requirePast(recordedAt, now: now)
    var note = ClinicalNote(
      id: "", patientID: patient.id, recordedAt: recordedAt, author: author, kind: kind, text: text)
    if isDryRun {
      note.id = try reporting { try connection.recordIDs.unused(.note) }
      return note
    }
    try writing {
      note.id = try connection.recordIDs.unused(.note)
      _ = try connection.notes.upsert(note, source: connection.sources.local())
    }
    try practice.index.indexNewNotes(
      after: "\(note.id) is written", hint: "Run vetnet reindex; don't write it again.", now: now)
    return note
  }

  /// - Throws: ``PracticeError`` for a day that is still to come: nobody wrote anything then.
  func requirePast(_ recordedAt: Timestamp, now: Timestamp) throws {
    guard timeZone.date(of: recordedAt) > timeZone.date(of: now) else { return }
    throw PracticeError(
      .invalidArgument, "\(timeZone.date(of: recordedAt)) lies in the future; nothing was written",
      hint: "Write the day on which it was noted down.")
  }
}
