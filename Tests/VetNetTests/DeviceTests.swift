import Clinical
import Foundation
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Machines that take part: who may bring one, and that one is refused from now on.
struct DeviceTests {
  /// A practice with an administrator, a vet and a receptionist.
  private final class Hub {
    let clinic: SmallClinic
    var practice: Practice { clinic.practice }
    let now = SmallClinic.at("2026-11-23T09:00")
    let ann = Actor(name: "ann", role: .administrator)

    init() throws {
      clinic = try SmallClinic()
      let verifier = try PassphraseVerifier(of: Passphrase("four words, or five"), cost: .least)
      try practice.perform(AddUser(name: "ann", role: .administrator, verifier: verifier), by: .local, at: now)
      try practice.perform(AddUser(name: "tom", role: .veterinarian, verifier: verifier), by: ann, at: now)
      try practice.perform(AddUser(name: "desk", role: .reception, verifier: verifier), by: ann, at: now)
    }

    func invite(_ name: String = "laptop", user: String? = "tom", minutes: Int = 15) throws -> NewDeviceInvitation {
      try practice.perform(InviteDevice(device: name, user: user, minutes: minutes), by: ann, at: now)
    }

    func list() throws -> [Device] { try practice.perform(ListDevices(), by: ann, at: now) }
  }

  private func refusal(_ work: () throws -> Any) -> PracticeError.Code? {
    do {
      _ = try work()
      return nil
    } catch {
      return (error as? PracticeError)?.code
    }
  }

