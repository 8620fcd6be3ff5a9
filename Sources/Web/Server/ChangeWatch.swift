import Clinical
import VetNet

/// Looks at the practice file for what was committed, by this program or any other, and tells the hub.
final class ChangeWatch: Sendable {
  private struct State {
    var isStopping = false
    var isNudged = false
  }

  /// How long a change of another program may go unseen.
  static let seconds = 0.1
  static let beatSeconds = 15.0
  /// How long it waits after the file could not be asked.
  private static let pauseSeconds = 5.0

  private let state = Monitor(State())
  private let thread: PlatformThread

  init(
    hub: EventHub, sessions: Sessions, clock: @escaping @Sendable () -> Timestamp,
    open: @escaping @Sendable () throws -> Practice
  ) {
    let state = state
    thread = PlatformThread {
      var practice: Practice?
      var place: Int64?
      var beaten = MonotonicClock.seconds
      var resting = 0.0
      while true {
        let isOver = state.wait(seconds: Self.seconds) { state -> Bool? in
          if state.isStopping { return true }
          guard state.isNudged else { return nil }
          state.isNudged = false
          return false
        }
        if isOver == true { return }
        if MonotonicClock.seconds < resting { continue }
        if practice == nil { practice = try? open() }
        let isBeat = MonotonicClock.seconds - beaten > Self.beatSeconds
        guard let practice, let actor = Self.listener(hub, sessions, practice, clock(), checksAll: isBeat) else {
          continue
        }
        if let found = try? practice.perform(ListChanges(after: place ?? hub.start), by: actor, at: clock()) {
          hub.publish(found)
          place = found.last
        } else {
          resting = MonotonicClock.seconds + Self.pauseSeconds
        }
        if isBeat {
          beaten = MonotonicClock.seconds
          hub.beat()
        }
      }
    }
  }

  /// As whom to look: as one who listens, where people sign in. Streams of sessions that are over end.
  private static func listener(
    _ hub: EventHub, _ sessions: Sessions, _ practice: Practice, _ now: Timestamp, checksAll: Bool
  ) -> Actor? {
    // Where nobody listens, nothing is looked for: a server may hold many practices.
    guard hub.count > 0 else { return nil }
    do {
      if let everybody = try sessions.everybody(practice) { return everybody }
      var found: Actor?
      for owner in hub.owners {
        do {
          guard let token = owner.signIn else { throw Sessions.nobody }
          found = try sessions.session(token, in: practice, at: now, isUse: false).actor
          if !checksAll { break }
        } catch let error as PracticeError where error.code == .notSignedIn {
          hub.end(of: owner)
        }
      }
      return found
    } catch {
      return nil
    }
  }

  /// Something was just written.
  func nudge() { state.change { $0.isNudged = true } }

  func stop() {
    state.change { $0.isStopping = true }
    thread.join()
  }
}
