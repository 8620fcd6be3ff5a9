import Foundation
import Glibc
import Store
import Testing
import VetNet
import VetNetTestSupport

/// Batch re-indexing as a job: beside the live index, killed, resumed.
struct ReindexTests {
  private func practice(_ folder: TemporaryFolder, _ kind: SampleCorpus.Kind = .indexed) throws -> VetNetProcess {
    try SampleCorpus.practice(at: folder.file("p.vetnet"), kind)
  }

  private func ask(_ vetnet: VetNetProcess) throws -> String {
    try vetnet.run("ask", "why was meloxicam stopped?", "--patient", "P001", "--now", "2026-11-20T18:00", "--json")
      .output
  }

  @Test func `a rebuilt index answers as the one that grew`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try practice(folder)
    let before = try ask(vetnet)
    let similar = try vetnet.run("similar", "--text", "itchy ears, head shaking", "--json").output
    #expect(try vetnet.run("reindex", "--all").status == 0)
    #expect(try ask(vetnet) == before)
    #expect(try vetnet.run("similar", "--text", "itchy ears, head shaking", "--json").output == similar)
  }

  @Test func `training gives the practice a model of its own`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try practice(folder)
    let summary = try vetnet.run("reindex", "--train", "--json").json()
    #expect(summary["indexed_notes"] as? Int == 520)
    #expect(summary["model"] as? String == "trained on this practice")
    let index = try #require(try vetnet.run("status", "--json").json()["index"] as? [String: Any])
    #expect(index["is_current"] as? Bool == true)
    #expect(index["stale_notes"] as? Int == 0)
  }

  /// Kills a rebuild while its job is under way; it is started again where it ended before.
  private func kill(_ vetnet: VetNetProcess, after milliseconds: Int) throws -> Bool {
    for _ in 0..<20 {
      let running = try vetnet.start(["reindex", "--train", "--all"])
      while running.process.isRunning, try !(vetnet.run("status", "--json").json()["running_job"] is String) {
        usleep(2000)
      }
      usleep(UInt32(milliseconds) * 1000)
      running.kill()
      if try running.wait().status == SIGKILL { return true }
    }
    return false
  }

  @Test(arguments: [0, 100, 300])
  func `a killed job leaves the live index answering, and can be taken up`(milliseconds: Int) throws {
    let folder = try TemporaryFolder()
    let vetnet = try practice(folder)
    let before = try ask(vetnet)
    #expect(try kill(vetnet, after: milliseconds))
    // Until the new index is in use, the old one answers as ever; between the two there is nothing.
    let index = try vetnet.run("status", "--json").json()["index"] as? [String: Any]
    if index?["model"] as? String == "default" {
      #expect(try ask(vetnet) == before)
    }
    #expect(try vetnet.run("reindex", "--resume").status == 0)
    #expect(try ask(vetnet).contains("\"answer_class\":\"found\""))
    #expect(try vetnet.run("doctor").status == 0)
  }

  @Test func `while a job runs the old index answers, a second job is refused, and neither is disturbed`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try practice(folder)
    let before = try ask(vetnet)
    // Stopped in the middle, so that nothing here depends on how fast the machine is. One that was done before it was seen at
    // work is started again.
    var running = try vetnet.start(["reindex", "--all"])
    var isStopped = false
    for _ in 0..<2000 where !isStopped {
      if !running.process.isRunning { running = try vetnet.start(["reindex", "--all"]) }
      if try vetnet.run("status", "--json").json()["running_job"] is String {
        Glibc.kill(running.process.processIdentifier, SIGSTOP)
        isStopped = true
      } else {
        usleep(5000)
      }
    }
    let second = try vetnet.run("reindex", "--all")
    let own = try vetnet.run("status", "--json").json()["running_job"] as? String
    #expect(try ask(vetnet) == before)
    Glibc.kill(running.process.processIdentifier, SIGCONT)
    let first = try running.wait()
    #expect(first.status == 0)
    if own != nil {
      #expect(second.status == 11)
      #expect(second.errors.contains("process \(running.process.processIdentifier)"))
      #expect(second.errors.contains("since 20"))
    }
    #expect(try ask(vetnet) == before)
  }

  @Test func `a job that holds the write lock is named too, and what was refused is not put down as begun`() throws {
    let clinic = try SmallClinic()
    let other = try Connection.open(clinic.folder.file("p.vetnet"))
    func entries() throws -> Int {
      try clinic.practice.perform(ExportAudit(), by: .local, at: clinic.now).count { $0.operation == Reindex.name }
    }
    _ = try other.jobs.begin(kind: try #require(Reindex.job), at: clinic.now)
    let before = try entries()
    try other.transaction { () throws(StoreError) in
      let error = #expect(throws: PracticeError.self) {
        try clinic.practice.perform(Reindex(options: ReindexOptions()), by: .local, at: clinic.now)
      }
      #expect(error?.code == .locked)
      #expect(error?.description.contains("process \(JobHolder.current.process)") == true)
    }
    #expect(try entries() == before)
  }

  @Test func `a note that can't be indexed is listed and stops nothing`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try practice(folder)
    let text = String(repeating: "pasted from a file ", count: 220_000)
    let record = """
      {"id":"TOO-LONG","patient_id":"P001","recorded_at":"2026-11-01T10:00:00Z","kind":"consult","text":"\(text)"}
      """
    let file = folder.file("notes.jsonl")
    try Data((record + "\n").utf8).write(to: URL(filePath: file))
    _ = try vetnet.run("import", file)
    let outcome = try vetnet.run("reindex", "--all", "--json")
    #expect(outcome.status == 3)
    let summary = try outcome.json()
    #expect((summary["failures"] as? [[String: Any]])?.compactMap { $0["note_id"] as? String } == ["TOO-LONG"])
    #expect(outcome.errors.contains("TOO-LONG: its text has") && !outcome.errors.contains("pasted"))
    let index = try #require(try vetnet.run("status", "--json").json()["index"] as? [String: Any])
    #expect(index["failed_notes"] as? Int == 1 && index["stale_notes"] as? Int == 0)
    #expect(try ask(vetnet).contains("\"answer_class\":\"found\""))
  }

  @Test func `re-indexing again and again takes no more room`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try practice(folder, .small)
    func size() throws -> Int {
      try ["", "-wal"].reduce(0) { sum, suffix in
        let path = folder.file("p.vetnet") + suffix
        guard FileManager.default.fileExists(atPath: path) else { return sum }
        return sum + (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
      }
    }
    // Two generations lie side by side while one takes the other's place: that room stays, for the next time.
    for _ in 0..<2 { #expect(try vetnet.run("reindex", "--all").status == 0) }
    let settled = try size()
    for _ in 0..<8 { #expect(try vetnet.run("reindex", "--all").status == 0) }
    #expect(try size() <= settled + settled / 50)
  }

  @Test func `status says how well the model knows the notes, and better after training on them`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try practice(folder)
    func knownShare() throws -> Double {
      let index = try #require(try vetnet.run("status", "--json").json()["index"] as? [String: Any])
      return try #require(index["known_share"] as? Double)
    }
    let foreign = folder.file("foreign.jsonl")
    let words = (0..<400).map { "quax\($0 % 26)zo\(String(UnicodeScalar(UInt8(97 + $0 % 26))))l\($0)ish" }
    let lines = (0..<30).map { number in
      """
      {"id":"F\(number)","patient_id":"P001","recorded_at":"2026-11-02T10:\(10 + number):00Z","kind":"consult",\
      "text":"\(words.joined(separator: " "))"}
      """
    }
    let before = try knownShare()
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: foreign))
    #expect(try vetnet.run("import", foreign).status == 0)
    let withForeign = try knownShare()
    #expect(withForeign < before)
    #expect(try vetnet.run("reindex", "--train").status == 0)
    #expect(try knownShare() > withForeign)
  }
}
