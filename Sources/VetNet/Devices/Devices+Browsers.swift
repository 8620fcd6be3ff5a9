public import Clinical
import FoundationEssentials
import Store

/// What a browser is given to keep something of the practice.
public struct BrowserGrant: Sendable {
  /// Whose it is that is kept there: the same for one person in one browser, and says nothing of who that is.
  public let owner: String
  /// 32 bytes: the key of what waits to be sent. The same person gets it again in this browser, until that is revoked.
  public let key: [UInt8]
}

/// How the practice stands to a browser that shows its secret.
public enum BrowserStanding: String, Sendable {
  /// Nobody has signed in there.
  case unknown
  case active
  /// It is to wipe what it keeps.
  case revoked
}

/// Something that waited in a browser and went when it was wiped, as the browser says: by kind and id, without words.
public struct BrowserLoss: Encodable, Hashable, Sendable {
  public enum Kind: String, CaseIterable, Codable, Sendable {
    case note, encounter, stage, booking, move, triage, photo, inbox
    /// It could not be opened there: another person's.
    case unread
  }

  public let kind: Kind
  /// `appointment A0749`
  public let record: String?
  public let writtenAt: Timestamp?

  public init(kind: Kind, record: String?, writtenAt: Timestamp?) {
    self.kind = kind
    self.record = record
    self.writtenAt = writtenAt
  }

  private enum CodingKeys: String, CodingKey {
    case kind, record
    case writtenAt = "written_at"
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(record, forKey: .record)
    try container.encodeIfPresent(writtenAt.map(PracticeTimeZone.utc.iso8601), forKey: .writtenAt)
  }
}

// Browsers that keep something of the practice for the time without it. They come with whoever signs in there, as sessions do.

extension Practice.Devices {
  /// Browsers that are let in at once, at most.
  static let mostBrowsers = 500
  /// Losses of one browser that are kept, at most.
  public static let mostLosses = 200
  /// How often it is put down that a browser was here.
  private static let seenMinutes = 5

  /// Knows a browser by its secret, from the first time on that somebody signed in there, and gives them the key of what waits there.
  ///
  /// - Parameters:
  ///   - secret: what the browser shows.
  ///   - label: as somebody would call it: `Chrome on Android`.
  ///   - actor: who is signed in there.
  ///   - session: by which session, which ends when the browser is revoked; nil where nobody has to sign in.
  ///   - now: the present moment.
  /// - Returns: the key, and whose it is.
  /// - Throws: ``PracticeError`` with `deviceRevoked` for one that was revoked, and `failed` where there are too many.
  public func admitBrowser(
    _ secret: DeviceSecret, label: String, of actor: Actor, session: SessionToken?, at now: Timestamp
  ) throws -> BrowserGrant {
    let user = try reporting { try connection.users.user(named: actor.name)?.rowID }
    if let grant = try knownGrant(secret, user, session, now) { return grant }
    let key = practice.secrets.randomness()
    var refusal: PracticeError?
    try practice.recordingAside { connection in
      try connection.transaction { () throws(StoreError) in
        let device: Int64
        if let row = try connection.devices.device(secret: secret.digest) {
          guard row.revocation == nil else { return refusal = .browserIsRevoked }
          device = row.rowID
          if row.userRowID != user { try connection.browsers.setUser(user, device: device) }
          try connection.devices.touch(row: device, at: now)
        } else {
          guard try connection.browsers.activeCount() < Self.mostBrowsers else { return refusal = .tooManyBrowsers }
          device = try connection.devices.add(
            name: Self.browserName(label), user: user, .secret(secret.digest), at: now)
          try put(on: connection, "device.join", device, of: actor.name, actor.role.rawValue, nil, at: now)
        }
        if try connection.browsers.key(device: device, user: user) == nil {
          try connection.browsers.addKey(key, device: device, user: user, at: now)
        }
        if let session { try connection.sessions.attach(session.digest, toDevice: device) }
      }
      practice.secrets.auditKey?.settle()
    }
    if let refusal { throw refusal }
    guard let grant = try knownGrant(secret, user, nil, now) else {
      throw PracticeError(.failed, "nothing can be kept in this browser now", hint: "Everything else works.")
    }
    return grant
  }

