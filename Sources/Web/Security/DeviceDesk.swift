import Clinical
import FoundationEssentials
import VetNet

/// Answers machines that take part: says who each is by its signature, and does what it asks for as its user, through the door.
final class DeviceDesk: Sendable {
  /// A request of a device that was let in, on the thread that works on it.
  struct Admitted {
    let request: Request
    let values: [String: String]
    let device: Device
    let actor: Actor
    let practice: Practice
    let now: Timestamp
  }

  typealias Reply = @Sendable (Response) -> Void

  private let pool: WorkerPool
  private let watch: ChangeWatch
  private let clock: @Sendable () -> Timestamp
  private let call: @Sendable (Admitted) -> Call
  private let nonces = DeviceNonces()
  private let rate = DeviceRate()
  private let copies = DeviceCopies()

  /// `call` makes what a route is given for a device's request.
  init(
    pool: WorkerPool, watch: ChangeWatch, clock: @escaping @Sendable () -> Timestamp,
    call: @escaping @Sendable (Admitted) -> Call
  ) {
    self.pool = pool
    self.watch = watch
    self.clock = clock
    self.call = call
  }

  /// Whether a request shows random bytes that were given and not used: as much as can be told before its body is there.
  func hasAsked(_ request: Request) -> Bool {
    request.header(DeviceProof.header).flatMap { DeviceProof(text: $0) }.map { nonces.knows($0.nonce) } ?? false
  }

  func receive(_ request: Request, _ route: Route, _ values: [String: String], _ reply: @escaping Reply) {
    if route.access == .stranger { return receiveStranger(request, reply) }
    let now = clock()
    guard let proof = request.header(DeviceProof.header).flatMap({ DeviceProof(text: $0) }) else {
      return reply(Self.unknown.response)
    }
    // Used up before anything else is looked at: the same request is never good again.
    guard nonces.take(proof.nonce, at: now) else { return reply(withNonce(Self.oldNonce.response, request, now)) }
    let makesCopy = route.pattern == SyncRoutes.copyPattern
    guard rate.admits(proof.device, makesCopy: makesCopy, at: now) else {
      return reply(withNonce(Self.tooMany.response, request, now))
    }
    submit(route.lane, request, reply) { [self] practice in
      try admitted(request, values, proof, practice, now) { admitted in
        if makesCopy { return makeCopy(admitted, reply) }
        if route.pattern == SyncRoutes.partPattern { return reply(withNonce(try part(admitted), request, now)) }
        reply(withNonce(try route.handle(call(admitted)), request, now))
      }
    }
  }

  /// The answer, with what the next request is to sign.
  private func withNonce(_ response: Response, _ request: Request, _ now: Timestamp) -> Response {
    var response = response
    response.headers.append((DeviceProof.nonceHeader, nonces.give(to: request.peer, at: now)))
    return response
  }

  private func submit(
    _ lane: WorkerPool.Lane, _ request: Request, _ reply: @escaping Reply,
    _ work: @escaping @Sendable (Practice) throws -> Void
  ) {
    let isTaken = pool.submit(lane) { [self] practice in
      do {
        practice.settings.rereadTimeZone()
        try work(practice)
        if lane == .writing { watch.nudge() }
      } catch {
        reply(withNonce(SyncRoutes.body(of: error).response, request, clock()))
      }
    }
    if !isTaken { reply(Self.tooMany.response) }
  }

  private func admitted(
    _ request: Request, _ values: [String: String], _ proof: DeviceProof, _ practice: Practice, _ now: Timestamp,
    _ work: (Admitted) throws -> Void
  ) throws {
    let asked = DeviceProof.Request(method: request.method, target: Link.target(request), body: request.body)
    switch try practice.devices.standing(of: proof, for: asked, at: now) {
    case .unknown: throw Self.unknown
    case .withoutUser:
      throw ErrorBody(
        403, "not_permitted", "whoever works on this device may not take the record along any more",
        hint: "Ask an administrator; nothing is lost on the device meanwhile.")
    case .revoked(let moment, let name):
      throw ErrorBody(
        403, "device_revoked",
        "this device was revoked on \(practice.timeZone.date(of: moment)) by \(name): nothing is taken from it, or told to it",
        hint: "Ask for a new invitation, if that was a mistake.")
    case .active(let device, let actor):
      try work(
        Admitted(request: request, values: values, device: device, actor: actor, practice: practice, now: now))
    }
  }

  // MARK: The copy that a device takes along

  private struct CopyOutput: Encodable {
    let copy: String
    let bytes: Int
    let digest: String
  }

  /// First a number for it, where others who write are held up for a moment only; then the copy, beside them.
  private func makeCopy(_ admitted: Admitted, _ reply: @escaping Reply) {
    let (request, device, actor) = (admitted.request, admitted.device, admitted.actor)
    guard let id = device.id else { return reply(Self.unknown.response) }
    submit(.writing, request, reply) { [self] practice in
      let admission = try practice.perform(AdmitDevice(device: id), by: actor, at: clock())
      submit(.preparing, request, reply) { [self] practice in
        let copy = try practice.perform(CopyForDevice(device: id, admission: admission), by: actor, at: clock())
        let name = copies.keep(copy, of: id, at: clock())
        let output = CopyOutput(copy: name, bytes: copy.byteCount, digest: copy.digest)
        reply(withNonce(try .json(output, status: 201), request, clock()))
      }
    }
  }

  private func part(_ admitted: Admitted) throws -> Response {
    let offset = admitted.request.parameter("from").flatMap { Int($0) } ?? 0
    guard let copy = copies.copy(admitted.values["id"] ?? "", of: admitted.device.id ?? "", at: clock()) else {
      throw ErrorBody(404, "not_found", "that copy is not kept any more", hint: "Have another one made.")
    }
    return Response(
      200, type: "application/octet-stream", try copy.bytes(from: offset, most: SyncRoutes.partBytes))
  }

  // MARK: Machines that nobody knows yet

  private struct NonceOutput: Encodable {
    let nonce: String
  }

  private func receiveStranger(_ request: Request, _ reply: @escaping Reply) {
    let now = clock()
    if request.isReading {
      let output = NonceOutput(nonce: nonces.give(to: request.peer, at: now))
      return reply((try? .json(output)) ?? Self.unknown.response)
    }
    guard let wanted = try? JSONDecoder().decode(DeviceEnrolment.self, from: Data(request.body)) else {
      return reply(
        ErrorBody(400, "bad_json", "that shows no invitation", hint: "Maybe one side is of another version.").response)
    }
    submit(.writing, request, reply) { practice in
      do {
        let enrolled = try practice.devices.enrol(wanted, from: "address \(request.peer)", at: now)
        reply(try .json(enrolled, status: 201))
      } catch let error as PracticeError where error.code == .notSignedIn {
        reply(ErrorBody(401, "wrong_invitation", error.description, hint: error.hint).response)
      }
    }
  }

  static let oldNonce = ErrorBody(
    401, "old_nonce", "what was signed was not given by this server, or was used", hint: "Ask for another one.")

  private static let unknown = ErrorBody(
    401, "unknown_device", "this practice knows no such device, or not its key",
    hint: "Maybe enroll it anew: vetnet device enroll NAME")

  private static let tooMany = ErrorBody(
    429, "busy", "this device asks for too much at once", hint: "Try again in a minute.")
}
