public import Clinical

/// Where a visit stands or would stand.
public struct PlannedVisit: Hashable, Sendable {
  public let clinicianID: String
  public let resourceIDs: [String]
  public let start: Timestamp
  public let minutes: Int

  public init(clinicianID: String, resourceIDs: [String], start: Timestamp, minutes: Int) {
    self.clinicianID = clinicianID
    self.resourceIDs = resourceIDs
    self.start = start
    self.minutes = minutes
  }
}

/// One step from the day as it is booked to a better one.
public struct PlanChange: Hashable, Sendable {
  public enum Kind: String, Sendable {
    /// A request gets a place.
    case place
    /// A booked visit gets another time or clinician.
    case move
  }

  public let kind: Kind
  /// The appointment's or request's id.
  public let id: String
  /// Nil for a request.
  public let before: PlannedVisit?
  public let after: PlannedVisit
  /// What the visit itself earns more, or less, in points; its value is the explanation's.
  public let gain: Double
  public let explanation: Explanation
}

/// What an optimised day would change. Nothing has been changed yet.
///
/// The changes belong together: a visit may be moved to where another one leaves. Applied as a whole they book nobody
/// and nothing twice.
public struct DayProposal: Hashable, Sendable {
  /// Moves before placements, each in order of the new start, then of id.
  public let changes: [PlanChange]
  /// Requests that found no place, in the order given.
  public let unplaced: [String]
  /// Value of the day as booked and as proposed, in points; `after` is never less.
  public let before: Double
  public let after: Double
  /// No plan for the day is worth more, in points.
  public let upperBound: Double
  public let conflicts: [ScheduleConflict]
  /// The value as proposed, visit by visit.
  public let explanation: Explanation
}

extension DayProposal {
  /// What is proposed for several locations, as one.
  init(joining parts: [DayProposal]) {
    let order: [PlanChange.Kind: Int] = [.move: 0, .place: 1]
    self.init(
      changes: parts.flatMap(\.changes).sorted {
        (order[$0.kind] ?? 0, $0.after.start, $0.id) < (order[$1.kind] ?? 0, $1.after.start, $1.id)
      },
      unplaced: parts.flatMap(\.unplaced), before: parts.reduce(0) { $0 + $1.before },
      after: parts.reduce(0) { $0 + $1.after }, upperBound: parts.reduce(0) { $0 + $1.upperBound },
      conflicts: parts.flatMap(\.conflicts),
      explanation: .sum("value of the day", of: parts.flatMap(\.explanation.details)))
  }
}
