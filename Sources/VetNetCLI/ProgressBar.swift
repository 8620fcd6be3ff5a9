import Glibc

/// A line that fills up on stderr while long work runs; silent when nobody watches.
///
/// Redrawn at most ten times a second, so that drawing costs nothing beside the work.
final class ProgressBar {
  private let label: String
  private let isVisible: Bool
  private var lastDrawn: Double = -1
  /// When the present stretch of work began, what all of it is, and how far it was last: a bar that starts over (first the
  /// files, then their notes) has another rate and another end.
  private var started: Double
  private var lastTotal = 0
  private var lastDone = 0

  /// Makes a bar; invisible when stderr is not a terminal.
  init(_ label: String, isVisible: Bool) {
    self.label = label
    self.isVisible = isVisible
    started = Self.monotonicSeconds()
  }

  /// - Parameters:
  ///   - done: work finished so far, in any unit.
  ///   - total: all the work, in the same unit; 0 when unknown.
  ///   - isBytes: whether the unit is a byte.
  ///   - detail: a few words behind the bar.
  func update(done: Int, total: Int, isBytes: Bool = false, detail: String = "") {
    Interruption.reached(done, of: total, at: label)
    guard isVisible else { return }
    let now = Self.monotonicSeconds()
    if total != lastTotal || done < lastDone { started = now }
    (lastTotal, lastDone) = (total, done)
    guard now - lastDrawn >= 0.1 else { return }
    lastDrawn = now
    let fraction = total > 0 ? min(1, Double(done) / Double(total)) : 0
    let width = 30
    let filled = Int(fraction * Double(width))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    let elapsed = now - started
    let left = fraction > 0.01 ? " \(Int((elapsed / fraction - elapsed).rounded(.up))) s left" : ""
    let rate = elapsed >= 1 && done > 0 ? " \(Self.rate(Double(done) / elapsed, isBytes: isBytes))" : ""
    draw("\(label) \(bar) \(Int(fraction * 100)) %\(rate)\(left) \(detail)")
  }

  private static func rate(_ each: Double, isBytes: Bool) -> String {
    guard isBytes else { return "\(Int(each))/s" }
    return each >= 1e6 ? "\(Int(each / 1e6)) MB/s" : "\(Int(each / 1e3)) kB/s"
  }

  /// Takes the line away.
  func finish() {
    guard isVisible, lastDrawn >= 0 else { return }
    draw("")
  }

  private func draw(_ text: String) {
    let bytes = Array("\r\u{1B}[K\(text)".utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private static func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
