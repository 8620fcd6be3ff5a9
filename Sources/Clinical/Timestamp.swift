/// A moment in UTC, in whole seconds since 1970-01-01T00:00:00Z.
///
/// The practice file stores these seconds; local times exist only at the edges, through ``PracticeTimeZone``.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z, leap seconds ignored.
  public var seconds: Int64

  public init(seconds: Int64) {
    self.seconds = seconds
  }

  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.seconds < rhs.seconds }

  public func adding(minutes: Int) -> Self { Self(seconds: seconds + Int64(minutes) * 60) }

  public func adding(days: Int) -> Self { Self(seconds: seconds + Int64(days) * 86_400) }

  /// The minutes from `earlier` to this moment, rounded down.
  public func minutes(since earlier: Self) -> Int {
    Int((seconds - earlier.seconds).flooredDivision(by: 60))
  }
}

extension Int64 {
  /// Division that rounds towards negative infinity, so that moments before 1970 fall on the right day.
  func flooredDivision(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor != 0 && (self < 0) != (divisor < 0) ? quotient - 1 : quotient
  }
}

/// Encoded as its seconds.
extension Timestamp: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(seconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(seconds)
  }
}
