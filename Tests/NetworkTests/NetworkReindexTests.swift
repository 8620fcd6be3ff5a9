import Foundation
import Glibc
import Testing
import VetNetTestSupport

@testable import Store

/// Practice files re-indexed by several processes, and what goes wrong on the way.
struct NetworkReindexTests {
  /// What one program makes of the same files.
  private static let alone = Result {
    let group = try PracticeGroup()
    for name in PracticeGroup.names {
      let outcome = try group.vetnet.run(
        "reindex", "--all", "--practice", group.path(name), "--now", PracticeGroup.now)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    return try group.contents()
  }

  @Test(arguments: [["--workers", "1"], ["--workers", "3"], ["--workers", "2", "--portion", "5"]])
  func `what is stored is what one program stores`(options: [String]) throws {
    let group = try PracticeGroup()
    let outcome = try group.start(["reindex", group.practices, "--all", "--json"] + options).wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let summary = try outcome.json()
    let practices = try #require(summary["practices"] as? [[String: Any]])
    #expect(practices.count == 4 && practices.allSatisfy { $0["notes"] as? Int ?? 0 > 0 })
    #expect(practices.allSatisfy { $0["seconds"] is Double })
    let (found, wanted) = (try group.contents(), try Self.alone.get())
    for (name, (own, other)) in zip(PracticeGroup.names, zip(found, wanted)) {
      for table in Set(own.keys).union(other.keys).sorted() { #expect(own[table] == other[table], "\(name): \(table)") }
    }
    #expect(!FileManager.default.fileExists(atPath: group.practices + "/.vetnet-network/reindex"))
  }

  @Test func `a worker that is killed loses nothing`() throws {
    let group = try PracticeGroup()
    let running = try group.start(["reindex", group.practices, "--all", "--portion", "4", "--workers", "2"])
    var killed = 0
    // One piece is tried three times.
    while running.process.isRunning, killed < 2 {
      if let worker = children(of: running.process.processIdentifier).first {
        usleep(120_000)
        if kill(worker, SIGKILL) == 0 { killed += 1 }
      }
      usleep(60_000)
    }
    let outcome = try running.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(killed > 0)
    #expect(try group.contents() == Self.alone.get())
  }

  @Test func `a driver that is killed is gone on with, and leaves no worker`() throws {
    let group = try PracticeGroup()
    let state = group.folder.file("state")
    let words = ["reindex", group.practices, "--all", "--portion", "4", "--workers", "1", "--state", state]
    let running = try group.start(words)
    var workers: [pid_t] = []
    func parts() -> Int {
      ((try? FileManager.default.contentsOfDirectory(atPath: state + "/parts")) ?? []).count { $0.hasSuffix(".part") }
    }
    while running.process.isRunning, parts() < 2 {
      workers = children(of: running.process.processIdentifier)
      usleep(20_000)
    }
    running.kill()
    _ = try running.wait()
    let done = parts()
    for _ in 0..<600 where workers.contains(where: { kill($0, 0) == 0 && !isZombie($0) }) { usleep(100_000) }
    #expect(workers.allSatisfy { kill($0, 0) != 0 || isZombie($0) })
    let again = try group.start(words).wait()
    #expect(again.status == 0, "\(again.errors)")
    #expect(done > 0)
    #expect(try group.contents() == Self.alone.get())
    #expect(!FileManager.default.fileExists(atPath: state))
  }

  private func isZombie(_ process: pid_t) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    return status.split(separator: ")").last?.split(separator: " ").first == "Z"
  }

  @Test func `a corrupt practice file among good ones is named, and the others are done`() throws {
    let group = try PracticeGroup()
    let file = try FileHandle(forWritingTo: URL(filePath: group.path("birch")))
    try file.write(contentsOf: Data(repeating: 7, count: 4096))
    try file.close()
    let outcome = try group.network("reindex", group.practices, "--all", "--json")
    #expect(outcome.status == 3)
    let failed = try #require(try outcome.json()["failed"] as? [[String: Any]])
    #expect(failed.map { $0["name"] as? String } == ["birch"])
    #expect((failed[0]["reason"] as? String)?.contains("not a practice file") == true)
    for place in [0, 2, 3] {
      #expect(try PracticeGroup.content(group.path(PracticeGroup.names[place])) == Self.alone.get()[place])
    }
  }

  @Test func `a job is not started twice`() throws {
    let group = try PracticeGroup()
    let state = group.folder.file("state")
    let words = ["reindex", group.practices, "--all", "--portion", "4", "--workers", "1", "--state", state]
    let running = try group.start(words)
    while running.process.isRunning, children(of: running.process.processIdentifier).isEmpty { usleep(10_000) }
    let second = try group.start(words).wait()
    #expect(second.status == 11)
    #expect(second.errors.contains("process \(running.process.processIdentifier)"))
    #expect(try running.wait().status == 0)
  }

  @Test func `workers of another version are refused, and both versions are named`() throws {
    let group = try PracticeGroup()
    let other = try group.folder.write("#!/bin/sh\necho '{\"program\":\"0.0.9\"}'\nexec cat >/dev/null\n", to: "other")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: other)
    let before = try group.contents()
    let outcome = try group.network("reindex", group.practices, "--all", "--worker-program", other)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("VetNet 0.0.9") && outcome.errors.contains("VetNet 0.1.0"))
    #expect(try group.contents() == before)
  }

  @Test func `a plan of another version is refused by each piece`() throws {
    let group = try PracticeGroup()
    let state = group.folder.file("state")
    #expect(try group.network("reindex", group.practices, "--plan-only", "--state", state).status == 0)
    let plan = state + "/plan.json"
    let text = try String(contentsOfFile: plan, encoding: .utf8)
    try text.replacingOccurrences(of: #""program":"0.1.0""#, with: #""program":"0.0.9""#)
      .write(toFile: plan, atomically: true, encoding: .utf8)
    for words in [["map", state, "--shard", "0", "--out", group.folder.file("p")], ["finish", state]] {
      let outcome = try group.start(words).wait()
      #expect(outcome.status == 1 && outcome.errors.contains("0.0.9") && outcome.errors.contains("0.1.0"))
    }
  }

  @Test func `Ctrl-C stops between two pieces, and says what is kept`() throws {
    let group = try PracticeGroup()
    let state = group.folder.file("state")
    let words = ["reindex", group.practices, "--all", "--portion", "4", "--workers", "1", "--state", state]
    let running = try group.start(words)
    while running.process.isRunning, children(of: running.process.processIdentifier).isEmpty { usleep(10_000) }
    running.kill(SIGINT)
    let outcome = try running.wait()
    #expect(outcome.status == 130)
    #expect(outcome.errors.contains("what is done is kept"))
    #expect(try group.start(words).wait().status == 0)
    #expect(try group.contents() == Self.alone.get())
  }

  @Test func `a full disk is said, and what is done stays for the next start`() throws {
    let group = try PracticeGroup()
    let state = group.folder.file("state")
    let words = [
      "network", "reindex", group.practices, "--all", "--portion", "4", "--workers", "1", "--state", state, "--now",
      PracticeGroup.now,
    ]
    // From the fortieth step in the job's folder on, for every process alike.
    let full = try Fault(.enospc, at: 40, stays: true).installed(
      in: group.vetnet, folder: state, countFile: group.folder.file("count"))
    let outcome = try full.start(words).wait()
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("disk is full"))
    let again = try group.vetnet.start(words).wait()
    #expect(again.status == 0, "\(again.errors)")
    #expect(try group.contents() == Self.alone.get())
  }
}
