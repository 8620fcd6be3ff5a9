import Foundation
import Testing
import VetNetTestSupport

/// The tutorial's commands are run, and print what it shows.
struct TutorialTests {
  private struct Step {
    var commands: String
    /// Lines that the commands print, in part.
    var shown: [String] = []
  }

  private func steps() throws -> [Step] {
    let page = try String(
      contentsOfFile: projectDirectory + "/Sources/VetNet/VetNet.docc/Tutorial.md", encoding: .utf8)
    var steps: [Step] = []
    for (index, part) in page.components(separatedBy: "```").enumerated() where index % 2 == 1 {
      let end = part.firstIndex(of: "\n") ?? part.endIndex
      let body = String(part[end...])
      switch part[..<end] {
      case "sh": steps.append(Step(commands: body))
      case "text":
        let lines = body.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        try #require(!steps.isEmpty)
        steps[steps.count - 1].shown += lines
      default: Issue.record("a block of another kind: \(part[..<end])")
      }
    }
    return steps
  }

  @Test func `from a messy export to an answer, a brief and a booking, as it says`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try VetNetProcess(practice: "unused")
    let steps = try steps()
    #expect(steps.count >= 12)
    let mark = "@@step"
    // One shell for all: variables and the folder stay. The present is the tutorial's own, whatever day the test runs.
    let script =
      "vetnet() { command '\(vetnet.executable)' \"$@\" --now 2026-11-20T18:00; }\n"
      + steps.map { "echo '\(mark)'\n\($0.commands)" }.joined(separator: "\n")
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = URL(filePath: folder.file(""))
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder.file(""), "VETNET_MODELS": modelsDirectory, "LC_ALL": "C.UTF-8",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let printed = text.components(separatedBy: mark + "\n").dropFirst()
    try #require(printed.count == steps.count)
    for (step, printed) in zip(steps, printed) {
      for line in step.shown { #expect(printed.contains(line), "\(step.commands)\n→ \(printed)") }
      #expect(!printed.contains("Maybe you meant"))
    }
  }

  @Test func `the README links to it first`() throws {
    let readme = try String(contentsOfFile: projectDirectory + "/README.md", encoding: .utf8)
    let first = try #require(readme.firstMatch(of: /\]\(([^)]+)\)/)).1
    #expect(first == "Sources/VetNet/VetNet.docc/Tutorial.md")
  }
}
