import Clinical
import Synchronization
import VetNet

/// Copies of the practice that are on their way to devices: one for each, for a quarter of an hour after it was last read from.
final class DeviceCopies: Sendable {
  private struct Kept {
    let name: String
    let copy: DeviceCopy
    var usedAt: Int64
  }

  private let kept = Mutex<[String: Kept]>([:])

  private static let longest: Int64 = 900
  /// As many take room on the disk at once; the one that was read from longest ago goes.
  private static let most = 4

  /// - Returns: the name by which its device asks for it.
  func keep(_ copy: DeviceCopy, of device: String, at now: Timestamp) -> String {
    let name = Base64URL.text(RandomBytes.make())
    kept.withLock { kept in
      Self.forgetOld(&kept, now)
      while kept.count >= Self.most, let oldest = kept.min(by: { $0.value.usedAt < $1.value.usedAt }) {
        kept[oldest.key] = nil
      }
      kept[device] = Kept(name: name, copy: copy, usedAt: now.seconds)
    }
    return name
  }

  func copy(_ name: String, of device: String, at now: Timestamp) -> DeviceCopy? {
    kept.withLock { kept in
      Self.forgetOld(&kept, now)
      guard let found = kept[device], found.name == name else { return nil }
      kept[device]?.usedAt = now.seconds
      return found.copy
    }
  }

  private static func forgetOld(_ kept: inout [String: Kept], _ now: Timestamp) {
    kept = kept.filter { now.seconds - $0.value.usedAt <= longest }
  }
}
