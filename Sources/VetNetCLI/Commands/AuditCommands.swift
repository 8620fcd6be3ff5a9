import Clinical
import FoundationEssentials
import Presentation
import VetNet

/// Who did what, when, and whether that is what was written.
enum AuditCommands {
  static let log = Command(
    "audit log", "shows who did and saw what, the latest first",
    options: [
      Option("--patient", "PATIENT", "only what is about this patient, who need not be on file any more"),
      Option("--access", nil, "only who saw records, and who was refused"),
      Option("--user", "NAME", "only what this user did"),
      Option("--since", "DATE", "only from this day on"),
      Option("--limit", "N", "how many (default: all)"),
    ],
    examples: [
      Example("vetnet audit log --since today", "what was done today"),
      Example("vetnet audit log --patient P001 --access", "who saw the record of a patient"),
    ],
    discussion: """
      Each entry says who, when, which operation and which records, with digests of a record before and after a change: never words
      of a note or of a reason. An import's step names each of its records. That somebody reads the log is on record too.
      """
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openPractice()
    let since = try invocation.day("--since", in: practice.timeZone)
    let lines = try invocation.perform(
      ReadAuditLog(
        patient: arguments.value("--patient"), user: arguments.value("--user"),
        since: since.map { practice.timeZone.interval(of: $0).lowerBound }, accessOnly: arguments.isSet("--access"),
        limit: invocation.integer("--limit", in: 1...10_000_000)), on: practice)
    for line in lines { try invocation.show(line) { [line.description.withoutControls] } }
    if lines.isEmpty { invocation.terminal.say("Nothing of that is on record.") }
    return .ok
  }

  static let verify = Command(
    "audit verify", "checks that the audit log is what was written",
    options: [Option("--anchor", "FILE", "also against anchors that were kept elsewhere, a line each")],
    examples: [
      Example("vetnet audit verify", "the chain of entries, and its head against the key"),
      Example("vetnet audit verify --anchor /media/usb/anchors.jsonl", "also that nothing was cut off or put back"),
    ],
    discussion: """
      Each entry holds a hash of the one before it, and the last is confirmed with a key that lies beside the practice file and not
      in it. So an entry that was changed, put in, taken out or moved is found, and a log that was written anew. That the last
      entries, or the whole file, were put back to what they were before is found by an anchor only: keep some elsewhere. The
      exit code is 13 when anything is not as it was written, and the first bad entry is named.
      """
  ) { invocation in
    var anchors: [AnchorLine] = []
    if let file = invocation.arguments.value("--anchor") {
      let lines = try InputText.read(file).split(separator: "\n").filter { $0.contains { !$0.isWhitespace } }
      for (index, line) in lines.enumerated() {
        guard let anchor = try? JSONDecoder().decode(AnchorLine.self, from: Data(line.utf8)) else {
          throw UsageError("\(file), line \(index + 1) is no anchor; vetnet audit anchor makes one")
        }
        anchors.append(anchor)
      }
    }
    let report = try invocation.perform(VerifyAudit(anchors: anchors), on: invocation.openPractice())
    try invocation.show(report) { report.lines }
    return report.ok ? .ok : .integrity
  }

  static let anchor = Command(
    "audit anchor", "prints the place of the last entry, to be kept elsewhere",
    options: [Option("--out", "FILE", "add it to this file instead")],
    examples: [
      Example("vetnet audit anchor --out /media/usb/anchors.jsonl", "on a disk that is taken away"),
      Example("vetnet audit anchor", "to be printed, or sent to somebody"),
    ],
    discussion: "It says nothing of what is on record: a number, a hash, the practice's own id and the time."
  ) { invocation in
    let anchor = try invocation.perform(AnchorAudit(), on: invocation.openPractice())
    guard let file = invocation.arguments.value("--out") else {
      try invocation.terminal.printJSON(anchor)
      return .ok
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      let before = FileManager.default.fileExists(atPath: file) ? try Data(contentsOf: URL(filePath: file)) : Data()
      try (before + encoder.encode(anchor) + Data("\n".utf8)).write(to: URL(filePath: file), options: .atomic)
    } catch {
      throw PracticeError(.failed, "can't write '\(file)'")
    }
    invocation.terminal.say("Entry \(anchor.sequence) is anchored in \(file).")
    return .ok
  }

  static let export = Command(
    "audit export", "prints every entry with its digests as JSON Lines, the oldest first",
    examples: [Example("vetnet audit export > log.jsonl", "enough to verify the chain with another program")],
    discussion: "SECURITY.md says how digests and hashes are taken."
  ) { invocation in
    for line in try invocation.perform(ExportAudit(), on: invocation.openPractice()) {
      try invocation.terminal.printJSON(line)
    }
    return .ok
  }

  static let keep = Command(
    "audit keep", "says how long accesses are kept in full",
    positionals: [Positional("DAYS", "365 or more, or all (as long as no number is given)")],
    examples: [Example("vetnet audit keep 1095", "three years; vetnet audit compact then takes older ones out")]
  ) { invocation in
    let word = invocation.arguments.positionals[0]
    guard word == "all" || Int(word) != nil else { throw UsageError("'\(word)' is no number of days, nor all") }
    try invocation.perform(KeepAccesses(days: Int(word)), on: invocation.openPractice(.write))
    invocation.terminal.say(
      word == "all" ? "Accesses are kept for as long as the file is." : "Accesses are kept for \(word) days.")
    return .ok
  }

  static let compact = Command(
    "audit compact", "takes the content of accesses out that are older than is to be kept",
    options: [Option("--dry-run", nil, "say how many, change nothing")],
    examples: [Example("vetnet audit compact", "after vetnet audit keep DAYS")],
    discussion: """
      Their digests and hashes stay, so that the log and every anchor can be verified as before, and an entry says how many there
      were. Changes, refusals and the log's own entries are always kept.
      """
  ) { invocation in
    let isDryRun = invocation.arguments.isSet("--dry-run")
    let count = try invocation.perform(CompactAudit(isDryRun: isDryRun), on: invocation.openPractice(.write))
    let output = CompactionOutput(compacted: count, dry_run: isDryRun)
    try invocation.show(output) { ["\(count) accesses \(isDryRun ? "would be" : "are") without content"] }
    return .ok
  }

  private struct CompactionOutput: Encodable {
    let compacted: Int
    let dry_run: Bool
  }
}
