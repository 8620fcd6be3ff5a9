import Clinical
import Presentation
import VetNet

enum ImportCommand {
  static let command = Command(
    "import", "reads notes, intakes, patients, clients, staff, rooms and appointments",
    positionals: [
      Positional("PATH", "a file, a folder with known files in it, or - for stdin in any format", repeating: true)
    ],
    options: [
      Option("--source", "NAME", "where the records come from; ids are unique within a source (default: practice)"),
      Option("--kind", "KIND", "what standard input or an unusual file name holds: notes, patients, …"),
      Option("--date-order", "dmy|mdy", "how files write 03/04/2025, where none of their dates tells"),
      Option(
        "--encoding", "NAME",
        "utf-8, utf-16, windows-1252 or iso-8859-15 (default: found out from each file, and said)"),
      Option(
        "--rejects", "FILE", "where rejected rows go, to be corrected and imported (default: beside the practice file)"),
      Option("--map", "FILE", "how another program's tables are read: what each is, and its columns, codes and units"),
      Option("--guess", nil, "propose the mapping and write it to the new file of --map; imports nothing"),
      Option("--letter", nil, "the files are letters (.docx, .pdf, .rtf, .eml, text): asks whose; to the inbox"),
      Option("--clear-empty", nil, "let an empty cell, or a null, clear what is on file"),
      Option("--dry-run", nil, "read and check everything, show what would be overwritten, change nothing"),
      Option("--no-index", nil, "keep the notes now, chunk and embed them later with reindex"),
    ],
    examples: [
      Example("vetnet import Corpus", "every known file of a folder"),
      Example("vetnet import export.csv --kind notes --date-order dmy", "a CSV file with British dates"),
      Example("vetnet import practice.vetnet.2026-11-23.rejects.jsonl", "what was rejected, after it was corrected"),
      Example("vetnet import --guess --map brook.toml Export", "proposes how another program's tables are read"),
      Example("vetnet import --map brook.toml Export --dry-run", "reads them so, changing nothing"),
      Example("vetnet import --letter scan.pdf reply.eml", "proposes whose each letter is, and asks"),
      Example("zcat notes.jsonl.gz | vetnet import - --kind notes", "from a pipe"),
      Example("vetnet import bundle.json patients.ndjson", "FHIR R4: Bundles, resources, and one resource a line"),
    ],
    discussion: """
      Reads JSON Lines, CSV, and text or Markdown with front matter. A second import of the same thing changes nothing. A row
      about a record on file changes only the fields that the file has a column or key for: what is not there, empty or
      unreadable says nothing. A changed note replaces the old text and everything derived from it; the old text is kept
      as a version, and vetnet import undo takes the whole import back. A file called log or undo is written ./log. A row
      without what makes it a record (an id, a name, a text, a known patient, a note's date) is rejected; a row with
      another field that can't be read, or can't be right (a weight no animal has, another animal's microchip, an owner
      or clinician whom nobody knows), is kept without it. Both are named on stderr with file, line, field and reason,
      many of one kind in one line, and go to the rejects file, which can be corrected and imported as it is; the exit
      code is then 3. An id is not believed where it stands twice in a file with other content, or means a record with
      which the row has nothing in common: that row is rejected too. A note or intake without an id is known again by
      its text; another text is a record of its own, unless the file that the note came from has it no more and says
      much the same: then the note is corrected, or moved to the right patient, and that is said. The last row of a
      table without a line's end shortens nothing. Nothing is imported of a file with bytes that can't be decoded, or
      with dates that contradict --date-order or each other. Of FHIR, clinical resources become notes that say the same;
      references are followed within and across files; unknown resources and extensions are counted and named.
      Tables of another program are read by a mapping file (TOML): for each table its file, its kind (also hours, breaks and
      leave of staff), which columns make up a field, what its codes mean, its units and its order of dates. --guess
      proposes one from headings and values and says what it isn't sure of; correct it, then import with --map. A file
      that the mapping doesn't name is left out and told; an error in it is told with line and column.
      A letter (--letter) is proposed a patient, a day and an author from its own words, which are shown; nobody but a person
      files it. At a terminal it is asked about, namesakes beside each other; otherwise, and when you leave it, it waits in the
      inbox (vetnet inbox list). What is attached to a message is named, not read. PDFs need poppler-utils, Word documents
      libzip and Expat.
      """,
    // PDFs are read by a program that somebody else wrote.
    files: { $0.isSet("--letter") ? .anywhere : .named }
  ) { invocation in
    let arguments = invocation.arguments
    if arguments.isSet("--letter") { return try letters(invocation) }
    if arguments.isSet("--guess") { return try guess(invocation) }
    let practice = try invocation.openPractice(.write)
    StopSignal.watch()
    practice.door.stopSignal = { StopSignal.current }
    let bar = ProgressBar("import", isVisible: invocation.terminal.stderrIsTerminal && !invocation.wantsJSON)
    defer { bar.finish() }
    let lines = JSONProgress(invocation.terminal, isWanted: invocation.wantsJSON)
    var options = ImportOptions(
      source: arguments.value("--source"), kind: arguments.value("--kind"),
      dateOrder: arguments.value("--date-order"), encoding: arguments.value("--encoding"),
      rejectsPath: arguments.value("--rejects"), isDryRun: arguments.isSet("--dry-run"),
      clearsEmpty: arguments.isSet("--clear-empty"), indexes: !arguments.isSet("--no-index"))
    options.mapping = try mappingFile(arguments)
    let summary = try invocation.perform(
      ImportRecords(paths: arguments.positionals, options: options), on: practice,
      progress: {
        bar.update(done: $0.done, total: $0.total, isBytes: $0.isBytes, detail: $0.detail)
        lines.update(done: $0.done, total: $0.total, isBytes: $0.isBytes, detail: $0.detail)
      },
      message: { text in
        bar.finish()
        invocation.terminal.say(text)
      })
    bar.finish()
    if invocation.wantsJSON {
      try lines.finish(summary)
    } else {
      for line in summary.lines { invocation.terminal.print(line) }
    }
    return summary.isComplete ? .ok : .someInputRejected
  }

