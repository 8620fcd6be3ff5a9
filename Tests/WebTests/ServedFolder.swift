import Clinical
import Foundation
import PracticeTestSupport
import Store
import VetNet
import VetNetTestSupport
import Web

/// A folder of practices with a server in this process, which ends with the value that owns it.
final class ServedFolder: LoopbackServer, @unchecked Sendable {
  let folder: TemporaryFolder
  let server: GroupServer
  let port: Int
  /// What a program shows that reads the figures.
  static let metricsToken = "figures-for-a-test-only"

  /// A practice to be made.
  struct Plan {
    let name: String
    /// With the sample practice's records, and a patient whose name is in no other; otherwise empty.
    var hasRecords = false
    /// By name; none for a practice without users.
    var users: [String: Role] = [:]
    var takesGroup = true
  }

  /// People of the group, whose passphrase is "words of NAME".
  static let people: [(name: String, role: Role)] = [
    ("ann", .administrator), ("vera", .veterinarian), ("rita", .reception),
  ]

  /// One for all users of practices, whose own passphrases nobody uses here.
  private static let verifier = Result { try PassphraseVerifier(of: Passphrase("words of a practice"), cost: .least) }

  init(
    _ plans: [Plan], hasGroup: Bool = true, settings: GroupServer.Settings = GroupServer.Settings(),
    operators: (TemporaryFolder) throws -> OperatorSettings = { _ in OperatorSettings() }
  ) throws {
    folder = try TemporaryFolder()
    let group = hasGroup ? try Self.makeGroup(at: folder.file("group.vetnet")) : nil
    for plan in plans { try Self.make(plan, at: folder.file("\(plan.name).vetnet"), group) }
    var all = try operators(folder)
    all.metrics = try Self.token(in: folder)
    server = try GroupServer(
      folder: folder.path, at: Listening(ListenAddress("127.0.0.1:0")), models: modelsDirectory, settings: settings,
      operators: all, clock: { ServedPractice.now })
    port = try ServedPractice.required(URL(string: server.url)?.port)
  }

  deinit { server.stop() }

  private static func token(in folder: TemporaryFolder) throws -> MetricsToken {
    let file = try folder.write(metricsToken + "\n", to: "token")
    chmod(file, 0o600)
    return try MetricsToken(file: file)
  }

  /// - Returns: the group's id.
  static func makeGroup(at path: String) throws -> String {
    let practice = try create(at: path, name: "Oak Group")
    for (name, role) in people {
      let verifier = try PassphraseVerifier(of: Passphrase("words of \(name)"), cost: .least)
      let actor =
        try practice.people.isClosed
        ? practice.people.identify("ann", Passphrase("words of ann"), from: "here", at: ServedPractice.now) : .local
      try practice.perform(AddUser(name: name, role: role, verifier: verifier), by: actor, at: ServedPractice.now)
    }
    return try practice.people.id
  }

  private static func create(at path: String, name: String) throws -> Practice {
    let zone = try ServedPractice.required(PracticeTimeZone(identifier: "Europe/London"))
    try Practice.create(at: path, name: name, timeZone: zone, now: ServedPractice.now)
    return try open(path)
  }

  static func open(_ path: String) throws -> Practice {
    try Practice.open(at: path, models: shippedModels(), access: .write)
  }

  /// `Canarynorth`, a patient of the practice `north` alone.
  static func canary(_ name: String) -> String { "Canary\(name)" }

  static func make(_ plan: Plan, at path: String, _ group: String?) throws {
    let now = ServedPractice.now
    let practice: Practice
    if plan.hasRecords {
      try ServedPractice.copySample(to: path)
      practice = try open(path)
      try practice.perform(ChangeSetting(key: "name", value: "Practice \(plan.name)"), by: .local, at: now)
      let patient = try practice.perform(
        AddPatient(patient: NewPatient(name: canary(plan.name), species: .cat)), by: .local, at: now)
      try practice.perform(
        AddNote(
          patient: patient.id, kind: .phone, text: "Whiskerfall \(plan.name) seen.", recordedAt: now.adding(days: -1)),
        by: .local, at: now)
    } else {
      practice = try create(at: path, name: "Practice \(plan.name)")
    }
    if plan.takesGroup, let group {
      try practice.perform(ChangeSetting(key: "group-sign-in", value: group), by: .local, at: now)
    }
    guard !plan.users.isEmpty else { return }
    try practice.perform(
      AddUser(name: "keeper", role: .administrator, verifier: verifier.get()), by: .local, at: now)
    let keeper = try keeper(of: practice)
    for (name, role) in plan.users.sorted(by: { $0.key < $1.key }) {
      try practice.perform(AddUser(name: name, role: role, verifier: verifier.get()), by: keeper, at: now)
    }
  }

  static func keeper(of practice: Practice) throws -> Actor {
    try practice.people.identify("keeper", Passphrase("words of a practice"), from: "here", at: ServedPractice.now)
  }

  /// A browser of somebody who signed in to the group.
  struct Visitor {
    let served: ServedFolder
    let cookie: String
    let token: String

    func ask(
      _ method: String, _ target: String, _ body: String? = nil, headers: [String: String] = [:]
    ) throws -> HTTPClient.Answer {
      try served.ask(
        method, target, body,
        headers: ["Cookie": cookie, "X-VetNet-Token": token, "Sec-Fetch-Site": "same-origin"].merging(headers) { $1 })
    }

    /// A stream of a practice's events, from now on.
    func listen(to practice: String) throws -> HTTPClient {
      let client = try HTTPClient(port: served.port)
      client.write(
        "GET /p/\(practice)/api/v1/events HTTP/1.1\r\nHost: \(served.host)\r\nCookie: \(cookie)\r\n\r\n")
      guard client.read(until: "event: here") != nil else { throw CocoaError(.fileReadUnknown) }
      return client
    }
  }

  /// Signs in at a place: the group's page, or a practice's.
  func signIn(_ name: String, _ passphrase: String? = nil, at place: String = "") throws -> Visitor {
    let body = #"{"name":"\#(name)","passphrase":"\#(passphrase ?? "words of \(name)")"}"#
    let answer = try ask("POST", "\(place)/api/v1/session", body)
    guard answer.status == 201, let cookie = answer.headers["set-cookie"]?.split(separator: ";").first,
      let token = try answer.json()["token"] as? String
    else { throw CocoaError(.userCancelled) }
    return Visitor(served: self, cookie: String(cookie), token: token)
  }

  /// The figures, by name with labels.
  func figures() throws -> [String: Double] {
    let answer = try ask("GET", "/metrics", headers: ["Authorization": "Bearer \(Self.metricsToken)"])
    return try Exposition(answer.text).samples
  }
}
