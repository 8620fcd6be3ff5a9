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
    let reader = try reader(paths, options)
    let rejects = RejectsWriter(path: options.rejectsPath ?? unusedRejectsPath(now))
    var summary = ImportSummary()
    summary.isDryRun = options.isDryRun
    func reject(_ reject: ImportReject) throws {
      summary.rejected += 1
      message("\(reject)")
      if !options.isDryRun { try rejects.write(reject) }
    }
    func read() throws {
      var isDone = false
      while !isDone {
        // A transaction is opened only around records that are already read: reading from a slow pipe must not hold the lock.
        try continueUnlessStopped()
        var batch: [(record: ImportRecord, location: SourceLocation, raw: [UInt8])] = []
        while batch.count < Self.batchSize, !isDone {
          switch try reader.next() {
          case .record(let record, let location, let raw): batch.append((record, location, raw))
          case .reject(let row): try reject(row)
          case .problem(let problem):
            message("\(problem)")
            if problem.isFailure { summary.rejected += 1 }
          case nil: isDone = true
          }
        }
        let rejected = try self.keep(batch, options, &summary)
        for row in rejected { try reject(row) }
        let state = reader.progress
        progress(
          Progress(done: Int(state.overallBytesRead), total: Int(state.overallTotalBytes ?? 0), detail: state.file))
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

  private func reader(_ paths: [String], _ options: ImportOptions) throws -> ImportReader {
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
    let vocabulary = try models.importVocabulary()
    return try reportingFiles {
      try ImportReader(
        paths, kind: kind,
        options: Interchange.ImportOptions(timeZone: timeZone, dateOrder: order, vocabulary: vocabulary))
    }
  }

  /// Writes one batch in one transaction; returns the rows whose references lead nowhere.
  private func keep(
    _ batch: [(record: ImportRecord, location: SourceLocation, raw: [UInt8])], _ options: ImportOptions,
    _ summary: inout ImportSummary
  ) throws -> [ImportReject] {
    guard !batch.isEmpty else { return [] }
    var counts = summary.records
    var rejected: [ImportReject] = []
    let work = {
      let source = try self.connection.sources.id(named: options.source)
      for row in batch {
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
