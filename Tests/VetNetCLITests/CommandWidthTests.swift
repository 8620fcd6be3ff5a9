import Clinical
import Foundation
import Presentation
import Testing
import VetNetTestSupport

@testable import VetNetCLI

/// What every command shows, on narrow terminals, with names that are wide or written from right to left.
struct CommandWidthTests {
  private let folder: TemporaryFolder
  private let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "Europe/London")
    try folder.write(
      #"{"id":"W1","name":"松本さくらひめ","species":"cat","breed":"Norwegian Forest Cat","owner_name":"山田太郎左衛門"}"#
        + "\n"
        + #"{"id":"W2","name":"דנה","species":"dog","breed":"כלב כנעני","owner_name":"ישראל ישראלי"}"#
        + "\n", to: "wide/patients.jsonl")
    try folder.write(
      #"{"id":"WN1","patient_id":"W1","recorded_at":"2026-11-10T10:00","kind":"consult","text":"咳が続く。Coughing for a week, "#
        + #"weight 4.1 kg, meloxicam 0.2 mg SID started; 食欲不振 since Friday and not drinking as much as she usually does."}"#
        + "\n"
        + #"{"id":"WN2","patient_id":"W2","recorded_at":"2026-11-11T10:00","kind":"phone","text":"דנה הקיאה. Vomiting twice, weight 21 kg."}"#
        + "\n", to: "wide/notes.jsonl")
    try folder.write(
      #"{"id":"WA1","patient_id":"W1","start":"2026-11-23T12:00","duration_minutes":20,"clinician_id":"S01","status":"booked","reason":"咳の再診 recheck"}"#
        + "\n"
        + #"{"id":"WA2","patient_id":"W2","start":"2026-11-23T12:30","duration_minutes":20,"clinician_id":"S01","status":"booked","reason":"ביקורת recheck"}"#
        + "\n", to: "wide/appointments.jsonl")
    let imported = try vetnet.run(
      "import", projectDirectory + "/Corpus", folder.file("wide"), "--now", "2026-11-20T18:00")
    #expect(imported.status == 0, "\(imported.errors)")
    try vetnet.run(
      "schedule", "optimize", "--day", "2026-11-26", "--iterations", "500", "--now", "2026-11-20T18:00")
  }

  /// Commands with what a person may ask of them; nothing of it changes the practice.
  private static let asked: [[String]] = [
    ["patient", "find", "a"], ["patient", "find", "松本"], ["patient", "show", "P001"], ["patient", "show", "W1"],
    ["patient", "show", "W2"], ["patient", "timeline", "P001"], ["patient", "timeline", "W1"],
    ["patient", "chart", "P001"], ["patient", "chart", "W1"],
    ["patient", "add", "Mia", "--species", "cat", "--dry-run"],
    ["ask", "why was meloxicam stopped?", "--patient", "P001", "--explain"], ["ask", "weight?", "--patient", "Bella"],
    ["ask", "what is she coughing for?", "--patient", "W1"], ["ask", "who is free at 3 today?"],
    ["ask", "warum frisst der Hund nicht?"], ["similar", "--text", "vomiting dog, dark stools"],
    ["triage", "--patient", "P017", "--text", "he is sat hunched up grinding his teeth and hasnt eaten"],
    ["triage", "--text", "mein Hund hat heute gebrochen und frisst nicht"], ["triage", "overrides"],
    ["brief", "--date", "2026-11-23"], ["brief", "--patient", "W1"], ["drug", "meloxicam"],
    ["drug", "meloxicam", "prednisolone"],
    ["schedule", "show", "--date", "2026-11-23"], ["schedule", "show", "--week", "2026-11-23"],
    ["schedule", "flow", "--date", "2026-11-23"],
    ["schedule", "free", "--date", "2026-11-23"], ["schedule", "free", "--at", "2026-11-23T15:00"],
    ["schedule", "propose", "--patient", "P001", "--text", "lame again"],
    [
      "schedule", "book", "--patient", "W1", "--at", "2026-11-24T16:00", "--with", "S01", "--reason", "咳の再診 recheck",
      "--dry-run",
    ],
    ["schedule", "move", "A0258", "--at", "2026-11-27T16:00", "--dry-run"],
    ["schedule", "cancel", "A0252", "--dry-run"],
    ["schedule", "optimize", "--week", "2026-11-23", "--iterations", "500", "--dry-run"],
    ["schedule", "emergency", "--patient", "P017", "--text", "collapsed, gums white", "--dry-run"],
    ["schedule", "undo", "--dry-run"], ["schedule", "redo", "--dry-run"], ["schedule", "log"], ["schedule", "diff"],
    ["schedule", "waiting"], ["schedule", "why", "WA1"],
    ["schedule", "why-not", "WA2", "--at", "2026-11-24T10:00", "--with", "S01"],
    ["schedule", "risk", "--date", "2026-11-23"], ["schedule", "set", "WA1", "--keep", "time", "--dry-run"],
    ["config"], ["config", "get", "time-zone"], ["config", "set", "name", "松本動物病院", "--dry-run"],
    ["config", "unset", "name", "--dry-run"], ["config", "feature"], ["status"], ["doctor"], ["verify"],
    ["audit", "log"], ["audit", "log", "--patient", "P001", "--access"], ["audit", "verify"], ["audit", "anchor"],
    ["encounter", "list"],
    ["inbox", "list"], ["photo", "list"], ["photo", "checks"], ["calendar", "list"], ["feed", "list"], ["tag", "list"],
    ["tag", "list", "--patient", "W1"],
    ["location", "list"],
    ["location", "add", "松本動物病院", "--hours", "mon-fri 08:30-18:30, sat 09:00-12:00", "--dry-run"], ["staff", "show"],
    ["staff", "set", "S02", "--latest-long", "15:30", "--credential", "surgery until 2027-03-31", "--dry-run"],
    ["patient", "merge", "W1", "P001", "--reason", "entered twice", "--dry-run"],
    ["patient", "erase", "W1", "--reason", "entered for practice", "--dry-run"],
    ["audit", "keep", "4000"], ["key", "list"], ["user", "list"], ["user", "rules"], ["device", "list"],
    ["import", "log"],
    ["reindex", "--dry-run"], ["insights"], ["insights", "--weeks", "2", "--ahead", "0"],
    ["evaluate", "check", projectDirectory + "/Evaluations/triage"],
    ["evaluate", "floors", "--sample", "2"],
    ["evaluate", "schedule", projectDirectory + "/Evaluations/schedule", "--iterations", "20"],
  ]

  /// Nobody overrode a level or gave a tag.
  private static let maySayNothing: Set<String> = ["triage overrides", "tag list", "feed list", "device list"]

  /// Those that print for programs or text as it was written, ask for something, or end in a few words after long work, which
  /// pass the same printer.
  private static let others: Set<String> = [
    "encounter new", "encounter show", "encounter edit", "encounter section", "encounter advance", "encounter sign",
    "encounter amend", "encounter discard", "encounter summary", "encounter cases", "init", "import", "import undo",
    "export", "patient split", "inbox show", "inbox assign", "inbox reject",
    "inbox later", "inbox undo", "inbox book", "inbox ask", "intake", "alias", "alias list", "alias remove",
    "inbox export", "inbox add", "calendar add", "calendar remove", "calendar address",
    "feed add", "feed withdraw",
    "clone", "sync", "sync conflicts", "sync settle", "tag add", "tag remove", "photo add", "photo show", "photo save",
    "photo tag", "photo file", "photo remove",
    "location hours", "location closures", "location rooms", "evaluate layouts", "evaluate letters", "evaluate inbox",
    "evaluate names", "embed", "sketch", "network reindex", "network model", "network similar", "network pool",
    "network evaluate", "network map", "network sum", "network finish", "network key",
    "note show",
    "note add", "note amend", "note move", "note retract",
    "schedule export", "schedule generate", "schedule stage", "serve", "completions", "mcp", "backup", "restore",
    "audit export", "audit compact", "encrypt", "decrypt", "key add", "key change", "key remove", "key hold",
    "key forget", "user add", "user role", "user disable", "user enable", "user passphrase", "user link-os", "login",
    "logout", "device enroll", "device revoke", "simulate",
    "evaluate retrieval", "evaluate triage", "evaluate complexity", "evaluate specialty", "evaluate assertions",
    "evaluate questions", "evaluate duration", "evaluate fit-triage", "evaluate fit-reactions", "evaluate fit-answers",
    "evaluate fit-names",
    "evaluate known-words", "evaluate cues", "bench practice", "bench search", "bench emergencies", "bench encryption",
  ]

  @Test func `every command fits a terminal of 60 columns, and its help one of 80`() throws {
    let tool = CommandLineTool(
      commands: CommandTable.all, environment: vetnet.environment, executable: vetnet.executable,
      clock: { Timestamp(seconds: 1_795_197_600) })
    var covered: Set<String> = []
    for words in Self.asked {
      covered.insert(try tool.find(words).0.name)
      let terminal = Terminal(capturing: (), width: 60)
      let status = tool.run(words + ["--now", "2026-11-20T18:00"], on: terminal)
      let said = terminal.captured + terminal.capturedMessages
      #expect([.ok, .failed, .someInputRejected, .ambiguousPatient].contains(status), "\(words): \(said)")
      // What is a word by itself, such as a path, stays whole.
      let wide = said.split(separator: "\n").filter { line in
        String(line).columns > 60 && line.contains(" ") && line.drop { $0 == " " }.contains(" ")
      }
      #expect(wide.isEmpty, "\(words.joined(separator: " ")): \(wide.first ?? "")")
      #expect(!said.isEmpty || Self.maySayNothing.contains(words.prefix(2).joined(separator: " ")), "\(words)")
    }
    for command in CommandTable.all {
      let help = Terminal(capturing: (), width: 80)
      #expect(tool.run(command.path + ["--help"], on: help) == .ok)
      let wide = help.captured.split(separator: "\n").filter { String($0).columns > 80 }
      #expect(wide.isEmpty, "\(command.name) --help: \(wide.first ?? "")")
      #expect(covered.contains(command.name) != Self.others.contains(command.name), "\(command.name)")
    }
  }

  @Test func `wide names and names from right to left stand in columns`() throws {
    let terminal = try PseudoTerminal(
      vetnet, ["schedule", "show", "--date", "2026-11-23", "--now", "2026-11-20T18:00", "--no-color"], columns: 120)
    let lines = terminal.readToEnd().split(whereSeparator: \.isNewline).map(String.init)
    let names = ["松本", "דנה"].compactMap { name in lines.first { $0.contains(name) } }
    #expect(names.count == 2, "\(lines)")
    // What stands behind name and reason begins in the same column, whatever they are written in.
    let columns = Set(names.map { line in line.range(of: "WA").map { String(line[..<$0.lowerBound]).columns } })
    #expect(columns.count == 1 && columns.first != .some(nil), "\(names)")
  }
}

/// How a line that doesn't fit goes on.
struct FoldingTests {
  @Test(arguments: [
    ("  P001    Bella · dog, Labrador Retriever", 30, ["  P001    Bella · dog,", "          Labrador Retriever"]),
    ("one two three four five six seven", 21, ["one two three four", "  five six seven"]),
    (
      "\u{1B}[1mone two three\u{1B}[0m four five six seven", 21,
      ["\u{1B}[1mone two three\u{1B}[0m four", "  five six seven"]
    ),
    ("see /a/very/long/path/that/stays/whole now", 21, ["see", "  /a/very/long/path/that/stays/whole", "  now"]),
    ("松本さくらひめ松本さくらひめ", 21, ["松本さくらひめ松本", "  さくらひめ"]),
    ("short", 21, ["short"]),
  ])
  func `a line that is too wide goes on below its text`(line: String, width: Int, parts: [String]) {
    #expect(Folding.lines(line, width: width) == parts)
  }
}
