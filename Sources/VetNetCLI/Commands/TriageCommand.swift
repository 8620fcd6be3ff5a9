import Assessment
import Clinical
import Presentation
import VetNet

enum TriageCommand {
  static let command = Command(
    "triage", "assesses intake text: urgency, ABCDE, complexity, duration, specialties",
    positionals: [
      Positional(
        "FILE", "text, or JSON Lines of intakes of any length, told by the first line; - or nothing is standard input",
        optional: true
      )
    ],
    options: [
      Option("--text", "TEXT", "the intake in words"),
      Option("--jsonl", nil, "FILE holds JSON Lines of intakes, whatever its first line looks like"),
      Option("--patient", "PATIENT", "whose record to take into account: an id, a microchip, or a name that fits one"),
      Option("--species", "SPECIES", "when the patient is not in the record"),
      Option("--age", "AGE", "such as 4y or 12 weeks"),
      Option("--sex", "SEX", "MN, FS, M, F"),
      Option("--weight", "WEIGHT", "such as 4.5 (in the practice's units), 4.5kg or 10lb; doses are judged by it"),
      Option("--protocol", "NAME", "a triage protocol in Models/triage (default: vtl)"),
      Option("--guided", nil, "ask what is most worth knowing until no answer can change the level"),
      Option("--answers", "FILE", "answers for --guided: lines of a finding's id, a tab, and yes, no or unknown"),
      Option("--override", "LEVEL", "keep this level instead of the program's; needs --reason"),
      Option("--reason", "TEXT", "why the level is overridden"),
      Option("--explain", nil, "show the whole explanation"),
      Option("--save", nil, "keep the assessment in the practice file"),
      Option("--book", nil, "make room for a red or orange case at once, and book it; needs --patient"),
      Option("--dry-run", nil, "with --save, --override or --book: show what would be, write nothing"),
    ],
    examples: [
      Example(
        "vetnet triage --text \"cat in and out of the tray, nothing coming\" --species cat --sex MN", "a phone call"),
      Example("vetnet triage intakes.jsonl --json", "many, one JSON object each"),
      Example("cat intakes.jsonl | vetnet triage - --json", "the same from another program"),
      Example("vetnet triage call.txt --guided", "a session of questions at the desk"),
      Example(
        "vetnet triage call.txt --override red --reason \"grey gums seen at the desk\"", "a person's level, kept"),
      Example("vetnet triage mail.txt --patient P017", "an e-mail about a known patient"),
    ],
    discussion: """
      Decision support, not a diagnosis: a veterinary professional confirms urgency. What the text doesn't say is shown as not
      stated; missing information never lowers urgency. An orange finding that stands is never judged below yellow, a red one never
      below orange, however reassuring the rest is; "rests on" says which part of the program gave the level.
      """
  ) { invocation in
    let arguments = invocation.arguments
    let answers = try GuidedSession.answers(arguments)
    let override = try override(arguments)
    // An override is kept, so it needs a practice file.
    let books = arguments.isSet("--book")
    let isDryRun = arguments.isSet("--dry-run")
    if books, arguments.value("--patient") == nil { throw UsageError("--book needs --patient") }
    let practice =
      try override == nil && !books ? invocation.openPracticeOrEmpty() : invocation.openPractice(.write)
    let zone = practice.timeZone
    let now = try invocation.now(in: zone)
    let protocolName = arguments.value("--protocol") ?? Practice.Assessment.defaultTriageProtocol
    var rejected = false
    try forEachIntake(invocation, practice, now: now) { item in
      switch item {
      case .rejected(let message):
        rejected = true
        invocation.terminal.say(message)
      case .intake(let intake):
        var assessment = try invocation.perform(
          AssessIntake(
            intake: intake, patient: arguments.value("--patient"), protocolName: protocolName,
            saves: arguments.isSet("--save") && !isDryRun), on: practice, at: now)
        var settled: SettledLevel?
        if let answers {
          settled = try GuidedSession(practice: practice, invocation: invocation, protocolName: protocolName)
            .run(intake, patient: arguments.value("--patient"), answers: answers, now: now)
          if let settled {
            assessment = try invocation.perform(
              AssessIntake(
                intake: intake, patient: arguments.value("--patient"), protocolName: protocolName, settled: settled),
              on: practice, at: now)
          }
        }
        if let override {
          assessment = try invocation.perform(
            OverrideTriage(
              intake: intake, patient: arguments.value("--patient"), protocolName: protocolName, settled: settled,
              urgency: override.urgency, reason: override.reason, isDryRun: isDryRun), on: practice, at: now)
        }
        var booking: EmergencyBooking?
        if books, assessment.triage.urgency >= .orange {
          booking = try invocation.perform(
            BookEmergency(
              request: .intake(intake, patient: arguments.value("--patient")), urgency: assessment.triage.urgency,
              isDryRun: isDryRun), on: practice, at: now)
        }
        if invocation.wantsJSON {
          try invocation.terminal.printJSON(
            IdentifiedAssessment(
              id: intake.id.isEmpty ? nil : intake.id, assessment: assessment,
              booking: booking.map { EmergencyOutput($0, zone: zone) }))
        } else {
          for line in TriageText.lines(
            assessment, intake: intake, terminal: invocation.terminal, explains: arguments.isSet("--explain"))
          {
            invocation.terminal.print(line)
          }
          let lines = booking.map { ScheduleText.lines($0, zone: zone, terminal: invocation.terminal) }
          for line in lines ?? [] { invocation.terminal.print(line) }
          if books, booking == nil {
            invocation.terminal.print("  Not booked: neither red nor orange. Slots: vetnet schedule propose")
          }
        }
      }
    }
    return rejected ? .someInputRejected : .ok
  }

