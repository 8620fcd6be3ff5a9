import FoundationEssentials
import Glibc
import Store

/// Which device a practice file is, of whose hub, and by what it shows that.
///
/// It lies beside the file, `<practice file>.device`, mode 0600; of an encrypted file the key lies in the file instead, and what is
/// beside it is no secret.
public struct DeviceIdentity: Sendable {
  /// ``Practice/People/id`` of the practice.
  public let practiceID: String
  /// `device-3`; nil as long as the hub didn't say.
  public internal(set) var device: String?
  public let hub: HubAddress
  /// Nil where the key lies in an encrypted file.
  let key: SigningKey?

  private struct Content: Codable {
    let practice: String
    let device: String?
    let hub: HubAddress
    let seed: String?
  }

  /// A new one, with a key that nobody has.
  init(of practiceID: String, at hub: HubAddress) {
    self.practiceID = practiceID
    self.hub = hub
    key = .random()
  }

  private init(_ content: Content) throws {
    practiceID = content.practice
    device = content.device
    hub = content.hub
    guard let seed = content.seed else {
      key = nil
      return
    }
    guard var bytes = Base64URL.bytes(seed), bytes.count == SigningKey.seedSize else {
      throw PracticeError(.failed, "the key of this device can't be read", hint: "Maybe enroll and clone it anew.")
    }
    key = bytes.withUnsafeMutableBytes { bytes in
      defer { if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) } }
      return SigningKey(seed: LockedBytes(copying: UnsafeRawBufferPointer(bytes)))
    }
  }

  static func remove(beside practice: String) { unlink(path(beside: practice)) }

  static func path(beside practice: String) -> String { practice + ".device" }

  /// The one beside a practice file; nil where there is none.
  ///
  /// - Throws: ``PracticeError`` where it can't be read, or others can.
  public static func read(beside practice: String) throws -> DeviceIdentity? {
    guard let bytes = try PrivateText.read(path(beside: practice)) else { return nil }
    guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)) else {
      throw PracticeError(
        .failed, "'\(path(beside: practice))' says nothing that can be read", hint: "Maybe enroll and clone it anew.")
    }
    return try DeviceIdentity(content)
  }

  /// As JSON, with the key or without.
  func encoded(withKey: Bool) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let seed = withKey ? key.map { Base64URL.text([UInt8]($0.seed.bytes)) } : nil
    return [UInt8](try encoder.encode(Content(practice: practiceID, device: device, hub: hub, seed: seed)))
  }

  init(encoded text: String) throws {
    guard let content = try? JSONDecoder().decode(Content.self, from: Data(text.utf8)) else {
      throw PracticeError(.failed, "the key of this device can't be read", hint: "Maybe enroll and clone it anew.")
    }
    try self.init(content)
  }

  /// Puts it beside a practice file.
  func write(beside practice: String, withKey: Bool) throws {
    try PrivateText.write(encoded(withKey: withKey), to: Self.path(beside: practice))
  }
}

extension Practice.Devices {
  /// Which device this file is; nil for one that is no clone by a network.
  ///
  /// - Throws: ``PracticeError`` where the key can't be read, or others can.
  func deviceIdentity() throws -> DeviceIdentity? {
    guard let beside = try DeviceIdentity.read(beside: path) else { return nil }
    guard beside.key == nil else { return beside }
    guard let kept = try reporting({ try connection.settings.value(Setting.deviceIdentity) }) else {
      throw PracticeError(
        .failed, "'\(path)' is a device whose key is missing", hint: "Maybe enroll and clone it anew.")
    }
    return try DeviceIdentity(encoded: kept)
  }
}
