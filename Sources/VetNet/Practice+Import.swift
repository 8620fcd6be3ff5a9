public import Clinical
import FoundationEssentials
import Interchange
import Store

extension Practice {
  /// Rows written in one transaction: large enough to be fast, small enough that a kill loses little and others get
  /// their turn.
  private static let batchSize = 500

  /// Reads files and keeps what is valid in them; see ``ImportOptions``.
  ///
  /// Rows go in batches, each in one transaction, so a killed import leaves whole records only and can be run again. A
  /// second import of the same thing changes nothing.
  ///
  /// - Parameters:
  ///   - paths: files, folders, or `-`.
  ///   - options: source, kind, dates, where rejects go.
  ///   - now: the present moment, for jobs and audit.
  ///   - progress: called often; bytes read of bytes there, then notes indexed.
  ///   - message: called with a line for each rejected row and each problem with a file.
  /// - Returns: what was new, changed, unchanged and rejected.
  /// - Throws: ``PracticeError`` when a path can't be read at all or the practice file can't be written. A row that can't be
  ///   used is not an error: it is counted, told and kept in the rejects file.
  public func importFiles(
    _ paths: [String], options: ImportOptions, now: Timestamp, progress: (Progress) -> Void,
    message: (String) -> Void
  ) throws -> ImportSummary {
    let reader = try reader(paths, options, now: now)
    let rejects = RejectsWriter(
      path: options.rejectsPath ?? unusedRejectsPath(now), source: options.source ?? ImportOptions.defaultSource)
    var summary = ImportSummary()
    summary.isDryRun = options.isDryRun
    var groups = RejectGroups()
    func reject(_ reject: ImportReject) throws {
      summary.rejected += 1
      groups.add(reject, isKept: false)
      if !options.isDryRun { try rejects.write(reject) }
    }
    func lose(_ losses: [ImportReject]) throws {
      guard let first = losses.first else { return }
      summary.incomplete += 1
      for loss in losses { groups.add(loss, isKept: true) }
      if !options.isDryRun { try rejects.write(first, isKept: true) }
    }
    func read() throws {
      var isDone = false
      while !isDone {
        // A transaction is opened only around records that are already read: reading from a slow pipe must not hold the lock.
        try continueUnlessStopped()
        var batch: [ReadRow] = []
        while batch.count < Self.batchSize, !isDone {
          switch try reader.next() {
          case .record(let record, let location, let raw):
            batch.append(ReadRow(record: record, location: location, raw: raw, source: reader.sourceName))
          case .reject(let row): try reject(row)
          case .problem(let problem):
            message("\(problem)")
            if problem.isFailure { summary.refusedFiles += 1 }
          case nil: isDone = true
          }
        }
        let rejected = try self.keep(batch, options, &summary)
        for row in rejected { try reject(row) }
        let refused = Set(rejected.map(\.location))
        for row in batch where !refused.contains(row.location) { try lose(row.losses) }
        let state = reader.progress
        progress(
          Progress(
            done: Int(state.overallBytesRead), total: Int(state.overallTotalBytes ?? 0), detail: state.file,
            isBytes: true))
      }
    }
    try sayingWhatStands(rejects, { summary }) {
      if options.isDryRun {
        // Everything is done as it would be, then undone, all in one transaction because later rows refer to earlier ones.
        do {
          try writing {
            try read()
            throw DryRunIsOver()
          }
        } catch is DryRunIsOver {}
      } else {
        try read()
      }
      try rejects.finish()
    }
    if rejects.count > 0 { summary.rejectsFile = rejects.path }
    summary.reasons = groups.all
    for (encoding, count) in reader.encodings { summary.encodings[encoding.rawValue] = count }
    for line in groups.all.flatMap(\.messages) { message(line) }
    guard !options.isDryRun else { return summary }
    do {
      try reporting { _ = try connection.appointments.retryConflicts() }
      try keepDurations(at: now)
      summary.conflicts = try reporting { try connection.appointments.conflicts().count }
      if options.indexes {
        let indexed = try indexNewNotes(now: now, progress: progress)
        summary.indexedNotes = indexed.indexed
        summary.failedToIndex = indexed.failures.count
      }
    } catch let error as PracticeError {
      throw error.adding(
        "all \(summary.standingRows) rows of the import stand, but not all notes are indexed",
        hint: "Run vetnet reindex for the rest.")
    }
    return summary
  }

