package import Clinical
import FoundationEssentials
import Interchange
import Store

extension Practice.Exchange {
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
  package func importFiles(
    _ paths: [String], options: ImportOptions, now: Timestamp, progress: (Progress) -> Void,
    message: (String) -> Void
  ) throws -> ImportSummary {
    let reader = try reader(paths, options, now: now)
    let rejects = RejectsWriter(
      path: options.rejectsPath ?? unusedRejectsPath(now), source: options.source ?? ImportOptions.defaultSource)
    let keeper = ImportKeeper(practice, options, paths: paths, now: now)
    var summary = ImportSummary()
    summary.isDryRun = options.isDryRun
    var groups = RejectGroups()
    func reject(_ reject: ImportReject) throws {
      summary.rejected += 1
      groups.add(reject, isKept: false)
      if !options.isDryRun, options.calendar == nil { try rejects.write(reject) }
    }
    func lose(_ losses: [ImportReject]) throws {
      guard let first = losses.first else { return }
      summary.incomplete += 1
      for loss in losses { groups.add(loss, isKept: true) }
      if !options.isDryRun, options.calendar == nil { try rejects.write(first, isKept: true) }
    }
    func read() throws {
      var isDone = false
      while !isDone {
        // A transaction is opened only around records that are already read: reading from a slow pipe must not hold the lock.
        try continueUnlessStopped()
        var batch: [ImportKeeper.Row] = []
        while batch.count < Self.batchSize, !isDone {
          switch try reader.next() {
          case .record(let record, let location, let raw, let stated):
            batch.append(
              ImportKeeper.Row(
                record: record, location: location, raw: raw, stated: stated, source: reader.sourceName))
          case .amendment(let record, let raw, let stated, let otherwise):
            batch.append(
              ImportKeeper.Row(
                record: record, location: otherwise.location, raw: raw, stated: stated, source: reader.sourceName,
                otherwise: otherwise))
          case .reject(let row):
            try reject(row)
            if row.raw.origin?.format == .calendar { try keeper.miss(row.location.file) }
          case .problem(let problem):
            message("\(problem)")
            if problem.isFailure { summary.refusedFiles += 1 }
            if options.calendar != nil { try keeper.miss(problem.file) }
          case nil: isDone = true
          }
        }
        // A dry run is one transaction around all batches.
        let kept =
          try options.isDryRun ? keeper.keep(batch, isLast: isDone) : writing { try keeper.keep(batch, isLast: isDone) }
        summary.records = keeper.counts
        for line in kept.messages { message(line) }
        for row in kept.rejects { try reject(row) }
        for row in kept.erased {
          // A calendar goes on having what was erased here; that is not for its people to mend.
          if options.calendar == nil { summary.rejected += 1 }
          groups.add(row, isKept: false)
        }
        for row in kept.losses { try lose(row) }
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
    summary.changes = keeper.changes
    summary.calendar = keeper.calendarTotals
    if rejects.count > 0 { summary.rejectsFile = rejects.path }
    summary.reasons = groups.all
    for (encoding, count) in reader.encodings { summary.encodings[encoding.rawValue] = count }
    for line in groups.all.flatMap(\.messages) { message(line) }
    guard !options.isDryRun else { return summary }
    summary.importID = keeper.importID.map { Int($0) }
    do {
      try writing { try keeper.finish(rejected: summary.rejected) }
      try reporting { _ = try connection.appointments.retryConflicts() }
      try practice.assessment.keepDurations(at: now)
      summary.conflicts = try reporting { try connection.appointments.conflicts().count }
      if options.indexes {
        let indexed = try practice.index.indexNewNotes(now: now, progress: progress)
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
    var reading = Interchange.ImportOptions(
      timeZone: timeZone, dateOrder: order, encoding: encoding,
      today: options.refusesFuture ? timeZone.date(of: now) : nil,
      weights: try models.plausibility().possible("weight"), vocabulary: vocabulary)
    reading.usualDateOrder = practice.settings.dateOrder
    reading.calendarWindow = try calendarWindow(now: now)
    if let path = options.mapping {
      let mapping = try importMapping(path)
      return try reportingFiles { try ImportReader(paths, mapping: mapping, options: reading) }
    }
    return try reportingFiles { try ImportReader(paths, kind: kind, options: reading) }
  }

  private struct DryRunIsOver: Error {}

  /// Refuses an event of this file's own calendar that says something else than the book.
  func refuseOtherwise(_ row: Int64, _ entry: CalendarEntry) throws {
    guard try wasChanged(row, in: entry) else { return }
    throw RecordProblem(
      field: "UID", value: nil, reason: "is an appointment of this practice that stands otherwise by now",
      hint: "change it with vetnet schedule move or cancel; VetNet's own book is not overwritten by a copy of it")
  }

  /// The id of the one patient that a row means.
  func patientID(_ reference: PatientReference, source: Int64) throws -> String {
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
    case .both(let id, let name):
      let known = try patientID(.id(id), source: source)
      try refuseOtherName(name, than: known)
      return known
    }
  }

  /// Refuses a row that gives an animal's id and another animal's name: one of the two is wrong, and nobody can say which. A
  /// species is no name, and a name may have its owner's beside it.
  private func refuseOtherName(_ name: String, than id: String) throws {
    let words = Set(name.nameWords)
    guard Species(field: name) == nil, name != id, !words.isEmpty,
      let patient = try connection.patients.patients(id: id).first?.value,
      words.isDisjoint(with: patient.name.nameWords), !name.isSameName(as: patient.name)
    else { return }
    throw RecordProblem(
      field: "patient", value: nil, reason: "is not the name of the patient whose id the row gives",
      hint: "correct the id or the name, or leave the name out")
  }

  /// Says a reference of a record that leads nowhere as a problem of its row.
  func knowing<Value>(_ record: ImportRecord, _ work: () throws -> Value) throws -> Value {
    switch record {
    case .patient(let patient): try knowing("owner_id", patient.ownerID, work)
    case .appointment(let appointment, _): try knowing("clinician_id or resource_ids", appointment.clinicianID, work)
    case .calendarEntry: try knowing("X-VETNET-PATIENT, X-VETNET-CLINICIAN or X-VETNET-RESOURCE", nil, work)
    case .staff(let member):
      try knowing("working_hours.location_id", member.workingHours.lazy.compactMap(\.locationID).first, work)
    case .resource(let resource): try knowing("location_id", resource.locationID, work)
    case .client, .location, .note, .intake: try work()
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
