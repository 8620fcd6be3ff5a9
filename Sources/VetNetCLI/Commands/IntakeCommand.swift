import Clinical
import Presentation
import VetNet

/// What an owner wrote or said, on its way into the queue.
enum IntakeCommand {
  static let command = Command(
    "intake", "takes in what an owner wrote or said: it waits in the inbox, the most urgent first",
    positionals: [Positional("FILE", "the words, or - for standard input", optional: true)],
    options: [
      Option("--text", "TEXT", "the words"),
      Option("--channel", "NAME", "phone, web form, reception, … (default: phone)"),
      Option("--from", "NAME", "who wrote or rang"),
      Option("--contact", "NUMBER", "a telephone number or an address to reach them"),
      Option("--animal", "NAME", "what they call the animal"),
      Option("--species", "SPECIES", "dog, cat, …"), Option("--breed", "BREED", "as they say it"),
      Option("--age", "AGE", "such as 4y or 12 weeks"), Option("--sex", "SEX", "MN, FS, M, F"),
      Option("--weight", "WEIGHT", "such as 4.5kg or 10lb"),
      Option("--id", "ID", "the sender's own id for it: the same again is no news"),
      Option("--answers", "ITEM", "the item of the inbox that it answers, which comes back"),
      Option("--patient", "PATIENT", "whose it is, where you know: it is filed at once, and can be taken back"),
    ],
    examples: [
      Example(
        "vetnet intake --text \"Bella won't eat since last night\" --from \"Jane Marsh\" --contact 01632960001",
        "a phone call: a level, and who it may be about"),
      Example("vetnet intake - --channel \"web form\" --id form-812 --animal Bella", "from the practice's web site"),
      Example("vetnet intake call.txt --patient P001", "of a patient who was named"),
    ],
    discussion: """
      Nothing is filed by guess: patients are proposed with what speaks for them, and a person says whose it is (vetnet inbox assign,
      or the workspace). Intakes without a patient that are imported wait in the same queue, where they are of the last 30 days.
      """
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openPractice(.write)
    let path = arguments.positionals.first
    guard path == nil || arguments.value("--text") == nil else { throw UsageError("give --text or a FILE, not both") }
    guard let text = try arguments.value("--text") ?? path.map(InputText.read) else {
      throw UsageError("no words: give --text, a FILE, or - for standard input")
    }
    var message = IncomingMessage(text: text, channel: arguments.value("--channel") ?? "phone")
    message.id = arguments.value("--id")
    message.author = arguments.value("--from")
    message.contact = arguments.value("--contact")
    message.animal = arguments.value("--animal")
    message.species = try invocation.species()
    message.breed = arguments.value("--breed")
    message.age = arguments.value("--age")
    message.sex = try invocation.sex()
    message.weightKilograms = try invocation.weight()
    message.answers = arguments.value("--answers")
    let item = try invocation.perform(TakeIn(message: message, patient: arguments.value("--patient")), on: practice)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(InboxItemOutput(item, zone: practice.timeZone, isWhole: false))
      return .ok
    }
    let terminal = invocation.terminal
    let level =
      item.content.urgency.map { terminal.styled($0.rawValue.uppercased(), TriageText.style($0)) } ?? "no level"
    if let filed = item.filed {
      terminal.print("\(item.id) \(level), filed to \(filed.patient.id) as \(filed.kind) \(filed.id)")
    } else {
      terminal.print("\(item.id) \(level), \(item.state.rawValue): it \(item.content.reason.words)")
    }
    if let now = item.level {
      for line in now.action.wrapped(to: terminal.width, indent: "  ") { terminal.print(line) }
    }
    for proposal in item.filed == nil ? item.proposals : [] {
      terminal.print(
        InboxCommands.line(proposal, practice, on: practice.timeZone.date(of: item.content.origin.receivedAt)))
    }
    if let answered = item.content.details.answers { terminal.print("  answers \(answered), which waits again") }
    return .ok
  }
}
