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

  private let state = Monitor(State())
  private let thread: PlatformThread

  init(
    hub: EventHub, answers: AnswerMemory, by actor: Actor, clock: @escaping @Sendable () -> Timestamp,
    open: @escaping @Sendable () throws -> Practice
  ) {
    let state = state
    thread = PlatformThread {
      var practice: Practice?
      var place: Int64?
      var beaten = MonotonicClock.seconds
      while true {
        let isOver = state.wait(seconds: Self.seconds) { state -> Bool? in
          if state.isStopping { return true }
          guard state.isNudged else { return nil }
          state.isNudged = false
          return false
        }
        if isOver == true { return }
        if practice == nil { practice = try? open() }
        if let practice, let found = try? practice.perform(ListChanges(after: place), by: actor, at: clock()) {
          hub.publish(found)
          if found.isCut || found.changes.contains(where: { $0.operation == ErasePatient.name }) { answers.forget() }
          place = found.last
        }
        if MonotonicClock.seconds - beaten > Self.beatSeconds {
          beaten = MonotonicClock.seconds
          hub.beat()
        }
      }
    }
  }

  /// Something was just written.
  func nudge() { state.change { $0.isNudged = true } }

  func stop() {
    state.change { $0.isStopping = true }
    thread.join()
  }
}
