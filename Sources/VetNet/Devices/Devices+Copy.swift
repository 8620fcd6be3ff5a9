import Clinical
import Store

/// A copy of the practice for one device, which is sent in parts; it goes with this value.
public final class DeviceCopy: Sendable {
  private let snapshot: DeviceSnapshot

  init(_ snapshot: DeviceSnapshot) { self.snapshot = snapshot }

  /// BLAKE2b-256 of its bytes, as hexadecimal digits.
  public var digest: String { snapshot.digest.hexadecimal }
  public var byteCount: Int { snapshot.byteCount }

  /// - Throws: ``PracticeError`` where it can't be read.
  public func bytes(from offset: Int, most: Int) throws -> [UInt8] {
    try Practice.reporting("") { try snapshot.bytes(from: offset, most: most) }
  }
}

extension Practice.Devices {
  /// Under which name a device is known among those that sync: its own, and what nobody else's can be.
  private static func replicaName(_ row: DeviceRow) -> String { "\(row.name) (\(Device.id(row.rowID)))" }

  func admitDevice(_ id: String, _ passage: Passage) throws -> SyncAdmission {
    let now = passage.now
    passage.touch(.device, id)
    return try writing {
      let row = try activeDevice(id)
      var name = Self.replicaName(row)
      if let number = row.replica, var earlier = try connection.replicas.replica(number) {
        if earlier.seenAt == nil {
          // The copy that it was for never arrived.
          try connection.replicas.forget(number)
        } else {
          earlier.revokedAt = earlier.revokedAt ?? now
          try connection.replicas.keep(earlier)
          name += " \(number + 1)"
        }
      }
      let admission = try practice.sync.admitReplica(named: name, user: row.userRowID, now: now)
      try connection.devices.keep(row: row.rowID, replica: admission.number)
      return admission
    }
  }

  private func activeDevice(_ id: String) throws -> DeviceRow {
    guard let number = Device.row(id), let row = try connection.devices.device(row: number), row.revocation == nil,
      row.kind == "file"
    else { throw PracticeError(.notFound, "there is no device of that id that takes part") }
    return row
  }

  func copyForDevice(
    _ id: String, _ admission: SyncAdmission, progress: (Progress) -> Void
  ) throws -> DeviceCopy {
    let row = try reading { try activeDevice(id) }
    do {
      return DeviceCopy(
        try reporting {
          try DeviceSnapshot(of: connection, as: SyncSelf(admission), user: row.userRowID) { done, total in
            try continueUnlessStopped()
            progress(Progress(done: done, total: total, detail: "copied"))
          }
        })
    } catch let flaw as Backup.Flaw {
      throw PracticeError(
        .integrity, "no copy was made: \(flaw.problems.prefix(5).joined(separator: "; "))",
        hint: "Maybe look at the hub: vetnet doctor")
    }
  }

  /// The number by which a device's changes are known; nil before it took the practice along.
  public func replicaNumber(of device: Device) throws -> Int? {
    try reporting { try device.id.flatMap(Device.row).flatMap { try connection.devices.device(row: $0)?.replica } }
  }
}
