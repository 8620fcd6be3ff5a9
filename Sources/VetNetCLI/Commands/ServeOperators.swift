import Glibc
import VetNet
import Web

/// What `vetnet serve` lets whoever runs it settle: figures, lines, what stands before it, and how it ends.
enum ServeOperators {
  static let options = [
    Option(
      "--origin", "URL",
      "what browsers call it where a proxy or balancer stands before it, such as https://vets.example"),
    Option("--proxy", "ADDRESS", "that one's address, whose X-Forwarded-For is believed"),
    Option("--metrics-token-file", "FILE", "serve /metrics to who shows the token in FILE (Authorization: Bearer …)"),
    Option("--log-format", "FORMAT", "json: a line for each request on standard error, without names, ids or words"),
    Option("--log-practices", nil, "say in figures and lines which practice, by its name in addresses"),
    Option("--drain-seconds", "N", "after SIGTERM, say 'not ready' for so long before it stops (default: 0)"),
  ]

  static func settings(_ arguments: Arguments) throws -> OperatorSettings {
    var settings = OperatorSettings()
    settings.metrics = try arguments.value("--metrics-token-file").map { try MetricsToken(file: $0) }
    settings.proxy = try arguments.value("--proxy").map { try TrustedProxy($0) }
    settings.namesPractices = arguments.isSet("--log-practices")
    if settings.namesPractices, !arguments.isSet("--practices") {
      throw UsageError("--log-practices belongs to --practices")
    }
    // Said wrong before anything is served.
    _ = try drainSeconds(arguments)
    if let format = arguments.value("--log-format") {
      guard format == "json" else { throw UsageError("--log-format is json, not '\(format.prefix(40))'") }
      settings.log = RequestLog(to: STDERR_FILENO)
    }
    return settings
  }

  private static func drainSeconds(_ arguments: Arguments) throws -> Int {
    try GroupServing.number("--drain-seconds", 0...3600, arguments) ?? 0
  }

  /// Between the signal and the end: whoever sends work hears that it is sent elsewhere. Ctrl-C waits for nobody.
  static func drain(_ invocation: Invocation, _ begin: () -> Void) throws {
    ServiceNotifier.say("STOPPING=1")
    begin()
    guard StopSignal.current == SIGTERM else { return }
    let seconds = try drainSeconds(invocation.arguments)
    if seconds > 0 { sleep(UInt32(seconds)) }
  }
}
