import Clinical
import Glibc
import VetNet
import Web

/// `vetnet serve --practices DIR`: the practices of a folder with one process.
enum GroupServing {
  static let options = [
    Option("--practices", "DIR", "serve each practice file of a folder, at /p/NAME/"),
    Option("--most-open", "N", "with --practices: files that are open at once, 1 to 1000 (default: 32)"),
    Option("--idle-minutes", "N", "with --practices: close a file that nobody used for so long (default: 10)"),
    Option(
      "--passphrases", "DIR", "with --practices: what opens encrypted files, a file NAME for each with its passphrase"),
  ]

  private static let own = ["--most-open", "--idle-minutes", "--passphrases"]
  private static let others = ["--practice", "--demo", "--corpus", "--as", "--open"]

  static func refuseStray(_ arguments: Arguments) throws {
    if let stray = own.first(where: arguments.isSet) { throw UsageError("\(stray) belongs to --practices") }
  }

  static func run(_ invocation: Invocation, _ listening: Listening) throws -> ExitCode {
    let arguments = invocation.arguments
    if let other = others.first(where: arguments.isSet) {
      throw UsageError("'--practices' and '\(other)' exclude each other")
    }
    var settings = GroupServer.Settings()
    if let most = try number("--most-open", 1...1000, arguments) { settings.mostOpen = most }
    if let minutes = try number("--idle-minutes", 1...10_000, arguments) { settings.idleSeconds = Double(minutes) * 60 }
    let passphrases = arguments.value("--passphrases").map { PassphraseFolder(path: $0) }
    if let path = passphrases?.path, access(path, R_OK | X_OK) != 0 {
      throw PracticeError(.fileRights, "can't read the passphrases in '\(path)': \(String(cString: strerror(errno)))")
    }
    settings.unlock = { try PassphraseFolder.unlock($0, $1, with: passphrases) }
    let operators = try ServeOperators.settings(arguments)
    defer { operators.log?.stop() }
    let folder = arguments.value("--practices") ?? "."
    let clock = try invocation.moment("--now", in: .utc).map { fixed in { @Sendable in fixed } } ?? invocation.clock
    StopSignal.watch()
    let server = try GroupServer(
      folder: folder, at: listening, models: invocation.models().path, settings: settings, operators: operators,
      clock: clock)
    ServiceNotifier.say("READY=1")
    let found = server.found
    invocation.terminal.print("VetNet serves \(found.practices) practices at \(server.url) (Ctrl-C ends it)")
    if let group = server.group {
      invocation.terminal.print(
        "Who signs in is in \(folder)/group.vetnet; a practice takes that with: vetnet config set group-sign-in \(group)"
      )
    } else {
      invocation.terminal.print("There is no \(folder)/group.vetnet: each practice is entered by itself.")
    }
    if found.unusable > 0 {
      invocation.terminal.say("\(found.unusable) of the files can't be opened; \(server.url) says why.")
    }
    invocation.terminal.flush()
    while StopSignal.current == nil { usleep(50_000) }
    try ServeOperators.drain(invocation, server.beginDraining)
    server.stop()
    return .ok
  }

  static func number(_ option: String, _ range: ClosedRange<Int>, _ arguments: Arguments) throws -> Int? {
    guard let text = arguments.value(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "\(option) is a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text.prefix(40))'")
    }
    return number
  }
}
