import Clinical
import VetNet

/// Makes the workspaces of a server of many: of a practice when somebody comes, and of the group itself.
struct WorkspaceOpener: Sendable {
  let names: ServedNames
  /// Of the server's certificate, by which machines that take a practice along recognise it.
  let pin: String?
  /// Shared by all: a server tries two passphrases at once, however many practices it holds.
  let passphrases: PassphraseThreads
  let directory: @Sendable () throws -> ModelDirectory
  let unlock: @Sendable (_ name: String, _ path: String) throws -> Void
  let clock: @Sendable () -> Timestamp

  /// One thread writes and two read: many practices share the machine.
  private static let readers = 2

  /// - Throws: ``PracticeError`` where the file can't be opened, or doesn't let itself be served.
  func open(
    _ file: PracticeFolder.File, sessions: Sessions, ways: @escaping @Sendable (String) -> [GroupPlace.Way]
  ) throws -> Workspace {
    try unlock(file.name, file.path)
    let practice = try Practice.open(at: file.path, models: directory(), access: .read)
    try practice.settings.require(.workspace)
    let mount = MountPoint(name: file.name)
    let settings = WorkspaceSettings(
      practiceName: try practice.settings.name() ?? file.name, isDemo: false, clock: clock, mount: mount,
      place: GroupPlace(ways: ways))
    // For invitations; whoever makes one can name it otherwise.
    let urls = names.authorities.map { names.origin(of: $0) + mount.base }
    try? HubAddress(urls: urls, pin: pin).write(beside: file.path)
    return try workspace(settings, file.path, sessions)
  }

  /// The group's own workspace, with what is filled in once the practices are known.
  struct Home {
    let workspace: Workspace
    let group: ServedGroup
    let standings: Monitor<@Sendable () -> [GroupHome.Standing]>
  }

  /// - Throws: ``PracticeError`` where the group's file can't be opened, or nobody is in it.
  func home(_ path: String, _ survey: PracticeSurvey, port: Int) throws -> Home {
    let practice = try Practice.open(at: path, models: directory(), access: .write)
    guard try practice.people.isClosed else {
      throw PracticeError(
        .notPermitted, "the group's file '\(path)' has no users: nobody could sign in",
        hint: "Add the first: vetnet user add NAME --role administrator --practice '\(path)'")
    }
    let id = try practice.people.id
    let sessions = Sessions(actor: nil, cookie: SessionCookie(isSecure: names.isSecure, port: port))
    let standings = Monitor<@Sendable () -> [GroupHome.Standing]>({ [] })
    let ways: @Sendable (String) -> [GroupPlace.Way] = { survey.ways(for: $0, in: id) }
    let settings = WorkspaceSettings(
      practiceName: try practice.settings.name() ?? "VetNet", isDemo: false, clock: clock,
      place: GroupPlace(isHome: true, ways: ways),
      routes: GroupHome.routes(ways: ways) { standings.withLock { $0 }() })
    let made = try workspace(settings, path, sessions)
    return Home(workspace: made, group: ServedGroup(id: id, sessions: sessions), standings: standings)
  }

  private func workspace(_ settings: WorkspaceSettings, _ path: String, _ sessions: Sessions) throws -> Workspace {
    let directory = directory
    let pool = try WorkerPool(readers: Self.readers) { access in
      try Practice.open(at: path, models: directory(), access: access)
    }
    let hub = EventHub()
    let watch = ChangeWatch(hub: hub, sessions: sessions, clock: clock) {
      try Practice.open(at: path, models: directory(), access: .read)
    }
    let jobs = JobRunner(hub: hub, clock: clock) { try Practice.open(at: path, models: directory(), access: .write) }
    return Workspace(
      settings, names: names, sessions: sessions,
      parts: .init(pool: pool, hub: hub, watch: watch, jobs: jobs, passphrases: passphrases))
  }
}
