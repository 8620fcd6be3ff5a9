import CCurl
import FoundationEssentials
import Glibc
import Store
public import Sync

/// The hub of a device over a network. Each message is signed; one that was cut off is sent again, for none is taken twice.
public final class HubConnection: SyncHub {
  private let client: HubClient
  private let identity: DeviceIdentity
  private var nonce: String?

  /// A message is tried so often, if the network fails.
  private static let tries = 3
  /// Bytes of an answer that is no message of records.
  private static let shortAnswer = 1 << 20

  /// - Parameters:
  ///   - identity: which device it is.
  ///   - dialer: what connects to its hub.
  /// - Throws: ``PracticeError`` as ``HubClient`` says.
  init(_ identity: DeviceIdentity, _ dialer: Dialer) throws {
    self.identity = identity
    client = try HubClient(identity.hub, dialer)
  }

  public func hello(_ hello: ReplicaHello) throws -> HubHello { try ask("hello", hello) }

  public func push(_ request: PushRequest) throws -> PushReply { try ask("push", request) }

  public func pull(_ request: PullRequest) throws -> PullReply { try ask("pull", request) }

  func ask<Answer: Decodable>(
    _ name: String, _ question: some Encodable, limit: Int = SyncProtocol.mostBytes
  ) throws -> Answer {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let answer = try send("/api/v1/sync/\(name)", [UInt8](try encoder.encode(question)), limit: limit)
    do {
      return try JSONDecoder().decode(Answer.self, from: Data(answer.body))
    } catch {
      throw SyncError(.malformed, "what the hub answered to '\(name)' can't be read: maybe it is of another version")
    }
  }

  /// One signed request, sent again where the network or the hub's memory of what it gave fails.
  func send(_ target: String, _ body: [UInt8]?, limit: Int) throws -> HubClient.Answer {
    guard let device = identity.device, let key = identity.key else {
      throw PracticeError(.failed, "this file is no device yet", hint: "Maybe clone it by an invitation.")
    }
    var failures = 0
    while true {
      do {
        let nonce = try self.nonce ?? freshNonce()
        self.nonce = nil
        let request = DeviceProof.Request(method: body == nil ? "GET" : "POST", target: target, body: body ?? [])
        let proof = DeviceProof(device: device, nonce: nonce, signing: request, of: identity.practiceID, with: key)
        let answer = try client.send(
          target, body, headers: [(DeviceProof.header, proof.text)], limit: max(limit, Self.shortAnswer))
        self.nonce = answer.headers[DeviceProof.nonceHeader]
        if (200..<300).contains(answer.status) { return answer }
        let problem = HubProblem(answer)
        // It began anew, or took its time: what it gave before is not good any more.
        guard problem.isOldNonce, failures < Self.tries - 1 else { throw problem.error(at: client.url) }
        failures += 1
      } catch let failure as HubClient.Failure {
        failures += 1
        guard failures < Self.tries, !failure.isWrongKey, !failure.isTooLarge else {
          throw failure.error(at: client.url)
        }
        usleep(useconds_t(200_000 * failures))
      }
    }
  }

  private struct Nonce: Decodable {
    let nonce: String
  }

  private func freshNonce() throws -> String {
    let answer = try client.send("/api/v1/sync/nonce", nil, limit: Self.shortAnswer)
    guard answer.status == 200, let given = try? JSONDecoder().decode(Nonce.self, from: Data(answer.body)) else {
      throw HubProblem(answer).error(at: client.url)
    }
    return given.nonce
  }

  // MARK: Coming by an invitation

