import Clinical
import Interchange
import Store

/// One import under way: keeps rows in the practice file, and remembers what it needs until the last of them is read.
final class ImportKeeper {
  /// A row that was read, and what it is without a record on file that it could change.
  struct Row {
    var record: ImportRecord
    let location: SourceLocation
    let raw: RawRow
    let stated: StatedFields
    /// Where its file says so.
    let source: String?
    var otherwise: ImportReject?

    /// What could not be read of it, in the form of rejects.
    fileprivate func losses(isNew: Bool) -> [ImportReject] {
      raw.losses.filter { isNew || !$0.isOnlyOfNew }.map {
        ImportReject(at: location, field: $0.field, value: $0.value, reason: $0.reason, hint: $0.hint, raw: raw)
      }
    }
  }

  /// What became of a batch.
  struct Batch {
    var rejects: [ImportReject] = []
    /// Of each row that is on file without some of its fields, what it lost.
    var losses: [[ImportReject]] = []
    var messages: [String] = []
  }

  private let practice: Practice
  private let options: ImportOptions
  private let paths: [String]
  private let now: Timestamp
  private(set) var counts: [String: ImportSummary.Counts] = [:]
  /// Of a dry run, which shows them.
  private(set) var changes: [ImportChange] = []
  /// The journal's entry; nil while nothing was changed.
  private(set) var importID: Int64?
  /// Notes without ids of their own that a row of this import has spoken of.
  private var spokenOf: Set<Int64> = []
  /// Rows without ids of which only the end of the files can tell which note they mean.
  private var held: [Row] = []
  private var connection: Connection { practice.connection }

  init(_ practice: Practice, _ options: ImportOptions, paths: [String], now: Timestamp) {
    self.practice = practice
    self.options = options
    self.paths = paths
    self.now = now
  }

  /// Writes a batch. Call it within a transaction.
  func keep(_ rows: [Row], isLast: Bool) throws -> Batch {
    var batch = Batch()
    guard !rows.isEmpty || !held.isEmpty else { return batch }
    let first = try connection.sources.id(named: sourceName(rows.first ?? held.first))
    let entry =
      try importID
      ?? connection.imports.begin(source: first, at: now, actor: Practice.userName, paths: paths)
    var contexts: [String: ImportContext] = [:]
    func context(_ row: Row) throws -> ImportContext {
      let name = sourceName(row)
      if let known = contexts[name] { return known }
      let context = ImportContext(
        importID: entry, source: try connection.sources.id(named: name), at: now, actor: Practice.userName,
        clearsEmpty: options.clearsEmpty)
      contexts[name] = context
      return context
    }
    for row in rows { try attempt(row, &batch) { try keep(row, try context(row), &$0) } }
    if isLast { try settleHeld(context, &batch) }
    if importID != nil || counts.values.contains(where: { $0.inserted + $0.updated + $0.moved > 0 }) {
      importID = entry
      try connection.imports.count(entry, counts: counts.mapValues(\.changed), rejected: 0)
    } else {
      try connection.imports.discard(entry)
    }
    return batch
  }

  /// A corrected reject belongs to the source that it was rejected from, unless another is given.
  private func sourceName(_ row: Row?) -> String { options.source ?? row?.source ?? ImportOptions.defaultSource }

  /// Closes the journal's entry. Call it within a transaction.
  func finish(rejected: Int) throws {
    guard let importID else { return }
    try connection.imports.count(
      importID, counts: counts.mapValues(\.changed), rejected: rejected, finishedAt: now)
    let details = AuditDetails(counts: counts.mapValues(\.changed), rejected: rejected)
    try practice.audit("import", subject: "import \(importID)", details, at: now)
  }

  private struct AuditDetails: Encodable {
    let counts: [String: [String: Int]]
    let rejected: Int
  }

  private func attempt(_ row: Row, _ batch: inout Batch, _ work: (inout Batch) throws -> Void) throws {
    do {
      try work(&batch)
    } catch let problem as RecordProblem {
      batch.rejects.append(
        ImportReject(
          at: row.location, field: problem.field, value: problem.value, reason: problem.reason, hint: problem.hint,
          raw: row.raw))
    }
  }

