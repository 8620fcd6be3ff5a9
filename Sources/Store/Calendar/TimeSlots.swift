public import Clinical

/// The grid on which time is occupied: five minutes of UTC, counted from 1970.
public enum TimeSlots {
  /// Seconds in a slot.
  public static let length: Int64 = 300

  /// Every slot that `minutes` from `start` touch; none for no minutes.
  public static func slots(from start: Timestamp, minutes: Int) -> Range<Int64> {
    let end = start.seconds + Int64(max(0, minutes)) * 60
    guard end > start.seconds else { return slot(start.seconds)..<slot(start.seconds) }
    return slot(start.seconds)..<(slot(end - 1) + 1)
  }

  /// When a slot begins.
  public static func start(of slot: Int64) -> Timestamp { Timestamp(seconds: slot * length) }

  private static func slot(_ seconds: Int64) -> Int64 {
    let quotient = seconds / length
    return seconds % length < 0 ? quotient - 1 : quotient
  }
}

/// Why an appointment can't have its time: the first slot that somebody else has.
public struct SlotTaken: Error, Hashable, Sendable {
  /// What is taken, by the id it is shown with.
  public enum Part: Hashable, Sendable {
    case clinician(String)
    /// All units of it.
    case resource(String)
  }

  public let part: Part
  public let slot: Int64
  /// The appointment that has it, by the id it is shown with; nil where the resource has no units at all.
  public let appointmentID: String?

  public init(part: Part, slot: Int64, appointmentID: String?) {
    self.part = part
    self.slot = slot
    self.appointmentID = appointmentID
  }
}

extension SlotTaken: CustomStringConvertible {
  public var description: String {
    let what =
      switch part {
      case .clinician(let id): "clinician \(id)"
      case .resource(let id): "resource \(id)"
      }
    let moment = PracticeTimeZone.utc.iso8601(TimeSlots.start(of: slot))
    guard let appointmentID else { return "\(what) has no unit to book at \(moment)" }
    return "\(what) is taken at \(moment) by appointment \(appointmentID)"
  }
}
