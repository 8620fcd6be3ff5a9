public import Clinical
import Glibc
public import VetNet

/// A practice served to browsers until somebody says stop.
public final class WorkspaceServer {
  private let workspace: Workspace
  private let server: HTTPServer
  private var isOver = false

  /// Where it can be opened: `http://127.0.0.1:8417/`.
  public let url: String

  /// - Parameters:
  ///   - path: the practice file.
  ///   - address: where to listen.
  ///   - models: makes a model folder; each thread has its own.
  ///   - actor: who acts as long as there is no log-in.
  ///   - isDemo: whether pages say that this is a sample that is thrown away.
  ///   - name: of the practice, for the pages' heads.
  ///   - clock: the present moment.
  /// - Throws: ``PracticeError`` where the practice can't be opened, or the address can't be listened on.
  public init(
    practice path: String, at address: ListenAddress, models: @escaping @Sendable () throws -> ModelDirectory,
    actor: Actor, isDemo: Bool = false, name: String, clock: @escaping @Sendable () -> Timestamp
  ) throws {
    let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let pool = try WorkerPool(readers: max(2, min(8, cores))) { access in
      try Practice.open(at: path, models: models(), access: access)
    }
    let settings = WorkspaceSettings(practiceName: name, isDemo: isDemo, actor: actor, clock: clock)
    // The port is known once it is bound, and no request is answered before the workspace is there.
    let ready = Monitor<Workspace?>(nil)
    let hub = EventHub()
    do {
      server = try HTTPServer(address, hub: hub) { request, reply in
        ready.wait { $0 }?.receive(request, reply)
      }
    } catch {
      pool.stop()
      throw error
    }
    let authority = address.authority(port: server.port)
    url = "http://\(authority)/"
    workspace = Workspace(settings, authority: authority, pool: pool) { answers in
      ChangeWatch(hub: hub, answers: answers, by: actor, clock: clock) {
        try Practice.open(at: path, models: models(), access: .read)
      }
    }
    ready.change { [workspace] in $0 = workspace }
  }

  /// Lets what is under way end, and stops.
  public func stop() {
    guard !isOver else { return }
    isOver = true
    server.stop()
    workspace.stop()
  }
}