  static let log = Command(
    "import log", "lists the imports that changed something, or shows what one of them overwrote",
    positionals: [Positional("ID", "an import's number", optional: true)],
    examples: [
      Example("vetnet import log", "who imported what, when, and whether it stands"),
      Example("vetnet import log 3", "with each field that it overwrote: old → new"),
    ]
  ) { invocation in
    let practice = try invocation.openPractice()
    guard let id = try number(invocation) else {
      let entries = try invocation.perform(ListImports(), on: practice)
      for entry in entries {
        if invocation.wantsJSON {
          try invocation.terminal.printJSON(entry)
        } else {
          invocation.terminal.print(entry.description.withoutControls)
        }
      }
      if entries.isEmpty { invocation.terminal.say("Nothing was imported yet.") }
      return .ok
    }
    let entry = try invocation.perform(ShowImport(id: id), on: practice)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(entry)
    } else {
      invocation.terminal.print(entry.description.withoutControls)
      for change in entry.changes ?? [] { invocation.terminal.print("  \(change.description)".withoutControls) }
    }
    return .ok
  }

  static let undo = Command(
    "import undo", "takes a whole import back",
    positionals: [Positional("ID", "an import's number (default: the latest that stands)", optional: true)],
    options: [Option("--dry-run", nil, "say what would happen, change nothing")],
    examples: [
      Example("vetnet import undo", "the latest import that stands"),
      Example("vetnet import undo 3 --dry-run", "what taking back the third would do"),
    ],
    discussion: """
      Records that the import made go, fields that it overwrote get their old values. A record that was changed since or
      that others build on stays, and so does a field that holds something else by now; each is named, the exit code is
      then 3, and the same undo can be run again when what stands in the way is gone. What two imports overwrote one
      after the other is as before both when both are undone, in whatever order. To have an undone import again, import
      its files again.
      """
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let summary = try invocation.perform(
      UndoImport(id: number(invocation), isDryRun: invocation.arguments.isSet("--dry-run")), on: practice)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(summary)
    } else {
      for line in summary.lines { invocation.terminal.print(line) }
    }
    return summary.kept.isEmpty ? .ok : .someInputRejected
  }

  private static func number(_ invocation: Invocation) throws -> Int? {
    guard let word = invocation.arguments.positionals.first else { return nil }
    guard let id = Int(word) else {
      throw UsageError("'\(word)' is no number of an import; vetnet import log lists them")
    }
    return id
  }
}
