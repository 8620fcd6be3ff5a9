import FoundationEssentials
import VetNet

/// The manual, made from the command table: one page for the program, one for each command.
enum ManualCommand {
  static let command = Command(
    "manual", "writes the manual's pages into a folder",
    options: [Option("--out", "DIR", "where to")],
    examples: [Example("vetnet manual --out /usr/local/share/man/man1", "what make install does")]
  ) { invocation in
    guard let folder = invocation.arguments.value("--out") else { throw UsageError("'vetnet manual' needs --out DIR") }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (name, text) in ManualPages.all(CommandTable.all) {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        // For everybody on the machine, unlike what a practice writes.
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(folder)/\(name)")
      }
    } catch {
      throw PracticeError(.failed, "can't write the manual into '\(folder)'")
    }
    return .ok
  }
}

/// Pages in roff with the macros of man(7).
enum ManualPages {
  static func all(_ commands: [Command]) -> [(name: String, text: String)] {
    [("vetnet.1", overview(commands))]
      + commands.map { ("vetnet-\($0.path.joined(separator: "-")).1", page($0)) }
  }

  private static func overview(_ commands: [Command]) -> String {
    var lines = head("VETNET", "vetnet", "local case analysis for a veterinary practice")
    lines += [".SH SYNOPSIS", ".B vetnet", "COMMAND [ARGUMENTS] [OPTIONS]", ".SH DESCRIPTION"]
    lines += [
      escaped(
        "Reads a practice's notes on the practice's own machine and answers from them, with citations. It supports decisions; it makes no diagnosis, and a veterinary professional confirms urgency."
      )
    ]
    lines.append(".SH COMMANDS")
    for command in commands {
      lines += [".TP", ".BR vetnet\\-\(escaped(command.path.joined(separator: "-"))) (1)", escaped(command.summary)]
    }
    lines += options(Option.global, title: "OPTIONS OF EVERY COMMAND")
    lines += [".SH EXIT STATUS"]
    for (code, meaning) in exitCodes { lines += [".TP", ".B \(code)", escaped(meaning)] }
    lines += [".SH ENVIRONMENT", ".TP", ".B VETNET_PRACTICE", "the practice file", ".TP", ".B VETNET_MODELS"]
    lines += ["the model folder"]
    for setting in PracticeSetting.allCases { lines += [".TP", ".B \(setting.variable)", escaped(setting.summary)] }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let exitCodes = [
    ("0", "ok"), ("1", "failed"), ("3", "finished, some input rejected"),
    ("4", "no evidence (only with --exit-status)"),
    ("5", "ambiguous patient"), ("10", "no practice file"), ("11", "locked"), ("12", "key"), ("13", "integrity"),
    ("15", "not permitted"), ("64", "usage"), ("130, 143", "ended by a signal"),
  ]

  private static func page(_ command: Command) -> String {
    let title = "vetnet-\(command.path.joined(separator: "-"))"
    var lines = head(title.uppercased(), title, command.summary)
    let usage = (command.positionals.map(\.usage) + ["[OPTIONS]"]).joined(separator: " ")
    lines += [".SH SYNOPSIS", ".B vetnet \(escaped(command.name))", escaped(usage)]
    if !command.discussion.isEmpty { lines += [".SH DESCRIPTION", escaped(command.discussion)] }
    if !command.positionals.isEmpty {
      lines.append(".SH ARGUMENTS")
      for positional in command.positionals {
        lines += [".TP", ".I \(escaped(positional.name))", escaped(positional.help)]
      }
    }
    if !command.options.isEmpty { lines += options(command.options, title: "OPTIONS") }
    lines += options(Option.global, title: "OPTIONS OF EVERY COMMAND")
    lines.append(".SH EXAMPLES")
    for example in command.examples { lines += [".TP", ".B \(escaped(example.line))", escaped(example.meaning)] }
    lines += [".SH SEE ALSO", ".BR vetnet (1)"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func head(_ title: String, _ name: String, _ summary: String) -> [String] {
    [
      ".TH \"\(escaped(title))\" 1 \"\" \"vetnet \(VetNetVersion.current)\" \"VetNet\"", ".SH NAME",
      "\(escaped(name)) \\- \(escaped(summary))",
    ]
  }

  private static func options(_ options: [Option], title: String) -> [String] {
    [".SH \(title)"]
      + options.flatMap { [".TP", ".B \(escaped($0.usage))", escaped($0.help)] }
  }

  /// Text that roff takes for nothing else: backslashes and hyphens as they are, no line that begins with a command.
  static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return plain.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : String(line)
    }.joined(separator: "\n")
  }
}
