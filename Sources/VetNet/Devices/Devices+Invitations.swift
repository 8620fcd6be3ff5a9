import Clinical
import Store

// Who may bring a machine along, which there are, and that one is refused from now on.

extension Practice.Devices {
  /// For so many minutes an invitation holds unless another time is named, and at most.
  public static let invitationMinutes = 15
  public static let longestInvitationMinutes = 1440
  /// As many machines as one user may have that are let in.
  static let mostDevices = 50

  func inviteDevice(_ wanted: InviteDevice, _ passage: Passage) throws -> NewDeviceInvitation {
    let (actor, now) = (passage.actor, passage.now)
    try Self.checkDeviceName(wanted.device)
    guard (1...Self.longestInvitationMinutes).contains(wanted.minutes) else {
      throw PracticeError(
        .invalidArgument,
        "an invitation holds for 1 to \(Self.longestInvitationMinutes) minutes, not \(wanted.minutes)")
    }
    let secret = InvitationSecret(practice.secrets.randomness())
    let end = now.adding(minutes: wanted.minutes)
    return try writing {
      let user = try holder(wanted.user ?? actor.name, isNamed: wanted.user != nil)
      let all = try connection.devices.list().filter { $0.revocation == nil }
      guard !all.contains(where: { $0.kind == "file" && UserStore.key($0.name) == UserStore.key(wanted.device) }) else {
        throw PracticeError(
          .failed, "there is a device '\(wanted.device)' already",
          hint: "Maybe give it another name, or revoke that one first: vetnet device revoke NAME --reason WHY")
      }
      guard all.count(where: { $0.userRowID == user?.rowID }) < Self.mostDevices else {
        throw PracticeError(
          .failed, "there are \(Self.mostDevices) devices of one user already",
          hint: "Maybe revoke one: vetnet device list")
      }
      let made = NewDeviceInvitation(
        name: wanted.device, user: user?.name, secret: secret, expiresAt: end,
        practiceID: try connection.fileState().practiceID ?? "none")
      passage.touch(.user, made.user)
      guard !wanted.isDryRun else { return made }
      // One invitation for a name: the latest.
      try connection.deviceInvitations.withdraw(named: wanted.device)
      try connection.deviceInvitations.removeExpired(before: now.adding(days: -1))
      try connection.deviceInvitations.add(
        secret.digest, name: wanted.device, user: user?.rowID, by: actor.name, at: now, until: end)
      return made
    }
  }

  /// Who acts by a device: what it may change is what their role may.
  func holder(_ name: String, isNamed: Bool) throws -> User? {
    guard try connection.users.hasAny() else {
      guard !isNamed else { throw PracticeError.hasNoUsers }
      return nil
    }
    let known = try practice.people.user(name)
    guard let role = Role(rawValue: known.role), Self.mayTakeAlong(role), !known.isDisabled else {
      throw PracticeError(
        .invalidArgument,
        "'\(known.name)' \(known.isDisabled ? "is disabled" : "keeps the practice's machines, and would change nothing on a device")",
        hint: "Say with --user NAME who works on it: a veterinarian, a nurse, somebody at the desk.")
    }
    return known
  }

  /// Whoever works with the practice's records in any way may on a device, as far as their role goes; that they may hold the file, which has
  /// all that is in the practice, is for whoever invites them to say.
  static func mayTakeAlong(_ role: Role) -> Bool { role.may(.sync) && role.may(.writeBook) }

  static func checkDeviceName(_ name: String) throws {
    let isSound =
      (1...60).contains(name.count) && name.trimmingSpaces() == name && !name.hasPrefix("-")
      && Device.row(name) == nil
      && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard isSound else {
      throw PracticeError(
        .invalidArgument, "a device has a name of 1 to 60 characters, without a space before or behind it",
        hint: "Maybe: laptop, farm visits.")
    }
  }

  /// All, and those that are invited; the latter first.
  func allDevices(at now: Timestamp) throws -> [Device] {
    try reading {
      let invited = try connection.deviceInvitations.waiting().filter { $0.expiresAt >= now }
      return try invited.map { row in
        Device(
          id: nil, name: row.name, kind: .file,
          user: try row.userRowID.flatMap { try connection.users.user(row: $0)?.name },
          enrolledAt: row.invitedAt, seenAt: row.expiresAt, revocation: nil, wipedAt: nil)
      } + connection.devices.list().map(device)
    }
  }

  func device(_ row: DeviceRow) throws -> Device {
    Device(
      id: Device.id(row.rowID), name: row.name, kind: row.kind == "file" ? .file : .browser,
      user: try row.userRowID.flatMap { try connection.users.user(row: $0)?.name }, enrolledAt: row.enrolledAt,
      seenAt: row.seenAt,
      revocation: row.revocation.map { Device.Revocation(at: $0.at, by: $0.by, reason: $0.reason) },
      wipedAt: row.wipedAt)
  }

  /// Refuses a device from now on, and ends its sessions; an invitation of that name is withdrawn.
  func revokeDevice(_ wanted: RevokeDevice, _ passage: Passage) throws -> Device {
    let (actor, now) = (passage.actor, passage.now)
    let reason = wanted.reason.trimmingSpaces()
    guard (1...500).contains(reason.count) else {
      throw PracticeError(
        .invalidArgument, "a reason of 1 to 500 characters is needed", hint: "Maybe: lost on a train.")
    }
    return try writing {
      if let row = try storedDevice(wanted.device) {
        guard row.revocation == nil else {
          throw PracticeError(
            .failed, "'\(row.name)' was revoked already, on \(timeZone.describe(row.revocation?.at ?? now))")
        }
        // What is on record is written with the change, and so is said before it.
        passage.touch(.device, Device.id(row.rowID))
        guard !wanted.isDryRun else { return try device(row) }
        try connection.devices.revoke(row: row.rowID, by: actor.name, reason: reason, at: now)
        try connection.sessions.endAll(ofDevice: row.rowID)
        try connection.browsers.removeKeys(device: row.rowID)
        // Also where it comes by a folder.
        if let number = row.replica, var replica = try connection.replicas.replica(number) {
          replica.revokedAt = replica.revokedAt ?? now
          try connection.replicas.keep(replica)
        }
        try connection.deviceInvitations.withdraw(named: row.name)
        return try device(connection.devices.device(row: row.rowID) ?? row)
      }
      let waiting = try connection.deviceInvitations.waiting().last {
        UserStore.key($0.name) == UserStore.key(wanted.device)
      }
      guard let waiting else {
        throw PracticeError(
          .notFound, "there is no device of that name or id", hint: "Maybe look: vetnet device list")
      }
      if !wanted.isDryRun { try connection.deviceInvitations.withdraw(named: wanted.device) }
      return Device(
        id: nil, name: waiting.name, kind: .file, user: nil, enrolledAt: waiting.invitedAt, seenAt: waiting.expiresAt,
        revocation: Device.Revocation(at: now, by: actor.name, reason: reason), wipedAt: nil)
    }
  }

  /// By id, or by name where only one of that name is let in.
  private func storedDevice(_ reference: String) throws -> DeviceRow? {
    if let row = Device.row(reference) { return try connection.devices.device(row: row) }
    let fitting = try connection.devices.devices(named: reference)
    let active = fitting.filter { $0.revocation == nil }
    guard active.count < 2 else {
      let ids = active.map { Device.id($0.rowID) }.joined(separator: ", ")
      throw PracticeError(.invalidArgument, "several devices have that name: \(ids)", hint: "Say which by its id.")
    }
    return active.first ?? fitting.first
  }
}
