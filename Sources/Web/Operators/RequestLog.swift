import Clinical
import FoundationEssentials
import Glibc

/// A line for each request, as JSON: when, what kind, how it ended, how long it took. Never which patient, person or words it was about.
///
/// Lines are written by a thread of their own, so that nobody who is served waits for whoever reads them; where nobody does, lines are
/// dropped, and counted.
public final class RequestLog: Sendable {
  struct Line: Encodable, Sendable {
    let time: String
    let method: String
    /// As it is documented, without what stands in its place: `/patient/{id}`.
    let route: String
    let status: Int
    let ms: Double
    /// Of an answer whose length is known; nil for one that is sent while it is made.
    let bytes: Int?
    let practice: String?
  }

  private struct State {
    var lines: [[UInt8]] = []
    var dropped = 0
    var isStopping = false
  }

  private static let most = 10_000

  private let state = Monitor(State())
  private let thread: PlatformThread

  /// Writes to a descriptor that stays open, which is standard error for a server.
  public init(to descriptor: Int32) {
    let state = state
    thread = PlatformThread {
      while true {
        let lines = state.wait { state -> [[UInt8]]? in
          guard !state.lines.isEmpty || state.isStopping else { return nil }
          defer { state.lines = [] }
          return state.lines
        }
        guard let lines, !lines.isEmpty else { return }
        Self.write(lines.flatMap { $0 }, to: descriptor)
      }
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // Whoever read the lines is gone: the server goes on.
      guard count > 0 else { return }
      sent += count
    }
  }

  func add(_ line: Line) {
    guard let bytes = try? JSONText.bytes(line) else { return }
    state.change { state in
      guard state.lines.count < Self.most, !state.isStopping else { return state.dropped += 1 }
      state.lines.append(bytes + [UInt8(ascii: "\n")])
    }
  }

  var dropped: Int { state.withLock { $0.dropped } }

  /// Writes what waits, and ends.
  public func stop() {
    state.change { $0.isStopping = true }
    thread.join()
  }
}
