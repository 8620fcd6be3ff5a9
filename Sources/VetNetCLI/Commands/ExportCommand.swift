import Presentation
import VetNet

enum ExportCommand {
  static let command = Command(
    "export", "writes the records of the practice, or of one patient, into files",
    options: [
      Option("--out", "PATH", "the folder or file; it appears when it is whole"),
      Option("--format", "fhir|csv|html", "another form (default: a folder in the import format)"),
      Option("--patient", "P", "only this patient: an id, a microchip, or a name that fits one"),
    ],
    examples: [
      Example("vetnet export --out records", "everything, as vetnet import reads it"),
      Example("vetnet export --out bella --patient P002", "one patient with its owner, visits and notes"),
      Example(
        "vetnet export --format fhir --out practice.json", "one FHIR R4 Bundle, with what the notes say and where"),
      Example("vetnet export --format csv --out tables/", "a table for each kind of record"),
      Example("vetnet export --format html --patient P002 --out bella.html", "the record to read, print and hand over"),
    ],
    discussion: """
      Needs the permission to export, and is put on record. What is written is readable by you only. The folder holds JSON Lines as
      vetnet import reads them; imported into a new practice file it gives the same answers, briefs and plans. Beside what other
      programs write, rows may have: source (which the ids belong to); of a note, versions (what it was before it was
      amended, moved or imported anew) and retracted; of an appointment, limits; of an intake, overrides (levels of urgency that people
      gave). An import takes these with a record that is new. Settings, users, tags, the inbox and calendars are not exported. FHIR: a Bundle of type collection; what the notes say (problems,
      drugs, results, reactions) is tagged as derived and names note and words, and an import makes it anew. CSV: into a folder
      where PATH is one or ends in a slash; a file that is named after a kind (notes.csv) holds that kind, any other all kinds with
      the kind in its first column. HTML: a page with each patient's record, nothing to fetch, no script. FHIR, CSV and HTML replace a file that is there.
      """,
    files: { _ in .folders }
  ) { invocation in
    let arguments = invocation.arguments
    guard let path = arguments.value("--out") else { throw UsageError("'vetnet export' needs --out PATH") }
    var format = ExportFormat.folder
    if let word = arguments.value("--format") {
      guard let known = ExportFormat(rawValue: word) else {
        let words = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("--format '\(word)' is not known; there are \(words)")
      }
      format = known
    }
    let practice = try invocation.openPractice()
    StopSignal.watch()
    practice.door.stopSignal = { StopSignal.current }
    let bar = ProgressBar("export", isVisible: invocation.terminal.stderrIsTerminal && !invocation.wantsJSON)
    defer { bar.finish() }
    let summary = try invocation.perform(
      ExportRecords(request: ExportRequest(format, to: path, patient: arguments.value("--patient"))), on: practice,
      progress: { bar.update(done: $0.done, total: $0.total, detail: $0.detail) })
    bar.finish()
    for remark in summary.remarks { invocation.terminal.say(remark.withoutControls) }
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(summary)
    } else {
      for line in summary.lines { invocation.terminal.print(line.withoutControls) }
    }
    return .ok
  }
}
