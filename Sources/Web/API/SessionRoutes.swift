import Clinical
import VetNet

/// Who acts, as JSON, and how somebody signs in and out.
enum SessionRoutes {
  static let all: [Route] = [session, signIn, signOut, passphrase]

  static let shape: Schema = .object([
    "actor": .string(), "role": .string(), "token": .string(), "now": .string(), "signed_in": .boolean,
  ])

  private static let session = Route(
    "GET", "/session", .api, .reading, "Who acts, and the token that pages send with their writes.", answer: shape
  ) { call in
    try .json(SessionOutput(call.session, now: call.now, zone: call.zone))
  }

  private static let signIn = Route(
    "POST", "/session", .api, .reading,
    "Signs in: the answer sets a cookie, and its `token` goes as X-VetNet-Token with each write. A session that is shown ends with it.",
    access: .signIn, body: .object(["name": .string(), "passphrase": .string()]), answer: shape, status: 201
  ) { _ in throw Sessions.nobody }

  private static let passphrase = Route(
    "POST", "/session/passphrase", .api, .writing,
    "Another passphrase of one's own; every session of whoever it is ends with that, and every passkey unless `keep_passkeys` is true.",
    access: .passphrase,
    body: .object(["old": .string(), "new": .string()], optional: ["keep_passkeys": .boolean]),
    answer: .object(["signed_in": .boolean])
  ) { _ in throw Sessions.nobody }

  private static let signOut = Route(
    "DELETE", "/session", .api, .writing, "Signs out.", access: .signOut, answer: .object(["signed_in": .boolean])
  ) { _ in throw Sessions.nobody }
}

struct SessionOutput: Encodable {
  let actor: String
  let role: String
  let token: String
  let now: String
  /// Whether by a sign-in, which can be ended.
  let signed_in: Bool

  init(_ session: WebSession, now: Timestamp, zone: PracticeTimeZone) {
    actor = session.actor.name
    role = session.actor.role.rawValue
    token = session.token
    self.now = zone.iso8601(now)
    signed_in = session.signIn != nil
  }
}
