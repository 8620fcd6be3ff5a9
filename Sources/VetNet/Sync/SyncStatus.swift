public import Clinical
import Store
import Sync

/// Which part a practice file takes in a practice of several.
public struct SyncStatus: Sendable {
  public enum Part: String, Sendable {
    /// It takes none.
    case alone
    case hub
    case clone
  }

  /// A device that a hub knows.
  public struct Device: Sendable {
    public let number: Int
    public let name: String
    /// How many changes of it were taken.
    public let taken: Int64
    /// How many changes of others it has yet to hear of.
    public let behind: Int64
    public let seenAt: Timestamp?
    public let isRevoked: Bool
  }

  public let part: Part
  /// Of a clone: what it is called at its hub, and its number there.
  public let name: String?
  public let number: Int
  /// Of a clone: the folder or address where it found its hub last; nil as long as it hasn't.
  public let hub: String?
  /// Of a clone: changes that the hub has yet to take.
  public let waiting: Int
  public let openConflicts: Int
  /// The hub's number up to which this file has heard, or which it gave last.
  public let heard: Int64
  public let devices: [Device]
}

extension Practice.Sync {
  func syncStatus() throws -> SyncStatus {
    try reading {
      guard let own = try connection.operationLog.own() else {
        return SyncStatus(
          part: .alone, name: nil, number: 0, hub: nil, waiting: 0, openConflicts: 0, heard: 0, devices: [])
      }
      return SyncStatus(
        part: own.isHub ? .hub : .clone, name: own.name, number: own.replica,
        hub: try connection.settings.value(Setting.syncHub),
        waiting: own.isHub ? 0 : try connection.operationLog.pendingCount(of: own.replica),
        openConflicts: try syncConflicts().count, heard: own.hubSequence,
        devices: try connection.replicas.list().map {
          SyncStatus.Device(
            number: $0.number, name: $0.name, taken: $0.acknowledged, behind: max(0, own.hubSequence - $0.pulled),
            seenAt: $0.seenAt, isRevoked: $0.revokedAt != nil)
        })
    }
  }

  func ownOperations(after sequence: Int64, limit: Int) throws -> [RecordOperation] {
    try reading {
      try connection.operationLog.operations(
        of: ownReplica().replica, after: sequence, limit: max(1, min(limit, SyncProtocol.batch)))
    }
  }

  /// - Throws: ``PracticeError`` with `notFound`.
  func revokeReplica(named name: String, now: Timestamp) throws {
    try writing {
      guard var replica = try connection.replicas.replica(named: name) else {
        throw PracticeError(.notFound, "the hub knows no device '\(name)'")
      }
      replica.revokedAt = replica.revokedAt ?? now
      try connection.replicas.keep(replica)
    }
  }
}
