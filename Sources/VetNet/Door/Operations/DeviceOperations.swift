import Clinical

/// Lets a practice file elsewhere come and take part, once, by a secret that is told this once. It then acts as one user, and changes what
/// their role may; it holds the whole record, whoever that is.
public struct InviteDevice: Operation {
  public static let name = "device.enroll"
  public static let permission = Permission.manageUsers
  public static let reads: Set<RecordKind> = [.user, .device]
  public static let changes: Set<RecordKind> = [.device]
  public static let isOfHub = true

  /// What it will be called.
  public var device: String
  /// Who works on it, by name; nil for oneself.
  public var user: String?
  /// How long the secret holds.
  public var minutes: Int
  public var isDryRun: Bool

  public init(
    device: String, user: String? = nil, minutes: Int = Practice.Devices.invitationMinutes, isDryRun: Bool = false
  ) {
    self.device = device
    self.user = user
    self.minutes = minutes
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws -> NewDeviceInvitation {
    passage.details["minutes"] = String(minutes)
    return try passage.practice.devices.inviteDevice(self, passage)
  }
}

/// The machines that take part, those that are revoked and those that may come.
public struct ListDevices: Operation {
  public static let name = "device.list"
  public static let permission = Permission.readUsers
  public static let reads: Set<RecordKind> = [.user, .device]

  public init() {}

  public func run(_ passage: Passage) throws -> [Device] { try passage.practice.devices.allDevices(at: passage.now) }
}

/// What was written in a browser, had not reached the practice, and went with its wipe.
public struct ListBrowserLosses: Operation {
  public static let name = "device.losses"
  public static let permission = Permission.readUsers
  public static let reads: Set<RecordKind> = [.device]

  /// By id.
  public var device: String

  public init(device: String) {
    self.device = device
  }

  public func run(_ passage: Passage) throws -> [BrowserLoss] { try passage.practice.devices.losses(of: device) }
}

/// Refuses a machine from now on, ends its sessions, and has a browser wipe what it kept when it comes next.
public struct RevokeDevice: Operation {
  public static let name = "device.revoke"
  public static let permission = Permission.manageUsers
  public static let reads: Set<RecordKind> = [.user, .device]
  public static let changes: Set<RecordKind> = [.device, .user]

  /// By id or name; also one that is only invited.
  public var device: String
  public var reason: String
  public var isDryRun: Bool

  public init(device: String, reason: String, isDryRun: Bool = false) {
    self.device = device
    self.reason = reason
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws -> Device {
    passage.details["reason"] = Passage.digest(reason)
    return try passage.practice.devices.revokeDevice(self, passage)
  }
}