  /// What a browser is given that was here a moment ago, for which nothing has to be put down; nil for any other.
  private func knownGrant(
    _ secret: DeviceSecret, _ user: Int64?, _ session: SessionToken?, _ now: Timestamp
  ) throws -> BrowserGrant? {
    try reporting {
      guard let row = try connection.devices.device(secret: secret.digest) else { return nil }
      guard row.revocation == nil else { throw PracticeError.browserIsRevoked }
      let isFresh = row.seenAt.map { now.seconds - $0.seconds < Int64(Self.seenMinutes) * 60 } ?? false
      guard isFresh, row.userRowID == user, let key = try connection.browsers.key(device: row.rowID, user: user) else {
        return nil
      }
      if let session, try connection.sessions.device(of: session.digest) != row.rowID { return nil }
      let owner = ContentHash(of: Array("vetnet-browser-owner-1 \(secret.text) \(user ?? 0)".utf8)).hexadecimal
      return BrowserGrant(owner: String(owner.prefix(32)), key: key)
    }
  }

  /// How the practice stands to a browser, whoever is signed in there or not.
  ///
  /// - Parameters:
  ///   - secret: what it shows.
  ///   - losses: what waited there and is gone, from one that was revoked and has wiped what it kept; nil from one that only asks.
  ///   - now: the present moment.
  /// - Returns: what it is to do.
  /// - Throws: ``PracticeError`` when the file can't be read or written.
  public func contact(
    of secret: DeviceSecret, reporting losses: [BrowserLoss]? = nil, at now: Timestamp
  ) throws -> BrowserStanding {
    guard let row = try reporting({ try connection.devices.device(secret: secret.digest) }) else { return .unknown }
    guard row.revocation != nil else {
      let isFresh = row.seenAt.map { now.seconds - $0.seconds < Int64(Self.seenMinutes) * 60 } ?? false
      if !isFresh { try practice.recordingAside { try $0.devices.touch(row: row.rowID, at: now) } }
      return .active
    }
    guard let losses, row.wipedAt == nil else { return .revoked }
    try practice.recordingAside { connection in
      try connection.transaction { () throws(StoreError) in
        try connection.devices.markWiped(row: row.rowID, at: now)
        for loss in losses.prefix(Self.mostLosses) {
          try connection.browsers.addLoss(
            BrowserLossRow(kind: loss.kind.rawValue, record: loss.record, writtenAt: loss.writtenAt), device: row.rowID)
        }
        let user = try row.userRowID.flatMap { row throws(StoreError) in try connection.users.user(row: row) }
        try put(
          on: connection, "device.wipe", row.rowID, of: user?.name ?? "nobody", user?.role,
          #"{"lost":"\#(min(losses.count, Self.mostLosses))"}"#, at: now)
      }
      practice.secrets.auditKey?.settle()
    }
    return .revoked
  }

  /// What was written in a browser and went with its wipe.
  func losses(of reference: String) throws -> [BrowserLoss] {
    guard let row = Device.row(reference) else {
      throw PracticeError(.notFound, "there is no device of that id", hint: "Maybe look: vetnet device list")
    }
    return try reporting { try connection.browsers.losses(device: row) }.map {
      BrowserLoss(kind: BrowserLoss.Kind(rawValue: $0.kind) ?? .unread, record: $0.record, writtenAt: $0.writtenAt)
    }
  }

  private func put(
    on connection: Connection, _ operation: String, _ device: Int64, of actor: String, _ role: String?,
    _ details: String?, at now: Timestamp
  ) throws(StoreError) {
    try connection.audit.append(
      AuditEntry(
        .access, at: now, actor: actor, role: role, operation: operation, details: details,
        subjects: [.init(kind: RecordKind.device.rawValue, id: Device.id(device))]), key: practice.secrets.auditKey)
  }

  /// A name for a list: words of a browser about itself, without what could not stand there.
  private static func browserName(_ label: String) -> String {
    let plain = label.unicodeScalars.filter { $0.properties.generalCategory != .control }
    let name = String(String.UnicodeScalarView(plain)).trimmingSpaces().prefix(60)
    return name.isEmpty || name.hasPrefix("device-") ? "browser" : String(name)
  }
}

extension PracticeError {
  static let browserIsRevoked = PracticeError(
    .deviceRevoked, "this browser was revoked: it keeps nothing of the practice any more",
    hint: "Ask an administrator, who sees it under Manage, Devices.")

  static let tooManyBrowsers = PracticeError(
    .failed,
    "\(Practice.Devices.mostBrowsers) browsers are known already: this one keeps nothing for the time without the server",
    hint: "Revoke those that nobody uses any more: vetnet device list")
}
