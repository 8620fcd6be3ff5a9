import Clinical
import VetNet

/// The workspace of one practice: who may ask, what there is, and who works on it.
final class Workspace: Sendable {
  private let routes: [Route]
  private let sessions: Sessions
  private let desk: SignInDesk
  private let ceremonies: Ceremonies
  private let devices: DeviceDesk
  private let guardian: Guard
  private let site: Site
  private let pool: WorkerPool
  private let watch: ChangeWatch
  private let hub: EventHub
  private let jobs: JobRunner
  private let clock: @Sendable () -> Timestamp

  typealias Reply = @Sendable (Response) -> Void

  init(
    _ settings: WorkspaceSettings, names: ServedNames, pool: WorkerPool, hub: EventHub, sessions: Sessions,
    watch: ChangeWatch, jobs: JobRunner
  ) {
    guardian = Guard(names: names)
    site = Site(practiceName: settings.practiceName, isDemo: settings.isDemo, origin: names.origin)
    self.sessions = sessions
    clock = settings.clock
    routes = RouteTable.all
    self.pool = pool
    self.hub = hub
    self.watch = watch
    self.jobs = jobs
    ceremonies = Ceremonies(names: names)
    desk = SignInDesk(sessions: sessions, ceremonies: ceremonies, pool: pool, clock: settings.clock)
    devices = DeviceDesk(pool: pool, watch: watch, clock: settings.clock) { [site, jobs, ceremonies] in
      Call(
        request: $0.request, values: $0.values, session: WebSession(actor: $0.actor, token: ""), practice: $0.practice,
        now: $0.now, site: site, jobs: jobs, ceremonies: ceremonies, made: $0.device)
    }
  }

  func stop() {
    watch.stop()
    desk.stop()
    jobs.stop()
    pool.stop()
  }

  /// Whether a request comes from a page, or a program, that knows the token of a session, or from a device that asked before.
  func mayUpload(_ request: Request) -> Bool {
    if Guard.takesChanges(request.path) {
      return guardian.refusal(of: request) == nil && devices.hasAsked(request)
    }
    return guardian.refusal(of: request) == nil && sessions.knows(pageToken: request.header(Guard.tokenHeader) ?? "")
  }

  /// Answers a request, at once or from another thread.
  func receive(_ request: Request, _ reply: @escaping Reply) {
    if let refusal = guardian.refusal(of: request) {
      return finish(canonical(request) ?? refusal.response, reply)
    }
    if request.path.first == "assets" { return finish(Assets.response(for: request.path), reply) }
    if request.path == ["healthz"], request.isReading { return finish(.text("ok"), reply) }
    if request.path == ["login"], request.isReading { return showLogIn(request, reply) }
    if request.path.first == "feed", request.isReading {
      return work(.reading, reply) { [self] practice in
        practice.rereadTimeZone()
        return (FeedFile.response(to: request, in: practice, at: clock()), nil)
      }
    }
    let method = request.method == "HEAD" ? "GET" : request.method
    let fitting = routes.compactMap { route in route.match(request.path).map { (route, $0) } }
    let found = fitting.first { $0.0.method == method }
    guard let (route, values) = found ?? Self.pageOfNothing(request, fitting.isEmpty) else {
      return finish(Self.noRoute(request, methods: fitting.map(\.0.method)), reply)
    }
    if route.access == .device || route.access == .stranger {
      return devices.receive(request, route, values) { [self] in finish($0, reply) }
    }
    if route.access == .signIn { return desk.receive(request) { [self] in finish($0, reply) } }
    if route.access == .passphrase { return askPassphrase(request, reply) }
    if route.before != nil { return workInTwo(request, route, values, reply) }
    work(route.lane, reply) { [self] practice in answer(request, route, values, practice) }
  }

  /// What is answered, and what makes the rest of it while it is being sent.
  private typealias Answered = (response: Response, rest: (() -> Void)?)

  /// Has a request worked on by a thread that has the practice.
  private func work(
    _ lane: WorkerPool.Lane, _ reply: @escaping Reply, _ body: @escaping @Sendable (Practice) -> Answered
  ) {
    let isTaken = pool.submit(lane) { [self] practice in
      let (response, rest) = body(practice)
      if lane == .writing { watch.nudge() }
      finish(response, reply)
      rest?()
    }
    guard !isTaken else { return }
    finish(ErrorBody(503, "busy", "too much is asked at once", hint: "Try again in a moment.").response, reply)
  }

  /// What takes long and changes nothing is done by a thread that reads, so that nobody who writes waits for it.
  private func workInTwo(_ request: Request, _ route: Route, _ values: [String: String], _ reply: @escaping Reply) {
    let isTaken = pool.submit(.preparing) { [self] practice in
      let (call, refusal) = admitted(request, route, values, practice)
      guard let call else { return finish(refusal, reply) }
      do {
        let made = try route.before?(call)
        work(route.lane, reply) { [self] practice in answer(request, route, values, practice, made) }
      } catch {
        finish(ErrorBody(any: error).response, reply)
      }
    }
    guard !isTaken else { return }
    finish(ErrorBody(503, "busy", "too much is asked at once", hint: "Try again in a moment.").response, reply)
  }