  @Test func `a device is of somebody who works with records, and is called what nobody else's is`() throws {
    let hub = try Hub()
    let made = try hub.invite()
    #expect(made.user == "tom" && made.expiresAt == hub.now.adding(minutes: 15))
    #expect(try hub.list().map(\.state) == [.invited])
    // Who keeps the machines changes nothing on them.
    #expect(refusal { try hub.invite("other", user: nil) } == .invalidArgument)
    #expect(try hub.invite("tablet", user: "desk").user == "desk")
    try hub.practice.perform(RevokeDevice(device: "tablet", reason: "a test"), by: hub.ann, at: hub.now)
    try hub.practice.perform(DisableUser(name: "desk"), by: hub.ann, at: hub.now)
    #expect(refusal { try hub.invite("other", user: "desk") } == .invalidArgument)
    #expect(refusal { try hub.invite("other", user: "nobody") } == .notFound)
    for name in ["", " laptop", "-x", "device-1", "a\u{7}b", String(repeating: "x", count: 61)] {
      #expect(refusal { try hub.invite(name) } == .invalidArgument, "\(name)")
    }
    for minutes in [0, 1441] { #expect(refusal { try hub.invite("other", minutes: minutes) } == .invalidArgument) }
    // The later invitation of a name is the one that holds.
    _ = try hub.invite()
    #expect(try hub.list().count == 1)
    let tom = Actor(name: "tom", role: .veterinarian)
    #expect(refusal { try hub.practice.perform(InviteDevice(device: "x"), by: tom, at: hub.now) } == .notPermitted)
  }

  @Test func `what the file keeps of an invitation opens nothing`() throws {
    let hub = try Hub()
    let made = try hub.invite()
    let kept = try hub.practice.connection.rows("SELECT digest FROM device_invitation") { $0.bytes(0) }
    #expect(kept == [made.secret.digest.bytes])
    let bytes = try Data(contentsOf: URL(filePath: hub.practice.path))
    #expect(bytes.range(of: Data(made.secret.text.utf8)) == nil)
  }

  @Test func `a line is what it was made of, and part of one is none`() throws {
    let hub = try Hub()
    let made = try hub.invite()
    let address = HubAddress(urls: ["https://desk.test:8443"], pin: String(repeating: "A", count: 43) + "=")
    let line = DeviceInvitation(made, hub: address).line
    #expect(!line.contains(" ") && line.utf8.count < 600)
    let back = try DeviceInvitation(line: " \(line)\n".trimmingCharacters(in: .whitespacesAndNewlines))
    #expect(back.hub == address && back.secret.text == made.secret.text && back.expiresAt == made.expiresAt)
    #expect(back.practiceID == made.practiceID)
    for wrong in ["", "vetnet-invitation-1.", String(line.dropLast(9)), line.replacing("-1.", with: "-2."), line + "!"]
    {
      #expect(refusal { try DeviceInvitation(line: wrong) } == .invalidArgument, "\(wrong.prefix(30))")
    }
  }

  @Test func `a revoked browser's sessions end with it, and an invitation is withdrawn by its name`() throws {
    let hub = try Hub()
    let connection = hub.practice.connection
    let tom = try #require(try connection.users.user(named: "tom"))
    hub.practice.secrets.passphraseCost = .least
    let secret = DeviceSecret([UInt8](repeating: 7, count: 32))
    let row = try connection.devices.add(name: "tablet", user: tom.rowID, .secret(secret.digest), at: hub.now)
    let token = try hub.practice.people.signIn("tom", Passphrase("four words, or five"), from: "here", at: hub.now)
    let other = try hub.practice.people.signIn("tom", Passphrase("four words, or five"), from: "here", at: hub.now)
    try connection.sessions.attach(token.digest, toDevice: row)
    #expect(try connection.devices.device(secret: secret.digest)?.rowID == row)
    let revoked = try hub.practice.perform(
      RevokeDevice(device: "Tablet", reason: "lost", isDryRun: true), by: hub.ann, at: hub.now)
    #expect(revoked.state == .active)
    #expect(try hub.practice.people.session(token, at: hub.now).name == "tom")
    let device = try hub.practice.perform(RevokeDevice(device: "device-1", reason: "lost"), by: hub.ann, at: hub.now)
    #expect(device.state == .revoked && device.revocation?.by == "ann" && device.revocation?.reason == "lost")
    #expect(refusal { try hub.practice.people.session(token, at: hub.now) } == .notSignedIn)
    #expect(try hub.practice.people.session(other, at: hub.now).name == "tom")
    #expect(
      refusal { try hub.practice.perform(RevokeDevice(device: "tablet", reason: "again"), by: hub.ann, at: hub.now) }
        == .failed)
    #expect(
      refusal { try hub.practice.perform(RevokeDevice(device: "none", reason: "x"), by: hub.ann, at: hub.now) }
        == .notFound)
    #expect(
      refusal { try hub.practice.perform(RevokeDevice(device: "tablet", reason: " "), by: hub.ann, at: hub.now) }
        == .invalidArgument)
    _ = try hub.invite()
    try hub.practice.perform(RevokeDevice(device: "laptop", reason: "typing error"), by: hub.ann, at: hub.now)
    #expect(try hub.list().map(\.name) == ["tablet"])
    // What is on record says which, and not why in words.
    let entries = try connection.audit.entries().compactMap(\.entry).filter { $0.operation == "device.revoke" }
    #expect(entries.contains { $0.subjects.contains { $0.kind == "device" && $0.id == "device-1" } })
    #expect(entries.allSatisfy { $0.details?.contains("lost") != true })
  }

  @Test(arguments: [
    ("https://Desk.test:8443/", "https://desk.test:8443"), ("https://desk.test", "https://desk.test"),
    ("https://[::1]:9", "https://[::1]:9"), ("http://127.0.0.1:8417", "http://127.0.0.1:8417"),
    ("https://192.0.2.7:443", "https://192.0.2.7"),
    ("https://vets.test/p/north/", "https://vets.test/p/north"), ("https://[::1]:9/p/n-2_B", "https://[::1]:9/p/n-2_B"),
  ])
  func `an address is a host and a port, and on a server of many a practice`(text: String, meant: String) throws {
    #expect(try HubURL(text).description == meant)
  }

  @Test(arguments: [
    "desk.test", "http://desk.test", "http://192.0.2.7", "ftp://127.0.0.1", "https://", "https://a@b",
    "https://desk.test/x", "https://desk.test/p/", "https://desk.test/p/a/b", "https://desk.test/p/..",
    "https://desk.test/p/a?x", "https://desk.test//p/a",
    "https://desk.test?x", "https://desk.test:0", "https://desk.test:99999", "https://desk.test:+80", "https://[::1",
    "https://a b",
    "http://localhost:1", "https://desk.test#", "https://désk.test",
  ])
  func `what is more, less or open to others is none`(text: String) {
    #expect(refusal { try HubURL(text) } == .invalidArgument)
  }
}
