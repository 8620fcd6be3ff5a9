import Clinical
import Interchange
import Store

/// One import under way: keeps rows in the practice file, and remembers what it needs until the last of them is read.
final class ImportKeeper {
  /// A row that was read, and what it is without a record on file that it could change.
  struct Row {
    var record: ImportRecord
    let location: SourceLocation
    var raw: RawRow
    var stated: StatedFields
    /// Where its file says so.
    let source: String?
    var otherwise: ImportReject?

    /// What could not be read of it, in the form of rejects.
    fileprivate func losses(isNew: Bool) -> [ImportReject] {
      raw.losses.filter { isNew || !$0.isOnlyOfNew }.map {
        ImportReject(at: location, field: $0.field, value: $0.value, reason: $0.reason, hint: $0.hint, raw: raw)
      }
    }

    /// Leaves a field out that can be read and can't be kept.
    mutating func lose(_ field: String, value: String? = nil, _ reason: String, hint: String) {
      stated.given.remove(field)
      raw.losses.append(FieldLoss(field: field, value: value, reason: reason, hint: hint))
    }
  }

  /// What became of a batch.
  struct Batch {
    var rejects: [ImportReject] = []
    /// Of what was erased: told, and kept nowhere.
    var erased: [ImportReject] = []
    /// Of each row that is on file without some of its fields, what it lost.
    var losses: [[ImportReject]] = []
    var messages: [String] = []
  }

  let practice: Practice
  private let options: ImportOptions
  private let paths: [String]
  private let now: Timestamp
  private(set) var counts: [String: ImportSummary.Counts] = [:]
  /// Of a dry run, which shows them.
  private(set) var changes: [ImportChange] = []
  /// The journal's entry; nil while nothing was changed.
  private(set) var importID: Int64?
  /// Ids that rows of this import state, each in its file.
  private var stated: Set<Int> = []
  /// Notes, and intakes, without ids of their own that a row of this import has spoken of.
  var notesSpokenOf: Set<Int64> = []
  var intakesSpokenOf: Set<Int64> = []
  /// The last note that was there before this import.
  var lastNote: Int64?
  /// Rows without ids of which only the end of the files can tell which note they mean.
  var held: [Row] = []
  /// Limits of new appointments that wait for another one, which may stand further down.
  private var waiting: [(row: Row, rowID: Int64)] = []
  /// Messages of nobody on file, which wait in the inbox.
  private var messages: [(intake: Intake, row: Int64, source: String)] = []
  var remarks = ImportRemarks()
  let files = FilePaths()
  /// Nil until there is an event of another program's calendar.
  private var events: EventKeeper?
  var connection: Connection { practice.connection }

  init(_ practice: Practice, _ options: ImportOptions, paths: [String], now: Timestamp) {
    self.practice = practice
    self.options = options
    self.paths = paths
    self.now = now
  }

  /// Writes a batch. Call it within a transaction.
  func keep(_ rows: [Row], isLast: Bool) throws -> Batch {
    var batch = Batch()
    guard !rows.isEmpty || !held.isEmpty || !waiting.isEmpty || (isLast && (events != nil || !messages.isEmpty)) else {
      if isLast { batch.messages += remarks.lines(isDryRun: options.isDryRun) }
      return batch
    }
    if lastNote == nil { lastNote = try connection.notes.lastRow() }
    let first = try connection.sources.id(named: sourceName(rows.first ?? held.first ?? waiting.first?.row))
    let entry =
      try importID
      ?? connection.imports.begin(source: first, at: now, actor: practice.actorName, paths: paths)
    var contexts: [String: ImportContext] = [:]
    func context(_ row: Row) throws -> ImportContext {
      let name = sourceName(row)
      if let known = contexts[name] { return known }
      let context = ImportContext(
        importID: entry, source: try connection.sources.id(named: name), at: now, actor: practice.actorName,
        clearsEmpty: options.clearsEmpty)
      contexts[name] = context
      return context
    }
    for row in rows { try attempt(row, &batch) { try keep(row, try context(row), &$0) } }
    if isLast {
      try settleHeld(context, &batch)
      for (row, rowID) in waiting { try setLimits(of: row, rowID, &batch) }
      waiting = []
      try events?.finish(now: now)
      try practice.inbox.receive(
        try messages.map { try practice.inbox.waiting($0.intake, from: $0.source, now: now) }, now: now)
      messages = []
      batch.messages += remarks.lines(isDryRun: options.isDryRun)
    }
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
  }

  func attempt(_ row: Row, _ batch: inout Batch, _ work: (inout Batch) throws -> Void) throws {
    do {
      try work(&batch)
    } catch let problem as RecordProblem {
      var raw = row.raw
      if problem.isOfErased {
        batch.erased.append(
          ImportReject(
            at: row.location, field: problem.field, value: problem.value, reason: problem.reason, hint: problem.hint,
            raw: RawRow([])))
        return
      }
      if problem.isTakenID { raw.takenID = row.record.id }
      batch.rejects.append(
        ImportReject(
          at: row.location, field: problem.field, value: problem.value, reason: problem.reason, hint: problem.hint,
          raw: raw))
    }
  }

