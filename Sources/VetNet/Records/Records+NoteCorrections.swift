public import Clinical
import Store

/// A note with what became of it.
public struct NoteHistory: Sendable {
  /// What the note was before a change.
  public struct Version: Sendable {
    public let replacedAt: Timestamp
    public let actor: String
    /// `amended`, `moved`, `import` or `import undone`.
    public let cause: String
    public let reason: String?
    /// Whose it was; nil where that patient was erased since.
    public let patientID: String?
    public let text: String
  }

  /// That the note is not to be relied on.
  public struct Retraction: Sendable {
    public let at: Timestamp
    public let actor: String
    public let reason: String
  }

  public let note: ClinicalNote
  /// The oldest first; none of a note that was never changed.
  public let versions: [Version]
  /// Nil for a note that stands.
  public let retraction: Retraction?
}

// Corrections of notes: each with a reason, each on record, each undone by its opposite. An amended note is amended back, a
// moved one moved back, a retracted one reinstated.

extension Practice.Records {
  /// A note, its superseded versions, and whether it stands.
  package func noteHistory(_ id: String) throws -> NoteHistory {
    try reading {
      let stored = try storedNote(id)
      let versions = try connection.notes.versions(row: stored.rowID).map {
        NoteHistory.Version(
          replacedAt: $0.replacedAt, actor: $0.actor, cause: $0.cause.rawValue, reason: $0.reason,
          patientID: $0.patientID, text: $0.text)
      }
      let retraction = try connection.notes.retraction(row: stored.rowID).map {
        NoteHistory.Retraction(at: $0.at, actor: $0.actor, reason: $0.reason)
      }
      return NoteHistory(note: stored.value, versions: versions, retraction: retraction)
    }
  }

  /// Gives a note a new text; the old one is kept as a superseded version, and nothing is answered from it.
  ///
  /// - Throws: ``PracticeError`` for an empty text or reason, and for the text that is there.
  package func amendNote(
    _ id: String, text: String, reason: String, now: Timestamp, isDryRun: Bool = false
  ) throws -> ClinicalNote {
    try correct(id, reason, now, isDryRun) { stored in
      guard text.contains(where: { !$0.isWhitespace }) else {
        throw PracticeError(.invalidArgument, "the note is empty; nothing was written")
      }
      guard
        try connection.notes.change(
          row: stored.rowID, cause: .amended, reason: reason, at: now, actor: practice.actorName, { $0.text = text })
      else { throw PracticeError(.invalidArgument, "the text is the one on file; nothing was written") }
      try connection.encounters.noteWasAmended(stored.rowID, at: now)
    }
  }

  /// Puts a note into the record of the patient that it is about.
  ///
  /// - Throws: ``PracticeError`` for an empty reason, and for the patient that has it.
  package func moveNote(
    _ id: String, to patient: Patient, reason: String, now: Timestamp, isDryRun: Bool = false
  ) throws -> ClinicalNote {
    try correct(id, reason, now, isDryRun) { stored in
      guard
        try connection.notes.change(
          row: stored.rowID, cause: .moved, reason: reason, at: now, actor: practice.actorName,
          { $0.patientID = patient.id }
        )
      else {
        throw PracticeError(.invalidArgument, "the note is in the record of \(patient.id); nothing was written")
      }
      try connection.encounters.noteWasMoved(stored.rowID, at: now)
    }
  }

  /// Marks a note as one not to be relied on: it is kept, shown as retracted, and neither indexed, answered from nor
  /// briefed.
  package func retractNote(
    _ id: String, reason: String, now: Timestamp, isDryRun: Bool = false
  ) throws -> ClinicalNote {
    try correct(id, reason, now, isDryRun) { stored in
      let retraction = Store.NoteRetraction(at: now, actor: practice.actorName, reason: reason)
      guard try connection.notes.retract(row: stored.rowID, retraction) else {
        throw PracticeError(.invalidArgument, "the note is retracted already; nothing was written")
      }
    }
  }

  /// Takes a retraction back.
  package func reinstateNote(
    _ id: String, reason: String, now: Timestamp, isDryRun: Bool = false
  ) throws -> ClinicalNote {
    try correct(id, reason, now, isDryRun) { stored in
      guard try connection.notes.reinstate(row: stored.rowID) else {
        throw PracticeError(.invalidArgument, "the note is not retracted; nothing was written")
      }
    }
  }

  /// Makes a correction, and indexes what has to be.
  private func correct(
    _ id: String, _ reason: String, _ now: Timestamp, _ isDryRun: Bool, _ work: (StoredNote) throws -> Void
  ) throws -> ClinicalNote {
    struct DryRunIsOver: Error {}
    guard reason.contains(where: { !$0.isWhitespace }) else {
      throw PracticeError(.invalidArgument, "a correction needs a reason", hint: "Give it with --reason.")
    }
    var corrected: ClinicalNote?
    do {
      try writing {
        let stored = try storedNote(id)
        try work(stored)
        corrected = try connection.notes.note(row: stored.rowID)?.value
        if isDryRun { throw DryRunIsOver() }
      }
    } catch is DryRunIsOver {}
    guard let corrected else { throw PracticeError(.notFound, "there is no note '\(id)'") }
    if !isDryRun {
      try practice.index.indexNewNotes(
        after: "\(id) is corrected", hint: "Run vetnet reindex; don't correct it again.", now: now)
    }
    return corrected
  }
}
