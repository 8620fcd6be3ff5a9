import Clinical
import Scheduling
import Store

/// Remembers what appointments were before a change of the plan, so that the change can be recorded when it is made.
final class PlanRecorder {
  private let connection: Connection
  private var rows: [Int64] = []
  private var before: [Int64: PlanState] = [:]

  init(connection: Connection) {
    self.connection = connection
  }

  /// To be called before an appointment is changed.
  func watch(_ row: Int64) throws {
    guard !rows.contains(row) else { return }
    rows.append(row)
    before[row] = try state(of: row)?.state
  }

  /// To be called with an appointment that the change has made.
  func watch(new row: Int64) {
    if !rows.contains(row) { rows.append(row) }
  }

  private func state(of row: Int64) throws -> (id: String, state: PlanState)? {
    guard let stored = try connection.appointments.appointment(row: row) else { return nil }
    return (stored.value.id, PlanState(stored.value, options: try connection.appointments.options(row: row)))
  }

  /// What has changed, in the order of the appointments' rows.
  func changes() throws -> [PlanEntry.Row] {
    try rows.sorted().compactMap { row in
      guard let (id, after) = try state(of: row) else { return nil }
      if before[row] == after { return nil }
      return PlanEntry.Row(rowID: row, appointmentID: id, before: before[row], after: after)
    }
  }
}

extension Practice.Calendar {
  private struct DryRunIsOver<Value: Sendable>: Error {
    let value: Value
  }

  /// A change of the plan in one transaction, with its record; a dry run does it and takes it back.
  ///
  /// - Returns: what `work` returns, and the plan's version after the change; nil where nothing was written.
  func changingPlan<Value: Sendable>(
    _ kind: PlanEntry.Kind, now: Timestamp, reverts: Int64? = nil, isDryRun: Bool,
    _ work: (PlanRecorder) throws -> Value
  ) throws -> (value: Value, version: Int64?) {
    func change() throws -> (value: Value, version: Int64?) {
      let recorder = PlanRecorder(connection: connection)
      let value = try self.sayingWhatIsTaken { try work(recorder) }
      let rows = try recorder.changes()
      guard !rows.isEmpty else { return (value, nil) }
      try self.requireRole(of: rows)
      // What had no time because somebody was in the way may have it now, before anybody else takes it.
      _ = try self.connection.appointments.retryConflicts()
      return (value, try self.connection.plan.append(kind, at: now, reverts: reverts, rows: rows))
    }
    guard isDryRun else { return try writing(change) }
    do {
      return try writing { throw DryRunIsOver(value: try change().value) }
    } catch let over as DryRunIsOver<Value> {
      return (over.value, nil)
    }
  }

  /// Refuses a change that takes a visit to or from where whoever makes it may not keep the book.
  func requireRole(of rows: [PlanEntry.Row]) throws {
    guard let name = practice.door.passage?.actor.name, let user = try connection.users.user(named: name),
      try connection.users.hasLocationRoles(row: user.rowID)
    else { return }
    for row in rows {
      guard let stored = try connection.appointments.appointment(row: row.rowID) else { continue }
      // Where it is taken from, and where it goes.
      for location in [try locationID(of: stored, as: row.before), try practice.workplace.locationID(of: stored)] {
        let place = try location.flatMap { try connection.recordIDs.row(.location, $0) }
        let word = try place.flatMap { try connection.users.role(row: user.rowID, at: $0) } ?? user.role
        guard let role = Role(rawValue: word), !role.may(.writeBook) else { continue }
        throw PracticeError.notPermitted("change of the book there", .writeBook, to: Actor(name: name, role: role))
      }
    }
  }

  /// Where a visit stood in another state; where it stands now, if it was not in the book.
  private func locationID(of stored: StoredAppointment, as before: PlanState?) throws -> String? {
    guard let before, before.status.occupiesTime else { return try practice.workplace.locationID(of: stored) }
    if let named = before.options?.locationID { return named }
    guard try connection.locations.hasAny() else { return nil }
    var appointment = stored.value
    // What is said of it now was not said then.
    appointment.id = ""
    appointment.start = before.start
    appointment.clinicianID = before.clinicianID
    appointment.resourceIDs = before.resourceIDs
    return try practiceDay([timeZone.date(of: before.start)]).siteID(of: appointment)
  }

  /// Says a taken slot in words.
  func sayingWhatIsTaken<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as SlotTaken {
      let moment = timeZone.describe(TimeSlots.start(of: error.slot))
      let what: String
      switch error.part {
      case .clinician(let id): what = id
      case .resource(let id): what = id
      }
      throw PracticeError(
        .slotUnavailable,
        error.appointmentID.map { "\(what) is taken at \(moment) by \($0)" }
          ?? "\(what) has no unit to book at \(moment)",
        hint: "Maybe ask for free ones: vetnet schedule propose")
    }
  }

  /// Gives appointments the states they should have, all or none: first everything that moves gives its slots up, then
  /// takes the new ones.
  func apply(_ states: [(row: Int64, state: PlanState)], recorder: PlanRecorder) throws {
    for (row, _) in states {
      try recorder.watch(row)
      if try connection.appointments.appointment(row: row)?.value.status.occupiesTime == true {
        try connection.appointments.change(row: row) { $0.status = .requested }
      }
    }
    // Before the slots are taken: travel is the clinician's time.
    for (row, state) in states {
      guard let options = state.options, options != (try connection.appointments.options(row: row)) else { continue }
      try connection.appointments.setOptions(options, row: row)
    }
    for (row, state) in states {
      try connection.appointments.change(row: row) {
        $0.status = state.status
        $0.start = state.start
        $0.durationMinutes = state.minutes
        $0.clinicianID = state.clinicianID
        $0.resourceIDs = state.resourceIDs
        $0.visitType = state.visitType
      }
    }
  }
}
