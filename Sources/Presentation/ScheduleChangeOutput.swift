public import Clinical
public import Scheduling
public import VetNet

/// A changed appointment as JSON: its keys, what it was before, and whom a freed slot fits.
public struct ChangeOutput: Encodable {
  let change: BookChange
  let zone: PracticeTimeZone

  public init(_ change: BookChange, zone: PracticeTimeZone) {
    self.change = change
    self.zone = zone
  }

  private struct Offer: Encodable {
    let appointment_id: String
    let patient_id: String?
    let urgency: String?
    let start: String
    let minutes: Int
    let score: Double
    let explanation: Explanation
  }

  private enum CodingKeys: String, CodingKey {
    case before, version, offers
    case missingResources = "missing_resources"
  }

  public func encode(to encoder: any Encoder) throws {
    try AppointmentOutput(change.appointment, zone: zone).encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(change.before.map { AppointmentOutput($0, zone: zone) }, forKey: .before)
    try container.encodeIfPresent(change.version, forKey: .version)
    if !change.missingResources.isEmpty { try container.encode(change.missingResources, forKey: .missingResources) }
    guard !change.offers.isEmpty else { return }
    try container.encode(
      change.offers.map {
        Offer(
          appointment_id: $0.appointment.id, patient_id: $0.appointment.patientID, urgency: $0.urgency?.rawValue,
          start: zone.iso8601($0.proposal.start), minutes: $0.proposal.minutes, score: $0.proposal.score,
          explanation: $0.proposal.explanation)
      }, forKey: .offers)
  }
}

/// A state of the plan as JSON.
public struct StateOutput: Encodable {
  let status: String
  let start: String
  let minutes: Int
  let clinician_id: String?
  let resource_ids: [String]
  /// Wishes and limits, where there are any.
  let limits: String?

  public init(_ state: PlanState, zone: PracticeTimeZone) {
    limits = state.options.flatMap { $0.isEmpty ? nil : $0.words(in: zone) }
    status = state.status.rawValue
    start = zone.iso8601(state.start)
    minutes = state.minutes
    clinician_id = state.clinicianID
    resource_ids = state.resourceIDs
  }
}

public struct LogOutput: Encodable {
  public struct Row: Encodable {
    let appointment_id: String
    let before: StateOutput?
    let after: StateOutput
  }

  let version: Int64
  let at: String
  let kind: String
  let reverts: Int64?
  let rows: [Row]

  public init(_ entry: PlanEntry, zone: PracticeTimeZone) {
    version = entry.version
    at = zone.iso8601(entry.at)
    kind = entry.kind.rawValue
    reverts = entry.reverts
    rows = entry.rows.map {
      Row(
        appointment_id: $0.appointmentID, before: $0.before.map { StateOutput($0, zone: zone) },
        after: StateOutput($0.after, zone: zone))
    }
  }
}

public struct RevertOutput: Encodable {
  let reverted: LogOutput
  let appointments: [AppointmentOutput]
  let version: Int64?

  public init(_ revert: PlanRevert, zone: PracticeTimeZone) {
    reverted = LogOutput(revert.entry, zone: zone)
    appointments = revert.appointments.map { AppointmentOutput($0, zone: zone) }
    version = revert.version
  }
}

public struct DifferenceOutput: Encodable {
  public struct Row: Encodable {
    let appointment_id: String
    let patient_id: String?
    let kind: String
    let before: StateOutput?
    let after: StateOutput
  }

  let from: Int64
  let to: Int64
  let changes: [Row]

  public init(_ difference: PlanDifference, zone: PracticeTimeZone) {
    from = difference.from
    to = difference.to
    changes = difference.rows.map {
      Row(
        appointment_id: $0.appointmentID, patient_id: $0.patient?.id, kind: $0.kind,
        before: $0.before.map { StateOutput($0, zone: zone) }, after: StateOutput($0.after, zone: zone))
    }
  }
}

public struct WaitingOutput: Encodable {
  let entry: WaitingEntry
  let zone: PracticeTimeZone

  public init(_ entry: WaitingEntry, zone: PracticeTimeZone) {
    self.entry = entry
    self.zone = zone
  }

  private enum CodingKeys: String, CodingKey {
    case urgency, best
    case receivedAt = "received_at"
  }

  public func encode(to encoder: any Encoder) throws {
    try AppointmentOutput(entry.appointment, zone: zone).encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(entry.urgency?.rawValue, forKey: .urgency)
    try container.encodeIfPresent(entry.receivedAt.map(zone.iso8601), forKey: .receivedAt)
    try container.encodeIfPresent(entry.best.map { ProposalsOutput.Slot($0, zone: zone) }, forKey: .best)
  }
}

public struct EmergencyOutput: Encodable {
  public struct Notice: Encodable {
    let appointment_id: String
    let patient_id: String?
    let phone: String?
    let before: PlanOutput.Visit
    let after: PlanOutput.Visit
    let text: String
  }

  let appointment: AppointmentOutput
  let urgency: String
  let wait_minutes: Int
  let meets_target: Bool
  /// Before the level's last moment.
  let in_time: Bool
  let moved: Int
  let changes: [PlanOutput.Change]
  let notices: [Notice]
  let explanation: Explanation
  let search_seconds: Double
  let version: Int64?

  public init(_ booking: EmergencyBooking, zone: PracticeTimeZone) {
    appointment = AppointmentOutput(booking.appointment, zone: zone)
    urgency = booking.urgency.rawValue
    wait_minutes = booking.plan.wait
    meets_target = booking.plan.meetsTarget
    in_time = booking.plan.isInTime
    moved = booking.plan.moves.count
    changes = booking.plan.moves.map { PlanOutput.Change($0, zone: zone) }
    notices = booking.notices.map {
      Notice(
        appointment_id: $0.appointmentID, patient_id: $0.patient?.id, phone: $0.phone,
        before: PlanOutput.Visit($0.before, zone: zone), after: PlanOutput.Visit($0.after, zone: zone), text: $0.text)
    }
    explanation = booking.plan.explanation
    search_seconds = booking.seconds
    version = booking.version
  }
}