  // MARK: Rows

  private func keep(_ row: Row, _ context: ImportContext, _ batch: inout Batch) throws {
    try refuseErased(row, context.source)
    if let reject = row.otherwise, try !isOnFile(row.record, context.source) {
      batch.rejects.append(reject)
      return
    }
    if case .patient(let patient) = row.record,
      try connection.merges.kept(id: patient.id, source: context.source) != nil
    {
      // It is part of another record, about which the row says nothing.
      counts[row.record.kind.rawValue, default: .init()].unchanged += 1
      return
    }
    if options.calendar != nil, !row.record.isEvent {
      throw RecordProblem(field: "", value: nil, reason: "is no event of a calendar", hint: "import the file by itself")
    }
    let row = try settingPatient(of: row, source: context.source)
    if case .calendarEntry(let entry) = row.record, let own = try practice.exchange.ownAppointment(uid: entry.uid) {
      try practice.exchange.refuseOtherwise(own, entry)
      counts[row.record.kind.rawValue, default: .init()].unchanged += 1
      return
    }
    if case .calendarEntry(let entry) = row.record, let foreign = entry.foreign {
      return try keepEvent(row, entry, foreign, context, source: sourceName(row), &batch)
    }
    let hasID = row.stated.given.contains("id") || row.raw.isOfKept
    switch row.record {
    case .note(let note, _) where !hasID: try keepWithoutID(row, note, context, &batch)
    case .intake(let intake, _) where !hasID: try keepWithoutID(row, intake, context, &batch)
    default: try write(row, context, &batch)
    }
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
        note.patientID = try practice.exchange.patientID(reference, source: source)
      }
      row.record = .note(note, of: .id(note.patientID))
    case .intake(var intake, let reference):
      intake.patientID = try reference.map { try practice.exchange.patientID($0, source: source) }
      row.record = .intake(intake, of: intake.patientID.map(PatientReference.id))
    case .appointment(var appointment, let reference):
      appointment.patientID = try reference.map { try practice.exchange.patientID($0, source: source) }
      row.record = .appointment(appointment, of: appointment.patientID.map(PatientReference.id))
    case .client, .patient, .location, .staff, .resource, .calendarEntry: break
    }
    return row
  }

  @discardableResult
  func write(_ row: Row, _ context: ImportContext, _ batch: inout Batch) throws -> KeptRecord {
    var row = row
    try refuseTakenID(of: row, context)
    try leaveOutDoubtful(&row, context)
    try refuseCutOff(row, context)
    let file = row.stated.given.contains("id") || row.raw.isOfKept ? nil : files.absolute(row.location.file)
    let kept = try practice.exchange.knowing(row.record) {
      try refusingDamage(of: row) {
        try connection.imports.keep(row.record.value, stated: row.stated, context, file: file)
      }
    }
    note(kept, of: row, &batch)
    if kept.outcome == .inserted { try bringAdditions(of: row, to: kept.rowID, context, &batch) }
    return kept
  }

  /// What other programs' calendars need, made when the first of their events is there.
  func eventKeeper() throws -> EventKeeper {
    if let events { return events }
    let source = try connection.calendars.sources().first { $0.name == options.calendar }
    let keeper = try EventKeeper(practice, calendar: source, window: practice.exchange.calendarWindow(now: now))
    events = keeper
    return keeper
  }

  /// What became of events; nil where there were none.
  var calendarTotals: CalendarTotals? { events?.totals }

  /// A row of a file could not be read.
  func miss(_ file: String) throws { try eventKeeper().miss(inFile: files.absolute(file)) }

  /// Keeps what a row says beside its record, which is new.
  private func bringAdditions(
    of row: Row, to rowID: Int64, _ context: ImportContext, _ batch: inout Batch
  ) throws {
    guard let additions = row.raw.additions else { return }
    for tag in additions.tags {
      guard let table = RecordTable(tagged: row.record) else { continue }
      try connection.tags.add(tag, to: table, row: rowID, importID: context.importID)
    }
    if let link = additions.calendar {
      try connection.calendars.keep(
        .init(appointment: rowID, calendar: link.name, series: link.series, isCase: link.isCase, goneAt: link.goneAt))
    }
    for step in additions.steps { try connection.visitSteps.append(step, to: rowID) }
    for former in additions.formerIDs {
      let isBrought = try connection.merges.bring(
        .init(
          id: former.id, source: options.source ?? former.source ?? ImportOptions.defaultSource, mergedAt: former.at,
          actor: former.actor, reason: former.reason), to: rowID)
      if !isBrought {
        batch.messages.append("\(row.location): an id that was merged away is another's here: it was left out")
      }
    }
    switch row.record {
    case .note:
      try connection.notes.bring(
        additions.versions.compactMap(NoteVersion.init), additions.retraction.map(NoteRetraction.init), to: rowID,
        source: context.source)
    case .intake(let intake, _):
      let patient = try intake.patientID.flatMap { try connection.recordIDs.row(.patient, $0) }
      for override in additions.overrides {
        try connection.assessments.insert(
          kind: Practice.Assessment.overrideKind, at: override.at, patient: patient, intake: rowID,
          modelVersions: override.models, result: override.labelledCase)
      }
    case .appointment where additions.limits?.afterID != nil: waiting.append((row, rowID))
    case .appointment: try setLimits(of: row, rowID, &batch)
    case .client, .patient, .location, .staff, .resource, .calendarEntry: break
    }
  }

  private func setLimits(of row: Row, _ rowID: Int64, _ batch: inout Batch) throws {
    guard let limits = row.raw.additions?.limits else { return }
    do {
      try connection.appointments.setOptions(limits, row: rowID)
    } catch is SlotTaken {
      batch.messages.append("\(row.location): the time on the road is taken: its limits were left out")
    } catch let error as StoreError where error.code == .unknownRecord || error.code == .ambiguousID {
      batch.messages.append(
        "\(row.location): limits.after_id or location_id names nothing on file: the limits were left out")
    }
  }

  /// Refuses a row whose id is another record's: another row of the same file has it and says something else, or the record on
  /// file agrees with the row in nothing that tells such records apart.
  private func refuseTakenID(of row: Row, _ context: ImportContext) throws {
    guard row.stated.given.contains("id"), !row.raw.isOfKept else { return }
    var hasher = Hasher()
    hasher.combine(row.location.file)
    hasher.combine(row.record.kind)
    hasher.combine(context.source)
    hasher.combine(row.record.id)
    let isRepeated = !stated.insert(hasher.finalize()).inserted
    let kind = row.record.kind.rawValue
    if isRepeated,
      try connection.imports.contradicts(row.record.value, stated: row.stated, source: context.source)
    {
      throw RecordProblem(
        field: "id", value: row.record.id, reason: "is the id of an earlier row of the file, which says something else",
        hint: "give the row an id of its own; a column that counts something else than \(kind) is none of their ids: "
          + "undo the import, name the column otherwise and import it again", isTakenID: true)
    }
    // An event's id is its own in all the world.
    if case .calendarEntry = row.record { return }
    if try connection.imports.isAnother(row.record.value, stated: row.stated, source: context.source) {
      throw RecordProblem(
        field: "id", value: row.record.id,
        reason: "is the id of another record on file, with which the row has nothing in common",
        hint: "of another practice or program? vetnet import undo, then import its files with --source NAME; "
          + "else give the row an id of its own", isTakenID: true)
    }
  }

  /// Refuses to shorten what is on file where a file breaks off.
  private func refuseCutOff(_ row: Row, _ context: ImportContext) throws {
    guard let last = row.raw.lastCell, row.stated.given.contains(last.field),
      let whole = try connection.imports.content(of: last.field, of: row.record.value, source: context.source),
      whole != last.text, whole.hasPrefix(last.text)
    else { return }
    throw RecordProblem.cutOff(last.field)
  }

  /// Says of a row that would go over damage in part that its record has to be looked at first.
  func refusingDamage(of row: Row, _ work: () throws -> KeptRecord) throws -> KeptRecord {
    do {
      return try work()
    } catch let error as StoreError where error.code == .alteredRecord {
      throw RecordProblem(
        field: "id", value: row.record.id, reason: "names a record that is not as it was written",
        hint: "see vetnet doctor; a row with all of its fields, as it was imported before, puts it back")
    }
  }

  /// Counts what became of a row, and says what a person should hear of.
  func note(_ kept: KeptRecord, of row: Row, _ batch: inout Batch) {
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
    if case .intake(let intake, _) = row.record, kept.outcome == .inserted, intake.patientID == nil,
      intake.receivedAt.map({ $0.adding(days: Practice.Inbox.daysOfMessages) > now }) ?? true
    {
      messages.append((intake, kept.rowID, sourceName(row)))
    }
    var row = row
    if !row.stated.given.contains("id") {
      if case .note = row.record { notesSpokenOf.insert(kept.rowID) }
      if case .intake = row.record { intakesSpokenOf.insert(kept.rowID) }
      // Under which a corrected row finds it.
      row.raw.id = row.record.id
    }
    let losses = row.losses(isNew: kept.outcome == .inserted)
    if !losses.isEmpty { batch.losses.append(losses) }
    guard options.isDryRun else { return }
    for change in kept.changes {
      changes.append(ImportChange(kind: kind, id: row.record.id, change, zone: practice.timeZone))
    }
  }
}
