/// When an operation was made, in an order in which any two operations of a practice stand alike on every device.
///
/// The clock comes first, so that of two changes the later one is shown; equal clocks, which capped ones often are, are told
/// apart by replica and number.
public struct Stamp: Hashable, Comparable, Codable, Sendable {
  /// Of a ``HybridClock``.
  public let clock: Int64
  /// 0 for the hub.
  public let replica: Int
  /// From 1, without gaps, in the replica's own count.
  public let sequence: Int64

  public init(clock: Int64, replica: Int, sequence: Int64) {
    self.clock = clock
    self.replica = replica
    self.sequence = sequence
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.clock, left.replica, left.sequence) < (right.clock, right.replica, right.sequence)
  }
}
