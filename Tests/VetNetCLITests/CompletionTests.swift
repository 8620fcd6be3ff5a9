import Foundation
import Presentation
import Testing
import VetNetTestSupport

@testable import VetNetCLI

/// What shells and manuals get from the command table.
struct CompletionTests {
  private let folder: TemporaryFolder
  private let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
  }

  private func fill() throws {
    _ = try SampleCorpus.practice(at: folder.file("p.vetnet"), .records)
  }

  private func complete(_ words: String...) throws -> [String] {
    let outcome = try vetnet.start(["complete", "--now", "2026-11-23T09:00", "--"] + words).wait()
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    return outcome.output.split(separator: "\n").map(String.init)
  }

  /// The words alone.
  private func words(_ lines: [String]) -> [String] { lines.map { String($0.prefix { $0 != "\t" }) } }

  @Test func `commands, options and values come from the table`() throws {
    #expect(Set(words(try complete(""))) == Set(CommandTable.all.map { $0.path[0] }))
    #expect(words(try complete("sch")) == ["schedule"])
    #expect(words(try complete("schedule", "b")) == ["book"])
    #expect(Set(words(try complete("config", ""))) == ["feature", "get", "set", "unset"])
    #expect(words(try complete("config", "set", "t")) == ["time-zone"])
    #expect(words(try complete("schedule", "free", "--w")) == ["--with"])
    #expect(words(try complete("import", "--date-order", "")) == ["dmy", "mdy"])
    #expect(words(try complete("completions", "")) == ["bash", "zsh", "fish"])
    #expect(words(try complete("import", "")) == ["log", "undo", ":files"])
    #expect(try complete("ask", "--practice", "x") == [":files"])
    // Hidden ones are not offered.
    #expect(!words(try complete("")).contains("complete"))
    #expect(words(try complete("man")).isEmpty)
  }

  @Test func `patients, staff, rooms and appointments complete by id and name, and nothing else is said of them`()
    throws
  {
    try fill()
    #expect(words(try complete("ask", "--patient", "P01")) == (10...19).map { "P0\($0)" })
    #expect(try complete("patient", "show", "Duch") == ["Duchess\tP004"])
    // A name that several have is completed to their ids.
    #expect(Set(words(try complete("patient", "show", "Bella"))).isSuperset(of: ["P001", "P009"]))
    #expect(words(try complete("schedule", "free", "--with", "mar")).contains("S01"))
    #expect(try complete("schedule", "book", "--resource", "TH") == ["TH1\tTheatre"])
    let appointments = try complete("schedule", "move", "A07")
    #expect(!appointments.isEmpty && appointments.allSatisfy { $0.hasPrefix("A07") })
    // Reasons and notes stay out.
    let reason = try #require(
      try vetnet.run("schedule", "show", "--date", "2026-11-23", "--json").jsonLines()
        .compactMap { $0["reason"] as? String }.first)
    #expect(!appointments.contains { $0.contains(reason) })
  }

  @Test func `without a practice, or with a damaged one, nothing is said`() throws {
    #expect(try complete("ask", "--patient", "P").isEmpty)
    try Data("no practice".utf8).write(to: URL(filePath: folder.file("p.vetnet")))
    #expect(try complete("ask", "--patient", "P").isEmpty)
  }

  @Test(arguments: [("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])])
  func `a script is one that its shell reads`(shell: String, check: [String]) throws {
    let script = try vetnet.run("completions", shell)
    #expect(script.status == 0 && script.output.contains("vetnet"))
    guard let path = ["/bin", "/usr/bin"].map({ "\($0)/\(shell)" }).first(where: FileManager.default.isExecutableFile)
    else { return }
    let file = folder.file("script.\(shell)")
    try Data(script.output.utf8).write(to: URL(filePath: file))
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = check + [file]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `bash completes with the script, names with spaces and all`() throws {
    try vetnet.run("init", "--time-zone", "Europe/London")
    try vetnet.run("patient", "add", "Lady", "Grey", "--species", "cat")
    let script = try vetnet.run("completions", "bash").output
    let test = """
      \(script)
      COMP_WORDS=('\(vetnet.executable)' patient show Lad); COMP_CWORD=3; _vetnet; printf '<%s>' "${COMPREPLY[@]}"
      COMP_WORDS=('\(vetnet.executable)' sched); COMP_CWORD=1; _vetnet; printf '<%s>' "${COMPREPLY[@]}"
      """
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", test]
    process.environment = vetnet.environment
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(output == #"<Lady\ Grey><schedule>"#)
  }

  @Test func `there is a manual page for every command, which says its options`() throws {
    let out = folder.file("man1")
    #expect(try vetnet.run("manual", "--out", out).status == 0)
    let files = Set(try FileManager.default.contentsOfDirectory(atPath: out))
    #expect(files == Set(CommandTable.all.map { "vetnet-\($0.path.joined(separator: "-")).1" } + ["vetnet.1"]))
    for command in CommandTable.all {
      let page = try String(
        contentsOfFile: out + "/vetnet-\(command.path.joined(separator: "-")).1", encoding: .utf8)
      for option in command.options { #expect(page.contains(ManualPages.escaped(option.name)), "\(command.name)") }
      #expect(page.hasPrefix(".TH ") && page.contains("\n.SH NAME\n"))
      #expect(!page.split(separator: "\n").contains { $0.hasPrefix("'") })
    }
  }

  @Test func `the version says what the program is made of`() throws {
    let text = try vetnet.run("--version").output
    for part in ["vetnet ", "schema ", "models: ", "triage ", "SQLite 3.", "libsodium 1.", "OpenBLAS 0."] {
      #expect(text.contains(part), "\(part)")
    }
    let json = try vetnet.run("--version", "--json").json()
    #expect((json["schema"] as? Int ?? 0) >= 18)
  }
}

/// Output on terminals of several widths.
struct TerminalWidthTests {
  @Test(arguments: [60, 80, 120])
  func `a day of the book fits the terminal`(width: Int) throws {
    let folder = try TemporaryFolder()
    let vetnet = try SampleCorpus.practice(at: folder.file("p.vetnet"), .records)
    for words in [
      ["show", "--date", "2026-11-23"], ["free", "--date", "2026-11-23"], ["free", "--at", "2026-11-23T15:00"],
    ] {
      let terminal = try PseudoTerminal(vetnet, ["schedule"] + words + ["--now", "2026-11-20T18:00"], columns: width)
      let output = terminal.readToEnd()
      #expect(terminal.exitStatus() == 0)
      let lines = output.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(whereSeparator: \.isNewline)
      #expect(lines.count > 5)
      for line in lines where width < 100 || words[0] == "free" {
        #expect(String(line).columns <= width, "\(line)")
      }
    }
  }

  @Test func `a session goes by the width that the terminal has by then`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try SampleCorpus.practice(at: folder.file("p.vetnet"))
    let terminal = try PseudoTerminal(
      vetnet, ["ask", "--patient", "P001", "--now", "2026-11-20T18:00"], columns: 60)
    defer { terminal.close() }
    _ = terminal.read(until: "P001> ")
    func widest() -> Int {
      terminal.type("why was meloxicam stopped?\n")
      let shown = terminal.read(until: "P001> ", after: "[1]")
      return shown.split(whereSeparator: \.isNewline).dropFirst().map { String($0).columns }.max() ?? 0
    }
    let narrow = widest()
    terminal.resize(to: 120)
    let wide = widest()
    #expect(narrow <= 60 && wide > 60, "\(narrow) \(wide)")
    terminal.type("quit\n")
    #expect(terminal.exitStatus() == 0)
  }

  @Test func `columns of a table align whatever the writing`() {
    #expect("松本".padded(to: 6) == "松本  " && "松本".leftPadded(to: 6) == "  松本")
  }
}

/// Long work as a program reads it.
struct LongJobTests {
  @Test func `every line of a long job says what it is, and the last is the summary`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "Europe/London")
    let out = folder.file("simulated")
    try vetnet.run("simulate", "--patients", "80", "--seed", "1", "--out", out)
    let started = Date.now
    let lines = try vetnet.run("import", out, "--json").jsonLines()
    let seconds = Date.now.timeIntervalSince(started)
    let types = lines.compactMap { $0["message_type"] as? String }
    #expect(types.count == lines.count && types.last == "summary")
    #expect(types.dropLast().allSatisfy { $0 == "progress" })
    // A line a second at most, and some where it takes longer.
    #expect(Double(types.count - 1) <= seconds)
    for line in lines.dropLast() { #expect((line["done"] as? Int ?? -1) >= 0 && line["seconds"] is Int) }
    #expect(lines.last?["notes"] != nil || lines.last?["records"] != nil)
    let again = try vetnet.run("reindex", "--all", "--json").jsonLines()
    #expect(again.last?["message_type"] as? String == "summary")
  }
}
