public import Clinical
import Store

// Who a machine is that comes over a network.

/// What a machine that says it is a device is to this practice.
public enum DeviceStanding: Sendable {
  /// It is let in, and acts as this user.
  case active(device: Device, actor: Actor)
  /// It was, and is refused since.
  case revoked(at: Timestamp, by: String)
  /// Its user may not come in any more, or not work on the practice's records.
  case withoutUser
  /// It shows nothing that is known here.
  case unknown
}

extension Practice.Devices {
  static let joinOperation = "device.join"
  /// Under which wrong invitations are counted; no user has such a name.
  private static let invitationTries = "device/invitation"
  /// Seconds that pass at least between two notes that a device was here.
  private static let touchSeconds: Int64 = 30

  /// Which device made a request, and as whom it acts.
  ///
  /// - Parameters:
  ///   - proof: what it shows. Whether the random bytes in it are good is for whoever gave them to say, before.
  ///   - request: what it asks for.
  ///   - now: the present moment.
  /// - Returns: whether it is let in, and as whom.
  /// - Throws: ``PracticeError`` where the file can't be read.
  public func standing(
    of proof: DeviceProof, for request: DeviceProof.Request, at now: Timestamp
  ) throws -> DeviceStanding {
    try reporting {
      guard let row = Device.row(proof.device), let stored = try connection.devices.device(row: row),
        case .publicKey(let key) = stored.credential,
        proof.isRight(for: request, of: try connection.fileState().practiceID ?? "none", by: key)
      else { return .unknown }
      if let revocation = stored.revocation { return .revoked(at: revocation.at, by: revocation.by) }
      guard let actor = try self.actor(of: stored) else { return .withoutUser }
      if now.seconds - (stored.seenAt?.seconds ?? 0) >= Self.touchSeconds {
        try? practice.recordingAside { try $0.devices.touch(row: row, at: now) }
      }
      return .active(device: try device(stored), actor: actor)
    }
  }

  /// As whom a device acts; nil where that is nobody any more who may read the record.
  private func actor(of stored: DeviceRow) throws -> Actor? {
    guard let row = stored.userRowID else { return try connection.users.hasAny() ? nil : .local }
    guard let user = try connection.users.user(row: row), !user.isDisabled else { return nil }
    let known = try PracticeUser(user)
    return Self.mayTakeAlong(known.role) ? Actor(name: known.name, role: known.role) : nil
  }

  /// Lets a machine take part that shows an invitation; the same again, because an answer was lost, is answered alike.
  ///
  /// Wrong tries slow down the next from the same origin, as those by a passphrase do.
  ///
  /// - Parameters:
  ///   - wanted: what it shows.
  ///   - origin: where from.
  ///   - now: the present moment.
  /// - Returns: which device it is now.
  /// - Throws: ``PracticeError`` with `notSignedIn`, in the same words for an invitation that never was, is over, or was used by another.
  public func enrol(_ wanted: DeviceEnrolment, from origin: String, at now: Timestamp) throws -> EnrolledDevice {
    let secret = InvitationSecret(text: wanted.invitation)
    let key = Base64URL.bytes(wanted.publicKey).flatMap { $0.count == 32 ? $0 : nil }
    var enrolled: EnrolledDevice?
    try practice.recordingAside { connection in
      try connection.mixedTransaction {
        enrolled = nil
        try refuseInvitations(from: origin, at: now, in: connection)
        let isOwn = try connection.fileState().practiceID ?? "none" == wanted.practice
        let invitation = try secret.flatMap { try connection.deviceInvitations.invitation($0.digest) }
        let tries = SignInTryStore.digest(ofName: Self.invitationTries)
        guard isOwn, let key, let invitation, invitation.expiresAt >= now,
          let device = try join(invitation, key, at: now, in: connection)
        else {
          try connection.signInTries.addWrong(tries, origin: origin, at: now)
          try connection.audit.append(
            AuditEntry(.refusal, at: now, actor: "nobody", role: nil, operation: Self.joinOperation),
            key: practice.secrets.auditKey)
          return
        }
        try connection.signInTries.forget(tries, origin: origin)
        let user = try invitation.userRowID.flatMap { try connection.users.user(row: $0) }
        try connection.audit.append(
          AuditEntry(
            .access, at: now, actor: user?.name ?? invitation.invitedBy, role: user?.role,
            operation: Self.joinOperation, subjects: [.init(kind: "device", id: Device.id(device))]),
          key: practice.secrets.auditKey)
        enrolled = EnrolledDevice(device: Device.id(device), name: invitation.name, user: user?.name)
      }
      practice.secrets.auditKey?.settle()
    }
    guard let enrolled else { throw PracticeError.wrongInvitation }
    return enrolled
  }

  /// The device that comes by an invitation; nil where another came by it, or the key is another's.
  private func join(
    _ invitation: DeviceInvitationRow, _ key: [UInt8], at now: Timestamp, in connection: Connection
  ) throws -> Int64? {
    let known = try connection.devices.device(publicKey: key)
    if let device = invitation.deviceRowID { return known?.rowID == device && known?.revocation == nil ? device : nil }
    guard known == nil else { return nil }
    let device = try connection.devices.add(
      name: invitation.name, user: invitation.userRowID, .publicKey(key), at: now)
    try connection.deviceInvitations.settle(row: invitation.rowID, device: device)
    return device
  }

  private func refuseInvitations(from origin: String, at now: Timestamp, in connection: Connection) throws {
    let tries = SignInTryStore.digest(ofName: Self.invitationTries)
    guard let wrong = try connection.signInTries.wrong(tries, origin: origin) else { return }
    let left = SignInDelay.seconds(afterWrong: wrong.count) - max(0, now.seconds - wrong.lastAt.seconds)
    guard left > 0 else { return }
    throw PracticeError(
      .notSignedIn, "\(wrong.count) wrong invitations in a row from there: the next is looked at in \(left) seconds",
      hint: "An administrator can make a new one: vetnet device enroll NAME")
  }
}

extension PracticeError {
  static let wrongInvitation = PracticeError(
    .notSignedIn, "the invitation is not one of this practice, is over, or was used already",
    hint: "An administrator can make a new one: vetnet device enroll NAME")
}
