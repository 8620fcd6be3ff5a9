import Clinical
import FoundationEssentials
import Glibc
import Presentation
import VetNet

/// From words to an exit code: find the command, run it, and say what went wrong in one place.
struct CommandLineTool {
  let commands: [Command]
  let environment: [String: String]
  let executable: String
  let clock: @Sendable () -> Timestamp
  /// Called with whom the command may reach and which files it may touch, before it runs.
  var confine: @Sendable (Reach, FileReach?) -> Void = { _, _ in }

  /// Runs a command, which may leave something as it is in `leftOpen` at its end.
  func run(_ words: [String], leaving leftOpen: LeftOpen = LeftOpen()) -> ExitCode {
    let noColor = words.contains("--no-color")
    return run(words, on: Terminal(environment: environment, noColor: noColor), leaving: leftOpen)
  }

  func run(_ words: [String], on terminal: Terminal, leaving leftOpen: LeftOpen = LeftOpen()) -> ExitCode {
    defer { terminal.flush() }
    do {
      return try dispatch(words, terminal, leftOpen)
    } catch let error as UsageError {
      report(error, asJSON: words.contains("--json"), to: terminal)
      return .usage
    } catch let error as PracticeError {
      report(error, asJSON: words.contains("--json"), to: terminal)
      return exitCode(for: error)
    } catch {
      terminal.say("vetnet: \(error)")
      return .failed
    }
  }

  private func dispatch(_ words: [String], _ terminal: Terminal, _ leftOpen: LeftOpen) throws -> ExitCode {
    guard let first = words.first else {
      terminal.print(Help.overview(of: commands))
      return .usage
    }
    if first == "--help" || first == "-h" || first == "help", words.count == 1 {
      terminal.print(Help.overview(of: commands))
      return .ok
    }
    if first == "--version" {
      return try showVersions(Array(words.dropFirst()), terminal)
    }
    let words = try expanded(
      Self.optionsBehind(first == "help" ? Array(words.dropFirst()) + ["--help"] : words))
    if let group = groupHelp(words) {
      terminal.print(group)
      return .ok
    }
    let (command, rest) = try find(words)
    let arguments = try Arguments(rest, for: command)
    if arguments.isSet("--help") {
      terminal.print(Help.page(for: command))
      return .ok
    }
    confine(command.reach(arguments), files(of: command, arguments))
    // One that captures runs inside another command, which has its own way to end.
    if !terminal.isCapturing, let left = Interruption.left(by: command, arguments) {
      Interruption.watch { error in
        report(error, asJSON: arguments.isSet("--json"), to: Terminal(environment: environment, noColor: true))
        return exitCode(for: error)
      } saying: {
        left
      }
    }
    return try command.run(
      Invocation(
        arguments: arguments, environment: environment, terminal: terminal, clock: clock, executable: executable,
        leftOpen: leftOpen))
  }

  /// What somebody's own name for a command stands for, with the words behind it; a command of VetNet's stands before any name, and
  /// what a name stands for is no name again.
  private func expanded(_ words: [String]) throws -> [String] {
    guard let first = words.first, !first.hasPrefix("-"),
      !(commands + CommandTable.hidden).contains(where: { $0.path[0] == first }),
      let command = try AliasFile(environment: environment).read()[first]
    else { return words }
    var meant = try AliasFile.words(of: command)
    if meant.first == "vetnet" { meant.removeFirst() }
    return meant + words.dropFirst()
  }

  /// What the program is made of; without models where none are found.
  private func showVersions(_ words: [String], _ terminal: Terminal) throws -> ExitCode {
    let models = words.firstIndex(of: "--models").flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
    let versions = ProgramVersions(
      models: try? ModelDirectory.locate(option: models, environment: environment, executable: executable))
    if words.contains("--json") {
      try terminal.printJSON(versions)
      return .ok
    }
    func list(_ values: [String: String]) -> String {
      values.sorted { $0.key.lowercased() < $1.key.lowercased() }.map { "\($0.key) \($0.value)" }.joined(
        separator: ", ")
    }
    terminal.print("vetnet \(versions.vetnet)")
    terminal.print("schema \(versions.schema)")
    terminal.print("models: \(versions.models.isEmpty ? "not found" : list(versions.models))")
    terminal.print("libraries: \(list(versions.libraries))")
    return .ok
  }

  /// The words with options of every command that stand before the command moved behind it: `vetnet --json status`.
  static func optionsBehind(_ words: [String]) -> [String] {
    var index = 0
    while index < words.count, words[index].hasPrefix("-"), words[index] != "-" {
      let name = String(words[index].prefix { $0 != "=" })
      guard let option = Option.global.first(where: { $0.name == name }) else { return words }
      index += option.placeholder == nil || words[index].contains("=") ? 1 : 2
    }
    guard index < words.count else { return words }
    // Behind "--" nothing is an option.
    let end = words[index...].firstIndex(of: "--") ?? words.count
    return Array(words[index..<end] + words[..<index] + words[end...])
  }

