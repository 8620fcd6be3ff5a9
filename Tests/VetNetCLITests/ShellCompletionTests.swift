import Foundation
import Testing
import VetNetTestSupport

/// Completion as zsh and fish do it themselves. `make acceptance` installs both; elsewhere what is there is driven.
struct ShellCompletionTests {
  private static let isNeeded = ProcessInfo.processInfo.environment["VETNET_SHELLS_NEEDED"] == "1"
  private static func has(_ shell: String) -> Bool {
    isNeeded || FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)")
  }

  private let folder: TemporaryFolder
  private let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    var vetnet = try SampleCorpus.practice(at: folder.file("p.vetnet"), .records)
    try vetnet.run("patient", "add", "Lady", "Grey", "--species", "cat")
    // As it is found on a machine where it is installed.
    try FileManager.default.createDirectory(atPath: folder.file("bin"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("bin/vetnet"), withDestinationPath: vetnet.executable)
    vetnet.environment["PATH"] = folder.file("bin") + ":/usr/bin:/bin"
    vetnet.environment["HOME"] = folder.file("")
    vetnet.environment["LANG"] = "C.UTF-8"
    self.vetnet = vetnet
    try folder.write("", to: "given/export.jsonl")
  }

  private func shell(_ name: String) -> VetNetProcess {
    var shell = vetnet
    shell.executable = "/usr/bin/\(name)"
    return shell
  }

  /// What is typed, and what stands there after one press of the tabulator.
  private static let lines: [(typed: String, completed: String)] = [
    ("vetnet pat", "vetnet patient "), ("vetnet patient show Duch", "vetnet patient show Duchess "),
    ("vetnet patient show Lad", #"vetnet patient show Lady\ Grey "#),
    ("vetnet schedule free --with marsh", "vetnet schedule free --with S01 "),
    ("vetnet schedule free --wi", "vetnet schedule free --with "),
    ("vetnet schedule move A0259", "vetnet schedule move A0259 "),
    ("vetnet import --date-order d", "vetnet import --date-order dmy "),
    ("vetnet config set rea", "vetnet config set reader-address "),
  ]

  @Test(.enabled(if: has("zsh"))) func `zsh completes commands, options, patients, staff and appointments`() throws {
    try folder.write(vetnet.run("completions", "zsh").output, to: "functions/_vetnet")
    let said = folder.file("said")
    try folder.write(
      """
      fpath=(\(folder.file("functions")) $fpath)
      autoload -Uz compinit && compinit -u -d \(folder.file("dump"))
      setopt no_beep no_flow_control
      keep() { print -r -- "$BUFFER|" >> '\(said)'; BUFFER=; }
      zle -N keep
      bindkey '^Xk' keep
      PS1='READY> '
      """, to: ".zshrc")
    let terminal = try PseudoTerminal(shell("zsh"), ["-i"], columns: 120)
    defer { terminal.close() }
    _ = terminal.read(until: "READY> ")
    for line in Self.lines { terminal.type(line.typed + "\t\u{18}k") }
    // Several that begin so are listed with what they stand for.
    terminal.type("vetnet ask --patient P01\t\t")
    #expect(terminal.read(until: "P019").contains(/P010 +-- Oscar/))
    terminal.type("\u{15}exit\n")
    _ = terminal.readToEnd()
    let found = try String(contentsOfFile: said, encoding: .utf8).split(separator: "\n").map { String($0.dropLast()) }
    #expect(found == Self.lines.map(\.completed))
  }

  @Test(.enabled(if: has("fish"))) func `fish completes commands, options, patients, staff and appointments`() throws {
    try folder.write(vetnet.run("completions", "fish").output, to: "vetnet.fish")
    let asked = Self.lines.map { "complete -C '\($0.typed)'; echo ===" }.joined(separator: "\n")
    let script = try folder.write(
      """
      source \(folder.file("vetnet.fish"))
      cd \(folder.file("given"))
      \(asked)
      complete -C 'vetnet ask --patient P01'; echo ===
      complete -C 'vetnet import exp'; echo ===
      """, to: "asked.fish")
    let outcome = try shell("fish").run("--no-config", script)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let answers = outcome.output.components(separatedBy: "===\n").map { $0.split(separator: "\n").map(String.init) }
    for (line, answer) in zip(Self.lines, answers) {
      let word = line.completed.dropLast().split(separator: " ", maxSplits: 20).last ?? ""
      let wanted = line.completed.contains("Lady") ? "Lady Grey" : String(word)
      #expect(answer.map { String($0.prefix { $0 != "\t" }) } == [wanted], "\(line.typed)")
    }
    try #require(answers.count >= Self.lines.count + 2)
    let patients = answers[Self.lines.count]
    #expect(patients.count == 10 && patients.first == "P010\tOscar")
    #expect(answers[Self.lines.count + 1].map { String($0.prefix { $0 != "\t" }) } == ["export.jsonl"])
  }
}
