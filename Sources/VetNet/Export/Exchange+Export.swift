import Clinical
import Interchange
import Store

extension Practice.Exchange {
  /// Writes records into a file or folder that is readable by its owner only, whole or not at all.
  ///
  /// All of it is one state of the practice file, whoever writes meanwhile.
  ///
  /// - Throws: ``PracticeError`` when the patient isn't one, something stands at the path that must not be replaced, or the system
  ///   fails to write: nothing is left behind then.
  func export(
    _ request: ExportRequest, now: Timestamp, progress: (Progress) -> Void, touched: (Patient) -> Void
  ) throws -> ExportSummary {
    try reading {
      let patient = try request.patient.map { try practice.records.stored(patient: $0) }
      if let patient { touched(patient.value) }
      let source = ExportSource(connection: connection, patient: patient, check: continueUnlessStopped)
      var summary = ExportSummary(request)
      try writingFiles {
        switch request.format {
        case .folder: try exportFolder(source, to: request.path, &summary, progress)
        case .fhir:
          let staged = try StagedOutput(for: request.path, isFolder: false)
          summary.records = try FHIRExport(practice, source, now: now)
            .write(to: OutputFile(path: staged.path), progress: progress)
          try staged.putInPlace()
        case .csv:
          summary.records = try TableExport(source: source, timeZone: timeZone).write(to: request.path)
        case .html:
          let staged = try StagedOutput(for: request.path, isFolder: false)
          let file = try OutputFile(path: staged.path)
          summary.records = ["patients": try writePage(source, to: file, now: now)]
          try staged.putInPlace()
        }
      }
      return summary
    }
  }

  private func exportFolder(
    _ source: ExportSource, to path: String, _ summary: inout ExportSummary, _ progress: (Progress) -> Void
  ) throws {
    let staged = try StagedOutput(for: path, isFolder: true)
    let writer = JSONLinesWriter(timeZone: timeZone)
    var done = 0
    for kind in ImportKind.allCases {
      var file: OutputFile?
      var count = 0
      try source.forEach(kind) { exported in
        let output = try file ?? OutputFile(path: "\(staged.path)/\(kind.rawValue).jsonl")
        file = output
        try output.write(
          line: writer.line(for: exported.record, source: exported.source, additions: exported.additions))
        count += 1
        done += 1
        if done % 1000 == 0 { progress(Progress(done: done, total: 0, detail: kind.rawValue)) }
      }
      try file?.flush()
      if count > 0 { summary.records[kind.rawValue] = count }
    }
    try staged.putInPlace()
    summary.remarks = try remarksOnSettings(source)
  }

  /// What the import format has no place for.
  private func remarksOnSettings(_ source: ExportSource) throws -> [String] {
    var remarks = try remarksOnPhotos(source)
    guard source.patient == nil else { return remarks }
    var words =
      "settings, users, the inbox (vetnet inbox export), encounters beside their notes (vetnet encounter cases), calendars to be kept in step, the plan's log and the audit log are not among them; the new file: vetnet init "
    if let name = try connection.settings.value(Setting.name) { words += "--name '\(name)' " }
    words += "--time-zone \(timeZone.identifier)"
    if let share = try connection.settings.value(Setting.planQuantile) {
      words += ", then vetnet schedule risk --reserve \(share)"
    }
    remarks.append(words)
    let loose = try connection.assessments.assessments(kind: Practice.Assessment.overrideKind).count {
      $0.intakeRowID == nil
    }
    if loose > 0 {
      remarks.append(
        "\(loose) overrides of cases that are not on file as intakes are not among them: vetnet triage overrides prints them"
      )
    }
    return remarks
  }

  private func remarksOnPhotos(_ source: ExportSource) throws -> [String] {
    var selection = PhotoSelection()
    selection.patient = source.patient?.rowID
    let count = try connection.photos.count(selection)
    guard count > 0 else { return [] }
    return [
      "\(count) \(count == 1 ? "photo is" : "photos are") not among them: vetnet photo list names them, and vetnet photo save writes each; backups and copies of the practice file hold them"
    ]
  }

  private func writingFiles(_ work: () throws -> Void) throws {
    do {
      try work()
    } catch let error as InterchangeError {
      throw PracticeError(.failed, error.description)
    }
  }
}
