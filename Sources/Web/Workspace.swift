import Clinical
import VetNet

/// The workspace of one practice: who may ask, what there is, and who works on it.
final class Workspace: Sendable {
  private let routes: [Route]
  private let sessions: Sessions
  private let desk: SignInDesk
  private let ceremonies: Ceremonies
  private let presence: PresenceBoard
  private let devices: DeviceDesk
  private let guardian: Guard
  private let site: Site
  private let mount: MountPoint?
  private let pool: WorkerPool
  private let watch: ChangeWatch
  let hub: EventHub
  private let jobs: JobRunner
  private let passphrases: PassphraseThreads?
  private let clock: @Sendable () -> Timestamp

  typealias Reply = @Sendable (Response) -> Void

  /// What a workspace works with.
  struct Parts {
    let pool: WorkerPool
    let hub: EventHub
    let watch: ChangeWatch
    let jobs: JobRunner
    /// Where several workspaces share the threads that try passphrases; nil for threads of its own.
    var passphrases: PassphraseThreads?
  }

  init(_ settings: WorkspaceSettings, names: ServedNames, sessions: Sessions, parts: Parts) {
    guardian = Guard(names: names)
    mount = settings.mount
    site = Site(
      practiceName: settings.practiceName, isDemo: settings.isDemo, origin: names.origin + (mount?.base ?? ""),
      place: settings.place)
    self.sessions = sessions
    clock = settings.clock
    routes = settings.routes
    let (pool, hub, watch, jobs) = (parts.pool, parts.hub, parts.watch, parts.jobs)
    let passphrases = parts.passphrases ?? PassphraseThreads()
    self.passphrases = parts.passphrases == nil ? passphrases : nil
    self.pool = pool
    self.hub = hub
    self.watch = watch
    self.jobs = jobs
    ceremonies = Ceremonies(names: names)
    presence = PresenceBoard { [hub] in hub.announce($0) }
    desk = SignInDesk(
      sessions: sessions, ceremonies: ceremonies, pool: pool, passphrases: passphrases, clock: settings.clock)
    devices = DeviceDesk(pool: pool, watch: watch, clock: settings.clock) { [site, jobs, ceremonies, presence] in
      Call(
        request: $0.request, values: $0.values, session: WebSession(actor: $0.actor, token: ""), practice: $0.practice,
        now: $0.now, site: site, jobs: jobs, ceremonies: ceremonies, presence: presence, made: $0.device)
    }
  }

  /// What waits and is worked on.
  var load: WorkerPool.Load { pool.load }
  var runningJobs: Int { jobs.running }

