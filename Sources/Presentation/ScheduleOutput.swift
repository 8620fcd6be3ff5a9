public import Clinical
public import Scheduling
public import VetNet

/// An appointment of the book as JSON, with what may come of it.
public struct EntryOutput: Encodable {
  let entry: DaySchedule.Entry
  let zone: PracticeTimeZone

  public init(_ entry: DaySchedule.Entry, zone: PracticeTimeZone) {
    self.entry = entry
    self.zone = zone
  }

  private enum CodingKeys: String, CodingKey {
    case urgency, conflict, broken, overrun, limits
    case location = "location_id"
    case meanDelay = "mean_delay_minutes"
    case p95Delay = "p95_delay_minutes"
  }

  public func encode(to encoder: any Encoder) throws {
    try AppointmentOutput(entry.appointment, zone: zone).encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(entry.urgency?.rawValue, forKey: .urgency)
    try container.encodeIfPresent(entry.conflict, forKey: .conflict)
    if !entry.broken.isEmpty { try container.encode(entry.broken, forKey: .broken) }
    try container.encodeIfPresent(entry.risk?.overrun, forKey: .overrun)
    try container.encodeIfPresent(entry.risk?.meanDelay, forKey: .meanDelay)
    try container.encodeIfPresent(entry.risk?.p95Delay, forKey: .p95Delay)
    try container.encodeIfPresent(entry.locationID, forKey: .location)
    if !entry.options.isEmpty {
      try container.encode(OptionsOutput(entry.appointment.id, entry.options, zone: zone), forKey: .limits)
    }
  }
}

/// The wishes and limits of an appointment as JSON.
public struct OptionsOutput: Encodable {
  let appointment_id: String
  let keep: [String]
  let window: [String]?
  let after: String?
  let lag_minutes: Int
  let travel_minutes: [Int]
  let urgency: String?
  let received_at: String?
  let location_id: String?
  /// Limits that it does not keep where it stands; left out where a state of the past is shown.
  public var broken: [String]? = nil
  public var version: Int64? = nil

  public init(_ id: String, _ change: LimitsChange, zone: PracticeTimeZone) {
    self.init(id, change.options, zone: zone)
    broken = change.broken
    version = change.version
  }

  public init(_ id: String, _ options: AppointmentOptions, zone: PracticeTimeZone) {
    appointment_id = id
    keep = [
      options.keepsTime ? "time" : nil, options.keepsClinician ? "vet" : nil, options.keepsRooms ? "room" : nil,
    ].compactMap { $0 }
    window = options.window.map { [zone.iso8601($0.lowerBound), zone.iso8601($0.upperBound)] }
    after = options.afterID
    lag_minutes = options.lagMinutes
    travel_minutes = [options.travelBefore, options.travelAfter]
    urgency = options.urgency?.rawValue
    received_at = options.receivedAt.map(zone.iso8601)
    location_id = options.locationID
  }
}

/// Proposed slots as JSON.
public struct ProposalsOutput: Encodable {
  public struct Slot: Encodable {
    let clinician_id: String
    let resource_ids: [String]
    let start: String
    let minutes: Int
    let score: Double
    /// Left out in a practice that is one place.
    let location_id: String?
    let meets_target: Bool?
    let explanation: Explanation

    public init(_ proposal: SlotProposal, zone: PracticeTimeZone) {
      clinician_id = proposal.clinicianID
      resource_ids = proposal.resourceIDs
      start = zone.iso8601(proposal.start)
      minutes = proposal.minutes
      score = proposal.score
      location_id = proposal.locationID
      meets_target = proposal.meetsTarget
      explanation = proposal.explanation
    }
  }

  let urgency: String?
  let visit_type: String?
  let proposals: [Slot]

  public init(_ proposals: CaseProposals, zone: PracticeTimeZone) {
    urgency = proposals.request.urgency?.rawValue
    visit_type = proposals.request.visitType?.rawValue
    self.proposals = proposals.proposals.map { Slot($0, zone: zone) }
  }
}

/// A better day as JSON.
public struct PlanOutput: Encodable {
  public struct Visit: Encodable {
    let clinician_id: String
    let resource_ids: [String]
    let start: String
    let minutes: Int

    public init(_ visit: PlannedVisit, zone: PracticeTimeZone) {
      clinician_id = visit.clinicianID
      resource_ids = visit.resourceIDs
      start = zone.iso8601(visit.start)
      minutes = visit.minutes
    }
  }

  public struct Change: Encodable {
    let kind: String
    let appointment_id: String
    let before: Visit?
    let after: Visit
    let gain: Double
    let explanation: Explanation

    public init(_ change: PlanChange, zone: PracticeTimeZone) {
      kind = change.kind.rawValue
      appointment_id = change.id
      before = change.before.map { Visit($0, zone: zone) }
      after = Visit(change.after, zone: zone)
      gain = change.gain
      explanation = change.explanation
    }
  }

  let date: String
  let dates: [String]
  let attempts: Int
  let version: Int64
  let before: Double
  let after: Double
  let upper_bound: Double
  let changes: [Change]
  let unplaced: [String]
  let written: Bool

  public init(_ plan: DayPlan, zone: PracticeTimeZone) {
    date = plan.dates.first?.description ?? ""
    dates = plan.dates.map(\.description)
    attempts = plan.attempts
    version = plan.version
    before = plan.proposal.before
    after = plan.proposal.after
    upper_bound = plan.proposal.upperBound
    changes = plan.proposal.changes.map { Change($0, zone: zone) }
    unplaced = plan.proposal.unplaced
    written = plan.isWritten
  }
}
