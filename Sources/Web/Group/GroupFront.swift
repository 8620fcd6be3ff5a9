import Synchronization
import VetNet

/// Whom a request on a server of many practices is for: one of them, by the list, or the group itself.
///
/// Somebody's session is the group's, and each practice is asked whether it lets them in; what a request says of who sends it, beyond the
/// cookie, counts for nothing.
final class GroupFront: Sendable {
  typealias Reply = @Sendable (Response) -> Void

  private let names: ServedNames
  private let port: Int
  private let survey: PracticeSurvey
  private let rack: PracticeRack
  /// The group's own file as a workspace; nil for a folder without one, on this machine only.
  private let home: Workspace?
  private let group: ServedGroup?
  /// Of each practice, kept while it is closed: pages that are open in browsers go on.
  private let sessions = Mutex<[String: Sessions]>([:])
  /// The group's session behind each session in a practice that somebody entered.
  private let entered = Mutex<[String: SessionToken]>([:])
  private static let mostEntered = 100_000

  init(
    names: ServedNames, port: Int, survey: PracticeSurvey, rack: PracticeRack, home: Workspace?, group: ServedGroup?
  ) {
    self.names = names
    self.port = port
    self.survey = survey
    self.rack = rack
    self.home = home
    self.group = group
  }

  /// The sessions of a practice.
  func sessions(of name: String) -> Sessions {
    sessions.withLock { known in
      if let sessions = known[name] { return sessions }
      let cookie = SessionCookie(isSecure: names.isSecure, port: port, mount: MountPoint(name: name))
      let made = Sessions(actor: nil, cookie: cookie, group: group)
      known[name] = made
      return made
    }
  }

  /// Whether a request may bring a file.
  func mayUpload(_ request: Request) -> Bool {
    guard let (name, inner) = Self.practice(of: request), survey.entry(name) != nil else { return false }
    return Guard(names: names).refusal(of: inner) == nil
      && sessions(of: name).knows(pageToken: inner.header(Guard.tokenHeader) ?? "")
  }

  /// The practice that a request names, and the request as that practice knows it.
  private static func practice(of request: Request) -> (name: String, inner: Request)? {
    guard request.path.count >= 2, request.path[0] == MountPoint.segment else { return nil }
    var path = MountPoint.inner(request.path)
    if path == [""] { path = [] }
    return (request.path[1], request.moved(to: path))
  }

  func receive(_ request: Request, _ reply: @escaping Reply) {
    guard let (name, inner) = Self.practice(of: request) else { return receiveHome(request, reply) }
    guard let entry = survey.entry(name) else { return refuseUnknown(request, reply) }
    // Where a practice can't ask who somebody is, the group does: a stranger learns nothing of it.
    if let problem = entry.problem, problem.code != .locked, home != nil {
      return refuseUnknown(request, with: PracticeRack.refusal(problem), reply)
    }
    if let group, let card = entry.card, card.group == group.id, Self.isSigningIn(inner) {
      return signIn(inner, into: entry.file, reply)
    }
    enter(inner, entry.file, reply)
  }

  // MARK: The group's own pages

  private func receiveHome(_ request: Request, _ reply: @escaping Reply) {
    if let home {
      return home.receive(request) { [self] response in
        if request.method == "DELETE" { endEntered() }
        reply(response)
      }
    }
    if let refusal = Guard(names: names).refusal(of: request) { return finish(refusal.response, reply) }
    switch request.path {
    case [] where request.isReading: finish(.page(GroupHome.open(standings, site: site)), reply)
    case ["healthz"] where request.isReading: finish(.text("ok"), reply)
    case let path where path.first == "assets": finish(Assets.response(for: path), reply)
    default: finish(Self.nothing.response, reply)
    }
  }

  private var site: Site {
    Site(
      practiceName: "VetNet", isDemo: false, origin: names.origin, place: GroupPlace(isHome: true) { _ in [] })
  }

  private static let nothing = ErrorBody(404, "not_found", "there is nothing at this address")

