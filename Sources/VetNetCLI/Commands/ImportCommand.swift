import Clinical
import VetNet

enum ImportCommand {
  static let command = Command(
    "import", "reads notes, intakes, patients, clients, staff, rooms and appointments",
    positionals: [
      Positional("PATH", "a file, a folder with known files in it, or - for standard input", repeating: true)
    ],
    options: [
      Option("--source", "NAME", "where the records come from; ids are unique within a source (default: practice)"),
      Option("--kind", "KIND", "what standard input or an unusual file name holds: notes, patients, …"),
      Option("--date-order", "dmy|mdy", "how CSV files write 03/04/2025"),
      Option("--rejects", "FILE", "where rejected rows go (default: beside the practice file)"),
      Option("--dry-run", nil, "read and check everything, change nothing"),
      Option("--no-index", nil, "keep the notes now, chunk and embed them later with reindex"),
    ],
    examples: [
      Example("vetnet import Corpus", "every known file of a folder"),
      Example("vetnet import export.csv --kind notes --date-order dmy", "a CSV file with British dates"),
      Example("zcat notes.jsonl.gz | vetnet import - --kind notes", "from a pipe"),
    ],
    discussion: """
      Reads JSON Lines, CSV, and text or Markdown with front matter. A second import of the same thing changes nothing; a
      changed note replaces the old text and everything derived from it. A row that can't be used is named on stderr with
      file, line, field and reason, kept in the rejects file, and the rest is imported; the exit code is then 3.
      """
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openPractice(.write)
    StopSignal.watch()
    practice.stopSignal = { StopSignal.current }
    let bar = ProgressBar("import", isVisible: invocation.terminal.stderrIsTerminal && !invocation.wantsJSON)
    defer { bar.finish() }
    let options = ImportOptions(
      source: arguments.value("--source") ?? ImportOptions.defaultSource, kind: arguments.value("--kind"),
      dateOrder: arguments.value("--date-order"), rejectsPath: arguments.value("--rejects"),
      isDryRun: arguments.isSet("--dry-run"), indexes: !arguments.isSet("--no-index"))
    let summary = try practice.importFiles(
      arguments.positionals, options: options, now: invocation.now(in: practice.timeZone),
      progress: { bar.update(done: $0.done, total: $0.total, detail: $0.detail) },
      message: { text in
        bar.finish()
        invocation.terminal.say(text)
      })
    bar.finish()
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(summary)
    } else {
      for line in summary.lines { invocation.terminal.print(line) }
    }
    return summary.rejected > 0 || summary.failedToIndex > 0 ? .someInputRejected : .ok
  }
}
