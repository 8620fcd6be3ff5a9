public import Clinical
public import Scheduling
import Store

/// An emergency that has its place, and what that meant for others.
public struct EmergencyBooking: Sendable {
  /// Somebody who has to be told.
  public struct Notice: Sendable {
    public let appointmentID: String
    public let patient: Patient?
    public let phone: String?
    public let before: PlannedVisit
    public let after: PlannedVisit
    /// A sentence for the telephone.
    public let text: String
  }

  public let appointment: Appointment
  public let urgency: Urgency
  public let plan: EmergencyPlan
  public let notices: [Notice]
  /// Seconds the search for a place took.
  public let seconds: Double
  /// Nil after a dry run.
  public let version: Int64?
}

extension Practice.Calendar {
  /// Makes room for an urgent case today, moving as few others as it takes, and books it.
  ///
  /// - Parameters:
  ///   - request: the case: a request on file, or an intake whose patient is on file.
  ///   - urgency: its level; nil for what triage says.
  ///   - minutes: how long; nil for what is predicted.
  ///   - locationID: only there; nil for wherever is best.
  ///   - now: the present moment.
  ///   - isDryRun: plans and writes nothing.
  /// - Returns: the appointment, the moves, and who has to be told what.
  /// - Throws: ``PracticeError`` with `slotUnavailable` when it fits nowhere today, with `failed` for a case that is
  ///   neither red nor orange.
  package func bookEmergency(
    _ request: ProposalRequest, urgency: Urgency? = nil, minutes: Int? = nil, locationID: String? = nil,
    now: Timestamp, isDryRun: Bool = false
  ) throws -> EmergencyBooking {
    var visit = try reading { try visitRequest(request, now: now) }
    if let urgency {
      // Who may not settle a case makes none less urgent.
      let settles = practice.door.passage?.actor.role.may(.settle) ?? true
      visit.urgency = settles ? urgency : max(urgency, visit.urgency ?? urgency)
    }
    if let minutes { visit.requestedMinutes = minutes }
    guard let level = visit.urgency, level >= .orange else {
      throw PracticeError(
        .failed, "the case is \(visit.urgency?.rawValue ?? "not urgent"), no emergency",
        hint: "Maybe ask for slots: vetnet schedule propose; or give the level with --urgency.")
    }
    visit.receivedAt = min(visit.receivedAt, now)
    visit.locationID = locationID ?? visit.locationID
    visit.earliestStart = nil
    if let id = visit.patientID, let died = try practice.records.patient(id).deceasedAt {
      throw PracticeError(.slotUnavailable, "\(id) died on \(died)", hint: "Maybe another patient is meant.")
    }
    if case .intake(_, nil) = request {
      throw PracticeError(.invalidArgument, "say for whom: --patient", hint: "Booking needs a patient on file.")
    }
    for _ in 0..<Self.planAttempts {
      let revision = try reading { try connection.plan.revision() }
      let cases = try reading { try self.cases(near: now) }
      var today = try reading { try practiceDay([timeZone.date(of: now)]) }
      today.appointments.removeAll { $0.id == visit.id }
      let began = Self.monotonicSeconds()
      guard
        let plan = try EmergencyPlanner(rules: schedulingRules()).plan(
          visit, on: today, details: cases, now: now)
      else {
        throw PracticeError(
          .slotUnavailable, "the case fits nowhere today, even with others moved",
          hint: "Maybe refer it, or move something by hand: vetnet schedule move ID --at TIME")
      }
      let seconds = Self.monotonicSeconds() - began
      let written = try changingPlan(.emergency, now: now, isDryRun: isDryRun) { recorder -> Appointment? in
        guard try connection.plan.revision() == revision else { return nil }
        return try write(plan, for: visit, request, level: level, recorder: recorder)
      }
      guard let appointment = written.value else { continue }
      return EmergencyBooking(
        appointment: appointment, urgency: level, plan: plan,
        notices: try notices(of: plan, for: appointment, level: level), seconds: seconds, version: written.version)
    }
    throw PracticeError(.locked, "the book kept changing while a place was looked for", hint: "Maybe try again.")
  }

