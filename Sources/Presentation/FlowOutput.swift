public import Clinical
public import VetNet

/// A day's visits by how far they have got, as JSON.
public struct FlowOutput: Encodable {
  let date: String
  let visits: [FlowEntryOutput]

  public init(_ flow: DayFlow, zone: PracticeTimeZone) {
    date = "\(flow.date)"
    visits = flow.entries.map { FlowEntryOutput($0, zone: zone) }
  }
}

struct FlowEntryOutput: Encodable {
  let appointment_id: String
  let patient_id: String?
  let patient_name: String?
  let clinician_id: String?
  let start: String
  let urgency: String?
  let stage: String
  let waited_minutes: Int?
  let target_minutes: Int?
  let is_overdue: Bool
  let revision: Int64
  let steps: [VisitStepOutput]

  init(_ entry: DayFlow.Entry, zone: PracticeTimeZone) {
    let appointment = entry.visit.appointment
    appointment_id = appointment.id
    patient_id = appointment.patientID
    patient_name = entry.visit.patient?.name
    clinician_id = appointment.clinicianID
    start = zone.iso8601(appointment.start)
    urgency = entry.visit.urgency?.rawValue
    stage = entry.course.stage.rawValue
    waited_minutes = entry.waitedMinutes
    target_minutes = entry.targetMinutes
    is_overdue = entry.isOverdue
    revision = entry.visit.revision
    steps = entry.course.steps.map { VisitStepOutput($0, zone: zone) }
  }
}

struct VisitStepOutput: Encodable {
  let stage: String
  let at: String
  let by: String

  init(_ step: VisitStep, zone: PracticeTimeZone) {
    stage = step.stage.rawValue
    at = zone.iso8601(step.at)
    by = step.actor
  }
}

/// A visit that was moved on, as JSON.
public struct StageChangeOutput: Encodable {
  let appointment_id: String
  let stage: String
  let before: String
  let status: String
  let actual_minutes: Double?
  let revision: Int64
  let steps: [VisitStepOutput]

  public init(_ change: StageChange, zone: PracticeTimeZone) {
    appointment_id = change.appointment.id
    stage = change.course.stage.rawValue
    before = change.before.rawValue
    status = change.appointment.status.rawValue
    actual_minutes = change.appointment.actualMinutes
    revision = change.revision
    steps = change.course.steps.map { VisitStepOutput($0, zone: zone) }
  }
}
