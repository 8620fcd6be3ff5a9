import Briefing
package import Clinical
import FoundationEssentials
import Store

// What is written at the patient's side. Every change names the revision that it is based on, goes forward, and is whole or not at
// all; signing makes one note, and what changes after that is an amendment of the note.

extension Practice.Encounters {
  /// As much as a note may be.
  static let longestNarrative = 1 << 18

  func storedEncounter(_ id: String) throws -> Stored<Encounter> {
    guard let stored = try reporting({ try connection.encounters.encounter(id: id) }) else {
      throw PracticeError(
        .notFound, "there is no encounter '\(id)'", hint: "vetnet encounter list shows which there are.")
    }
    return stored
  }

  func encounter(_ id: String) throws -> Encounter { try storedEncounter(id).value }

  /// Begins one. An id that is there already is the same encounter again, where it is of the same patient and nobody went on with it.
  func beginEncounter(
    id: String?, patient reference: String, appointment: String?, author: String?, text: String, now: Timestamp
  ) throws -> Encounter {
    try Self.checkNarrative(text)
    return try writing {
      let patient = try practice.records.stored(patient: reference)
      let visit = try appointment.map { try practice.calendar.storedAppointment($0) }
      if let visit, visit.value.patientID != patient.value.id {
        throw PracticeError(.invalidArgument, "the appointment is not of \(patient.value.id); nothing was written")
      }
      let id = id ?? Encounter.newID()
      guard Encounter.isID(id) else {
        throw PracticeError(
          .invalidArgument, "that is no id of an encounter",
          hint: "Leave it out, or write enc- and 20 letters or digits.")
      }
      if let known = try connection.encounters.encounter(id: id)?.value {
        guard known.patientID == patient.value.id, known.narrative == text, known.actor == practice.actorName else {
          throw PracticeError(.changedMeanwhile, "encounter \(id) is there already", hint: "Look at it, then decide.")
        }
        return known
      }
      let encounter = Encounter(
        id: id, patientID: patient.value.id, appointmentID: visit?.value.id, author: author ?? practice.actorName,
        actor: practice.actorName, narrative: text, beganAt: now, changedAt: now)
      try connection.encounters.insert(encounter, patient: patient.rowID, appointment: visit?.rowID)
      return encounter
    }
  }

  /// Replaces the narrative. The same text again is no change.
  func editEncounter(_ id: String, expecting revision: Int?, text: String, now: Timestamp) throws -> Encounter {
    try Self.checkNarrative(text)
    return try writing {
      let stored = try unsigned(id)
      if stored.value.narrative == text { return stored.value }
      try Self.check(revision, stored.value)
      try connection.encounters.change(row: stored.rowID, narrative: text, state: stored.value.state, at: now)
      return try storedEncounter(id).value
    }
  }

  /// Accepts, edits or drops sections as they are proposed now.
  func decideEncounter(
    _ id: String, expecting revision: Int?, _ sections: [EncounterSection], _ verdict: EncounterVerdict, text: String?,
    now: Timestamp
  ) throws -> ShownEncounter {
    guard !sections.isEmpty else { throw PracticeError(.invalidArgument, "no section is named; nothing was written") }
    guard (verdict == .edited) == (text?.contains { !$0.isWhitespace } ?? false), text == nil || sections.count == 1
    else {
      throw PracticeError(
        .invalidArgument, "an edited section needs its words, and only an edited one has any; nothing was written")
    }
    return try writing {
      let stored = try unsigned(id)
      try Self.check(revision, stored.value)
      let (reading, versions) = try self.reading(of: stored, now: now)
      for section in sections {
        let proposed = reading.proposed(section)
        guard !proposed.isEmpty || verdict == .edited else {
          throw PracticeError(
            .invalidArgument, "nothing is proposed for '\(section.rawValue)'; nothing was written",
            hint: "Write it yourself: an edited section needs no proposal.")
        }
        let words = verdict == .accepted ? reading[section]?.words ?? "" : verdict == .edited ? text ?? "" : ""
        try connection.encounters.decide(
          EncounterDecision(
            section: section, verdict: verdict, proposed: proposed, words: words, versions: versions, at: now,
            actor: practice.actorName), about: stored.rowID)
      }
      try connection.encounters.change(
        row: stored.rowID, narrative: stored.value.narrative, state: stored.value.state, at: now)
      return try shownEncounter(id, now: now)
    }
  }

  /// Goes one state forward.
  func advanceEncounter(_ id: String, expecting revision: Int?, now: Timestamp) throws -> ShownEncounter {
    try writing {
      let stored = try unsigned(id)
      try Self.check(revision, stored.value)
      guard let next = stored.value.state.next else {
        throw PracticeError(
          .invalidArgument, "encounter \(id) is '\(stored.value.state.rawValue)' already: the next step is to sign it")
      }
      let shown = try shownEncounter(id, now: now)
      guard stored.value.narrative.contains(where: { !$0.isWhitespace }) || !shown.noteText.isEmpty else {
        throw PracticeError(.invalidArgument, "encounter \(id) says nothing yet; it stays as it is")
      }
      try Self.requireDecided(shown, for: next)
      try connection.encounters.change(row: stored.rowID, narrative: stored.value.narrative, state: next, at: now)
      return try shownEncounter(id, now: now)
    }
  }