  // MARK: Rows

  private func keep(_ row: Row, _ context: ImportContext, _ batch: inout Batch) throws {
    if let reject = row.otherwise, try !isOnFile(row.record, context.source) {
      batch.rejects.append(reject)
      return
    }
    let row = try settingPatient(of: row, source: context.source)
    if case .calendarEntry(let entry) = row.record, let own = try practice.ownAppointment(uid: entry.uid) {
      try practice.refuseOtherwise(own, entry)
      counts[row.record.kind.rawValue, default: .init()].unchanged += 1
      return
    }
    if case .note(let note, _) = row.record, !row.stated.given.contains("id") {
      guard let known = try connection.notes.row(id: note.id, source: context.source) else {
        let twins = try standingTwins(of: note, context.source)
        if twins.isEmpty { try write(row, context, &batch) } else { held.append(row) }
        return
      }
      guard let stored = try connection.notes.note(row: known)?.value, stored.text == note.text else {
        held.append(row)
        return
      }
    }
    try write(row, context, &batch)
  }

  /// Whether there is a record that a row could change.
  private func isOnFile(_ record: ImportRecord, _ source: Int64) throws -> Bool {
    try connection.imports.isOnFile(record.table, id: record.id, source: source)
  }

  private func settingPatient(of row: Row, source: Int64) throws -> Row {
    var row = row
    switch row.record {
    case .note(var note, let reference):
      if row.otherwise == nil || row.stated.given.contains("patient_id") {
        note.patientID = try practice.patientID(reference, source: source)
      }
      row.record = .note(note, of: .id(note.patientID))
    case .intake(var intake, let reference):
      intake.patientID = try reference.map { try practice.patientID($0, source: source) }
      row.record = .intake(intake, of: intake.patientID.map(PatientReference.id))
    case .appointment(var appointment, let reference):
      appointment.patientID = try reference.map { try practice.patientID($0, source: source) }
      row.record = .appointment(appointment, of: appointment.patientID.map(PatientReference.id))
    case .client, .patient, .staff, .resource, .calendarEntry: break
    }
    return row
  }

  private func write(_ row: Row, _ context: ImportContext, _ batch: inout Batch) throws {
    let kept = try practice.knowing(row.record) {
      try refusingDamage(of: row) { try connection.imports.keep(row.record.value, stated: row.stated, context) }
    }
    note(kept, of: row, &batch)
  }

  /// Says of a row that would go over damage in part that its record has to be looked at first.
  private func refusingDamage(of row: Row, _ work: () throws -> KeptRecord) throws -> KeptRecord {
    do {
      return try work()
    } catch let error as StoreError where error.code == .alteredRecord {
      throw RecordProblem(
        field: "id", value: row.record.id, reason: "names a record that is not as it was written",
        hint: "see vetnet doctor; a row with all of its fields, as it was imported before, puts it back")
    }
  }

  /// Counts what became of a row, and says what a person should hear of.
  private func note(_ kept: KeptRecord, of row: Row, _ batch: inout Batch) {
    let kind = row.record.kind.rawValue
    switch kept.outcome {
    case .inserted: counts[kind, default: .init()].inserted += 1
    case .updated: counts[kind, default: .init()].updated += 1
    case .unchanged: counts[kind, default: .init()].unchanged += 1
    case .moved:
      counts[kind, default: .init()].moved += 1
      let ends = kept.changes.first { $0.field == "patient_id" }
      batch.messages.append(
        "\(row.location): note '\(row.record.id)' \(options.isDryRun ? "would be" : "was") moved from patient "
          + "\(ImportChange.words(ends?.old ?? .none)) to \(ImportChange.words(ends?.new ?? .none))")
    }
    if case .note = row.record, !row.stated.given.contains("id") { spokenOf.insert(kept.rowID) }
    let losses = row.losses(isNew: kept.outcome == .inserted)
    if !losses.isEmpty { batch.losses.append(losses) }
    guard options.isDryRun else { return }
    for change in kept.changes {
      changes.append(ImportChange(kind: kind, id: row.record.id, change, zone: practice.timeZone))
    }
  }

