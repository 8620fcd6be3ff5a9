public import Clinical
import Glibc
public import VetNet

/// A practice served to browsers until somebody says stop.
public final class WorkspaceServer {
  private let workspace: Workspace
  private let desk: OperatorDesk
  private let server: HTTPServer
  private var isOver = false

  /// Where it can be opened: `http://127.0.0.1:8417/`.
  public let url: String

  /// - Parameters:
  ///   - path: the practice file.
  ///   - listening: where to listen, under which names, with or without TLS.
  ///   - models: makes a model folder; each thread has its own.
  ///   - actor: who everybody acts as; nil for who signs in, or, in a practice without users, for the local user.
  ///   - isDemo: whether pages say that this is a sample that is thrown away.
  ///   - name: of the practice, for the pages' heads.
  ///   - operators: what whoever runs it has settled.
  ///   - clock: the present moment.
  /// - Throws: ``PracticeError`` where the practice can't be opened, the address can't be listened on, or other machines could reach
  ///   what nobody has to sign in for.
  public init(
    practice path: String, at listening: Listening, models: @escaping @Sendable () throws -> ModelDirectory,
    actor: Actor? = nil, isDemo: Bool = false, name: String, operators: OperatorSettings = OperatorSettings(),
    clock: @escaping @Sendable () -> Timestamp
  ) throws {
    try listening.check(hasUsers: Practice.People.isClosed(at: path), actsAsOne: actor != nil)
    let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let pool = try WorkerPool(readers: max(2, min(8, cores))) { access in
      try Practice.open(at: path, models: models(), access: access)
    }
    let settings = WorkspaceSettings(practiceName: name, isDemo: isDemo, clock: clock)
    // The port is known once it is bound, and no request is answered before the workspace is there.
    let ready = Monitor<Workspace?>(nil)
    let hub = EventHub()
    let desk = OperatorDesk(operators, path: path, clock: clock)
    do {
      server = try HTTPServer(listening) {
        hub.end()
      } mayUpload: { request in
        ready.withLock { $0 }?.mayUpload(request) == true
      } receive: { request, reply in
        guard let workspace = ready.wait({ $0 }) else { return }
        desk.receive(request, standing: { Self.standing(workspace) }, reply) { workspace.receive($0, $1) }
      }
    } catch {
      pool.stop()
      throw error
    }
    let names = ServedNames(listening, port: server.port)
    url = "\(names.origin)/"
    // For invitations; whoever makes one can name it otherwise.
    if !isDemo {
      try? HubAddress(urls: names.authorities.map(names.origin(of:)), pin: listening.certificate?.keyPin)
        .write(beside: path)
    }
    let sessions = Sessions(actor: actor, cookie: SessionCookie(isSecure: names.isSecure, port: server.port))
    let watch = ChangeWatch(hub: hub, sessions: sessions, clock: clock) {
      try Practice.open(at: path, models: models(), access: .read)
    }
    let jobs = JobRunner(hub: hub, clock: clock) { try Practice.open(at: path, models: models(), access: .write) }
    workspace = Workspace(
      settings, names: names, sessions: sessions, parts: .init(pool: pool, hub: hub, watch: watch, jobs: jobs))
    self.desk = desk
    desk.beginServing()
    ready.change { [workspace] in $0 = workspace }
  }

  private static func standing(_ workspace: Workspace) -> ServerStanding {
    ServerStanding(
      practices: ["open": 1], opened: 1, load: workspace.load, streams: workspace.hub.count, jobs: workspace.runningJobs
    )
  }

  /// Says at `/readyz` that it takes no more, so that whoever sends work sends it elsewhere, and serves what comes all the same.
  public func beginDraining() { desk.beginDraining() }

  /// Lets what is under way end, and stops.
  public func stop() {
    guard !isOver else { return }
    isOver = true
    desk.beginDraining()
    server.stop()
    workspace.stop()
  }
}
