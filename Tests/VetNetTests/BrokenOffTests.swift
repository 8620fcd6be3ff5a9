import Foundation
import Glibc
@testable import Store
import Testing
import VetNetTestSupport

/// Imports that come to no good end: what their messages say is in the file is what is in it.
struct BrokenOffTests {
  private static let notes = 3000
  private let folder: TemporaryFolder
  private let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    var lines = ""
    for number in 0..<Self.notes {
      lines +=
        #"{"id":"N\#(number)","patient_id":"P1","recorded_at":"2024-03-05T10:00","kind":"consult","text":"Begin \#(number). "#
        + String(repeating: "Lame on the left fore, sore shoulder. ", count: 8) + #"End."}"# + "\n"
    }
    try folder.write(#"{"id":"P1","name":"Rex","species":"dog"}"# + "\n", to: "in/patients.jsonl")
    try folder.write(lines, to: "in/notes.jsonl")
    vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    #expect(try vetnet.run("init", "--time-zone", "UTC").status == 0)
  }

  /// The number of rows that a message says stand.
  private func standing(_ message: String) -> Int? {
    guard let words = message.firstMatch(of: /(\d+) rows of this import stand/) else {
      return message.contains("nothing of this import is kept") ? 0 : nil
    }
    return Int(words.1)
  }

  /// Compares a message with the file, which has to be sound, and runs the import again.
  private func check(_ outcome: VetNetProcess.Outcome) throws {
    let status = try vetnet.run("status", "--json").json()
    let rows = (status["notes"] as? Int ?? 0) + (status["patients"] as? Int ?? 0)
    #expect(standing(outcome.errors) == rows, "\(outcome.errors)")
    let doctor = try vetnet.run("doctor")
    #expect(doctor.status == 0, "\(doctor.output)")
    let again = try vetnet.run("import", folder.file("in"), "--no-index")
    #expect(again.status == 0, "\(again.errors)")
    #expect(try vetnet.run("status", "--json").json()["notes"] as? Int == Self.notes)
  }

  @Test func `a disk that takes no more: the message says how many rows stand`() throws {
    // Two megabytes a file, in blocks of 512 bytes.
    let limited = ["/bin/sh", "-c", "ulimit -f 4096; exec \"$0\" \"$@\""]
    let outcome = try vetnet.start(["import", folder.file("in"), "--no-index"], launcher: limited).wait()
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("disk is full") && !outcome.errors.contains("SQLite result"), "\(outcome.errors)")
    #expect((standing(outcome.errors) ?? 0) > 0, "\(outcome.errors)")
    try check(outcome)
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `a signal in the middle ends an import between two batches`(signal: Int32, status: Int32) throws {
    let running = try vetnet.start(["import", folder.file("in"), "--no-index"])
    // Not before it has written something.
    let log = folder.file("p.vetnet-wal")
    for _ in 0..<2000 {
      var info = stat()
      if stat(log, &info) == 0, info.st_size > 600_000 { break }
      usleep(2000)
    }
    running.kill(signal)
    let outcome = try running.wait()
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(running.process.terminationReason == .exit)
    try check(outcome)
  }

  @Test func `a file that somebody else is writing to: nothing is kept, and nothing said to be`() throws {
    let connection = try Connection.open(folder.file("p.vetnet"))
    let outcome = try connection.mixedTransaction(.immediate) {
      try vetnet.run("import", folder.file("in"), "--no-index")
    }
    #expect(outcome.status == 11 && outcome.errors.contains("held by another process"), "\(outcome.errors)")
    try check(outcome)
  }

  /// As nobody, where the tests run as root, whom no right is denied.
  private static let nobody =
    geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []

  private static var canRunAsNobody: Bool {
    let version = try? VetNetProcess(practice: "/nonexistent").start(["--version"], launcher: nobody).wait()
    return version?.status == 0
  }

  @Test(.enabled(if: canRunAsNobody, "the program lies where other users can't run it"), arguments: ["file", "folder"])
  func `without the right to write, the file or folder is named, and what to do`(what: String) throws {
    chmod(folder.path, what == "folder" ? 0o555 : 0o777)
    defer { chmod(folder.path, 0o755) }
    let file = folder.file("p.vetnet")
    chmod(file, what == "file" ? 0o444 : 0o666)
    let outcome = try vetnet.start(["import", folder.file("in")], launcher: Self.nobody).wait()
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(what == "file" ? "the file '\(file)'" : "the folder '\(folder.path)'"))
    #expect(outcome.errors.contains("right to write") && outcome.errors.contains("Maybe"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("SQLite"))
    let made = try vetnet.start(["init", "--practice", folder.file("sub/new.vetnet")], launcher: Self.nobody).wait()
    if what == "folder" { #expect(made.status == 1 && made.errors.contains("the folder '\(folder.path)'")) }
  }
}
