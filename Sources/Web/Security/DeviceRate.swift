import Clinical
import Synchronization

/// How much one device may ask for: as much as a sync needs, and not all there is.
final class DeviceRate: Sendable {
  private struct Window {
    var minute: Int64
    var requests = 0
    var hour: Int64
    var copies = 0
  }

  private let windows = Mutex<[String: Window]>([:])

  /// Requests of one device in a minute.
  static let requests = 1200
  /// Copies of the practice that one device may have made in an hour.
  static let copies = 12

  /// Counts a request. - Returns: false for one too many.
  func admits(_ device: String, makesCopy: Bool, at now: Timestamp) -> Bool {
    windows.withLock { windows in
      let (minute, hour) = (now.seconds / 60, now.seconds / 3600)
      var window = windows[device] ?? Window(minute: minute, hour: hour)
      if window.minute != minute { (window.minute, window.requests) = (minute, 0) }
      if window.hour != hour { (window.hour, window.copies) = (hour, 0) }
      window.requests += 1
      if makesCopy { window.copies += 1 }
      windows[device] = window
      return window.requests <= Self.requests && window.copies <= Self.copies
    }
  }
}
