import Presentation
import VetNet

/// Words that people give to records to find them by.
enum TagCommands {
  private static let tag = Positional("TAG", "a word or a few, such as diabetic")
  private static let targets = [
    Option("--patient", "PATIENT", "an id, a microchip, or a name that fits one patient"),
    Option("--note", "NOTE", "a note's id"), Option("--appointment", "ID", "an appointment's id"),
  ]

  static let add = Command(
    "tag add", "gives a patient, a note or an appointment a tag", positionals: [tag], options: targets,
    examples: [
      Example("vetnet tag add diabetic --patient P001", "found by vetnet patient find --tag diabetic"),
      Example("vetnet tag add \"for the meeting\" --note N0042", "a note"),
    ],
    discussion: "Tags are the same whatever their case. To take one back: vetnet tag remove."
  ) { invocation in try change(invocation, isRemoved: false) }

  static let remove = Command(
    "tag remove", "takes a tag from a patient, a note or an appointment", positionals: [tag], options: targets,
    examples: [Example("vetnet tag remove diabetic --patient P001", "its other tags stay")]
  ) { invocation in try change(invocation, isRemoved: true) }

  private static func change(_ invocation: Invocation, isRemoved: Bool) throws -> ExitCode {
    guard let target = try target(invocation) else { throw UsageError("--patient, --note or --appointment is needed") }
    let practice = try invocation.openPractice(.write)
    let tag = invocation.arguments.positionals[0]
    let changed = try invocation.perform(TagRecord(tag: tag, target: target, isRemoved: isRemoved), on: practice)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(invocation.perform(ShowTags(target: target), on: practice))
    } else {
      invocation.terminal.print(
        "\(tag.withoutControls) is \(isRemoved ? "taken away" : "given")\(changed ? "" : (isRemoved ? ": it was not there" : " already"))"
      )
    }
    return .ok
  }

  static let list = Command(
    "tag list", "lists the tags of the practice, of one record, or the records with a tag",
    positionals: [Positional("TAG", "the records that have it", optional: true)], options: targets,
    examples: [
      Example("vetnet tag list", "every tag, and how often it is used"),
      Example("vetnet tag list diabetic", "who and what has it"),
      Example("vetnet tag list --patient P001", "the tags of one"),
    ]
  ) { invocation in
    let practice = try invocation.openPractice()
    let terminal = invocation.terminal
    if let word = invocation.arguments.positionals.first {
      for record in try invocation.perform(FindTagged(tag: word), on: practice) {
        if invocation.wantsJSON {
          try terminal.printJSON(record)
        } else {
          terminal.print("\(record.kind.padded(to: 13))\(record.id.padded(to: 10))\(record.patientID ?? "")")
        }
      }
      return .ok
    }
    if let target = try target(invocation) {
      let tags = try invocation.perform(ShowTags(target: target), on: practice)
      if invocation.wantsJSON {
        try terminal.printJSON(tags)
      } else {
        for tag in tags { terminal.print(tag.withoutControls) }
      }
      return .ok
    }
    for use in try invocation.perform(ListTags(), on: practice) {
      if invocation.wantsJSON {
        try terminal.printJSON(use)
      } else {
        terminal.print(
          "\(use.name.withoutControls): \(use.patients) patients, \(use.notes) notes, \(use.appointments) appointments")
      }
    }
    return .ok
  }

  private static func target(_ invocation: Invocation) throws -> TagRecord.Target? {
    try invocation.requireOne(of: "--patient", "--note", "--appointment")
    if let id = invocation.arguments.value("--patient") { return .patient(id) }
    if let id = invocation.arguments.value("--note") { return .note(id) }
    return invocation.arguments.value("--appointment").map { .appointment($0) }
  }
}

extension Invocation {
  /// The ids of the records of a kind that have the tag of `--tag`; nil where none is asked for.
  func tagged(_ kind: String, _ practice: Practice) throws -> Set<String>? {
    guard let tag = arguments.value("--tag") else { return nil }
    return Set(try perform(FindTagged(tag: tag), on: practice).filter { $0.kind == kind }.map(\.id))
  }
}
