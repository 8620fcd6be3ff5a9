import CFido
public import Clinical
import FoundationEssentials
import Store

/// What a passkey is to answer: which random bytes, on which page of which server.
///
/// - Source: W3C, Web Authentication Level 2, sections 7.1 and 7.2.
public struct PasskeyCeremony: Codable, Sendable {
  /// 32 random bytes that were given out once.
  public var challenge: [UInt8]
  /// `https://desk.practice.lan`
  public var origin: String
  /// The host of the origin: keys work under that name only. An address has none.
  public var relyingParty: String

  public init(challenge: [UInt8], origin: String, relyingParty: String) {
    self.challenge = challenge
    self.origin = origin
    self.relyingParty = relyingParty
  }

  enum Purpose: String {
    case create = "webauthn.create"
    case get = "webauthn.get"
  }

  private struct ClientData: Decodable {
    let type: String
    let challenge: String
    let origin: String
    let crossOrigin: Bool?
  }

  /// Whether the browser says that it asked for this, here, with these bytes.
  func isMeant(by clientData: [UInt8], for purpose: Purpose) -> Bool {
    guard let said = try? JSONDecoder().decode(ClientData.self, from: Data(clientData)) else { return false }
    return said.type == purpose.rawValue && said.crossOrigin != true && said.origin == origin && challenge.count == 32
      && said.challenge == Base64URL.text(challenge)
  }
}

/// What an authenticator says of itself and of the moment: the first 37 bytes, and behind them, where a key was made, its id.
struct AuthenticatorData {
  let relyingPartyHash: [UInt8]
  let counter: Int64
  /// Somebody was there, and showed who they are: by a finger, a face or a number.
  let isVerified: Bool
  /// Of a key that was just made.
  let credential: [UInt8]?

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 37 else { return nil }
    relyingPartyHash = Array(bytes[0..<32])
    let flags = bytes[32]
    isVerified = flags & 0x05 == 0x05
    counter = bytes[33..<37].reduce(0) { $0 << 8 | Int64($1) }
    guard flags & 0x40 != 0 else {
      credential = nil
      return
    }
    // Sixteen bytes name the authenticator's model; two are the length.
    guard bytes.count >= 55 else { return nil }
    let length = Int(bytes[53]) << 8 | Int(bytes[54])
    guard (1...1023).contains(length), bytes.count >= 55 + length else { return nil }
    credential = Array(bytes[55..<55 + length])
  }

  func isFor(_ relyingParty: String) -> Bool { relyingPartyHash == SHA256.hash(of: Array(relyingParty.utf8)) }
}

/// The public half of a key, of one of the two kinds that machines make.
struct PasskeyPublicKey: Equatable {
  let algorithm: Int
  /// As libfido2 takes it: x and y of a point of P-256, or modulus and exponent of 2048 bits.
  let bytes: [UInt8]

  init(algorithm: Int, bytes: [UInt8]) {
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// Of SubjectPublicKeyInfo, as browsers give it; nil for a key of another kind.
  ///
  /// - Source: RFC 5480 and RFC 3279; both kinds have one length and one beginning.
  init?(subjectPublicKeyInfo bytes: [UInt8]) {
    let point: [UInt8] = [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE,
      0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]
    let modulus: [UInt8] = [
      0x30, 0x82, 0x01, 0x22, 0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
      0x03, 0x82, 0x01, 0x0F, 0x00, 0x30, 0x82, 0x01, 0x0A, 0x02, 0x82, 0x01, 0x01, 0x00,
    ]
    let exponent: [UInt8] = [0x02, 0x03, 0x01, 0x00, 0x01]
    if bytes.count == point.count + 64, bytes.starts(with: point) {
      self.init(algorithm: Int(COSE_ES256), bytes: Array(bytes[point.count...]))
    } else if bytes.count == modulus.count + 256 + exponent.count, bytes.starts(with: modulus),
      bytes.suffix(exponent.count).elementsEqual(exponent)
    {
      self.init(
        algorithm: Int(COSE_RS256),
        bytes: Array(bytes[modulus.count..<modulus.count + 256]) + exponent.suffix(3))
    } else {
      return nil
    }
  }

  /// Whether the private half signed these data, for this server, with somebody there who showed who they are.
  ///
  /// - Throws: ``PracticeError`` where libfido2 isn't installed.
  func hasSigned(
    _ data: [UInt8], clientData: [UInt8], signature: [UInt8], for relyingParty: String
  ) throws -> Bool {
    guard var library = Self.library else {
      throw PracticeError(
        .failed, "passkeys need libfido2, which isn't installed here",
        hint: "Maybe install libfido2-1, or sign in by the passphrase.")
    }
    let hash = SHA256.hash(of: clientData)
    return vetnet_fido_check(
      &library, Int32(algorithm), bytes, bytes.count, relyingParty, hash, data, data.count, signature, signature.count)
      == FIDO_OK
  }

  /// Addresses of functions, which every thread may call.
  private static let library: vetnet_fido? = {
    var library = vetnet_fido()
    return vetnet_fido_load(&library) ? library : nil
  }()
}