  static let overrides = Command(
    "triage overrides", "prints overridden cases as labelled cases, one JSON object each",
    options: [Option("--agreement", nil, "count instead how the program as it is now judges them")],
    examples: [
      Example("vetnet triage overrides > overrides.jsonl", "to measure with, or to learn from after checking"),
      Example("vetnet triage overrides --agreement", "whether the program says by now what people said"),
    ],
    discussion: """
      The urgency is the person's; ABCDE, specialties, complexity and visit type are the program's, for somebody to check. The
      lines are in the format of the triage suite, with the reason under "override". People give a level where the program's
      seems wrong: what --agreement counts is no share of all cases.
      """
  ) { invocation in
    if invocation.arguments.isSet("--agreement") {
      let agreement = try invocation.perform(EvaluateTriage(), on: invocation.openPractice())
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(agreement)
      } else {
        invocation.terminal.print(agreement.line)
      }
      return .ok
    }
    for labelled in try invocation.perform(ListOverrides(), on: invocation.openPractice()) {
      try invocation.terminal.printJSON(labelled)
    }
    return .ok
  }

  private static func override(_ arguments: Arguments) throws -> (urgency: Urgency, reason: String)? {
    guard let word = arguments.value("--override") else {
      if arguments.value("--reason") != nil { throw UsageError("--reason belongs to --override") }
      return nil
    }
    guard let urgency = Urgency(rawValue: word) else {
      throw UsageError("--override '\(word)' is no level; write red, orange, yellow, green or blue")
    }
    guard let reason = arguments.value("--reason"), reason.contains(where: { !$0.isWhitespace }) else {
      throw UsageError("--override needs --reason")
    }
    return (urgency, reason)
  }

  /// In bytes: far above any message, far below what somebody pipes in by mistake.
  private static let longestIntake = 200_000

  private static func forEachIntake(
    _ invocation: Invocation, _ practice: Practice, now: Timestamp, _ body: (TriageInput) throws -> Void
  ) throws {
    let arguments = invocation.arguments
    let path = arguments.positionals.first ?? "-"
    if let text = arguments.value("--text") {
      return try body(.intake(try intake(text, invocation, now: now)))
    }
    let input = try IntakeFile(path)
    if try arguments.isSet("--jsonl") || path.hasSuffix(".jsonl") || input.holdsLines() {
      return try practice.assessment.forEachIntake(in: input, body)
    }
    guard let text = try input.text(limit: longestIntake) else {
      throw UsageError("the intake is longer than \(longestIntake) bytes; one case has so many at most")
    }
    try body(.intake(try intake(text, invocation, now: now)))
  }

  private static func intake(_ text: String, _ invocation: Invocation, now: Timestamp) throws -> Intake {
    let arguments = invocation.arguments
    guard text.contains(where: { !$0.isWhitespace }) else { throw UsageError("the intake is empty") }
    guard text.utf8.count <= longestIntake else {
      throw UsageError("the intake has \(text.utf8.count) bytes; one case has \(longestIntake) at most")
    }
    var intake = Intake(id: "", receivedAt: now, text: text)
    intake.species = try invocation.species()
    if let sex = try invocation.sex() { intake.sex = sex }
    intake.weightKilograms = try invocation.weight()
    if let age = arguments.value("--age") {
      guard age.contains(where: \.isNumber) else { throw UsageError("--age '\(age)' is no age; write 4y or 12 weeks") }
      intake.age = age
    }
    return intake
  }
}

/// An assessment with the id of its intake, where it had one.
struct IdentifiedAssessment: Encodable {
  let id: String?
  let assessment: CaseAssessment
  /// What `--book` did; nil where it did nothing.
  var booking: EmergencyOutput?

  private enum CodingKeys: String, CodingKey { case id, booking }

  func encode(to encoder: any Encoder) throws {
    try assessment.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(id, forKey: .id)
    try container.encodeIfPresent(booking, forKey: .booking)
  }
}
