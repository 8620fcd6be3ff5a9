import Foundation
import Testing
import VetNetTestSupport

/// The README's example is what the program prints.
struct ReadmeTests {
  @Test func `the answer that the README shows is the one that is given`() throws {
    let readme = try String(contentsOfFile: projectDirectory + "/README.md", encoding: .utf8)
    let folder = try TemporaryFolder()
    let vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "Europe/London")
    try vetnet.run("import", projectDirectory + "/Corpus")
    let answer = try vetnet.run("ask", "why was meloxicam stopped?", "--patient", "P001", "--now", "2026-11-20T18:00")
    #expect(readme.contains(answer.output.trimmingCharacters(in: .newlines)))
    let triage = try vetnet.run(
      "triage", "--patient", "P017", "--text",
      "Thumper hasnt touched his greens since last night, no poos in the tray and he is sat hunched up grinding his teeth",
      "--now", "2026-11-20T18:00")
    #expect(readme.contains(triage.output.trimmingCharacters(in: .newlines)))
  }
}
