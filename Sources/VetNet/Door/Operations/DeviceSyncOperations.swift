import Clinical
import Store

/// At the hub: gives a device that came by an invitation a number among those that sync; a file that takes no part yet becomes the hub. A
/// device that takes the practice along anew gets another number, and what it had under the one before is not taken any more.
public struct AdmitDevice: Operation {
  public static let name = "device.admit"
  public static let permission = Permission.sync
  public static let reads: Set<RecordKind> = [.device]
  public static let changes: Set<RecordKind> = [.device, .setting]
  public static let isOfHub = true

  /// By id.
  public var device: String

  public init(device: String) {
    self.device = device
  }

  public func run(_ passage: Passage) throws -> SyncAdmission {
    let admission = try passage.practice.devices.admitDevice(device, passage)
    return admission
  }
}

/// At the hub: makes the copy that a device takes along. All that is said of everybody's animals leaves the practice with it.
public struct CopyForDevice: Operation {
  public static let name = "device.copy"
  public static let permission = Permission.sync
  public static let reads: Set<RecordKind> = [
    .client, .patient, .location, .staff, .resource, .appointment, .note, .intake, .photo, .device, .setting,
  ]

  /// By id.
  public var device: String
  public var admission: SyncAdmission

  public init(device: String, admission: SyncAdmission) {
    self.device = device
    self.admission = admission
  }

  public func run(_ passage: Passage) throws -> DeviceCopy {
    passage.touch(.device, device)
    return try passage.practice.devices.copyForDevice(device, admission, progress: passage.progress)
  }
}
