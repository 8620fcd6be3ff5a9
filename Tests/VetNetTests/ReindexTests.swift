import Foundation
import Testing
import VetNetTestSupport

/// Batch re-indexing as a job: beside the live index, killed, resumed.
struct ReindexTests {
  private func practice(_ folder: TemporaryFolder) throws -> VetNetProcess {
    let vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "Europe/London")
    #expect(try vetnet.run("import", projectDirectory + "/Corpus").status == 0)
    return vetnet
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

  @Test(arguments: [100, 300, 600])
  func `a killed job leaves the live index answering, and can be taken up`(milliseconds: Int) throws {
    let folder = try TemporaryFolder()
    let vetnet = try practice(folder)
    let before = try ask(vetnet)
    let running = try vetnet.start(["reindex", "--train"])
    usleep(UInt32(milliseconds) * 1000)
    running.kill()
    _ = try running.wait()
    if try vetnet.run("status", "--json").json()["running_job"] != nil {
      #expect(try ask(vetnet) == before)
    }
    #expect(try vetnet.run("reindex", "--resume").status == 0)
    #expect(try ask(vetnet).contains("\"answer_class\":\"found\""))
    #expect(try vetnet.run("doctor").status == 0)
  }
}
