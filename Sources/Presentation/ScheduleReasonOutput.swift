public import Clinical
public import Scheduling
public import VetNet

public struct ReasonsOutput: Encodable {
  let appointment: AppointmentOutput
  let value: Double
  let explanation: Explanation
  let history: [LogOutput]

  public init(_ reasons: VisitReasons, zone: PracticeTimeZone) {
    appointment = AppointmentOutput(reasons.appointment, zone: zone)
    value = reasons.explanation.value
    explanation = reasons.explanation
    history = reasons.history.map { LogOutput($0, zone: zone) }
  }
}

public struct RefusalOutput: Encodable {
  public struct Obstacle: Encodable {
    let kind: String
    let subject: String
    let appointment_ids: [String]
    let description: String
  }

  public struct Alternative: Encodable {
    let kind: String
    let visit: PlanOutput.Visit
    let moves: [PlanOutput.Change]
    let cost: Double
  }

  let appointment_id: String
  let possible: Bool
  let obstacles: [Obstacle]
  let conflicts: [String]
  let alternatives: [Alternative]
  let difference: Explanation?

  public init(_ refusal: SlotRefusal, zone: PracticeTimeZone) {
    appointment_id = refusal.appointment.id
    possible = refusal.verdict.isFree
    obstacles = refusal.verdict.obstacles.map {
      Obstacle(
        kind: $0.kind.rawValue, subject: $0.subjectID, appointment_ids: $0.appointmentIDs, description: $0.description)
    }
    conflicts = refusal.verdict.conflicts
    alternatives = refusal.alternatives.map {
      Alternative(
        kind: $0.kind.rawValue, visit: PlanOutput.Visit($0.visit, zone: zone),
        moves: $0.moves.map { PlanOutput.Change($0, zone: zone) }, cost: $0.cost)
    }
    difference = refusal.difference
  }
}

public struct RiskOutput: Encodable {
  public struct Person: Encodable {
    let clinician_id: String
    let visits: Int
    let booked_minutes: Int
    let working_minutes: Int
    let mean_late_minutes: Double?
    let p95_late_minutes: Double?
  }

  public struct Visit: Encodable {
    let appointment_id: String
    let mean_delay_minutes: Double
    let p95_delay_minutes: Double
    let overrun: Double
  }

  public struct Row: Encodable {
    let quantile: Double
    let placed: Int
    let asked: Int
    let reserved_minutes: Int
    let mean_delay_minutes: Double
    let p95_delay_minutes: Double
  }

  let date: String
  let simulated_days: Int
  let mean_delay_minutes: Double
  let p95_delay_minutes: Double
  let clinicians: [Person]
  let visits: [Visit]
  let plan_quantile: Double
  let quantiles: [Row]

  public init(_ schedule: DaySchedule, _ table: ReserveTradeOff, current: Double, zone: PracticeTimeZone) {
    date = schedule.date.description
    simulated_days = schedule.risk?.days ?? 0
    mean_delay_minutes = schedule.risk?.meanDelay ?? 0
    p95_delay_minutes = schedule.risk?.p95Delay ?? 0
    clinicians = schedule.workload.map {
      Person(
        clinician_id: $0.clinicianID, visits: $0.visits, booked_minutes: $0.bookedMinutes,
        working_minutes: $0.workingMinutes, mean_late_minutes: $0.risk?.meanLate, p95_late_minutes: $0.risk?.p95Late)
    }
    visits = (schedule.risk?.visits ?? []).map {
      Visit(
        appointment_id: $0.id, mean_delay_minutes: $0.meanDelay, p95_delay_minutes: $0.p95Delay, overrun: $0.overrun)
    }
    plan_quantile = current
    quantiles = table.rows.map {
      Row(
        quantile: $0.quantile, placed: $0.placed, asked: $0.asked, reserved_minutes: $0.reserved,
        mean_delay_minutes: $0.meanDelay, p95_delay_minutes: $0.p95Delay)
    }
  }
}
