import Clinical
import Interchange
import Store

/// Rows without ids of their own: which record on file each means.
extension ImportKeeper {
  /// An intake is the one that says the same; else it is new.
  func keepWithoutID(
    _ row: Row, _ intake: Intake, _ context: ImportContext, _ batch: inout Batch
  ) throws {
    var intake = intake
    let twin = try connection.intakes.twins(of: intake, source: context.source)
      .first { !intakesSpokenOf.contains($0.rowID) }
    intake.id =
      try twin?.id ?? freeID(like: intake.id) { try connection.intakes.row(id: $0, source: context.source) != nil }
    var row = row
    row.record = .intake(intake, of: intake.patientID.map(PatientReference.id))
    try write(row, context, &batch)
  }

  /// A note is the one that says the same of the same patient at the same moment; else it is new, unless one is on file that it
  /// may correct: of these only the end of the files tells.
  func keepWithoutID(
    _ row: Row, _ note: ClinicalNote, _ context: ImportContext, _ batch: inout Batch
  ) throws {
    let kin = try unspokenKin(of: row, note, context)
    try refuseCutOff(row, note, kin)
    if let twin = kin.first(where: { $0.isOfSamePatient && $0.isTwin }) {
      try write(row, as: twin.id, note, context, &batch)
    } else if kin.contains(where: { isCorrection($0, note) || ($0.isTwin && !$0.isOfSamePatient) }) {
      held.append(row)
    } else if row.raw.origin?.format == .text, let earlier = try earlierText(of: row, note, context) {
      try write(row, as: earlier.id, note, context, &batch)
    } else {
      try insert(row, note, context, &batch)
    }
  }

  private func write(
    _ row: Row, as id: String, _ note: ClinicalNote, _ context: ImportContext, _ batch: inout Batch
  ) throws {
    var note = note
    note.id = id
    var row = row
    row.record = .note(note, of: .id(note.patientID))
    try write(row, context, &batch)
  }

  private func insert(_ row: Row, _ note: ClinicalNote, _ context: ImportContext, _ batch: inout Batch) throws {
    try write(row, as: try freeID(of: note, context.source), note, context, &batch)
  }

  private func unspokenKin(of row: Row, _ note: ClinicalNote, _ context: ImportContext) throws -> [NoteKin] {
    guard let lastNote, lastNote > 0 else { return [] }
    return try connection.notes.kin(of: note, source: context.source, file: files.absolute(row.location.file))
      .filter { $0.rowID <= lastNote && !notesSpokenOf.contains($0.rowID) }
  }

  /// A text's file is its note: under the same path it is the same one, with another patient or date, as long as the text is
  /// much the same.
  private func earlierText(of row: Row, _ note: ClinicalNote, _ context: ImportContext) throws -> NoteKin? {
    let file = files.absolute(row.location.file)
    guard let kin = try connection.notes.kin(withIDOf: note, source: context.source, file: file),
      !notesSpokenOf.contains(kin.rowID), kin.isOfSameFile ?? kin.saysTheSame,
      kin.saysTheSame || note.text.isCorrection(of: kin.text)
    else { return nil }
    return kin
  }

  /// Whether a row may be the note in other words: of the same file and patient, and much the same.
  private func isCorrection(_ kin: NoteKin, _ note: ClinicalNote) -> Bool {
    kin.isOfSamePatient && kin.isOfSameFile == true && (kin.saysTheSame || note.text.isCorrection(of: kin.text))
  }

  private func refuseCutOff(_ row: Row, _ note: ClinicalNote, _ kin: [NoteKin]) throws {
    guard row.raw.lastCell?.field == "text",
      kin.contains(where: { $0.isOfSamePatient && $0.text != note.text && $0.text.hasPrefix(note.text) })
    else { return }
    throw RecordProblem.cutOff("text")
  }

  /// Says of the rows that were held back which notes they mean: the same text of the same patient; where the file that a note
  /// came from is much the same list as before and has it no more, that note with its text corrected, or moved from the patient
  /// under whom it was filed; else they are new.
  func settleHeld(_ context: (Row) throws -> ImportContext, _ batch: inout Batch) throws {
    let rows = held
    held = []
    var listings = FileListings(last: lastNote ?? 0)
    var candidates: [[NoteKin]] = []
    for row in rows {
      guard case .note(let note, _) = row.record else { continue }
      let kin = try unspokenKin(of: row, note, try context(row))
      candidates.append(kin)
      listings.addCandidates(kin.map(\.rowID))
    }
    for (row, kin) in zip(rows, candidates) {
      guard case .note(let note, _) = row.record else { continue }
      let context = try context(row)
      let left = kin.filter { !notesSpokenOf.contains($0.rowID) }
      try attempt(row, &batch) { batch in
        if let twin = left.first(where: { $0.isOfSamePatient && $0.isTwin }) {
          return try write(row, as: twin.id, note, context, &batch)
        }
        let isSameList = try files.absolute(row.location.file).map {
          try listings.isListedAgain($0, source: context.source, spokenOf: notesSpokenOf, connection.notes)
        }
        if isSameList == true {
          if let old = Self.closest(left.filter { isCorrection($0, note) }, to: note) {
            if !old.saysTheSame { remarks.add(.corrected, at: row.location, note: old.id, of: old.patientID) }
            return try write(row, as: old.id, note, context, &batch)
          }
          let misfiled = left.filter { $0.isTwin && !$0.isOfSamePatient && $0.isOfSameFile == true }
          if misfiled.count == 1, let twin = misfiled.first { return try move(twin, to: note, row, context, &batch) }
        }
        if let twin = left.first(where: \.saysTheSame) {
          remarks.add(.alike, at: row.location, note: twin.id, of: twin.patientID)
        }
        try insert(row, note, context, &batch)
      }
    }
  }

  /// The one whose text is nearest; nil where two are equally near.
  private static func closest(_ kin: [NoteKin], to note: ClinicalNote) -> NoteKin? {
    let ranked = kin.map { (kin: $0, shared: $0.saysTheSame ? Int.max : note.text.sharedEnds(with: $0.text)) }
      .sorted { $0.shared > $1.shared }
    guard let first = ranked.first, ranked.dropFirst().first?.shared != first.shared else { return nil }
    return first.kin
  }

  private func move(
    _ twin: NoteKin, to note: ClinicalNote, _ row: Row, _ context: ImportContext, _ batch: inout Batch
  ) throws {
    var moved = note
    moved.id = try freeID(of: note, context.source)
    var row = row
    row.record = .note(moved, of: .id(moved.patientID))
    let kept = try refusingDamage(of: row) {
      try connection.imports.moveNote(row: twin.rowID, to: moved, stated: row.stated, context)
    }
    self.note(kept, of: row, &batch)
  }

  private func freeID(of note: ClinicalNote, _ source: Int64) throws -> String {
    try freeID(like: note.id) { try connection.notes.row(id: $0, source: source) != nil }
  }

  /// The id with the next number that no record has.
  private func freeID(like id: String, isTaken: (String) throws -> Bool) throws -> String {
    guard try isTaken(id) else { return id }
    let parts = id.split(separator: ":", omittingEmptySubsequences: false)
    let isNumbered = parts.count > 1 && Int(parts[parts.count - 1]) != nil
    let stem = isNumbered ? parts.dropLast().joined(separator: ":") : id
    var number = isNumbered ? Int(parts[parts.count - 1]) ?? 1 : 1
    var free = id
    repeat {
      number += 1
      free = "\(stem):\(number)"
    } while try isTaken(free)
    return free
  }
}