  private func finish(_ response: Response, _ reply: Reply) {
    var response = response
    response.headers += Guard.headers
    if !response.headers.contains(where: { $0.name == "Cache-Control" }) {
      response.headers.append(("Cache-Control", "no-store"))
    }
    reply(response)
  }

  /// Whoever isn't signed in doesn't learn which practices there are.
  private func refuseUnknown(
    _ request: Request, with error: ErrorBody? = nil, _ reply: @escaping Reply
  ) {
    if let refusal = Guard(names: names).refusal(of: request) { return finish(refusal.response, reply) }
    guard let home else { return refuse(Self.nothing, request, reply) }
    home.identify(request) { [self] found in
      if case .success(nil) = found {
        let isPage = request.isPage
        finish(
          isPage ? .redirect(to: LogInPage.path(for: Link.target(request))) : ErrorBody(Sessions.nobody).response, reply
        )
      } else {
        refuse(error ?? Self.nothing, request, reply)
      }
    }
  }

  /// An error, to a person as a page.
  private func refuse(_ error: ErrorBody, _ request: Request, _ reply: Reply) {
    finish(request.isPage ? .page(ErrorPage.page(error, site), status: error.status) : error.response, reply)
  }

  // MARK: Into a practice

  private func enter(_ inner: Request, _ file: PracticeFolder.File, _ reply: @escaping Reply) {
    let refuse: @Sendable (ErrorBody) -> Void = { [self] error in self.refuse(error, inner, reply) }
    guard let home, let group, inner.needsPerson, group.sessions.cookie.token(of: inner) != nil else {
      return rack.receive(.init(request: inner, reply: reply, refuse: refuse), for: file)
    }
    home.identify(inner) { [self] found in
      var request = inner
      switch found {
      case .failure(let error): return refuse(error)
      case .success(let found):
        if let found, let token = found.session.signIn {
          let entry = GroupEntry(member: found.member, practice: file.name, pageToken: found.session.token)
          request.entry = entry
          remember(entry.token, of: token)
        }
      }
      rack.receive(.init(request: request, reply: reply, refuse: refuse), for: file)
    }
  }

  private func remember(_ own: SessionToken, of token: SessionToken) {
    entered.withLock { entered in
      if entered.count >= Self.mostEntered { entered.removeAll() }
      entered[own.text] = token
    }
  }

  // MARK: Signing in and out, at a practice's page

  private static func isSigningIn(_ inner: Request) -> Bool {
    guard !inner.isReading, inner.path.starts(with: ["api", "v1", "session"]) else { return false }
    return inner.path.count == 3 || ["challenge", "passkey"].contains(inner.path.last)
  }

  /// Signs in to the group at the page of a practice, which answers who that is there.
  private func signIn(_ inner: Request, into file: PracticeFolder.File, _ reply: @escaping Reply) {
    guard let home else { return }
    home.receive(inner) { [self] response in
      if inner.method == "DELETE" { endEntered() }
      guard response.status == 201, let cookie = response.headers.first(where: { $0.name == "Set-Cookie" }) else {
        return reply(response)
      }
      let kept = inner.headers.filter { $0.name == "host" }
      let shown = cookie.value.prefix { $0 != ";" }
      let next = Request(
        method: "GET", path: ["api", "v1", "session"], query: [], headers: kept + [("cookie", String(shown))],
        peer: inner.peer)
      enter(next, file) { answer in
        var answer = answer
        if answer.status == 200 { answer.status = 201 }
        answer.headers.append(cookie)
        reply(answer)
      }
    }
  }