  /// Beside the practice file, and never one that an earlier import left: rejected rows wait there to be mended.
  private func unusedRejectsPath(_ now: Timestamp) -> String {
    let local = timeZone.local(now)
    let stem = "\(path).\(local.date)"
    var candidate = "\(stem).rejects.jsonl"
    var number = 2
    while FileManager.default.fileExists(atPath: candidate) {
      candidate = "\(stem)-\(number).rejects.jsonl"
      number += 1
    }
    return candidate
  }

  private func reader(_ paths: [String], _ options: ImportOptions, now: Timestamp) throws -> ImportReader {
    var kind: ImportKind?
    if let word = options.kind {
      guard let known = ImportKind(rawValue: word) ?? ImportKind(rawValue: word + "s") else {
        throw PracticeError(
          .invalidArgument, "--kind '\(word)' is not known",
          hint: "There are \(ImportKind.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      kind = known
    }
    var order: DateOrder?
    if let word = options.dateOrder {
      guard let known = DateOrder(rawValue: word) else {
        throw PracticeError(.invalidArgument, "--date-order '\(word)' is not known", hint: "Write dmy or mdy.")
      }
      order = known
    }
    var encoding: TextEncoding?
    if let word = options.encoding {
      guard let known = TextEncoding(named: word) else {
        throw PracticeError(
          .invalidArgument, "--encoding '\(word)' is not known",
          hint: "There are utf-8, utf-16, utf-16le, utf-16be, windows-1252 and iso-8859-15.")
      }
      encoding = known
    }
    let vocabulary = try models.importVocabulary()
    return try reportingFiles {
      try ImportReader(
        paths, kind: kind,
        options: Interchange.ImportOptions(
          timeZone: timeZone, dateOrder: order, encoding: encoding,
          today: options.refusesFuture ? timeZone.date(of: now) : nil, vocabulary: vocabulary))
    }
  }

  /// Writes one batch in one transaction; returns the rows whose references lead nowhere.
  private func keep(
    _ batch: [ReadRow], _ options: ImportOptions,
    _ summary: inout ImportSummary
  ) throws -> [ImportReject] {
    guard !batch.isEmpty else { return [] }
    var counts = summary.records
    var rejected: [ImportReject] = []
    let work = {
      var sources: [String: Int64] = [:]
      for row in batch {
        // A corrected reject belongs to the source that it was rejected from, unless another is given.
        let name = options.source ?? row.source ?? ImportOptions.defaultSource
        let source = try sources[name] ?? self.connection.sources.id(named: name)
        sources[name] = source
        do {
          let outcome = try self.keep(row.record, source: source)
          switch outcome {
          case .inserted: counts[row.record.kind.rawValue, default: .init()].inserted += 1
          case .updated: counts[row.record.kind.rawValue, default: .init()].updated += 1
          case .unchanged: counts[row.record.kind.rawValue, default: .init()].unchanged += 1
          }
        } catch let problem as RecordProblem {
          rejected.append(
            ImportReject(
              at: row.location, field: problem.field, value: problem.value, reason: problem.reason, hint: problem.hint,
              raw: row.raw))
        }
      }
    }
    // A dry run is one transaction around all batches.
    if options.isDryRun { try work() } else { try writing(work) }
    summary.records = counts
    return rejected
  }

  /// A row between being read and being kept.
  private struct ReadRow {
    let record: ImportRecord
    let location: SourceLocation
    let raw: RawRow
    /// Where its file says so.
    let source: String?

    /// What could not be read of it, in the form of rejects.
    var losses: [ImportReject] {
      raw.losses.map {
        ImportReject(at: location, field: $0.field, value: $0.value, reason: $0.reason, hint: $0.hint, raw: raw)
      }
    }
  }

  private struct DryRunIsOver: Error {}

  private func keep(_ record: ImportRecord, source: Int64) throws -> Upserted.Outcome {
    switch record {
    case .client(let client): return try connection.clients.upsert(client, source: source).outcome
    case .patient(let patient):
      return try knowing("owner_id", patient.ownerID) {
        try connection.patients.upsert(patient, source: source).outcome
      }
    case .staff(let member): return try connection.staff.upsert(member, source: source).outcome
    case .resource(let resource): return try connection.resources.upsert(resource, source: source).outcome
    case .note(var note, let reference):
      note.patientID = try patientID(reference, source: source)
      return try connection.notes.upsert(note, source: source).outcome
    case .intake(var intake, let reference):
      intake.patientID = try reference.map { try patientID($0, source: source) }
      return try connection.intakes.upsert(intake, source: source).outcome
    case .calendarEntry(let entry): return try keep(entry, source: source)
    case .appointment(var appointment, let reference):
      appointment.patientID = try reference.map { try patientID($0, source: source) }
      return try knowing("clinician_id or resource_ids", appointment.clinicianID) {
        try connection.appointments.upsert(appointment, source: source).outcome
      }
    }
  }

  /// An event of a calendar: of this file's own, what was exported; of another's, an appointment of that source.
  private func keep(_ entry: CalendarEntry, source: Int64) throws -> Upserted.Outcome {
    if let row = try ownAppointment(uid: entry.uid) {
      guard try wasChanged(row, in: entry) else { return .unchanged }
      throw RecordProblem(
        field: "UID", value: nil, reason: "is an appointment of this practice that stands otherwise by now",
        hint: "change it with vetnet schedule move or cancel; VetNet's own book is not overwritten by a copy of it")
    }
    return try knowing("X-VETNET-PATIENT, X-VETNET-CLINICIAN or X-VETNET-RESOURCE", nil) {
      try connection.appointments.upsert(entry.appointment, source: source).outcome
    }
  }

  /// The id of the one patient that a row means.
  private func patientID(_ reference: PatientReference, source: Int64) throws -> String {
    switch reference {
    case .id(let id):
      return try knowing("patient_id", id) {
        guard let row = try connection.recordIDs.row(.patient, id, preferring: source),
          let shown = try connection.recordIDs.shown(.patient, row)
        else { throw StoreError(.unknownRecord, context: "patient") }
        return shown
      }
    case .nameOrID(let text):
      let found = try connection.patients.matching(text)
      guard let patient = found.first else { throw RecordProblem.unknown("patient", text) }
      guard found.count == 1 else { throw RecordProblem.ambiguous("patient", found.map(\.value.id)) }
      return patient.value.id
    }
  }

  /// Says a reference that leads nowhere as a problem of the row's field.
  private func knowing<Value>(_ field: String, _ value: String?, _ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as StoreError where error.code == .unknownRecord {
      throw RecordProblem(
        field: field, value: value, reason: "names nobody on file",
        hint: "import what it refers to first, or correct the id")
    } catch let error as StoreError where error.code == .ambiguousID {
      throw RecordProblem(
        field: field, value: value, reason: "fits records of several sources", hint: "write it as source:id")
    }
  }

  /// Runs `work` and has its errors say how much of the import is in the file: whole batches, each committed.
  private func sayingWhatStands(
    _ rejects: RejectsWriter, _ summary: () -> ImportSummary, _ work: () throws -> Void
  ) throws {
    do {
      try reportingFiles { try reporting(work) }
    } catch let error as PracticeError {
      guard !summary().isDryRun else { throw error.adding("nothing was changed, as it was a dry run") }
      var words = summary().standing
      if rejects.count > 0, (try? rejects.finish()) != nil {
        words += "; \(rejects.count) rows rejected so far are in \(rejects.path)"
      }
      var hint = "Then run the same import again: what stands is recognised."
      if let first = error.hint { hint = "\(first) \(hint)" }
      if case .stopped = error.code { hint = "Run the same import again for the rest: what stands is recognised." }
      throw error.adding(words, hint: hint)
    }
  }

  private func reportingFiles<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as InterchangeError {
      throw PracticeError(.failed, error.description)
    }
  }
}

/// Why a row that reads well can't be kept.
private struct RecordProblem: Error {
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