  func stop() {
    watch.stop()
    passphrases?.stop()
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
    if request.isReading, let response = WebApp.response(for: request.path, site: site) {
      return finish(response, reply)
    }
    if request.path == ["healthz"], request.isReading { return finish(.text("ok"), reply) }
    if request.path == ["login"], request.isReading { return showLogIn(request, reply) }
    if request.path.first == "feed", request.isReading {
      return work(.reading, reply) { [self] practice in
        practice.settings.rereadTimeZone()
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
    if route.access == .browser {
      return work(.reading, reply) { [self] practice in (BrowserDesk.contact(request, practice, at: clock()), nil) }
    }
    if route.access == .passphrase { return askPassphrase(request, reply) }
    if route.before != nil { return workInTwo(request, route, values, reply) }
    work(route.lane, reply) { [self] practice in answer(request, route, values, practice) }
  }

  /// Who a request is from, as the group's own workspace knows, told from a thread that reads; nil for nobody who signed in.
  func identify(
    _ request: Request,
    _ then: @escaping @Sendable (Result<(member: GroupMember, session: WebSession)?, ErrorBody>) -> Void
  ) {
    let isTaken = pool.submit(.reading) { [self] practice in
      let now = clock()
      guard
        let session = try? sessions.session(for: request, in: practice, at: now, isUse: !request.isUnattended),
        let token = session.signIn, let member = try? practice.people.member(token, at: now)
      else { return then(.success(nil)) }
      then(.success((member, session)))
    }
    if !isTaken { then(.failure(Self.busy)) }
  }

  /// Which of these sessions are over, told likewise; nothing is told where too much waits.
  func findEnded(_ tokens: [SessionToken], _ then: @escaping @Sendable ([SessionToken]) -> Void) {
    _ = pool.submit(.reading) { [self] practice in
      then(
        tokens.filter { token in
          do {
            _ = try sessions.session(token, in: practice, at: clock(), isUse: false)
            return false
          } catch let error as PracticeError where error.code == .notSignedIn {
            return true
          } catch {
            return false
          }
        })
    }
  }

  /// Ends somebody's session here, with what they listen to.
  func end(_ session: WebSession) {
    hub.end(of: session)
    guard let token = session.signIn else { return }
    _ = pool.submit(.writing) { [self] practice in try? practice.people.endSession(token, at: clock()) }
  }

  private static let busy = ErrorBody(503, "busy", "too much is asked at once", hint: "Try again in a moment.")

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
    finish(Self.busy.response, reply)
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
    finish(Self.busy.response, reply)
  }

  /// The request with whose it is; or what is answered instead.
  private func admitted(
    _ request: Request, _ route: Route, _ values: [String: String], _ practice: Practice
  ) -> (call: Call?, refusal: Response) {
    let now = clock()
    practice.settings.rereadTimeZone()
    let session: WebSession
    do {
      let isUse = route.access != .unattended && request.header("x-vetnet-unattended") == nil
      session = try sessions.session(for: request, in: practice, at: now, isUse: isUse)
    } catch {
      return (nil, nobody(error, request, route))
    }
    if let refusal = guardian.refusal(of: request, from: session) { return (nil, refusal.response) }
    let call = Call(
      request: request, values: values, session: session, practice: practice, now: now, site: site, jobs: jobs,
      ceremonies: ceremonies, presence: presence)
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
    guard case .pieces(let made) = response.body else { return (response, nil) }
    let pieces = mount?.pieces(made) ?? made
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
      finish(Self.busy.response, reply)
    }
  }

  /// Pages lead to where somebody signs in, and from there back.
  private func nobody(_ error: any Error, _ request: Request, _ route: Route) -> Response {
    guard let error = error as? PracticeError else {
      return ErrorBody(500, "failed", "something went wrong in this program").response
    }
    guard route.kind == .page, request.isReading, request.parameter("part") == nil else {
      return ErrorBody(error).response
    }
    if error.code == .notPermitted {
      let body = ErrorBody(error)
      return .page(ErrorPage.page(body, site), status: body.status)
    }
    guard error.code == .notSignedIn else { return ErrorBody(error).response }
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
      if sessions.takesGroup(practice) {
        let switching = request.parameter("switch") == nil ? "" : "&switch=1"
        return .redirect(to: "/./login?to=\(Link.encoded((mount?.base ?? "") + goal))\(switching)")
      }
      guard try sessions.everybody(practice) == nil else { return .redirect(to: goal) }
      let session = try? sessions.session(for: request, in: practice, at: clock(), isUse: false)
      let isSwitching = request.parameter("switch") != nil
      if session != nil, !isSwitching { return .redirect(to: goal) }
      let isWiped = request.parameter("wiped") != nil
      return .page(
        LogInPage(site: site, goal: goal, present: session?.actor.name, isSwitching: isSwitching, isWiped: isWiped).html
      )
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
    return .redirect(to: site.origin + Link.path(request.path), status: 308)
  }

  private func finish(_ response: Response, _ reply: Reply) {
    var response = response
    if case .events = response.body { response.hub = hub }
    if let mount { response = mount.response(response) }
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
  /// Below which address it lies, and what its pages say of the others, on a server of many.
  var mount: MountPoint?
  var place: GroupPlace?
  var routes = RouteTable.all
}
