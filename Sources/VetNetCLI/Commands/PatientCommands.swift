import Clinical
import Presentation
import VetNet

enum PatientCommands {
  static let find = Command(
    "patient find", "finds patients by name, owner, microchip or id",
    positionals: [
      Positional("WORDS", "part of a name, an owner's name, a microchip or an id", optional: true, repeating: true)
    ],
    options: [Option("--tag", "TAG", "those with this tag; without words, all of them")],
    examples: [
      Example("vetnet patient find bella", "every Bella, with species, age and owner"),
      Example("vetnet patient find 985112345678900 --json", "by microchip"),
      Example("vetnet patient find --tag diabetic", "who has a tag"),
    ]
  ) { invocation in
    let practice = try invocation.openPractice()
    let words = invocation.arguments.positionals.joined(separator: " ")
    let tagged = try invocation.tagged("patient", practice)
    guard tagged != nil || !words.isEmpty else { throw UsageError("WORDS are needed, or --tag") }
    let patients =
      try words.isEmpty
      ? (tagged ?? []).sorted().map { try invocation.perform(ShowPatient(reference: $0), on: practice).patient }
      : invocation.perform(FindPatients(words: words), on: practice).filter { tagged?.contains($0.id) ?? true }
    let today = practice.timeZone.date(of: try invocation.now(in: practice.timeZone))
    for patient in patients {
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(PatientOutput(patient, on: today))
      } else {
        invocation.terminal.print(
          "\(patient.id.padded(to: 8))\(patient.summary(on: today, units: practice.settings.units))")
      }
    }
    if patients.isEmpty { invocation.terminal.say("No patient matches.") }
    return .ok
  }

  static let show = Command(
    "patient show", "shows a patient: signalment, owner, last visits, what is booked",
    positionals: [Positional("PATIENT", "an id, a microchip, or a name that fits one patient", repeating: true)],
    examples: [Example("vetnet patient show P001", "one patient by id")],
    discussion: "A name that fits several patients is never guessed: they are listed, and the exit code is 5."
  ) { invocation in
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let overview = try invocation.perform(
      ShowPatient(reference: invocation.arguments.positionals.joined(separator: " ")), on: practice, at: now)
    let today = practice.timeZone.date(of: now)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(PatientOverviewOutput(overview, zone: practice.timeZone, today: today))
      return .ok
    }
    let terminal = invocation.terminal
    let patient = overview.patient
    terminal.print(terminal.styled("\(patient.name) (\(patient.id))", .bold))
    terminal.print("  \(patient.summary(on: today, units: practice.settings.units))")
    if let chip = patient.microchip { terminal.print("  microchip \(chip)") }
    if let client = overview.client {
      terminal.print("  owner \(client.name) (\(client.id))")
      for phone in client.phones { terminal.print("    \(phone.label ?? "phone") \(phone.number)".withoutControls) }
      if let email = client.email { terminal.print("    e-mail \(email)".withoutControls) }
    } else if let name = patient.ownerName {
      terminal.print("  owner \(name)")
    }
    terminal.print(
      "  \(overview.noteCount) notes\(overview.retractedNoteCount > 0 ? " and \(overview.retractedNoteCount) retracted" : "")\(overview.lastNoteAt.map { ", the last on \(practice.timeZone.date(of: $0))" } ?? "")"
    )
    for appointment in overview.upcoming {
      terminal.print(
        "  booked \(practice.timeZone.describe(appointment.start)): \((appointment.reason ?? appointment.visitType?.rawValue ?? "visit").withoutControls)"
      )
    }
    return .ok
  }

  static let timeline = Command(
    "patient timeline", "lists a patient's notes and appointments in time order",
    positionals: [Positional("PATIENT", "an id, a microchip, or a name that fits one patient", repeating: true)],
    options: [
      Option("--since", "DATE", "from this day"),
      Option("--until", "DATE", "up to and including this day"),
      Option("--tag", "TAG", "notes and appointments with this tag"),
    ],
    examples: [
      Example("vetnet patient timeline P001 --since 2026-01-01", "this year's entries"),
      Example("vetnet patient timeline P001 --json", "one JSON object an entry"),
    ]
  ) { invocation in
    let practice = try invocation.openPractice()
    let entries = try invocation.perform(
      ListTimeline(
        reference: invocation.arguments.positionals.joined(separator: " "),
        since: invocation.day("--since", in: practice.timeZone), until: invocation.day("--until", in: practice.timeZone)
      ),
      on: practice)
    let tagged = try (invocation.tagged("note", practice), invocation.tagged("appointment", practice))
    for entry in entries
    where (entry.kind == "appointment" ? tagged.1 : tagged.0)?.contains(entry.id) ?? true {
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(TimelineOutput(entry, zone: practice.timeZone))
      } else {
        let isNarrow = invocation.terminal.width < 80
        let head =
          "\(practice.timeZone.describe(entry.at))  \(entry.kind.padded(to: isNarrow ? 12 : 13))\(entry.id.padded(to: isNarrow ? 8 : 10))"
        let room = max(12, invocation.terminal.width - max(head.columns, isNarrow ? 0 : 46))
        invocation.terminal.print(head + entry.title.isolated.shortened(to: room))
      }
    }
    return .ok
  }

  static let add = Command(
    "patient add", "puts a new patient on file, with a new owner where need be",
    positionals: [Positional("NAME", "the animal's name", repeating: true)],
    options: [
      Option("--species", "SPECIES", "dog, cat, rabbit, …"),
      Option("--breed", "BREED", "as the owner says it"),
      Option("--sex", "SEX", "MN, FS, M or F, or words such as spayed"),
      Option("--born", "DATE", "the date of birth, as 2021-04-30"),
      Option("--weight", "WEIGHT", "such as 31.2 (in the practice's units), 31.2kg or 68lb"),
      Option("--microchip", "NUMBER", "the chip's number"),
      Option("--owner", "OWNER", "a client's id or name; an unknown name becomes a new client"),
      Option("--phone", "NUMBER", "of a new client"),
      Option("--another", nil, "this is another animal than the one on file with the same name"),
      Option("--dry-run", nil, "check everything, write nothing"),
    ],
    examples: [
      Example("vetnet patient add Rex --species dog --owner \"Ann Lee\" --phone \"01632 960001\"", "a walk-in"),
      Example("vetnet patient add Tiggy --species cat --sex FS --born 2021-04-30 --owner C012", "of a client on file"),
    ],
    discussion: "An animal that seems to be on file already is not written a second time without --another."
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openPractice(.write)
    guard let species = try invocation.species() else {
      throw UsageError("--species is needed, such as dog, cat or rabbit")
    }
    var new = NewPatient(name: arguments.positionals.joined(separator: " "), species: species)
    new.breed = arguments.value("--breed")
    new.sex = try invocation.sex() ?? .unknown
    let today = practice.timeZone.date(of: try invocation.now(in: practice.timeZone))
    if let born = try invocation.day("--born", in: practice.timeZone) {
      guard born <= today else { throw UsageError("--born '\(born)' lies in the future") }
      new.dateOfBirth = born
    }
    new.weightKilograms = try invocation.weight()
    new.microchip = arguments.value("--microchip")
    new.owner = arguments.value("--owner")
    new.phone = arguments.value("--phone")
    new.isAnother = arguments.isSet("--another")
    let isDryRun = arguments.isSet("--dry-run")
    let patient = try invocation.perform(AddPatient(patient: new, isDryRun: isDryRun), on: practice)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(PatientOutput(patient, on: today))
    } else {
      let owner = patient.ownerName.map { ", owner \($0) (\(patient.ownerID ?? ""))" } ?? ""
      invocation.terminal.print("\(patient.id) \(isDryRun ? "would be " : "")on file: \(patient.name)\(owner)")
    }
    return .ok
  }
}
