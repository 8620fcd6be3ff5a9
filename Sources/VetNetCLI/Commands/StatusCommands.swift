import Clinical
import VetNet

enum StatusCommand {
  static let command = Command(
    "status", "says what the practice file holds, how fresh its index is, and when it was last backed up",
    examples: [
      Example("vetnet status", "counts, index, models"), Example("vetnet status --json", "the same for a script"),
    ]
  ) { invocation in
    let practice = try invocation.openPractice()
    let status = try invocation.perform(ShowStatus(), on: practice)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(status)
    } else {
      for (label, value) in status.rows { invocation.terminal.print("\(label.padded(to: 22))\(value)") }
      for hint in status.hints { invocation.terminal.print("→ \(hint)") }
    }
    return .ok
  }
}

enum DoctorCommand {
  static let command = Command(
    "doctor", "checks the practice file and lists what looks wrong in the record",
    options: [Option("--quick", nil, "only the file's structure: no checksums, hashes or index")],
    examples: [
      Example("vetnet doctor", "everything"),
      Example("vetnet doctor --json", "one JSON object a finding"),
    ],
    discussion: """
      Compares every page with its checksum and every record with the hash it was written with, and names each that something
      else than VetNet has changed. Checks the file's structure, references and permissions, the index, the models' checksums,
      bookings that overlap, and values that can't be right (a 40 kg cat, a birth date in the future). Nothing is changed. The
      exit code is 13 when the file is damaged; what is derived from the notes is made anew by vetnet reindex --all. vetnet verify
      makes the checks against what was written alone, says how much each looked at, and judges no values.
      """
  ) { invocation in
    let findings: [DoctorFinding]
    do {
      let practice = try invocation.openPractice()
      findings = try invocation.perform(
        Examine(isQuick: invocation.arguments.isSet("--quick")), on: practice)
    } catch let error as PracticeError {
      // A file too damaged to be opened is a finding; whatever else is in the way is said as everywhere.
      findings = try Practice.Integrity.findings(ofUnopened: invocation.practicePath, because: error)
    }
    for finding in findings {
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(finding)
      } else {
        invocation.terminal.print("\(finding.severity.rawValue.padded(to: 9))\(finding.subject): \(finding.message)")
      }
    }
    if findings.allSatisfy({ $0.severity == .remark }) && !invocation.wantsJSON {
      invocation.terminal.print("Nothing is wrong.")
    }
    return findings.contains { $0.severity == .damage } ? .integrity : .ok
  }
}
