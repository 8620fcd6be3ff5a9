import Clinical
import VetNet

/// Keys that people sign in by, as JSON. Bytes are in base 64, as URLs take it (RFC 4648, section 5).
enum PasskeyRoutes {
  static let all: [Route] = [challenge, signIn, list, add, remove]

  static let challengePath = ["api", "v1", "session", "challenge"]
  static let signInPath = ["api", "v1", "session", "passkey"]
  static let addPath = ["api", "v1", "passkeys"]

  private static let challenge = Route(
    "POST", "/session/challenge", .api, .reading, "Random bytes for a passkey to sign, once and within five minutes.",
    access: .signIn, body: .object([:]),
    answer: .object(["challenge": .string()], optional: ["relying_party": .string()])
  ) { _ in throw Sessions.nobody }

  private static let signIn = Route(
    "POST", "/session/passkey", .api, .reading, "Signs in by a passkey, as `POST /session` does by a passphrase.",
    access: .signIn,
    body: .object([
      "challenge": .string(), "credential": .string(), "client_data": .string(), "authenticator_data": .string(),
      "signature": .string(),
    ]), answer: SessionRoutes.shape, status: 201
  ) { _ in throw Sessions.nobody }

  private static let shape: Schema = .object(
    ["number": .integer, "label": .string(), "relying_party": .string(), "added_at": .string()],
    optional: ["used_at": .string()])

  private static let list = Route(
    "GET", "/passkeys", .api, .reading, "One's own passkeys.", answer: .object(["passkeys": .list(shape)])
  ) { call in
    try .json(["passkeys": call.perform(ListPasskeys()).map { PasskeyOutput($0, zone: call.zone) }])
  }

  private static let add = Route(
    "POST", "/passkeys", .api, .writing, "Keeps a passkey that the browser just made, of whoever shows the passphrase.",
    access: .passphrase,
    body: .object([
      "challenge": .string(), "client_data": .string(), "authenticator_data": .string(), "public_key": .string(),
      "label": .string(), "passphrase": .string(),
    ]), answer: .object(["passkeys": .list(shape)]), status: 201
  ) { _ in throw Sessions.nobody }

  private static let remove = Route(
    "DELETE", "/passkeys/{number}", .api, .writing,
    "Takes one of one's own passkeys away; one's sessions end, but the one in which that is done.",
    answer: .object(["passkeys": .list(shape)])
  ) { call in
    guard let number = Int64(call.value("number")) else {
      throw ErrorBody(404, "not_found", "there is no such passkey of yours")
    }
    try call.perform(RemovePasskey(number: number, session: call.session.signIn))
    return try .json(["passkeys": call.perform(ListPasskeys()).map { PasskeyOutput($0, zone: call.zone) }])
  }
}

struct PasskeyOutput: Encodable {
  let number: Int64
  let label: String
  let relying_party: String
  let added_at: String
  let used_at: String?

  init(_ passkey: Passkey, zone: PracticeTimeZone) {
    number = passkey.number
    label = passkey.label
    relying_party = passkey.relyingParty
    added_at = zone.iso8601(passkey.addedAt)
    used_at = passkey.usedAt.map(zone.iso8601)
  }
}
