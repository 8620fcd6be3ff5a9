import Foundation
import Store
import Testing

@testable import VetNet

/// What browsers and authenticators say, byte by byte; whole ceremonies are played in a browser.
struct PasskeyDataTests {
  private let ceremony = PasskeyCeremony(
    challenge: Array(0..<32), origin: "https://desk.practice.lan", relyingParty: "desk.practice.lan")
  /// Of the bytes 0 to 31.
  private static let challenge = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

  @Test(arguments: [
    (#"{"type":"webauthn.get","challenge":"\#(challenge)","origin":"https://desk.practice.lan"}"#, true),
    (
      #"{"type":"webauthn.get","challenge":"\#(challenge)","origin":"https://desk.practice.lan","crossOrigin":false}"#,
      true
    ),
    (#"{"type":"webauthn.create","challenge":"\#(challenge)","origin":"https://desk.practice.lan"}"#, false),
    (#"{"type":"webauthn.get","challenge":"AAEC","origin":"https://desk.practice.lan"}"#, false),
    (#"{"type":"webauthn.get","challenge":"\#(challenge)","origin":"https://desk.practice.lan.evil"}"#, false),
    (#"{"type":"webauthn.get","challenge":"\#(challenge)","origin":"http://desk.practice.lan"}"#, false),
    (
      #"{"type":"webauthn.get","challenge":"\#(challenge)","origin":"https://desk.practice.lan","crossOrigin":true}"#,
      false
    ),
    (#"{"type":"webauthn.get"}"#, false), ("", false), ("[]", false),
  ])
  func `only what was asked here, now and for this is meant`(_ said: String, _ isMeant: Bool) {
    #expect(ceremony.isMeant(by: Array(said.utf8), for: .get) == isMeant)
  }

  private func data(flags: UInt8, counter: [UInt8] = [0, 0, 1, 2], _ rest: [UInt8] = []) -> [UInt8] {
    SHA256.hash(of: Array("desk.practice.lan".utf8)) + [flags] + counter + rest
  }

  @Test func `an authenticator's data say for whom, who was there and how often`() throws {
    let plain = try #require(AuthenticatorData(data(flags: 0x05)))
    #expect(plain.isFor("desk.practice.lan") && !plain.isFor("desk") && plain.counter == 258)
    #expect(plain.isVerified && plain.credential == nil)
    // Somebody who only touched it, and somebody who was not there.
    for flags: UInt8 in [0x00, 0x01, 0x04] { #expect(AuthenticatorData(data(flags: flags))?.isVerified == false) }
    let made = data(flags: 0x45, [UInt8](repeating: 9, count: 16) + [0, 3, 7, 8, 9, 0xA5])
    #expect(AuthenticatorData(made)?.credential == [7, 8, 9])
  }

  @Test func `data that are cut off anywhere are none`() {
    let made = data(flags: 0x45, [UInt8](repeating: 9, count: 16) + [0, 3, 7, 8, 9])
    for length in 0..<made.count { #expect(AuthenticatorData(Array(made.prefix(length))) == nil, "\(length)") }
    for length: [UInt8] in [[0, 0], [0xFF, 0xFF]] {
      #expect(AuthenticatorData(data(flags: 0x45, [UInt8](repeating: 9, count: 16) + length + [1])) == nil)
    }
  }

  @Test func `keys of the two kinds are read, and no others`() throws {
    let point = Array(1...64).map { UInt8($0) }
    let head: [UInt8] = [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE,
      0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]
    #expect(PasskeyPublicKey(subjectPublicKeyInfo: head + point) == PasskeyPublicKey(algorithm: -7, bytes: point))
    for wrong in [head + point.dropLast(), head + point + [0], Array((head + point).dropFirst()), []] {
      #expect(PasskeyPublicKey(subjectPublicKeyInfo: wrong) == nil)
    }
    // Another curve's number.
    var other = head + point
    other[22] = 8
    #expect(PasskeyPublicKey(subjectPublicKeyInfo: other) == nil)
  }

  @Test func `the hash is the standard's`() {
    #expect(
      SHA256.hash(of: Array("abc".utf8)).map { String(format: "%02x", $0) }.joined()
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func `bytes come back from what addresses write, and nothing else is taken`() {
    for count in 0..<70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
      let text = Base64URL.text(bytes)
      #expect(text.utf8.allSatisfy { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") })
      #expect(Base64URL.bytes(text) == bytes)
    }
    for text in ["a+b=", "ab/c", "a", "a b c d", "ä"] { #expect(Base64URL.bytes(text) == nil, "\(text)") }
  }

  @Test func `what opens a calendar opens no session`() throws {
    let bytes = [UInt8](repeating: 7, count: 32)
    let session = SessionToken(bytes), feed = FeedSecret(bytes)
    #expect(session.text == feed.text && session.digest != feed.digest)
  }
}