  // MARK: Notes without ids

  /// Notes without ids of their own that say the same as a row, and that no row has spoken of.
  private func standingTwins(of note: ClinicalNote, _ source: Int64) throws -> [StoredNote] {
    try connection.notes.twins(of: note, source: source).filter {
      try !spokenOf.contains($0.rowID) && connection.notes.hasDerivedID(row: $0.rowID)
    }
  }

  /// Says of the rows that were held back which notes they mean: the same text of the same patient; the same text that was
  /// filed under another patient, and that no row of this import leaves there; else the note of that number, corrected.
  private func settleHeld(_ context: (Row) throws -> ImportContext, _ batch: inout Batch) throws {
    var rows = held
    held = []
    rows = try rows.filter { row in
      let context = try context(row)
      guard case .note(var note, let reference) = row.record,
        let twin = try standingTwins(of: note, context.source).first(where: { $0.value.patientID == note.patientID }),
        let id = try connection.notes.externalID(row: twin.rowID)
      else { return true }
      note.id = id
      var row = row
      row.record = .note(note, of: reference)
      try attempt(row, &batch) { try write(row, context, &$0) }
      return false
    }
    rows = try rows.filter { row in
      let context = try context(row)
      guard case .note(let note, let reference) = row.record else { return true }
      let twins = try standingTwins(of: note, context.source)
      guard twins.count == 1, let twin = twins.first else { return true }
      var row = row
      row.record = .note(try withFreeID(note, context.source), of: reference)
      let moved = try withFreeID(note, context.source)
      try attempt(row, &batch) { batch in
        let kept = try refusingDamage(of: row) {
          try connection.imports.moveNote(row: twin.rowID, to: moved, stated: row.stated, context)
        }
        self.note(kept, of: row, &batch)
      }
      return false
    }
    for row in rows {
      let context = try context(row)
      guard case .note(var note, let reference) = row.record else { continue }
      if let known = try connection.notes.row(id: note.id, source: context.source), spokenOf.contains(known) {
        note = try withFreeID(note, context.source)
      }
      var row = row
      row.record = .note(note, of: reference)
      try attempt(row, &batch) { try write(row, context, &$0) }
    }
  }

  /// The note with the next number that no note has.
  private func withFreeID(_ note: ClinicalNote, _ source: Int64) throws -> ClinicalNote {
    var note = note
    let parts = note.id.split(separator: ":", omittingEmptySubsequences: false)
    let isNumbered = parts.count > 1 && Int(parts[parts.count - 1]) != nil
    let stem = isNumbered ? parts.dropLast().joined(separator: ":") : note.id
    var number = isNumbered ? Int(parts[parts.count - 1]) ?? 1 : 1
    while try connection.notes.row(id: note.id, source: source) != nil {
      number += 1
      note.id = "\(stem):\(number)"
    }
    return note
  }
}

extension ImportRecord {
  /// The record itself.
  fileprivate var value: any ImportedRecord {
    switch self {
    case .client(let client): client
    case .patient(let patient): patient
    case .staff(let member): member
    case .resource(let resource): resource
    case .note(let note, _): note
    case .intake(let intake, _): intake
    case .appointment(let appointment, _): appointment
    case .calendarEntry(let entry): entry.appointment
    }
  }

  fileprivate var table: RecordTable {
    switch kind {
    case .clients: .client
    case .patients: .patient
    case .staff: .staff
    case .resources: .resource
    case .notes: .note
    case .intakes: .intake
    case .appointments: .appointment
    }
  }
}

/// Why a row that reads well can't be kept.
struct RecordProblem: Error {
  let field: String
  let value: String?
  let reason: String
  let hint: String

  static func unknown(_ field: String, _ value: String) -> Self {
    // The value may be a name, which messages must not hold.
    Self(
      field: field, value: nil, reason: "names no patient on file", hint: "import the patient first, or give patient_id"
    )
  }

  static func ambiguous(_ field: String, _ ids: [String]) -> Self {
    Self(
      field: field, value: nil, reason: "fits \(ids.count) patients: \(ids.prefix(5).joined(separator: ", "))",
      hint: "give patient_id")
  }
}
