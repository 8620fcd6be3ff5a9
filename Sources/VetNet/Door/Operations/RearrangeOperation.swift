import Clinical

/// Gives several appointments the places of a proposal, as one change: all of them, or none.
public struct RearrangeVisits: Operation {
  public static let name = "schedule.rearrange"
  public static let permission = Permission.writeBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]
  public static let changes: Set<RecordKind> = [.appointment, .plan]

  public var visits: [PlacedVisit]
  /// The plan's version that the proposal was made from; nil for whatever it is now.
  public var expecting: Int64?
  public var isDryRun: Bool

  public init(visits: [PlacedVisit], expecting: Int64? = nil, isDryRun: Bool = false) {
    self.visits = visits
    self.expecting = expecting
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { visits.map { RecordReference(.appointment, $0.appointmentID) } }

  public func run(_ passage: Passage) throws -> Rearrangement {
    try passage.practice.calendar.rearrange(visits, expecting: expecting, now: passage.now, isDryRun: isDryRun)
  }
}
