import VetNet

/// The practices that are open: each when somebody asks for it, and closed when nobody does for a while or another needs its place.
///
/// A practice that is open is a workspace like any other, with threads, queues, sessions' checks and events of its own, so that nothing of
/// one can reach another and none has to wait for another. Opening and closing is done on threads that serve nobody.
final class PracticeRack: Sendable {
  /// Somebody who waits for an answer, or for why there is none.
  struct Asker: Sendable {
    let request: Request
    let reply: @Sendable (Response) -> Void
    let refuse: @Sendable (ErrorBody) -> Void
  }

  /// Opens a workspace for a file.
  typealias Opening = @Sendable (PracticeFolder.File) throws -> Workspace

  struct Limits: Sendable {
    var mostOpen = 32
    var idleSeconds = 600.0
    /// A practice to whose events pages listen while nobody does anything may be closed for another after so long.
    var quietSeconds = 60.0
  }

  /// Requests that wait for one practice to be open.
  private static let mostWaiting = 200
  /// After a failure a file is left alone for a moment.
  private static let restSeconds = 2.0

  private enum Phase {
    case closed, queued, opening
    case open(Workspace)
    case closing
  }

  private struct Slot {
    var file: PracticeFolder.File
    var phase = Phase.closed
    var waiting: [Asker] = []
    var inFlight = 0
    var usedAt = 0.0
    /// It could not be opened, and isn't tried again before.
    var failedUntil: Double?
    /// Why, as its people are told.
    var refusal: ErrorBody?

    /// Whether it takes one of the places.
    var takesPlace: Bool {
      switch phase {
      case .opening, .open, .closing: true
      case .closed, .queued: false
      }
    }

    var workspace: Workspace? { if case .open(let workspace) = phase { workspace } else { nil } }
  }

  private enum Task {
    case open(PracticeFolder.File)
    case close(String, Workspace)
  }

  private struct State {
    var slots: [String: Slot] = [:]
    var tasks: [Task] = []
    /// Who waits for a place, the longest first.
    var queue: [String] = []
    var isStopping = false
    var opened = 0
    var busy = 0

    var places: Int { slots.values.count(where: \.takesPlace) }
  }

  private let limits: Limits
  private let open: Opening
  private let state = Monitor(State())
  private let threads = Monitor<[PlatformThread]>([])

  init(_ limits: Limits, open: @escaping Opening) {
    self.limits = limits
    self.open = open
    let made = (0..<2).map { _ in PlatformThread { [self] in work() } }
    threads.change { $0 = made }
  }

  // MARK: Requests

  /// Has a practice answer a request, once it is open.
  func receive(_ asker: Asker, for file: PracticeFolder.File) {
    let now = MonotonicClock.seconds
    let step = state.change { state in Self.admit(asker, file, &state, now, limits) }
    switch step {
    case .forward(let workspace): forward(asker, to: workspace, of: file.name)
    case .wait: break
    case .refuse(let error): asker.refuse(error)
    }
  }

  private enum Step {
    case forward(Workspace)
    case wait
    case refuse(ErrorBody)
  }

  private static func admit(
    _ asker: Asker, _ file: PracticeFolder.File, _ state: inout State, _ now: Double, _ limits: Limits
  ) -> Step {
    guard !state.isStopping else { return .refuse(ErrorBody(503, "stopping", "this server is about to stop")) }
    var slot = state.slots[file.name] ?? Slot(file: file)
    defer { state.slots[file.name] = slot }
    slot.usedAt = now
    if case .open(let workspace) = slot.phase {
      slot.inFlight += 1
      return .forward(workspace)
    }
    if let until = slot.failedUntil, until > now { return .refuse(slot.refusal ?? unusable) }
    slot.failedUntil = nil
    guard slot.waiting.count < mostWaiting else { return .refuse(full) }
    if case .closed = slot.phase {
      slot.file = file
      state.slots[file.name] = slot
      guard makeRoom(for: file.name, mayClose: !asker.request.isUnattended, &state, now, limits) else {
        state.busy += 1
        return .refuse(full)
      }
      slot = state.slots[file.name] ?? slot
    }
    slot.waiting.append(asker)
    return .wait
  }

  /// Begins to open a practice, or to close another for it; false where all that are open are used, and for what a page asks by itself
  /// where no place is free.
  private static func makeRoom(
    for name: String, mayClose: Bool, _ state: inout State, _ now: Double, _ limits: Limits
  ) -> Bool {
    guard let file = state.slots[name]?.file else { return false }
    if state.places < limits.mostOpen {
      state.slots[name]?.phase = .opening
      state.tasks.append(.open(file))
      return true
    }
    guard mayClose else { return false }
    let closing = state.slots.values.count { if case .closing = $0.phase { true } else { false } }
    if closing <= state.queue.count {
      guard let other = candidate(state, now, limits) else { return false }
      close(other, &state)
    }
    state.slots[name]?.phase = .queued
    state.queue.append(name)
    return true
  }

  /// The practice that is missed least: of those that nobody asks anything now, one without listeners before one with them.
  private static func candidate(_ state: State, _ now: Double, _ limits: Limits) -> String? {
    let idle = state.slots.filter { $0.value.inFlight == 0 && $0.value.workspace.map { $0.runningJobs == 0 } == true }
    let unheard = idle.filter { $0.value.workspace?.hub.count == 0 }
    let quiet = idle.filter { now - $0.value.usedAt >= limits.quietSeconds }
    return (unheard.isEmpty ? quiet : unheard).min { ($0.value.usedAt, $0.key) < ($1.value.usedAt, $1.key) }?.key
  }