  /// Shows an invitation and gives the public half of a key; the same again is answered alike.
  ///
  /// - Returns: which device it is now.
  /// - Throws: ``PracticeError`` where the server is another than the one that invites, can't be reached, or refuses.
  static func enrol(_ identity: DeviceIdentity, by secret: InvitationSecret, _ dialer: Dialer) throws -> EnrolledDevice
  {
    guard let key = identity.key else { throw PracticeError(.failed, "there is no key to enroll with") }
    let client = try HubClient(identity.hub, dialer)
    let encoder = JSONEncoder()
    let question = DeviceEnrolment(
      invitation: secret.text, practice: identity.practiceID, publicKey: Base64URL.text(key.publicKey))
    let body = [UInt8](try encoder.encode(question))
    var failures = 0
    while true {
      do {
        let answer = try client.send("/api/v1/sync/enroll", body, limit: shortAnswer)
        guard (200..<300).contains(answer.status) else { throw HubProblem(answer).error(at: client.url) }
        guard let device = try? JSONDecoder().decode(EnrolledDevice.self, from: Data(answer.body)) else {
          throw SyncError(.malformed, "what the hub answered can't be read: maybe it is of another version")
        }
        return device
      } catch let failure as HubClient.Failure {
        failures += 1
        guard failures < tries, !failure.isWrongKey, !failure.isTooLarge else { throw failure.error(at: client.url) }
        usleep(useconds_t(200_000 * failures))
      }
    }
  }
}

/// What a machine says that comes by an invitation.
public struct DeviceEnrolment: Codable, Sendable {
  public var invitation: String
  /// ``Practice/People/id`` of the practice that invited.
  public var practice: String
  /// 32 bytes of Ed25519, as base 64 for addresses.
  public var publicKey: String

  private enum CodingKeys: String, CodingKey {
    case invitation, practice
    case publicKey = "public_key"
  }
}

/// What it is told.
public struct EnrolledDevice: Codable, Hashable, Sendable {
  public var device: String
  public var name: String
  /// Who acts by it; nil where the practice has no users.
  public var user: String?
}

/// Why the hub does not what it is asked, in its words.
private struct HubProblem {
  private struct Content: Decodable {
    struct Problem: Decodable {
      let code: String
      let message: String
      let hint: String?
    }
    let error: Problem
  }

  private let status: Int
  private let content: Content.Problem?

  init(_ answer: HubClient.Answer) {
    status = answer.status
    content = (try? JSONDecoder().decode(Content.self, from: Data(answer.body)))?.error
  }

  /// The random bytes that were signed aren't good any more.
  var isOldNonce: Bool { content?.code == "old_nonce" }

  func error(at url: HubURL) -> any Error {
    guard let content else {
      return PracticeError(
        .failed, "what answers at \(url) is no VetNet, or another version: it says \(status)",
        hint: "Maybe look at the address, or what stands between.")
    }
    if let code = SyncError.Code(rawValue: content.code) { return SyncError(code, content.message) }
    let code: PracticeError.Code =
      switch content.code {
      case "device_revoked", "not_permitted", "switched_off": .notPermitted
      case "not_signed_in", "unknown_device", "wrong_invitation": .notSignedIn
      case "busy", "locked", "stopping": .locked
      case "not_found": .notFound
      default: .failed
      }
    return PracticeError(code, "the hub says: \(content.message)", hint: content.hint)
  }
}

extension HubClient.Failure {
  /// In words for a person: what happened, and that nothing is lost by it.
  fileprivate func error(at url: HubURL) -> PracticeError {
    if isWrongKey {
      return PracticeError(
        .notPermitted, "the server at \(url) is not the one that invited this device: its key is another",
        hint: "Nothing was sent. If its key was changed, ask for a new invitation; if not, somebody stands between.")
    }
    if isTooLarge {
      return PracticeError(.failed, "the server at \(url) answered more than was asked for, and was not listened to")
    }
    let why: String
    switch code {
    case Int32(VETNET_CURL_CANT_CONNECT) where systemError != 0:
      why = "can't be reached: \(String(cString: strerror(systemError)))"
    case Int32(VETNET_CURL_TIMED_OUT): why = "doesn't answer"
    case Int32(VETNET_CURL_TLS_FAILED): why = "doesn't speak TLS as it should: \(words)"
    default: why = "was reached, and the connection broke: \(words)"
    }
    return PracticeError(
      .failed, "the server at \(url) \(why)",
      hint: "Maybe vetnet serve isn't running, or there is no network; nothing is lost, sync later.")
  }
}