  /// Ends what sessions of the group that are over had begun in practices, where somebody listens there.
  func endEntered() {
    guard let home else { return }
    var listening: [(workspace: Workspace, owner: WebSession, token: SessionToken)] = []
    for (_, workspace) in rack.openWorkspaces {
      for owner in workspace.hub.owners where owner.isEntered {
        guard let own = owner.signIn else { continue }
        guard let token = entered.withLock({ $0[own.text] }) else {
          workspace.hub.end(of: owner)
          continue
        }
        listening.append((workspace, owner, token))
      }
    }
    guard !listening.isEmpty else { return }
    let asked = listening
    home.findEnded(asked.map(\.token)) { [self] ended in
      let texts = Set(ended.map(\.text))
      for (workspace, owner, token) in asked where texts.contains(token.text) {
        workspace.end(owner)
        if let own = owner.signIn { entered.withLock { $0[own.text] = nil } }
      }
    }
  }

  /// Where somebody may go, by the name under which they are known.
  func ways(for person: String) -> [GroupPlace.Way] {
    if let group { return survey.ways(for: person, in: group.id) }
    return survey.entries.filter { $0.problem == nil }.map {
      GroupPlace.Way(name: $0.card?.name ?? $0.file.name, path: MountPoint(name: $0.file.name).base)
    }
  }

  // MARK: For whoever runs the server

  /// Tells every stream that the server stops, and ends it.
  func endStreams() {
    rack.endStreams()
    home?.hub.end()
  }

  /// What is held and done now, of all practices together.
  var standing: ServerStanding {
    let open = rack.openWorkspaces.map(\.workspace)
    let (unusable, all) = (survey.entries.count { $0.problem != nil }, survey.entries.count)
    let counts = rack.counts
    var standing = ServerStanding(
      practices: ["open": open.count, "unusable": unusable, "closed": max(0, all - open.count - unusable)],
      opened: counts.opened, refused: counts.refused)
    for workspace in open + [home].compactMap(\.self) {
      let load = workspace.load
      standing.load.reading += load.reading
      standing.load.writing += load.writing
      standing.load.preparing += load.preparing
      standing.load.busy += load.busy
      standing.streams += workspace.hub.count
      standing.jobs += workspace.runningJobs
    }
    return standing
  }

  /// What can be said of each file.
  var standings: [GroupHome.Standing] {
    let open = Set(rack.openWorkspaces.map(\.name))
    let files = survey.entries.map { entry in
      GroupHome.Standing(
        name: entry.file.name, path: entry.problem == nil ? MountPoint(name: entry.file.name).base : nil,
        words: words(entry, isOpen: open.contains(entry.file.name)))
    }
    let misnamed = survey.misnamed.map {
      GroupHome.Standing(name: $0, path: nil, words: "not served: a name has letters, digits, - and _, 63 at most")
    }
    return files + misnamed
  }

  private func words(_ entry: PracticeSurvey.Entry, isOpen: Bool) -> String {
    if let problem = entry.problem { return Self.words(problem) }
    let state = isOpen ? "open" : "closed until somebody comes"
    guard let group, let card = entry.card else { return state }
    if !card.hasUsers { return "not entered: it has no users" }
    return card.group == group.id ? state : "\(state); takes its own sign-in, not the group's"
  }

  private static func words(_ problem: PracticeError) -> String {
    switch problem.code {
    case .key: "locked: it is encrypted, and neither the kernel nor the folder of passphrases opens it"
    case .newerSchema: "can't be opened: it is from a newer VetNet"
    case .integrity: "can't be opened: it is damaged"
    case .locked: "can't be opened: another program holds it"
    case .fileRights: "can't be opened: this account may not read and write it"
    default: "can't be opened"
    }
  }
}

extension Request {
  /// The same request for another path.
  fileprivate func moved(to path: [String]) -> Request {
    var moved = Request(method: method, path: path, query: query, headers: headers, body: body, peer: peer)
    moved.entry = nil
    return moved
  }

  /// Whether a person waits for it in a window, rather than a script.
  fileprivate var isPage: Bool {
    let inner = MountPoint.inner(path)
    return isReading && !["api", "assets", "feed"].contains(inner.first ?? "") && parameter("part") == nil
  }

  /// Whether what is answered can depend on who asks.
  fileprivate var needsPerson: Bool { !["assets", "healthz", "feed"].contains(path.first ?? "") }
}
