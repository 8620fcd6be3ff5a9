public import Clinical
import Scheduling
import Store

// What plans may do with an appointment: what they keep, when the owner can come, what comes first.

/// Wishes and limits of an appointment as a change left them.
public struct LimitsChange: Sendable {
  public let options: AppointmentOptions
  /// Limits that the appointment does not keep where it stands, in words.
  public let broken: [String]
  /// The plan's version since; nil where nothing was written.
  public let version: Int64?
}

extension Practice.Calendar {
  /// Changes the wishes and limits of an appointment; a change of the plan like any other, which can be undone.
  ///
  /// - Throws: ``PracticeError`` with `slotUnavailable` when time on the road isn't free, and with `failed` for an
  ///   appointment that is over or cancelled, or an order that goes round in a circle.
  package func setOptions(
    of id: String, now: Timestamp, isDryRun: Bool = false, _ edit: (inout AppointmentOptions) -> Void
  ) throws -> LimitsChange {
    let changed = try changingPlan(.set, now: now, isDryRun: isDryRun) { recorder -> (AppointmentOptions, [String]) in
      let stored = try storedAppointment(id)
      let appointment = stored.value
      guard appointment.status == .requested || appointment.status.occupiesTime else {
        throw PracticeError(
          .failed, "appointment '\(id)' is \(appointment.status.rawValue), and no plan does anything with it any more")
      }
      let before = try connection.appointments.options(row: stored.rowID)
      var options = before
      edit(&options)
      guard options != before else { return (options, try brokenLimits(of: appointment, options)) }
      try requireSense(of: options, insteadOf: before, for: appointment)
      let travelsLonger = options.travelBefore > before.travelBefore || options.travelAfter > before.travelAfter
      if appointment.status.occupiesTime, travelsLonger { try requireRoad(for: appointment, options, now: now) }
      try recorder.watch(stored.rowID)
      try connection.appointments.setOptions(options, row: stored.rowID)
      let after = try connection.appointments.options(row: stored.rowID)
      return (after, try brokenLimits(of: appointment, after))
    }
    return LimitsChange(options: changed.value.0, broken: changed.value.1, version: changed.version)
  }

  /// Refuses new limits that nothing can keep; what stood there before is left alone.
  func requireSense(
    of options: AppointmentOptions, insteadOf before: AppointmentOptions, for appointment: Appointment
  ) throws {
    guard let id = options.afterID else {
      // One that came first may have been deleted since, and leaves its lag behind.
      guard options.lagMinutes == 0 || options.lagMinutes == before.lagMinutes else {
        throw PracticeError(
          .invalidArgument, "a lag needs the appointment that comes first", hint: "Name it with --after ID.")
      }
      return
    }
    if id == before.afterID { return }
    if id == appointment.id { throw PracticeError(.invalidArgument, "'\(id)' can't come after itself") }
    var chain = [appointment.id]
    var next: String? = id
    while let current = next {
      guard !chain.contains(current) else {
        throw PracticeError(
          .failed,
          "'\(appointment.id)' can't come after '\(id)': the order would be a circle, "
            + (chain + [current]).joined(separator: " after "))
      }
      chain.append(current)
      guard let stored = try connection.appointments.appointments(id: current).first else {
        throw PracticeError(
          .notFound, "there is no appointment '\(current)' to come after",
          hint: try otherAppointments(than: appointment))
      }
      next = try connection.appointments.options(row: stored.rowID).afterID
    }
  }

  /// Those of the same patient that could come first, in a sentence.
  private func otherAppointments(than appointment: Appointment) throws -> String {
    let look = "Maybe look at: vetnet schedule show --date DATE"
    guard let patientID = appointment.patientID, let patient = try connection.patients.patients(id: patientID).first
    else { return look }
    let others = try connection.appointments.appointments(patient: patient.rowID).map(\.value).filter {
      ($0.status == .requested || $0.status.occupiesTime) && $0.id != appointment.id
    }
    if others.isEmpty { return look }
    return "\(patientID) has "
      + others.prefix(8).map { "\($0.id) (\(timeZone.describe($0.start)))" }.joined(separator: ", ") + "."
  }

  /// Refuses time on the road that its clinician doesn't work, or has given to others.
  private func requireRoad(for appointment: Appointment, _ options: AppointmentOptions, now: Timestamp) throws {
    guard let clinicianID = appointment.clinicianID else { return }
    let day = try practiceDay(daysTouched(by: appointment, options))
    let verdict = SlotCheck(rules: try schedulingRules()).verdict(
      on: PlannedVisit(
        clinicianID: clinicianID, resourceIDs: appointment.resourceIDs, start: appointment.start,
        minutes: appointment.durationMinutes), for: plainRequest(for: appointment, options, now: now), in: day,
      now: min(now, appointment.start))
    let obstacles = verdict.obstacles.filter {
      [.onLeave, .notWorking, .clinicianTaken, .noBreak].contains($0.kind)
    }
    guard obstacles.isEmpty else {
      throw PracticeError(.slotUnavailable, obstacles.map(\.description).joined(separator: "; "))
    }
  }

  /// The limits that an appointment does not keep where it stands, in words; none for one without a place.
  func brokenLimits(of appointment: Appointment, _ options: AppointmentOptions) throws -> [String] {
    guard appointment.status.occupiesTime, options.window != nil || options.afterID != nil else { return [] }
    let first = try options.afterID.flatMap { try connection.appointments.appointments(id: $0).first?.value }
    return SlotCheck.brokenLimits(
      of: PlannedVisit(
        clinicianID: appointment.clinicianID ?? "", resourceIDs: appointment.resourceIDs, start: appointment.start,
        minutes: appointment.durationMinutes), for: plainRequest(for: appointment, options, now: appointment.start),
      after: first, in: timeZone
    ).map(\.description)
  }

  /// Refuses rooms and devices that the practice doesn't list, naming those it does.
  func requireResources(_ ids: [String]) throws {
    let known = try connection.resources.list().map(\.value)
    if let unknown = ids.first(where: { id in !known.contains { $0.id == id } }) {
      throw PracticeError(
        .notFound, "there is no room or device '\(unknown)'",
        hint: "There are \(known.map { "\($0.id) (\($0.name))" }.joined(separator: ", ")).")
    }
  }

  /// The visit types that this practice has had, beside those that VetNet knows.
  package func visitTypes() throws -> [VisitType] { try reading { try connection.appointments.visitTypes() } }
}