  private static func close(_ name: String, _ state: inout State) {
    guard let workspace = state.slots[name]?.workspace else { return }
    state.slots[name]?.phase = .closing
    state.tasks.append(.close(name, workspace))
  }

  private func forward(_ asker: Asker, to workspace: Workspace, of name: String) {
    workspace.receive(asker.request) { [state] response in
      state.change { $0.slots[name]?.inFlight -= 1 }
      asker.reply(response)
    }
  }

  /// Why a practice can't be opened, as far as its people are told: what else is wrong with it is for operators, and so is where it lies.
  static func refusal(_ error: any Error) -> ErrorBody {
    (error as? PracticeError)?.code == .key ? locked : unusable
  }

  private static let locked = ErrorBody(
    503, "practice_locked", "this practice is encrypted, and was not unlocked since the server began",
    hint: "Ask whoever runs the server to unlock it; nothing is lost.")

  private static let unusable = ErrorBody(
    503, "practice_unavailable", "this practice can't be opened at the moment", hint: "Ask whoever runs the server.")

  private static let full = ErrorBody(
    503, "busy", "as many practices are in use as this server holds open at once", hint: "Try again in a moment.")

  // MARK: Opening and closing

  private func work() {
    while true {
      let task = state.wait { state -> Task?? in
        if !state.tasks.isEmpty { return .some(state.tasks.removeFirst()) }
        return state.isStopping ? .some(nil) : nil
      }
      switch task {
      case .some(.some(.open(let file))): openNow(file)
      case .some(.some(.close(let name, let workspace))): closeNow(name, workspace)
      default: return
      }
    }
  }

  private func openNow(_ file: PracticeFolder.File) {
    let result = Result { try open(file) }
    let now = MonotonicClock.seconds
    let waiting = state.change { state -> [Asker] in
      let waiting = state.slots[file.name]?.waiting ?? []
      state.slots[file.name]?.waiting = []
      switch result {
      case .success(let workspace):
        state.slots[file.name]?.phase = .open(workspace)
        state.slots[file.name]?.inFlight += waiting.count
        state.opened += 1
        if state.isStopping { Self.close(file.name, &state) }
      case .failure(let error):
        state.slots[file.name]?.phase = .closed
        state.slots[file.name]?.refusal = Self.refusal(error)
        state.slots[file.name]?.failedUntil = now + Self.restSeconds
        Self.giveRoom(&state)
      }
      return waiting
    }
    for asker in waiting {
      switch result {
      case .success(let workspace): forward(asker, to: workspace, of: file.name)
      case .failure(let error): asker.refuse(Self.refusal(error))
      }
    }
  }

  private func closeNow(_ name: String, _ workspace: Workspace) {
    workspace.hub.end()
    workspace.stop()
    state.change { state in
      state.slots[name]?.phase = .closed
      // Who came while it was being closed is served by opening it anew.
      if state.slots[name]?.waiting.isEmpty == false, !state.isStopping {
        state.slots[name]?.phase = .queued
        state.queue.append(name)
      }
      Self.giveRoom(&state)
    }
  }

  /// A place became free: the one that waits for it longest takes it.
  private static func giveRoom(_ state: inout State) {
    while !state.queue.isEmpty {
      let name = state.queue.removeFirst()
      guard let slot = state.slots[name], case .queued = slot.phase else { continue }
      state.slots[name]?.phase = .opening
      state.tasks.append(.open(slot.file))
      return
    }
  }

  /// Closes what nobody used for long, what is there no more, and what another file has replaced.
  func tidy(_ files: [PracticeFolder.File]) {
    let now = MonotonicClock.seconds
    let present = Dictionary(files.map { ($0.name, $0.identity) }) { first, _ in first }
    state.change { state in
      for (name, slot) in state.slots {
        guard let workspace = slot.workspace else {
          if case .closed = slot.phase, present[name] == nil { state.slots[name] = nil }
          continue
        }
        let isGone = present[name] != slot.file.identity
        let isIdle = slot.inFlight == 0 && workspace.hub.count == 0 && workspace.runningJobs == 0
        if isGone || (isIdle && now - slot.usedAt >= limits.idleSeconds) { Self.close(name, &state) }
      }
    }
  }

  // MARK: For whoever runs the server

  /// The workspaces that are open, by the practice's name.
  var openWorkspaces: [(name: String, workspace: Workspace)] {
    state.withLock { state in
      state.slots.compactMap { name, slot in slot.workspace.map { (name, $0) } }.sorted { $0.0 < $1.0 }
    }
  }

  /// How often a practice was opened, and how often a request was refused for want of a place.
  var counts: (opened: Int, refused: Int) { state.withLock { ($0.opened, $0.busy) } }

  /// Tells every stream that the server stops, and ends it.
  func endStreams() { for (_, workspace) in openWorkspaces { workspace.hub.end() } }

  /// Finishes what was accepted, closes every practice, and ends the threads.
  func stop() {
    let waiting = state.change { state -> [Asker] in
      state.isStopping = true
      for name in Array(state.slots.keys) { Self.close(name, &state) }
      let waiting = state.slots.values.flatMap(\.waiting)
      for name in Array(state.slots.keys) { state.slots[name]?.waiting = [] }
      state.queue = []
      return waiting
    }
    let stopping = ErrorBody(503, "stopping", "this server is about to stop")
    for asker in waiting { asker.refuse(stopping) }
    for thread in threads.withLock({ $0 }) { thread.join() }
  }
}
