import Foundation
import Glibc
import Testing
import VetNetTestSupport

@testable import Store

/// Some simulated practices in a folder, each a file of its own, indexed; made once a process and copied for each test.
final class PracticeGroup {
  let folder: TemporaryFolder
  let vetnet: VetNetProcess

  static let now = "2026-11-20T18:00:00Z"
  static let names = ["ash", "birch", "cedar", "elder"]

  var practices: String { folder.file("practices") }

  func path(_ name: String) -> String { "\(practices)/\(name).vetnet" }

  /// Another group with the same content.
  init(sharing features: [String] = []) throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("none.vetnet"))
    try FileManager.default.createDirectory(atPath: practices, withIntermediateDirectories: true)
    let made = try Self.made.get()
    for name in Self.names {
      for suffix in ["", ".audit-key"] {
        try FileManager.default.copyItem(atPath: "\(made.path)/\(name).vetnet\(suffix)", toPath: path(name) + suffix)
      }
      for feature in features {
        let outcome = try vetnet.run("config", "feature", feature, "on", "--practice", path(name))
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
    }
  }

  /// Runs a command over all of them.
  func network(_ arguments: String...) throws -> VetNetProcess.Outcome { try start(arguments).wait() }

  func start(_ arguments: [String]) throws -> VetNetProcess.Running {
    try vetnet.start(["network"] + arguments + ["--now", Self.now])
  }

  /// What a practice holds but the records of who did what when.
  static func content(_ path: String) throws -> [String: ContentSummary.Table] {
    try Connection.open(path, access: .readOnly).contentSummary().tables.filter {
      !$0.key.hasPrefix("audit_") && $0.key != "job"
    }
  }

  func contents() throws -> [[String: ContentSummary.Table]] { try Self.names.map { try Self.content(path($0)) } }

  private struct NotMade: Error { let errors: String }

  private static let made = Result { () throws -> TemporaryFolder in
    let folder = try TemporaryFolder()
    let vetnet = try VetNetProcess(practice: folder.file("none.vetnet"))
    for (number, name) in names.enumerated() {
      let path = folder.file("\(name).vetnet")
      let records = folder.file("records-\(name)")
      for words in [
        [
          "simulate", "--patients", "\(2 + number)", "--seed", "\(number + 1)", "--notes-per-patient", "6",
          "--until", "2026-11-20", "--out", records,
        ],
        ["init", "--practice", path, "--name", name, "--time-zone", "Europe/London", "--now", now],
        ["import", records, "--practice", path, "--now", now],
      ] {
        let outcome = try vetnet.start(words).wait()
        guard outcome.status == 0 || outcome.status == 3 else { throw NotMade(errors: outcome.errors) }
      }
    }
    return folder
  }
}

/// Processes that a process started, and is waited for by.
func children(of process: pid_t) -> [pid_t] {
  let path = "/proc/\(process)/task/\(process)/children"
  let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  return text.split(separator: " ").compactMap { pid_t($0) }
}