  /// Makes a note of what was accepted and written, once.
  func signEncounter(_ id: String, expecting revision: Int?, now: Timestamp) throws -> ShownEncounter {
    var note = ""
    let signed = try writing {
      let stored = try unsigned(id)
      try Self.check(revision, stored.value)
      guard stored.value.state.mayBecome(.final) else {
        throw PracticeError(
          .invalidArgument,
          "encounter \(id) is '\(stored.value.state.rawValue)': it is signed once its plan is complete",
          hint: "Decide on its sections, then: vetnet encounter advance \(id)")
      }
      let shown = try shownEncounter(id, now: now)
      try Self.requireDecided(shown, for: .planComplete)
      let text = shown.noteText
      guard !text.isEmpty else {
        throw PracticeError(
          .invalidArgument, "every section was dropped: a note of it would be empty, and nothing was written",
          hint: "Accept or write a section.")
      }
      note = try connection.recordIDs.unused(.note)
      let kept = try connection.notes.upsert(
        ClinicalNote(
          id: note, patientID: stored.value.patientID, recordedAt: stored.value.beganAt, author: stored.value.author,
          kind: .consult, text: text), source: connection.sources.local())
      try connection.encounters.sign(
        row: stored.rowID, note: kept.rowID, hash: ContentHash(of: Array(text.utf8)), at: now, actor: practice.actorName
      )
      return try shownEncounter(id, now: now)
    }
    try practice.index.indexNewNotes(
      after: "\(note) is written", hint: "Run vetnet reindex; don't sign it again.", now: now)
    return signed
  }

  /// Gives the note of a signed encounter another text, as `note amend` does.
  func amendEncounter(
    _ id: String, expecting revision: Int?, text: String, reason: String, now: Timestamp
  ) throws -> ShownEncounter {
    let stored = try storedEncounter(id)
    try Self.check(revision, stored.value)
    guard let signature = stored.value.signature else {
      throw PracticeError(
        .invalidArgument, "encounter \(id) is not signed yet: change its words instead",
        hint: "vetnet encounter edit \(id)")
    }
    guard let note = signature.noteID else {
      throw PracticeError(.notFound, "the note of encounter \(id) is not there any more")
    }
    _ = try practice.records.amendNote(note, text: text, reason: reason, now: now)
    return try shownEncounter(id, now: now)
  }

  /// Throws one away that nobody signed.
  func discardEncounter(_ id: String, expecting revision: Int?) throws -> Encounter {
    try writing {
      let stored = try unsigned(id)
      try Self.check(revision, stored.value)
      try connection.encounters.delete(row: stored.rowID)
      return stored.value
    }
  }

  // MARK: Checks

  private func unsigned(_ id: String) throws -> Stored<Encounter> {
    let stored = try storedEncounter(id)
    guard let signature = stored.value.signature else { return stored }
    let note = signature.noteID.map { " as note \($0)" } ?? ""
    throw PracticeError(
      .invalidArgument, "encounter \(id) was signed on \(timeZone.date(of: signature.at))\(note); nothing was written",
      hint: "What changes from here on is an amendment: vetnet encounter amend \(id)")
  }

  private static func check(_ revision: Int?, _ encounter: Encounter) throws {
    guard let revision, revision != encounter.revision else { return }
    throw PracticeError(
      .changedMeanwhile,
      "encounter \(encounter.id) is at revision \(encounter.revision), and this change was based on \(revision); nothing was written",
      hint: "Look at both, then decide.")
  }

  private static func requireDecided(_ shown: ShownEncounter, for state: EncounterState) throws {
    let open = shown.open(for: state)
    guard !open.isEmpty else { return }
    let stale = open.filter { shown.decided[$0]?.isStale == true }
    let again = stale.isEmpty ? "" : "; \(stale.map(\.rawValue).joined(separator: ", ")) changed since"
    throw PracticeError(
      .invalidArgument,
      "not decided yet: \(open.map(\.rawValue).joined(separator: ", "))\(again); encounter \(shown.encounter.id) stays '\(shown.encounter.state.rawValue)'",
      hint: "Accept, edit or drop each: vetnet encounter section \(shown.encounter.id) \(open[0].rawValue) --accept")
  }

  private static func checkNarrative(_ text: String) throws {
    guard text.utf8.count <= longestNarrative else {
      throw PracticeError(
        .invalidArgument,
        "the text has more than \(longestNarrative / 1024) kB, which is no encounter; nothing was written")
    }
  }
}
