public import Clinical

/// A clock that never runs back and is never behind what was heard of: the device's own time where that is later, else one step
/// beyond the last. No device has to be right.
///
/// - Source: S. S. Kulkarni et al., "Logical Physical Clocks and Consistent Snapshots in Globally Distributed Databases" (2014),
///   with physical time and counter in one number.
public enum HybridClock {
  /// Steps within a second.
  public static let stepsPerSecond: Int64 = 1 << 20

  /// So far ahead of the hub a device may be: what it says beyond that counts as said then.
  public static let leadSeconds: Int64 = 300

  /// The next reading after `last`, which is the latest that was made or heard of here.
  public static func reading(after last: Int64, at now: Timestamp) -> Int64 {
    max(last + 1, physical(now.seconds))
  }

  /// A reading as the hub takes it over: one that runs ahead is capped, and never below what the same replica said before.
  ///
  /// What the hub has heard from others who run ahead may be beyond the cap itself. Who heard of that and answered within the second is no
  /// further ahead than the next step, and comes after what they knew of.
  ///
  /// - Parameters:
  ///   - reading: as the device has it.
  ///   - now: the hub's present moment.
  ///   - hub: the latest reading that the hub made or heard of.
  ///   - earlier: the latest of the same device.
  /// - Returns: the reading that counts.
  public static func capped(_ reading: Int64, at now: Timestamp, hub: Int64, notBelow earlier: Int64) -> Int64 {
    max(earlier, min(reading, max(physical(now.seconds + leadSeconds), hub + 1)))
  }

  /// The second that a reading is of.
  public static func moment(of reading: Int64) -> Timestamp { Timestamp(seconds: reading / stepsPerSecond) }

  /// Moments before 1970 and beyond what the number holds count as its ends.
  private static func physical(_ seconds: Int64) -> Int64 {
    min(max(0, seconds), Int64.max / stepsPerSecond - 1) * stepsPerSecond
  }
}
