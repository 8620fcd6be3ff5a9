public import Clinical
import Store
import Sync

/// A practice that was taken along over a network.
public struct TakenAlong: Encodable, Sendable {
  public let practice: String
  public let device: String
  public let name: String
  /// Who acts by it; nil where the practice has no users.
  public let user: String?
  public let hub: String
  public let bytes: Int
  public let encrypted: Bool

  public var lines: [String] {
    [
      "\(practice): a clone, \(device) '\(name)'\(user.map { " of \($0)" } ?? ""); \(bytes) bytes\(encrypted ? ", encrypted" : ""), checked before it was put there",
      "it syncs with \(hub): vetnet sync",
    ]
  }
}

/// Comes by an invitation and takes the practice along, over a network.
public struct TakingAlong {
  public let invitation: DeviceInvitation
  /// Where the clone is to stand.
  public let path: String
  private let dialer: Dialer

  private struct CopyAnswer: Decodable {
    let copy: String
    let bytes: Int
    let digest: String
  }

  private struct Nothing: Encodable {}

  /// A larger practice doesn't come from a hub of ours.
  private static let mostBytes = 1 << 40
  private static let mostPartBytes = 8 << 20

  /// - Throws: ``PracticeError`` where something stands at the path, it can't be written, or the invitation is over.
  public init(_ invitation: DeviceInvitation, to path: String, at now: Timestamp, reaching dialer: Dialer) throws {
    try Practice.checkCreation(at: path)
    self.invitation = invitation
    self.path = path
    self.dialer = dialer
    // Who came by it already goes on where the last try ended.
    let earlier = try DeviceIdentity.read(beside: path)
    guard invitation.expiresAt >= now || earlier?.device != nil else {
      throw PracticeError(
        .notSignedIn, "the invitation is over", hint: "An administrator can make a new one: vetnet device enroll NAME")
    }
  }

  /// Does all of it. What breaks off leaves no practice file; beside the place where it was to stand lies the device's key then, by which the
  /// next try goes on where this one ended.
  ///
  /// - Parameters:
  ///   - unlock: opens the file at a path by a passphrase, as the hub's is opened; called where the hub's file is encrypted.
  ///   - progress: called with the bytes that are here and all.
  /// - Returns: what came, and as which device.
  /// - Throws: ``PracticeError``, `SyncError`, or what the two throw.
  public func run(
    unlock: (_ path: String) throws -> Void, progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> TakenAlong {
    let (identity, enrolled) = try join()
    let hub = try HubConnection(identity, dialer)
    let file = try Practice.reporting(path) { try ArrivingFile(for: path) }
    let answer: CopyAnswer = try hub.ask("copies", Nothing())
    guard let digest = ContentHash(hexadecimal: answer.digest), (1...Self.mostBytes).contains(answer.bytes) else {
      throw SyncError(.malformed, "what the hub says of the copy can't be read")
    }
    while file.byteCount < answer.bytes {
      let part = try hub.send(
        "/api/v1/sync/copies/\(answer.copy)?from=\(file.byteCount)", nil, limit: Self.mostPartBytes)
      guard !part.body.isEmpty, file.byteCount + part.body.count <= answer.bytes else {
        throw SyncError(.malformed, "the hub sent other bytes of the copy than were asked for")
      }
      try Practice.reporting(path) { try file.append(part.body) }
      try progress(file.byteCount, answer.bytes)
    }
    let isEncrypted = try check(file, digest, unlock)
    // What says which device it is comes first: a clone that doesn't know it could not sync.
    try settle(identity, in: file.path, isEncrypted: isEncrypted)
    try Practice.reporting(path) { try file.put(at: path) }
    return TakenAlong(
      practice: path, device: enrolled.device, name: enrolled.name, user: enrolled.user,
      hub: identity.hub.urls.first ?? "", bytes: answer.bytes, encrypted: isEncrypted)
  }

  /// The device that this is now: the one that was made by the try before, or a new one.
  private func join() throws -> (DeviceIdentity, EnrolledDevice) {
    var identity = DeviceIdentity(of: invitation.practiceID, at: invitation.hub)
    if let earlier = try DeviceIdentity.read(beside: path), earlier.practiceID == invitation.practiceID,
      earlier.hub == invitation.hub, earlier.key != nil
    {
      identity = earlier
      if let device = earlier.device { return (identity, EnrolledDevice(device: device, name: device, user: nil)) }
    } else {
      // Before anybody is told of the key: an answer that is lost must not leave a device that nobody is.
      try identity.write(beside: path, withKey: true)
    }
    do {
      let enrolled = try HubConnection.enrol(identity, by: invitation.secret, dialer)
      identity.device = enrolled.device
      try identity.write(beside: path, withKey: true)
      return (identity, enrolled)
    } catch let error as PracticeError where [.notSignedIn, .notPermitted].contains(error.code) {
      DeviceIdentity.remove(beside: path)
      throw error
    }
  }

  /// Whether the file is encrypted.
  private func check(
    _ file: ArrivingFile, _ digest: ContentHash, _ unlock: (String) throws -> Void
  ) throws -> Bool {
    guard try Practice.reporting(path, { try file.isWhole(digest) }) else {
      throw PracticeError(
        .integrity, "what arrived is not what the hub sent", hint: "Try again; nothing was put in place.")
    }
    let isEncrypted = try PracticeLock.state(of: file.path) != .none
    if isEncrypted { try unlock(file.path) }
    let problems = try Practice.reporting(path) { try file.problems() }
    guard problems.isEmpty else {
      throw PracticeError(
        .integrity, "the copy that arrived is no sound practice: \(problems.prefix(5).joined(separator: "; "))",
        hint: "Maybe look at the hub: vetnet doctor")
    }
    return isEncrypted
  }

  private func settle(_ identity: DeviceIdentity, in file: String, isEncrypted: Bool) throws {
    try Practice.reporting(path) {
      // Brings the schema of an older hub up to date; one of a newer hub is refused here.
      let connection = try Connection.open(file)
      if isEncrypted {
        let text = String(decoding: try identity.encoded(withKey: true), as: UTF8.self)
        try connection.settings.set(Setting.deviceIdentity, to: text)
      }
      try connection.checkpoint()
    }
    try identity.write(beside: path, withKey: !isEncrypted)
  }
}

extension Practice.Devices {
  /// The hub of this clone over a network, as the device that it is.
  ///
  /// - Throws: ``PracticeError`` where it is no device, its key can't be read, or libcurl isn't installed.
  public func hubConnection(reaching dialer: Dialer) throws -> HubConnection {
    guard let identity = try deviceIdentity(), identity.device != nil else {
      throw PracticeError(
        .invalidArgument, "'\(path)' was not taken along over a network, and knows no server",
        hint: "Maybe clone it by an invitation: vetnet clone INVITATION")
    }
    return try HubConnection(identity, dialer)
  }
}
