import Foundation
import Testing
import VetNetTestSupport

@testable import VetNetCLI

/// The table is the program's face: parser, help and README come from it.
struct CommandTableTests {
  @Test func `the README names every command`() throws {
    let readme = try String(contentsOfFile: projectDirectory + "/README.md", encoding: .utf8)
    for command in CommandTable.all { #expect(readme.contains("vetnet \(command.name)"), "\(command.name)") }
  }

  @Test func `every command of the main job is there`() {
    let names = Set(CommandTable.all.map(\.name))
    let wanted = [
      "init", "import", "patient find", "patient show", "patient timeline", "note show", "note add", "ask", "similar",
      "triage", "brief", "schedule show", "schedule propose", "schedule book", "schedule cancel", "schedule optimize",
      "reindex", "status", "doctor", "backup", "restore", "verify",
    ]
    #expect(names.isSuperset(of: wanted))
    #expect(names.count == CommandTable.all.count)
  }

  @Test(arguments: CommandTable.all.map(\.name))
  func `a command explains itself, with an example that it understands`(name: String) throws {
    let command = try #require(CommandTable.all.first { $0.name == name })
    #expect(!command.summary.isEmpty && !command.summary.hasSuffix("."))
    #expect(!command.examples.isEmpty)
    let optionNames = command.options.map(\.name)
    #expect(Set(optionNames).count == optionNames.count)
    #expect(
      optionNames.allSatisfy { ($0.hasPrefix("--") || $0.count == 2) && $0.hasPrefix("-") && $0 == $0.lowercased() })
    #expect(Set(optionNames).isDisjoint(with: Option.global.map(\.name)))
    for example in command.examples {
      // What stands before `vetnet` or behind `>` is the shell's.
      let line = try #require(example.line.components(separatedBy: "vetnet ").last?.components(separatedBy: " >").first)
      let words = Self.shellWords(line)
      #expect(words.starts(with: command.path), "\(example.line)")
      _ = try Arguments(Array(words.dropFirst(command.path.count)), for: command)
    }
  }

  @Test(arguments: CommandTable.all.map(\.name))
  func `help shows examples first and every option`(name: String) throws {
    let command = try #require(CommandTable.all.first { $0.name == name })
    let page = Help.page(for: command)
    let examples = try #require(page.range(of: "examples:")), usage = try #require(page.range(of: "usage:"))
    #expect(examples.lowerBound < usage.lowerBound)
    for option in command.options + Option.global { #expect(page.contains(option.name)) }
  }

  @Test func `writes have a dry run`() throws {
    for name in [
      "import", "patient add", "note add", "schedule book", "schedule cancel", "schedule optimize", "backup", "restore",
      "patient erase",
    ] {
      let command = try #require(CommandTable.all.first { $0.name == name })
      #expect(command.options.contains { $0.name == "--dry-run" }, "\(name)")
    }
  }

  @Test func `verify says that it repairs nothing, and how doctor differs; backup when it is encrypted`() throws {
    func page(_ name: String) throws -> String {
      Help.page(for: try #require(CommandTable.all.first { $0.name == name }))
    }
    #expect(try page("verify").contains("repairs nothing") && page("verify").contains("vetnet doctor"))
    #expect(try page("doctor").contains("vetnet verify"))
    #expect(
      try page("backup").contains("that of an encrypted practice is encrypted")
        && page("restore").contains("--replace-newer"))
  }

  /// Words as a shell splits them, double quotes understood.
  static func shellWords(_ line: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    for character in line {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? words : words + [word]
  }
}
