public import Clinical

/// A visit of which somebody told how far it got.
public struct ToldVisit: Sendable {
  public let appointmentRow: Int64
  public let status: Appointment.Status
  /// With which it was booked.
  public let urgency: Urgency?
  public internal(set) var steps: [VisitStep]
}

/// How far visits got, word by word.
public struct VisitStepStore {
  let connection: Connection

  public func append(_ step: VisitStep, to appointment: Int64) throws(StoreError) {
    try connection.execute(
      "INSERT INTO visit_step (appointment_id, stage, told_at, actor) VALUES (?, ?, ?, ?)", appointment,
      step.stage.rawValue, step.at, step.actor)
    connection.writtenRecords.touch(.appointment, appointment)
  }

  /// Of one visit, in the order in which they were told.
  public func steps(of appointment: Int64) throws(StoreError) -> [VisitStep] {
    try connection.rows(
      "SELECT stage, told_at, actor FROM visit_step WHERE appointment_id = ? ORDER BY id", appointment,
      read: { Self.step($0, from: 0) })
  }

  /// Where visits that start within an interval stand, how urgent each is, and the steps of each: of those of which any was told.
  public func told(ofVisitsIn interval: Range<Timestamp>) throws(StoreError) -> [ToldVisit] {
    let rows = try connection.rows(
      """
      SELECT visit_step.appointment_id, stage, told_at, actor, status, urgency FROM visit_step
      JOIN appointment ON appointment.id = visit_step.appointment_id
      LEFT JOIN appointment_option ON appointment_option.appointment_id = appointment.id
      WHERE start_at >= ? AND start_at < ? ORDER BY visit_step.appointment_id, visit_step.id
      """, interval.lowerBound, interval.upperBound
    ) { (row: $0.int64(0), step: Self.step($0, from: 1), status: $0.text(4), urgency: $0.optionalText(5)) }
    var visits: [ToldVisit] = []
    for row in rows {
      if row.row != visits.last?.appointmentRow {
        visits.append(
          ToldVisit(
            appointmentRow: row.row, status: Appointment.Status(rawValue: row.status) ?? .booked,
            urgency: row.urgency.flatMap(Urgency.init(rawValue:)), steps: []))
      }
      visits[visits.count - 1].steps.append(row.step)
    }
    return visits
  }

  private static func step(_ row: Statement, from column: Int32) -> VisitStep {
    VisitStep(
      VisitStage(rawValue: row.text(column)) ?? .expected, at: row.timestamp(column + 1), actor: row.text(column + 2))
  }
}

extension Connection {
  public var visitSteps: VisitStepStore { VisitStepStore(connection: self) }
}
