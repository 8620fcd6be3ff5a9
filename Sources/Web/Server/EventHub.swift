import Synchronization
import VetNet

/// Who listens to changes, and what they are told.
final class EventHub: Sendable {
  /// One stream of events.
  private struct Listener {
    let flow: Outflow
    /// Whose it is.
    let owner: WebSession?
    /// The place behind which it wants to hear.
    let start: Int64
  }

  private struct State {
    var listeners: [ObjectIdentifier: Listener] = [:]
    /// The latest events, for those who come between two looks at the file.
    var recent: [(place: Int64, bytes: [UInt8])] = []
    var isOver = false
    /// Where the first listener of all begins.
    var start: Int64?
  }

  private let state = Mutex(State())
  private static let kept = 1000

  var count: Int { state.withLock { $0.listeners.count } }

  /// - Returns: false where the server is about to stop.
  func add(_ flow: Outflow, owner: WebSession?, behind place: Int64) -> Bool {
    state.withLock { state in
      guard !state.isOver else { return false }
      if state.start == nil { state.start = place }
      for event in state.recent where event.place > place { flow.write(event.bytes) }
      state.listeners[ObjectIdentifier(flow)] = Listener(flow: flow, owner: owner, start: place)
      return true
    }
  }

  /// Where whoever looks for changes has to begin for the first listener to miss none; nil while there was none.
  var start: Int64? { state.withLock { $0.start } }

  /// The sessions that listen, each once.
  var owners: [WebSession] {
    let all = state.withLock { $0.listeners.values.compactMap(\.owner) }
    return Dictionary(all.map { ($0.token, $0) }) { first, _ in first }.values.sorted { $0.token < $1.token }
  }

  /// Ends what a session listens to.
  func end(of owner: WebSession) {
    let theirs = state.withLock { $0.listeners.values.filter { $0.owner?.token == owner.token } }
    for listener in theirs { listener.flow.end() }
  }

  func remove(_ flow: Outflow) { state.withLock { $0.listeners[ObjectIdentifier(flow)] = nil } }

  func publish(_ found: RecentChanges) {
    var events = found.changes.map { (place: $0.sequence, bytes: Self.event($0)) }
    if found.isCut { events = [(found.last, Self.reset(at: found.last))] }
    guard !events.isEmpty else { return }
    let listeners = state.withLock { state in
      state.recent.append(contentsOf: events)
      if state.recent.count > Self.kept { state.recent.removeFirst(state.recent.count - Self.kept) }
      return Array(state.listeners.values)
    }
    let bytes = events.flatMap(\.bytes)
    for listener in listeners {
      // Whoever came while nobody looked was greeted with what had happened by then.
      let isNews = events[0].place > listener.start
      listener.flow.write(isNews ? bytes : events.filter { $0.place > listener.start }.flatMap(\.bytes))
    }
  }

  /// Tells what is no change of the file, and has no place in it.
  func announce(_ bytes: [UInt8]) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.flow.write(bytes) }
  }

  /// A comment, which nobody sees: a peer that went away is noticed by it.
  func beat() {
    announce(Array(": .\n\n".utf8))
  }

  /// Ends every stream, and takes none any more. The last word says that nothing failed, and when to come back.
  func end() {
    let listeners = state.withLock { state in
      state.isOver = true
      return Array(state.listeners.values)
    }
    for listener in listeners {
      listener.flow.write(Self.farewell)
      listener.flow.end()
    }
  }

  private static let farewell = Array("retry: 1000\nevent: stopping\ndata: {}\n\n".utf8)

  private struct ChangeOutput: Encodable {
    struct Record: Encodable {
      let kind: String
      let id: String
    }
    let sequence: Int64
    let operation: String
    let records: [Record]
  }

  /// `id: 17`, `event: change` and the change as JSON: ids, no content.
  static func event(_ change: PracticeChange) -> [UInt8] {
    let output = ChangeOutput(
      sequence: change.sequence, operation: change.operation,
      records: change.subjects.map { .init(kind: $0.kind.rawValue, id: $0.id) })
    let data = (try? JSONText.bytes(output)) ?? []
    return Array("id: \(change.sequence)\nevent: change\ndata: ".utf8) + data + Array("\n\n".utf8)
  }

  /// More happened than can be told: whatever is shown is to be shown anew.
  static func reset(at place: Int64) -> [UInt8] {
    Array("id: \(place)\nevent: reset\ndata: {\"sequence\":\(place)}\n\n".utf8)
  }

  /// What a stream begins with.
  static func greeting(_ found: RecentChanges) -> [UInt8] {
    let missed = found.isCut ? reset(at: found.last) : found.changes.flatMap(event)
    return Array("retry: 1000\n\n".utf8) + missed
      + Array("id: \(found.last)\nevent: here\ndata: {\"sequence\":\(found.last)}\n\n".utf8)
  }
}
