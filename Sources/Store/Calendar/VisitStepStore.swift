public import Clinical

/// How far visits got, word by word.
public struct VisitStepStore {
  let connection: Connection

  public func append(_ step: VisitStep, to appointment: Int64) throws(StoreError) {
    try connection.execute(
      "INSERT INTO visit_step (appointment_id, stage, told_at, actor) VALUES (?, ?, ?, ?)", appointment,
      step.stage.rawValue, step.at, step.actor)
  }

  /// Of one visit, in the order in which they were told.
  public func steps(of appointment: Int64) throws(StoreError) -> [VisitStep] {
    try connection.rows(
      "SELECT stage, told_at, actor FROM visit_step WHERE appointment_id = ? ORDER BY id", appointment,
      read: { Self.step($0, from: 0) })
  }

  /// Of all visits that start within an interval, by the appointment's row.
  public func steps(ofVisitsIn interval: Range<Timestamp>) throws(StoreError) -> [Int64: [VisitStep]] {
    let rows = try connection.rows(
      """
      SELECT appointment_id, stage, told_at, actor FROM visit_step JOIN appointment ON appointment.id = appointment_id
      WHERE start_at >= ? AND start_at < ? ORDER BY visit_step.id
      """, interval.lowerBound, interval.upperBound
    ) { ($0.int64(0), Self.step($0, from: 1)) }
    return Dictionary(grouping: rows) { $0.0 }.mapValues { $0.map(\.1) }
  }

  private static func step(_ row: Statement, from column: Int32) -> VisitStep {
    VisitStep(
      VisitStage(rawValue: row.text(column)) ?? .expected, at: row.timestamp(column + 1), actor: row.text(column + 2))
  }
}

extension Connection {
  public var visitSteps: VisitStepStore { VisitStepStore(connection: self) }
}
