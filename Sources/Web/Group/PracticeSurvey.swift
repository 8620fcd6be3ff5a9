import VetNet

/// What is known of the practices of a folder, kept up to date on a thread of its own: each file is looked into when it is new or was
/// changed, one after the other, and none stays open for it.
final class PracticeSurvey: Sendable {
  struct Entry: Sendable {
    let file: PracticeFolder.File
    /// What the file says, as it was when it was looked into last.
    var card: PracticeCard?
    /// Why it can't be opened.
    var problem: PracticeError?
    fileprivate var lookedAt = -Double.infinity
    fileprivate var stamp: PracticeFolder.Stamp?
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var misnamed: [String] = []
    var isReadable = true
    var isComplete = false
    var isStopping = false
  }

  /// How often the folder is listed.
  static let seconds = 1.0
  /// How often a file that changes all the time, or can't be opened, is looked into.
  private static let restSeconds = 5.0

  private let folder: PracticeFolder
  private let models: @Sendable () throws -> ModelDirectory
  private let unlock: @Sendable (_ name: String, _ path: String) throws -> Void
  private let state = Monitor(State())
  private let thread = Monitor<PlatformThread?>(nil)

  /// - Parameters:
  ///   - folder: whose files are looked into.
  ///   - models: where their models are.
  ///   - unlock: opens the key of an encrypted file, where it can.
  init(
    _ folder: PracticeFolder, models: @escaping @Sendable () throws -> ModelDirectory,
    unlock: @escaping @Sendable (_ name: String, _ path: String) throws -> Void
  ) {
    self.folder = folder
    self.models = models
    self.unlock = unlock
  }

  /// Begins to look; `changed` is called after each look, from the survey's thread.
  func start(_ changed: @escaping @Sendable () -> Void) {
    let made = PlatformThread { [self] in
      look()
      state.change { $0.isComplete = true }
      changed()
      while state.wait(seconds: Self.seconds, { $0.isStopping ? true : nil }) == nil {
        look()
        changed()
      }
    }
    thread.change { $0 = made }
  }

  func stop() {
    state.change { $0.isStopping = true }
    thread.withLock { $0 }?.join()
  }

  /// Waits until every file was looked into once.
  func waitForFirst() { _ = state.wait { $0.isComplete || $0.isStopping ? true : nil } }

  func entry(_ name: String) -> Entry? { state.withLock { $0.entries[name] } }

  /// By name.
  var entries: [Entry] { state.withLock { $0.entries.values.sorted { $0.file.name < $1.file.name } } }
  var misnamed: [String] { state.withLock { $0.misnamed } }
  /// Whether the folder can be listed.
  var isReadable: Bool { state.withLock { $0.isReadable } }

  /// The practices that take the sign-in of `group` and have `person` as a user, by what they are called.
  func ways(for person: String, in group: String) -> [GroupPlace.Way] {
    let entries = state.withLock { Array($0.entries.values) }
    return entries.compactMap { entry in
      guard let card = entry.card, entry.problem == nil, card.lets(person, of: group) else { return nil }
      return GroupPlace.Way(name: card.name ?? entry.file.name, path: MountPoint(name: entry.file.name).base)
    }
    .sorted { ($0.name, $0.path) < ($1.name, $1.path) }
  }

  private func look() {
    guard let listing = folder.list() else {
      // Mounted away for a moment, or for good: what is known stays, and nothing is taken for removed.
      return state.change { $0.isReadable = false }
    }
    let known = state.change { state -> [String: Entry] in
      state.isReadable = true
      state.misnamed = listing.misnamed
      let names = Set(listing.files.map(\.name))
      state.entries = state.entries.filter { names.contains($0.key) }
      return state.entries
    }
    for file in listing.files {
      if state.withLock({ $0.isStopping }) { return }
      let before = known[file.name].flatMap { $0.file.identity == file.identity ? $0 : nil }
      let isDue = MonotonicClock.seconds - (before?.lookedAt ?? -.infinity) >= Self.restSeconds
      guard before == nil || (isDue && (before?.stamp != file.stamp || before?.problem != nil)) else { continue }
      var entry = Entry(file: file, card: before?.card)
      do {
        try unlock(file.name, file.path)
        entry.card = try Practice.open(at: file.path, models: models(), access: .read).people.card()
      } catch {
        entry.problem = error as? PracticeError ?? PracticeError(.failed, "something went wrong in this program")
      }
      entry.lookedAt = MonotonicClock.seconds
      // What was written by the look itself, such as the files beside it, is no news.
      entry.stamp = PracticeFolder.describe(file.name, file.path)?.stamp ?? file.stamp
      state.change { $0.entries[file.name] = entry }
    }
  }
}
