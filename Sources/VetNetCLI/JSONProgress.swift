import Glibc

/// Long work as JSON Lines: how far it is, once a second from the first on, and at the end what came of it. Each line says by
/// `message_type` what it is, so that a program can read on while the work goes on.
final class JSONProgress {
  private let terminal: Terminal
  private let isWanted: Bool
  private let started = JSONProgress.monotonicSeconds()
  private var last: Double

  /// Makes one; silent where nobody wants JSON.
  init(_ terminal: Terminal, isWanted: Bool) {
    self.terminal = terminal
    self.isWanted = isWanted
    last = started
  }

  private struct Line: Encodable {
    let message_type = "progress"
    let done: Int
    /// 0 where it isn't known.
    let total: Int
    let unit: String
    let seconds: Int
    let detail: String?
  }

  func update(done: Int, total: Int, isBytes: Bool = false, detail: String = "") {
    guard isWanted else { return }
    let now = Self.monotonicSeconds()
    guard now - last >= 1 else { return }
    last = now
    try? terminal.printJSON(
      Line(
        done: done, total: total, unit: isBytes ? "bytes" : "items", seconds: Int(now - started),
        detail: detail.isEmpty ? nil : detail))
    terminal.flush()
  }

  /// What came of the work, with the type of message beside its own keys.
  func finish(_ summary: some Encodable) throws {
    try terminal.printJSON(Typed(message_type: "summary", value: summary))
  }

  private struct Typed<Value: Encodable>: Encodable {
    let message_type: String
    let value: Value

    private enum CodingKeys: String, CodingKey { case message_type }

    func encode(to encoder: any Encoder) throws {
      try value.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(message_type, forKey: .message_type)
    }
  }

  private static func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