  /// What the commands of a group do, where help is asked of the group: `vetnet note --help`.
  private func groupHelp(_ words: [String]) -> String? {
    guard words.count > 1, words.dropFirst().allSatisfy({ $0 == "--help" || $0 == "-h" }) else { return nil }
    let group = commands.filter { $0.path.count > 1 && $0.path[0] == words[0] }
    guard !group.isEmpty, !commands.contains(where: { $0.path == [words[0]] }) else { return nil }
    return Help.group(group)
  }

  /// The command with the longest path that the words begin with.
  func find(_ words: [String]) throws -> (Command, rest: [String]) {
    let fitting = (commands + CommandTable.hidden).filter { words.starts(with: $0.path) }
    if let command = fitting.max(by: { $0.path.count < $1.path.count }) {
      try refuseUnknownVerb(words, behind: command)
      return (command, Array(words.dropFirst(command.path.count)))
    }
    let group = commands.filter { $0.path.count > 1 && $0.path[0] == words[0] }
    if !group.isEmpty {
      let verbs = group.map { $0.path[1] }
      guard words.count > 1, !words[1].hasPrefix("-") else {
        throw UsageError("'vetnet \(words[0])' needs one of: \(verbs.joined(separator: ", "))")
      }
      throw UsageError(
        "unknown command 'vetnet \(words[0]) \(words[1])'",
        suggestion: Suggestions.nearest(to: words[1], among: verbs).map { "vetnet \(words[0]) \($0)" })
    }
    var names: [String] = []
    for command in commands where !names.contains(command.path[0]) { names.append(command.path[0]) }
    throw UsageError(
      "unknown command '\(words[0])'; 'vetnet --help' lists them",
      suggestion: Suggestions.nearest(to: words[0], among: names).map { "vetnet \($0)" })
  }

  /// Refuses a word that can only be meant as one of a command's own: `vetnet config sett`.
  private func refuseUnknownVerb(_ words: [String], behind command: Command) throws {
    let verbs = commands.filter { $0.path.count == command.path.count + 1 && $0.path.starts(with: command.path) }
      .map { $0.path[command.path.count] }
    guard command.positionals.isEmpty, !verbs.isEmpty, words.count > command.path.count,
      !words[command.path.count].hasPrefix("-")
    else { return }
    let word = words[command.path.count]
    throw UsageError(
      "unknown command 'vetnet \(command.name) \(word)'; there are \(verbs.joined(separator: ", "))",
      suggestion: Suggestions.nearest(to: word, among: verbs).map { "vetnet \(command.name) \($0)" })
  }

  private struct ErrorReport: Encodable {
    let error: String
    let exit_code: Int32
    let hint: String?
    /// The patients a name fits; left out for every other error.
    let candidates: [PatientOutput]?
    /// What is left where a slot was not to be had.
    var free_slots: [SlotOutput]? = nil
  }

  private struct SlotOutput: Encodable {
    let start: String
    let minutes: Int
    let clinician_id: String
    let resource_ids: [String]
  }

  private func report(_ error: UsageError, asJSON: Bool, to terminal: Terminal) {
    let hint = error.suggestion.map { "Maybe you meant '\($0)'." }
    if asJSON {
      say(
        ErrorReport(error: error.message, exit_code: ExitCode.usage.rawValue, hint: hint, candidates: nil), to: terminal
      )
    } else {
      terminal.say("vetnet: \(error.message)")
      if let hint { terminal.say(hint) }
    }
  }

  private func say(_ report: ErrorReport, to terminal: Terminal) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if let data = try? encoder.encode(report) { terminal.say(String(decoding: data, as: UTF8.self)) }
  }

  private func report(_ error: PracticeError, asJSON: Bool, to terminal: Terminal) {
    if asJSON {
      let today = PracticeTimeZone.current.date(of: clock())
      say(
        ErrorReport(
          error: error.description, exit_code: exitCode(for: error).rawValue, hint: error.hint,
          candidates: error.candidates.isEmpty ? nil : error.candidates.map { PatientOutput($0, on: today) },
          free_slots: error.freeSlots.isEmpty
            ? nil
            : error.freeSlots.map {
              SlotOutput(
                start: $0.local, minutes: $0.minutes, clinician_id: $0.clinicianID, resource_ids: $0.resourceIDs)
            }),
        to: terminal)
    } else {
      terminal.say("vetnet: \(error.description)")
      for patient in error.candidates {
        terminal.say(
          "  \(patient.id)  \(patient.name), \(patient.species.rawValue)\(patient.ownerName.map { ", \($0)" } ?? "")")
      }
      if let hint = error.hint { terminal.say(hint) }
    }
  }

  private func exitCode(for error: PracticeError) -> ExitCode {
    switch error.code {
    case .noPracticeFile: .noPracticeFile
    case .locked, .changedMeanwhile: .locked
    case .integrity, .newerSchema: .integrity
    case .key: .key
    case .ambiguousPatient: .ambiguousPatient
    case .invalidArgument: .usage
    case .notPermitted, .notSignedIn, .switchedOff, .deviceRevoked: .notPermitted
    case .stopped(let signal): signal == SIGTERM ? .terminated : .interrupted
    case .models, .notFound, .slotUnavailable, .fileRights, .keyReused, .failed: .failed
    }
  }
}
