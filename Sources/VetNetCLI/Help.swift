import Presentation

/// Help, made from the command table: examples first, because that is what people look for.
enum Help {
  static func overview(of commands: [Command]) -> String {
    let width = (commands.map(\.name.count).max() ?? 0) + 2
    let rows = commands.map { "  \($0.name.padded(to: width))\($0.summary)" }
    return """
      vetnet: local case analysis for a veterinary practice

      usage: vetnet COMMAND [ARGUMENTS] [OPTIONS]

      start here:
        vetnet init                                   create a practice file
        vetnet import Corpus                          read notes, patients, staff and appointments
        vetnet ask "when was the last booster?" --patient P007

      commands:
      \(rows.joined(separator: "\n"))

      options of every command:
      \(table(Option.global.map { ($0.usage, $0.help) }))

      'vetnet COMMAND --help' says more about one. VetNet supports decisions; it makes no diagnosis, and a veterinary
      professional confirms urgency.

      """
  }

  static func group(_ commands: [Command]) -> String {
    "commands:\n" + table(commands.map { ($0.name, $0.summary) })
      + "\n\n'vetnet \(commands[0].name) --help' says more about one.\n"
  }

  static func page(for command: Command) -> String {
    let usage = (["vetnet", command.name] + command.positionals.map(\.usage) + ["[OPTIONS]"]).joined(separator: " ")
    var sections = [
      "\(command.summary)",
      "examples:\n" + command.examples.map { "  \($0.line)\n      \($0.meaning)" }.joined(separator: "\n"),
      "usage: \(usage)",
    ]
    if !command.positionals.isEmpty { sections.append(table(command.positionals.map { ($0.name, $0.help) })) }
    if !command.options.isEmpty {
      sections.append("options:\n" + table(command.options.map { ($0.usage, $0.help) }))
    }
    sections.append("options of every command:\n" + table(Option.global.map { ($0.usage, $0.help) }))
    if !command.discussion.isEmpty { sections.append(command.discussion) }
    return sections.joined(separator: "\n\n") + "\n"
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = (rows.map(\.0.count).max() ?? 0) + 2
    return rows.map { "  \($0.0.padded(to: width))\($0.1)" }.joined(separator: "\n")
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }

  func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - columns)) + self }
}
