import Clinical
import VetNet

enum PatientEraseCommand {
  static let command = Command(
    "patient erase", "erases a patient for good, with everything about it",
    positionals: [Positional("PATIENT", "an id, a microchip, or a name that fits one patient", repeating: true)],
    options: [
      Option("--reason", "WORDS", "why; its digest is kept in the audit log"),
      Option("--client", nil, "the owner too, who must have no other animal on file"),
      Option("--dry-run", nil, "say what would go, and which copies hold it; change nothing"),
    ],
    examples: [
      Example("vetnet patient erase P014 --client --reason \"owner's request of 12 May\" --dry-run", "what would go"),
      Example("vetnet patient erase P014 --reason \"entered for practice\"", "gone for good"),
    ],
    discussion: """
      Nothing brings it back. Signalment, notes with their earlier versions, appointments, requests and assessments leave the
      tables, the index, the history of plans and imports, the file's free pages and its log, and rejected rows about the patient
      leave the rejects files beside the practice file. What stays: ids and dates, so that nothing of it is imported again, and the audit log, which
      holds ids and digests. Later backups are clean; earlier ones, and copies that a restore set aside, are named where they
      still hold it. Files that were imported, and rejects files elsewhere, are left alone. Of the inbox goes what was filed to the patient, and
      what waits and can be meant for no other; what may be another's is named, and stays.
      """,
    // The practice says where copies of it lie.
    files: { _ in .anywhere }
  ) { invocation in
    guard let reason = invocation.arguments.value("--reason") else {
      throw UsageError("--reason is needed: an erasure says why")
    }
    let practice = try invocation.openPractice(.write)
    let report = try invocation.perform(
      ErasePatient(
        reference: invocation.arguments.positionals.joined(separator: " "), reason: reason,
        withClient: invocation.arguments.isSet("--client"), isDryRun: invocation.arguments.isSet("--dry-run")),
      on: practice, at: invocation.now(in: practice.timeZone))
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(report)
    } else {
      for line in report.lines { invocation.terminal.print(line) }
    }
    return .ok
  }
}
