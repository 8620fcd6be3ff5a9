import Clinical
import Foundation
import Glibc
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// A small practice, and the work that is broken off in it.
///
/// The index has a model of its own, trained on these notes: the shipped one would fill each of thousands of copies with
/// sixteen megabytes.
final class SweptPractice: Sendable {
  static let shared = Result { try SweptPractice() }

  static let now = "2026-11-20T18:00"
  static let zone = PracticeTimeZone(identifier: "Europe/London") ?? .utc
  static let baseNotes = 24
  static let moreNotes = 18
  static let added = "Owner rang: eating again, brighter, no more vomiting since Friday."
  static let amended = "Weight 4.2 kg, not 42."

  let folder: TemporaryFolder
  let models: String
  /// What was there and acknowledged before any of it began: the texts of notes by id.
  let texts: [String: String]

  var base: String { folder.file("base") }

  private init() throws {
    folder = try TemporaryFolder()
    let files = FileManager.default
    let models = folder.file("Models")
    self.models = models
    try files.createDirectory(atPath: models + "/vectorizer", withIntermediateDirectories: true)
    for name in try files.contentsOfDirectory(atPath: modelsDirectory) where name != "vectorizer" {
      try files.createSymbolicLink(atPath: models + "/" + name, withDestinationPath: modelsDirectory + "/" + name)
    }
    let week = (1...7).map { #"{"weekday":\#($0),"start":"08:00","end":"18:00"}"# }.joined(separator: ",")
    try folder.write(
      #"{"id":"S1","name":"Vet","role":"veterinarian","working_hours":[\#(week)]}"# + "\n", to: "base/in/staff.jsonl")
    try folder.write(#"{"id":"R1","name":"Room","kind":"room","capacity":2}"# + "\n", to: "base/in/resources.jsonl")
    let patients = (1...6).map { #"{"id":"P\#($0)","name":"Rex \#($0)","species":"dog"}"# }
    try folder.write(patients.joined(separator: "\n") + "\n", to: "base/in/patients.jsonl")
    let asked = (1...3).map {
      #"{"id":"A\#($0)","patient_id":"P\#($0)","start":"2026-11-23T09:00","duration_minutes":20,"visit_type":"consult","status":"requested"}"#
    }
    try folder.write(asked.joined(separator: "\n") + "\n", to: "base/in/appointments.jsonl")
    var texts: [String: String] = [:]
    try folder.write(Self.notes(1...Self.baseNotes, &texts), to: "base/in/notes.jsonl")
    self.texts = texts
    var more: [String: String] = [:]
    try folder.write(
      Self.notes((Self.baseNotes + 1)...(Self.baseNotes + Self.moreNotes), &more), to: "base/more/notes.jsonl")

    let model = models + "/vectorizer/default.vnm"
    let shipped = try VetNetProcess(practice: folder.file("base/p.vetnet"))
    try Self.expect(shipped.run("reindex", "--train-default", folder.file("base/in"), "--out", model))
    let vetnet = try process(folder.file("base"))
    try Self.expect(vetnet.run("init", "--time-zone", "Europe/London", "--now", Self.now))
    try Self.expect(vetnet.run("import", folder.file("base/in"), "--now", Self.now))
    try Self.expect(vetnet.run("backup", folder.file("base/old.vetnet"), "--now", Self.now))
    // What the backup lacks.
    try Self.expect(
      vetnet.run("note", "add", "P1", "--text", "Since the backup: well.", "--now", Self.now))
    try files.removeItem(atPath: folder.file("base/in"))
  }

  private static func notes(_ numbers: ClosedRange<Int>, _ texts: inout [String: String]) -> String {
    let words = ["limping on the left fore", "vomiting since Friday", "coughing at night", "itching ears, red skin"]
    return numbers.map { number in
      let text =
        "Begin \(number). Seen for \(words[number % 4]), weight \(10 + number % 7).4 kg, given meloxicam. End \(number)."
      texts["N\(number)"] = text
      return
        #"{"id":"N\#(number)","patient_id":"P\#(1 + number % 6)","recorded_at":"2026-10-\#(10 + number % 20)T10:00","kind":"consult","text":"\#(text)"}"#
        + "\n"
    }.joined()
  }

  private struct NotReady: Error { let errors: String }

  private static func expect(_ outcome: VetNetProcess.Outcome) throws {
    guard outcome.status == 0 else { throw NotReady(errors: outcome.errors) }
  }

  /// The program, on the practice file in a folder.
  func process(_ folder: String) throws -> VetNetProcess {
    var process = try VetNetProcess(practice: folder + "/p.vetnet")
    process.environment["VETNET_MODELS"] = models
    if let program = ProcessInfo.processInfo.environment["VETNET_SOAK_PROGRAM"] { process.executable = program }
    return process
  }
}

/// A piece of work as its user starts it, and what has to hold however it ends.
struct SweptWork: Sendable, CustomTestStringConvertible {
  let name: String
  /// Words for the program; FOLDER stands for the folder.
  let words: [String]
  /// Words that take the work up again, or do it again.
  let again: [String]
  /// Notes that it takes away, all or none.
  var erases: Set<String> = []
  /// What is wrong in a folder; nil when nothing is. `isDone`: the program said so.
  let problem: @Sendable (_ state: SweptState, _ isDone: Bool) throws -> String?

  var testDescription: String { name }

  init(
    _ name: String, _ words: String, again: String? = nil,
    _ problem: @escaping @Sendable (_ state: SweptState, _ isDone: Bool) throws -> String?
  ) {
    self.name = name
    self.words = Self.split(words)
    self.again = Self.split(again ?? words)
    self.problem = problem
  }

  /// `_` stands for a space within a word.
  private static func split(_ line: String) -> [String] {
    line.split(separator: " ").map { String($0).replacingOccurrences(of: "_", with: " ") } + [
      "--now", SweptPractice.now,
    ]
  }

  static let all: [SweptWork] = [
    SweptWork("import", "import FOLDER/more") { state, isDone in
      let new = state.notes.keys.filter { Int($0.dropFirst()) ?? 0 > SweptPractice.baseNotes }
      guard new.allSatisfy({ state.notes[$0]?.hasPrefix("Begin \($0.dropFirst()).") == true }),
        new.allSatisfy({ state.notes[$0]?.hasSuffix("End \($0.dropFirst()).") == true })
      else { return "half a note" }
      return isDone && new.count != SweptPractice.moreNotes ? "imported notes are lost" : nil
    },
    SweptWork("note add", "note add P2 --text \(SweptPractice.added.replacingOccurrences(of: " ", with: "_"))") {
      state, isDone in
      let count = state.notes.values.filter { $0 == SweptPractice.added }.count
      return isDone && count == 0
        ? "the note is lost" : state.notes.count > SweptPractice.baseNotes + 3 ? "too many" : nil
    },
    SweptWork(
      "note amend",
      "note amend N5 --text \(SweptPractice.amended.replacingOccurrences(of: " ", with: "_")) --reason scales"
    ) { state, isDone in
      let isNew = state.notes["N5"] == SweptPractice.amended
      if isNew, state.versions != 1 { return "the old text is lost" }
      return isDone && !isNew ? "the correction is lost" : nil
    },
    SweptWork("reindex", "reindex --all", again: "reindex --all --resume") { state, _ in
      state.hasIndex ? nil : "there is no index in use"
    },
    SweptWork("reindex --train", "reindex --train", again: "reindex --train --resume") { state, _ in
      state.hasIndex ? nil : "there is no index in use"
    },
    SweptWork(
      "book", "schedule book --patient P4 --at 2026-11-24T10:00 --with S1 --minutes 30",
      again: "schedule book --patient P5 --at 2026-11-25T10:00 --with S1 --minutes 30"
    ) { state, isDone in
      isDone && state.bookings == 0 ? "the booking is lost" : nil
    },
    SweptWork("optimize", "schedule optimize --day 2026-11-23 --time-limit 0.2") { state, isDone in
      guard state.bookings == 0 || state.planChanges > 0 else { return "a plan without its entry in the log" }
      return isDone && state.bookings == 0 ? "the plan is lost" : nil
    },
    SweptWork("backup", "backup FOLDER/new.vetnet") { state, isDone in
      if let file = state.file("new.vetnet"), try !Backup.proof(of: file).isEmpty { return "a backup that is none" }
      return isDone && (state.file("new.vetnet") == nil || state.provenBackups != 2) ? "the backup is lost" : nil
    },
    SweptWork("backup, again", "backup FOLDER/old.vetnet") { state, isDone in
      guard let file = state.file("old.vetnet"), try Backup.proof(of: file).isEmpty else {
        return "the earlier backup is lost"
      }
      let count = try Connection.openStill(file).notes.count()
      return isDone && count != SweptPractice.baseNotes + 1 ? "the backup is lost" : nil
    },
    SweptWork("restore", "restore FOLDER/old.vetnet --replace-newer") { state, isDone in
      let isRestored = state.notes.count == SweptPractice.baseNotes
      guard isRestored || state.notes.count > SweptPractice.baseNotes else { return "neither old nor new" }
      if isRestored {
        let kept = state.names.filter { $0.hasPrefix("p.vetnet.before-restore") && !$0.contains("-wal") }
        let counts = try kept.map { try Connection.openStill(state.folder + "/" + $0).notes.count() }
        guard counts.contains(where: { $0 > SweptPractice.baseNotes }) else { return "what was there is lost" }
      }
      return isDone && !isRestored ? "it was not restored" : nil
    },
    erase,
  ]

  private static let erase: SweptWork = {
    let notes = Set((1...SweptPractice.baseNotes).filter { 1 + $0 % 6 == 3 }.map { "N\($0)" })
    var work = SweptWork("patient erase", "patient erase P3 --reason asked") { state, isDone in
      let left = notes.filter { state.notes[$0] != nil }
      guard left.isEmpty || left == notes else { return "half a patient" }
      return isDone && !left.isEmpty ? "the patient is still there" : nil
    }
    work.erases = notes
    return work
  }()
}

/// What is found in a folder after a process has ended, by whichever end.
struct SweptState {
  let folder: String
  let names: [String]
  let notes: [String: String]
  let versions: Int
  let bookings: Int
  let planChanges: Int
  let provenBackups: Int
  let hasIndex: Bool

  func file(_ name: String) -> String? { names.contains(name) ? folder + "/" + name : nil }

  /// Opens the practice as the next process would, and reads it.
  init(_ folder: String, _ connection: Connection) throws {
    self.folder = folder
    names = try FileManager.default.contentsOfDirectory(atPath: folder)
    notes = Dictionary(
      try connection.rows("SELECT external_id, text FROM note") { ($0.text(0), $0.text(1)) },
      uniquingKeysWith: { first, _ in first })
    versions = Int(try connection.number("SELECT count(*) FROM note_version"))
    bookings = Int(try connection.number("SELECT count(*) FROM appointment WHERE status = 'booked'"))
    planChanges = Int(try connection.number("SELECT count(*) FROM plan_change"))
    provenBackups = try connection.backups.kept().count
    hasIndex = try connection.generations.live() != nil
  }

  /// What is wrong with the practice in a folder after a piece of work ended; nil when nothing is.
  static func problem(
    in folder: String, after work: SweptWork, isDone: Bool, swept: SweptPractice, models: ModelDirectory
  ) throws -> String? {
    let practice = try Practice.open(at: folder + "/p.vetnet", models: models, access: .write)
    let verification = try practice.integrity.verify()
    guard verification.ok else { return "verify: \(verification.checks.flatMap(\.failed).prefix(3))" }
    let state = try SweptState(folder, practice.connection)
    for (id, text) in swept.texts {
      guard let found = state.notes[id] else {
        if work.erases.contains(id) { continue }
        return "note \(id) is lost"
      }
      guard found == text || (id == "N5" && found == SweptPractice.amended) else { return "note \(id) is another" }
    }
    return try work.problem(state, isDone)
  }
}