  /// What other clinicians need to know to take over what stands in the next hours.
  private func cases(near now: Timestamp) throws -> [String: VisitRequest] {
    let reach = now..<now.adding(minutes: 300)
    var details: [String: VisitRequest] = [:]
    for stored in try connection.appointments.appointments(startingIn: reach) where stored.value.status == .booked {
      details[stored.value.id] = try visitRequest(.appointment(stored.value.id), now: now)
    }
    return details
  }

  private func write(
    _ plan: EmergencyPlan, for visit: VisitRequest, _ request: ProposalRequest, level: Urgency, recorder: PlanRecorder
  ) throws -> Appointment {
    let moving = try plan.moves.map { change in
      let stored = try storedAppointment(change.id)
      return (
        row: stored.rowID,
        state: PlanState(
          status: stored.value.status, start: change.after.start, minutes: change.after.minutes,
          clinicianID: change.after.clinicianID, resourceIDs: change.after.resourceIDs,
          visitType: stored.value.visitType)
      )
    }
    try apply(moving, recorder: recorder)
    let row: Int64
    switch request {
    case .appointment(let id):
      let stored = try storedAppointment(id)
      row = stored.rowID
      try apply(
        [
          (
            row: row,
            state: PlanState(
              status: .booked, start: plan.visit.start, minutes: plan.visit.minutes,
              clinicianID: plan.visit.clinicianID, resourceIDs: plan.visit.resourceIDs,
              visitType: stored.value.visitType ?? visit.visitType)
          )
        ], recorder: recorder)
    case .intake(let intake, _):
      let appointment = Appointment(
        id: try connection.recordIDs.unused(.appointment), patientID: visit.patientID,
        clinicianID: plan.visit.clinicianID, resourceIDs: plan.visit.resourceIDs, start: plan.visit.start,
        durationMinutes: plan.visit.minutes, visitType: visit.visitType, reason: intake.text)
      row = try connection.appointments.book(appointment).rowID
      recorder.watch(new: row)
    }
    var options = try connection.appointments.options(row: row)
    options.urgency = level
    options.receivedAt = visit.receivedAt
    try connection.appointments.setOptions(options, row: row)
    guard let stored = try connection.appointments.appointment(row: row) else {
      throw PracticeError(.failed, "the appointment is gone")
    }
    return stored.value
  }

  private func notices(
    of plan: EmergencyPlan, for emergency: Appointment, level: Urgency
  ) throws -> [EmergencyBooking.Notice] {
    let names = try reading { try practice.workplace.staffNames() }
    return try plan.moves.compactMap { change in
      guard let before = change.before else { return nil }
      let appointment = try reading { try storedAppointment(change.id).value }
      let patient = try reading { try appointment.patientID.flatMap { try practice.records.registered($0) } }
      let phone = try reading {
        try patient?.ownerID.flatMap { try connection.clients.clients(id: $0).first?.value.phone }
      }
      let vet =
        before.clinicianID == change.after.clinicianID
        ? "" : " with \(names[change.after.clinicianID] ?? change.after.clinicianID)"
      let former = vet.isEmpty ? "" : " with \(names[before.clinicianID] ?? before.clinicianID)"
      let name = patient?.name ?? change.id
      let stays = vet.isEmpty && before.start == change.after.start
      return EmergencyBooking.Notice(
        appointmentID: change.id, patient: patient, phone: phone, before: before, after: change.after,
        text: stays
          ? "An emergency came in (\(level.rawValue), \(emergency.id)). \(name) keeps its time and vet, in \(change.after.resourceIDs.joined(separator: ", ")): nobody outside has to be told."
          : "An emergency came in (\(level.rawValue), \(emergency.id)). \(name) is seen at \(timeZone.clock(change.after.start))\(vet) instead of \(timeZone.clock(before.start))\(former)."
      )
    }
  }
}
