import FoundationEssentials
import Store

/// By which a request shows from which device it is: a signature over all that it asks for, and over random bytes that the server gave
/// and takes once. Nothing depends on a clock.
public struct DeviceProof: Hashable, Sendable {
  /// `device-3`
  public let device: String
  /// 32 random bytes of the server, as base 64 for addresses.
  public let nonce: String
  public let signature: [UInt8]

  /// The header that it comes in.
  public static let header = "x-vetnet-device"
  /// The header in which the server gives the bytes for the next request.
  public static let nonceHeader = "x-vetnet-nonce"

  /// What is signed of a request.
  public struct Request: Sendable {
    public let method: String
    /// The path, with what stands behind its question mark.
    public let target: String
    public let body: [UInt8]

    public init(method: String, target: String, body: [UInt8]) {
      self.method = method
      self.target = target
      self.body = body
    }
  }

  init(device: String, nonce: String, signing request: Request, of practice: String, with key: SigningKey) {
    self.device = device
    self.nonce = nonce
    signature = key.signature(of: Self.message(request, practice: practice, device: device, nonce: nonce))
  }

  /// From a header; nil for what is none.
  public init?(text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 3, Device.row(words[0]) != nil, words[1].utf8.count == 43,
      let signature = Base64URL.bytes(words[2]), signature.count == SigningKey.signatureSize
    else { return nil }
    device = words[0]
    nonce = words[1]
    self.signature = signature
  }

  /// As it stands in a header.
  public var text: String { "\(device) \(nonce) \(Base64URL.text(signature))" }

  /// Whether it is of whoever has the private half of a key.
  func isRight(for request: Request, of practice: String, by publicKey: [UInt8]) -> Bool {
    SigningKey.isSigned(
      Self.message(request, practice: practice, device: device, nonce: nonce), signature, by: publicKey)
  }

  /// Each value with its length before it, so that no two requests have the same bytes; of the body its digest.
  private static func message(_ request: Request, practice: String, device: String, nonce: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for text in ["vetnet-device-request-1", practice, device, nonce, request.method, request.target] {
      let count = UInt64(text.utf8.count)
      for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: count >> UInt64(shift))) }
      bytes += Array(text.utf8)
    }
    return bytes + ContentHash(of: request.body).bytes
  }
}
