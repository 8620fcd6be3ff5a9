public import Clinical
import Store

/// What the weeks were like and those to come look like: workload, overruns, levels, and appointments that were not kept.
///
/// Counts alone: nothing of an animal or its owner, and no word of a note.
public struct ShowInsights: Operation {
  public static let name = "practice.insights"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.plan, .staff, .location]

  /// Weeks up to the present one, which counts: 1 to 104.
  public var past: Int
  /// Weeks behind it: 0 to 26.
  public var ahead: Int

  public static let pastRange = 1...104
  public static let aheadRange = 0...26

  public init(past: Int = 12, ahead: Int = 4) {
    self.past = past
    self.ahead = ahead
  }

  /// - Throws: ``PracticeError`` with `invalidArgument` for weeks that are too many.
  public func run(_ passage: Passage) throws -> Insights {
    guard Self.pastRange.contains(past), Self.aheadRange.contains(ahead) else {
      throw PracticeError(
        .invalidArgument,
        "\(past) weeks back and \(ahead) ahead can't be shown", hint: "Give 1 to 104 weeks back and 0 to 26 ahead.")
    }
    return try passage.practice.reception.insights(past: past, ahead: ahead, now: passage.now)
  }
}
