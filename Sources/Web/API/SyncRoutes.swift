import Clinical
import FoundationEssentials
import Sync
import VetNet

/// What machines ask for that take the practice along, as JSON. Each request but the first two is signed: the header X-VetNet-Device holds
/// the device's id, random bytes of this server that are good once, and an Ed25519 signature over all that is asked for.
enum SyncRoutes {
  static let all: [Route] = [nonce, enroll, copy, part, hello, push, pull]

  static let copyPattern = "/api/v1/sync/copies"
  static let partPattern = "/api/v1/sync/copies/{id}"
  /// Bytes of a copy in one answer.
  static let partBytes = 4 << 20

  private static let proof = Route.Parameter(
    name: "X-VetNet-Device", meaning: "the device's id, random bytes of the server and a signature", isRequired: true,
    isHeader: true)

  private static let nonce = Route(
    "GET", "/sync/nonce", .api, .reading,
    "Random bytes to sign the next request with, good once; each answer to a device has others in its header X-VetNet-Nonce.",
    access: .stranger, answer: .object(["nonce": .string()])
  ) { _ in throw Sessions.nobody }

  private static let enroll = Route(
    "POST", "/sync/enroll", .api, .writing,
    "A machine comes by an invitation, and says by which key it will be known; the same again is answered alike.",
    access: .stranger,
    body: .object(["invitation": .string(), "practice": .string(), "public_key": .string("32 bytes of Ed25519")]),
    answer: .object(["device": .string(), "name": .string()], optional: ["user": .string()]), status: 201
  ) { _ in throw Sessions.nobody }

  private static let copy = Route(
    "POST", "/sync/copies", .api, .reading,
    "Makes a copy of the practice for the device to take along: proven as a backup is, without what stays at the hub.",
    access: .device, parameters: [proof], body: .object([:]),
    answer: .object(["copy": .string(), "bytes": .integer, "digest": .string("BLAKE2b-256 of its bytes")]), status: 201
  ) { _ in throw Sessions.nobody }

  private static let part = Route(
    "GET", "/sync/copies/{id}", .api, .reading, "Bytes of a copy from a place on, 4 MiB at most, as they are.",
    access: .device, parameters: [proof, .init(name: "from", meaning: "the first of them, from 0")]
  ) { _ in throw Sessions.nobody }

  private static let hello = Route(
    "POST", "/sync/hello", .api, .reading, "How far the device and the hub have heard of each other.", access: .device,
    parameters: [proof],
    body: .object([
      "protocolVersion": .integer, "schema": .string(), "practice": .string(), "replica": .integer,
      "sequence": .integer, "pulled": .integer,
    ])
  ) { call in
    let message: ReplicaHello = try Self.message(call)
    try Self.check(message.replica, call)
    return try Self.telling { try call.perform(GreetReplica(hello: message)) }
  }

  private static let push = Route(
    "POST", "/sync/push", .api, .writing,
    "What the device changed, in its order; what the hub has already is passed over.", access: .device,
    parameters: [proof], body: .object(["replica": .integer, "operations": .list(.any)])
  ) { call in
    let message: PushRequest = try Self.message(call)
    try Self.check(message.replica, call)
    return try Self.telling { try call.perform(TakeChanges(request: message)) }
  }

  private static let pull = Route(
    "POST", "/sync/pull", .api, .writing, "What the device has yet to hear, in the hub's order.", access: .device,
    parameters: [proof], body: .object(["replica": .integer, "after": .integer, "limit": .integer])
  ) { call in
    var message: PullRequest = try Self.message(call)
    try Self.check(message.replica, call)
    while true {
      let response = try Self.telling { try call.perform(TellChanges(request: message)) }
      guard case .bytes(let bytes) = response.body, bytes.count > SyncProtocol.mostBytes, message.limit > 1 else {
        return response
      }
      message.limit = max(1, message.limit / 4)
    }
  }

  private static func message<Message: Decodable>(_ call: Call) throws -> Message {
    guard let message = try? JSONDecoder().decode(Message.self, from: Data(call.request.body)) else {
      throw ErrorBody(
        400, SyncError.Code.malformed.rawValue, "what the device sent can't be read",
        hint: "Maybe one side is of another version.")
    }
    return message
  }

  /// A device speaks for itself only.
  private static func check(_ replica: Int, _ call: Call) throws {
    guard let device = call.made as? Device, try call.practice.devices.replicaNumber(of: device) == replica else {
      throw ErrorBody(
        403, SyncError.Code.refused.rawValue, "this device didn't take the practice along under that number",
        hint: "Maybe it took it along once more since: clone it anew.")
    }
  }

  private static func telling(_ work: () throws -> some Encodable) throws -> Response {
    do {
      return try .json(work())
    } catch let error as SyncError {
      throw body(of: error)
    }
  }

  static func body(of error: any Error) -> ErrorBody {
    guard let error = error as? SyncError else { return ErrorBody(any: error) }
    return ErrorBody(409, error.code.rawValue, error.description)
  }
}
