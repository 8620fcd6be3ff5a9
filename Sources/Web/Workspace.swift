import Clinical
import VetNet

/// The workspace of one practice: who may ask, what there is, and who works on it.
final class Workspace: Sendable {
  private let routes: [Route]
  private let sessions: Sessions
  private let guardian: Guard
  private let site: Site
  private let pool: WorkerPool
  private let watch: ChangeWatch
  private let answers = AnswerMemory()
  private let clock: @Sendable () -> Timestamp

  init(
    _ settings: WorkspaceSettings, authority: String, pool: WorkerPool, watch: (AnswerMemory) -> ChangeWatch
  ) {
    guardian = Guard(authority: authority)
    site = Site(practiceName: settings.practiceName, isDemo: settings.isDemo, origin: "http://\(authority)")
    sessions = Sessions(actor: settings.actor)
    clock = settings.clock
    routes = RouteTable.all
    self.pool = pool
    self.watch = watch(answers)
  }

  func stop() {
    watch.stop()
    pool.stop()
  }

  /// Answers a request, at once or from another thread.
  func receive(_ request: Request, _ reply: @escaping @Sendable (Response) -> Void) {
    let session = sessions.session(for: request)
    if let refusal = guardian.refusal(of: request, session: session) {
      if let elsewhere = canonical(request) { return finish(elsewhere, request, reply) }
      return finish(refusal.response, request, reply)
    }
    guard let session else { return finish(ErrorBody(401, "log_in", "log in first").response, request, reply) }
    if request.path.first == "assets" { return finish(Assets.response(for: request.path), request, reply) }
    if request.path == ["healthz"], request.isReading { return finish(.text("ok"), request, reply) }
    let method = request.method == "HEAD" ? "GET" : request.method
    let fitting = routes.compactMap { route in route.match(request.path).map { (route, $0) } }
    guard let (route, values) = fitting.first(where: { $0.0.method == method }) else {
      return finish(Self.noRoute(request, methods: fitting.map(\.0.method)), request, reply)
    }
    let memory = route.kind == .api && method == "POST" ? answers.begin(request, route: route) : .none
    if case .known(let response) = memory { return finish(response, request, reply) }
    let accepted = pool.submit(route.lane) { [self] practice in
      // Whatever was promised under the same key meanwhile is promised again, on the one thread that writes.
      if route.lane == .writing, case .known(let response) = answers.look(memory) {
        return finish(response, request, reply)
      }
      let call = Call(
        request: request, values: values, session: session, practice: practice, now: clock(), site: site)
      let response = Self.answer(call, route)
      answers.keep(response, memory)
      if route.lane == .writing { watch.nudge() }
      finish(response, request, reply)
    }
    guard accepted else {
      return finish(
        ErrorBody(503, "busy", "too much is asked at once", hint: "Try again in a moment.").response, request, reply)
    }
  }

  private static func answer(_ call: Call, _ route: Route) -> Response {
    do {
      return try route.handle(call)
    } catch let error as ErrorBody {
      return shown(error, call, route)
    } catch let error as PracticeError {
      return shown(ErrorBody(error), call, route)
    } catch {
      // What it says may hold anything; a person is told that it failed, and the test suite has to find out why.
      return shown(ErrorBody(500, "failed", "something went wrong in this program"), call, route)
    }
  }

  private static func shown(_ error: ErrorBody, _ call: Call, _ route: Route) -> Response {
    // A piece of a page is asked for by a script, which shows the message beside what was typed.
    guard route.kind == .page, call.request.isReading, call.request.parameter("part") == nil else {
      return error.response
    }
    return .page(ErrorPage.page(error, call), status: error.status)
  }

  private static func noRoute(_ request: Request, methods: [String]) -> Response {
    guard methods.isEmpty else {
      var response = ErrorBody(405, "wrong_method", "this can't be done here").response
      response.headers.append(("Allow", methods.joined(separator: ", ")))
      return response
    }
    if request.path.first == "api" || !request.isReading {
      return ErrorBody(404, "not_found", "there is nothing at this address").response
    }
    return .page(ErrorPage.missing, status: 404)
  }

  /// The same page under the name that this server goes by, for those who write `localhost`.
  private func canonical(_ request: Request) -> Response? {
    guard request.isReading, let host = request.header("host"),
      let port = guardian.authority.split(separator: ":").last,
      guardian.authority.hasPrefix("127.0.0.1:"), host == "localhost:\(port)", request.query.isEmpty
    else { return nil }
    return .redirect(to: guardian.origin + Link.path(request.path), status: 308)
  }

  private func finish(_ response: Response, _ request: Request, _ reply: (Response) -> Void) {
    var response = response
    response.headers += Guard.headers
    if !response.headers.contains(where: { $0.name == "Cache-Control" }) {
      // What is shown is about people and their animals: no copy of it stays anywhere.
      response.headers.append(("Cache-Control", "no-store"))
    }
    reply(response)
  }
}

/// What a workspace is for.
struct WorkspaceSettings: Sendable {
  let practiceName: String
  let isDemo: Bool
  let actor: Actor
  let clock: @Sendable () -> Timestamp
}
