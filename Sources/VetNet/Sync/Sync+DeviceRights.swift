import Clinical
import Store
import Sync

/// Whose role says what a device may change at the hub.
enum AskedRole: Hashable, Sendable {
  /// In a practice without users.
  case nobody
  /// That of whoever works on the device.
  case role(Role)
  /// That of whoever made each change, as the device says: a clone that belongs to nobody in particular.
  case author
}

extension Practice.Sync {
  /// Whose role a device's changes are asked by where it doesn't say who it is itself, as through a folder.
  ///
  /// - Throws: `SyncError` with `refused` where whoever works on it may not come in any more.
  func asked(of replica: ReplicaStore.Replica) throws -> AskedRole {
    try reading {
      guard try connection.users.hasAny() else { return .nobody }
      guard let row = replica.userRowID else { return .author }
      guard let user = try connection.users.user(row: row), !user.isDisabled, let role = Role(rawValue: user.role),
        Practice.Devices.mayTakeAlong(role)
      else {
        throw SyncError(
          .refused,
          "whoever works on '\(replica.name)' may not use the practice any more: nothing is taken from it, or told to it; nothing is lost there meanwhile"
        )
      }
      return .role(role)
    }
  }

  /// The row of somebody who uses the practice; nil for whoever it belongs to while it has no users.
  func userRow(_ actor: Actor) throws -> Int64? {
    try reporting { try connection.users.user(named: actor.name)?.rowID }
  }

  /// Why a change isn't whoever made it may make; nil where they may.
  func objection(to operation: RecordOperation) throws -> String? {
    guard let needed = Self.permission(toChange: operation.kind) else { return nil }
    let role: Role
    switch practice.merging.logManner.asked {
    case .nobody: return nil
    case .role(let known): role = known
    case .author:
      guard let user = try connection.users.user(named: operation.actor), !user.isDisabled,
        let known = Role(rawValue: user.role)
      else { return "the device doesn't say it is of anybody who uses the practice" }
      role = known
    }
    return role.may(needed) ? nil : "the device acts as \(role.rawValue), who may not \(needed.rawValue)"
  }

  /// What somebody needs who changes a record of a kind; nil for kinds of a later program, which nobody here knows.
  private static func permission(toChange kind: String) -> Permission? {
    guard let table = RecordTable(rawValue: kind) else {
      return kind == MergeRules.conflictKind ? SettleSyncConflict.permission : nil
    }
    return switch table {
    case .client, .patient: .writeRegister
    case .note: .writeRecord
    case .intake: .assess
    case .appointment: .writeBook
    case .location, .staff, .resource: .keep
    }
  }
}
