import Clinical
import VetNet

enum StatusCommand {
  static let command = Command(
    "status", "says what the practice file holds, and how fresh its index is",
    examples: [
      Example("vetnet status", "counts, index, models"), Example("vetnet status --json", "the same for a script"),
    ]
  ) { invocation in
    let practice = try invocation.openPractice()
    let status = try practice.status()
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
    options: [Option("--quick", nil, "skip reading every page of the file")],
    examples: [
      Example("vetnet doctor", "everything"),
      Example("vetnet doctor --json", "one JSON object a finding"),
    ],
    discussion: """
      Checks the file's structure, references and permissions, the models' checksums, bookings that overlap, and values that
      can't be right (a 40 kg cat, a birth date in the future). Values are listed, never changed. The exit code is 13 when the
      file itself is damaged.
      """
  ) { invocation in
    let practice = try invocation.openPractice()
    let findings = try practice.doctor(
      now: invocation.now(in: practice.timeZone), isQuick: invocation.arguments.isSet("--quick"))
    for finding in findings {
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(finding)
      } else {
        invocation.terminal.print("\(finding.severity.rawValue.padded(to: 9))\(finding.subject): \(finding.message)")
      }
    }
    if findings.isEmpty && !invocation.wantsJSON { invocation.terminal.print("Nothing is wrong.") }
    return findings.contains { $0.severity == .damage } ? .integrity : .ok
  }
}