  /// The request with whose it is; or what is answered instead.
  private func admitted(
    _ request: Request, _ route: Route, _ values: [String: String], _ practice: Practice
  ) -> (call: Call?, refusal: Response) {
    let now = clock()
    practice.rereadTimeZone()
    let session: WebSession
    do {
      let isUse = route.access != .unattended && request.header("x-vetnet-unattended") == nil
      session = try sessions.session(for: request, in: practice, at: now, isUse: isUse)
    } catch {
      return (nil, Self.nobody(error, request, route))
    }
    if let refusal = guardian.refusal(of: request, from: session) { return (nil, refusal.response) }
    let call = Call(
      request: request, values: values, session: session, practice: practice, now: now, site: site, jobs: jobs,
      ceremonies: ceremonies)
    if let needs = route.needs, !session.actor.role.may(needs) {
      return (nil, Self.shown(ErrorBody(lacking: needs, session.actor.role, for: "this page"), call, route))
    }
    return (call, Self.nothing.response)
  }

  private func answer(
    _ request: Request, _ route: Route, _ values: [String: String], _ practice: Practice,
    _ made: (any Sendable)? = nil
  ) -> Answered {
    let (admitted, refusal) = admitted(request, route, values, practice)
    guard var call = admitted else { return (refusal, nil) }
    call.made = made
    let (session, now) = (call.session, call.now)
    if route.access == .signOut {
      hub.end(of: session)
      return (Self.reporting(call, route) { try desk.signOut(session, practice, at: now) }, nil)
    }
    let asked = call
    var response = Self.reporting(asked, route) { try route.handle(asked) }
    guard case .pieces(let pieces) = response.body else { return (response, nil) }
    let flow = Outflow(first: pieces.first)
    response.body = .flow(flow)
    return (response, { pieces.make(asked, into: flow) })
  }

  private func askPassphrase(_ request: Request, _ reply: @escaping Reply) {
    let isTaken = pool.submit(.reading) { [self] practice in
      do {
        let session = try sessions.session(for: request, in: practice, at: clock(), isUse: true)
        if let refusal = guardian.refusal(of: request, from: session) { return finish(refusal.response, reply) }
        desk.receive(request, of: session) { [self] in finish($0, reply) }
      } catch {
        finish(ErrorBody(any: error).response, reply)
      }
    }
    if !isTaken {
      finish(ErrorBody(503, "busy", "too much is asked at once", hint: "Try again in a moment.").response, reply)
    }
  }

  /// Pages lead to where somebody signs in, and from there back.
  private static func nobody(_ error: any Error, _ request: Request, _ route: Route) -> Response {
    guard let error = error as? PracticeError else {
      return ErrorBody(500, "failed", "something went wrong in this program").response
    }
    guard error.code == .notSignedIn, route.kind == .page, request.isReading, request.parameter("part") == nil else {
      return ErrorBody(error).response
    }
    return .redirect(to: LogInPage.path(for: Link.target(request)))
  }

  private func showLogIn(_ request: Request, _ reply: @escaping Reply) {
    work(.reading, reply) { [self] practice in
      (logInPage(request, practice), nil)
    }
  }

  private func logInPage(_ request: Request, _ practice: Practice) -> Response {
    do {
      let goal = LogInPage.goal(of: request)
      guard try sessions.everybody(practice) == nil else { return .redirect(to: goal) }
      let session = try? sessions.session(for: request, in: practice, at: clock(), isUse: false)
      let isSwitching = request.parameter("switch") != nil
      if session != nil, !isSwitching { return .redirect(to: goal) }
      return .page(LogInPage(site: site, goal: goal, present: session?.actor.name, isSwitching: isSwitching).html)
    } catch {
      return ErrorBody(any: error).response
    }
  }

  private static func reporting(_ call: Call, _ route: Route, _ work: () throws -> Response) -> Response {
    do {
      return try work()
    } catch {
      return shown(ErrorBody(any: error), call, route)
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
    return nothing.response
  }

  private static let nothing = ErrorBody(404, "not_found", "there is nothing at this address")

  /// For a page that isn't there, a page that says so.
  private static func pageOfNothing(_ request: Request, _ isNothing: Bool) -> (Route, [String: String])? {
    guard isNothing, request.isReading, request.path.first != "api" else { return nil }
    return (Route("GET", "/", .page) { _ in throw nothing }, [:])
  }

  /// The same page under the name that this server goes by, for those who write `localhost`.
  private func canonical(_ request: Request) -> Response? {
    let names = guardian.names
    guard request.isReading, let host = request.header("host"), let port = names.authority.split(separator: ":").last,
      names.authority.hasPrefix("127.0.0.1:"), host == "localhost:\(port)", request.query.isEmpty
    else { return nil }
    return .redirect(to: names.origin + Link.path(request.path), status: 308)
  }

  private func finish(_ response: Response, _ reply: Reply) {
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
  let clock: @Sendable () -> Timestamp
}
