public import Clinical
public import Scheduling
import Store

/// Why an appointment stands where it does.
public struct VisitReasons: Sendable {
  public let appointment: Appointment
  public let patient: Patient?
  public let version: Int64
  public let explanation: Explanation
  /// The changes that brought it there, the newest first.
  public let history: [PlanEntry]
}

/// Why an appointment can't stand somewhere, and what could be done.
public struct SlotRefusal: Sendable {
  public let appointment: Appointment
  public let visit: PlannedVisit
  public let verdict: SlotVerdict
  /// The cheapest first.
  public let alternatives: [SlotAlternative]
  /// What the slot would be worth beside what the appointment has now, in points; nil where it has no slot.
  public let difference: Explanation?
  /// Of the plan that it was asked of.
  public let version: Int64
}

extension Practice.Calendar {
  /// The score of a booked appointment, rule by rule, with the facts behind it.
  ///
  /// - Throws: ``PracticeError`` for an appointment that isn't there or has no slot.
  package func why(appointment id: String, now: Timestamp, seed: UInt64 = 1) throws -> VisitReasons {
    try reading {
      let stored = try storedAppointment(id)
      let appointment = stored.value
      guard let clinicianID = appointment.clinicianID, appointment.status != .requested else {
        throw PracticeError(
          .failed, "appointment '\(id)' has no slot yet",
          hint: "Maybe ask: vetnet schedule propose --appointment \(id)")
      }
      let dates = daysTouched(by: appointment, try connection.appointments.options(row: stored.rowID))
      let day = try practiceDay(dates, with: connection.appointments.options(row: stored.rowID).afterID)
      let request = try bookedRequest(stored, now: now)
      let others = try connection.appointments.appointments(
        startingIn: timeZone.interval(of: timeZone.date(of: appointment.start)))
      var cases = [appointment.id: request]
      for other in others where other.value.status.occupiesTime && other.value.clinicianID == clinicianID {
        if cases[other.value.id] == nil { cases[other.value.id] = try bookedRequest(other, now: now) }
      }
      let risk = practice.reception.risk(of: others, cases, day, seed: seed).visits.first { $0.id == id }
      let visit = PlannedVisit(
        clinicianID: clinicianID, resourceIDs: appointment.resourceIDs, start: appointment.start,
        minutes: appointment.durationMinutes)
      let entries = try connection.plan.entries().filter { $0.rows.contains { $0.rowID == stored.rowID } }
      return VisitReasons(
        appointment: appointment, patient: try appointment.patientID.flatMap { try practice.records.registered($0) },
        version: try connection.plan.version(),
        explanation: VisitAnalysis(rules: try schedulingRules()).explanation(
          of: visit, for: request, on: day, now: now, risk: risk), history: entries.reversed())
    }
  }

  /// A booked appointment as the request it came from: planned for its own time unless it was triaged when it came.
  private func bookedRequest(_ stored: StoredAppointment, now: Timestamp) throws -> VisitRequest {
    var request = try visitRequest(.appointment(stored.value.id), now: now)
    let options = try connection.appointments.options(row: stored.rowID)
    request.urgency = options.urgency
    request.preferredClinicianID = try practice.assessment.usualClinician(of: stored.value.patientID)
    request.clinicianIDs = nil
    request.receivedAt = options.receivedAt ?? min(now, stored.value.start)
    return request
  }

  /// Everything that forbids an appointment a time with somebody, the smallest set of appointments in the way, and the
  /// cheapest changes that would allow it.
  ///
  /// - Parameters:
  ///   - id: the appointment, booked or asked for.
  ///   - start: the time asked about.
  ///   - clinicianID: with whom; nil for the one it has.
  ///   - resourceIDs: where; empty for whatever of the kind is free.
  ///   - now: the present moment.
  /// - Returns: the reasons and the ways round.
  /// - Throws: ``PracticeError`` for an appointment that isn't there, or no clinician to ask about.
  package func whyNot(
    appointment id: String, at start: Timestamp, with clinicianID: String?, resourceIDs: [String] = [], now: Timestamp
  ) throws -> SlotRefusal {
    do {
      return try reading {
        let stored = try storedAppointment(id)
        let appointment = stored.value
        guard let clinician = clinicianID ?? appointment.clinicianID else {
          throw PracticeError(.invalidArgument, "say with whom: --with CLINICIAN")
        }
        let staff = try practice.workplace.staffNames()
        if staff[clinician] == nil { throw unknownClinician(clinician, staff) }
        try requireResources(resourceIDs)
        var moved = appointment
        moved.start = start
        moved.clinicianID = clinician
        if moved.durationMinutes == 0 { moved.durationMinutes = try predictedMinutes(for: moved, now: now) }
        let options = try connection.appointments.options(row: stored.rowID)
        let day = try practiceDay(daysTouched(by: moved, options), with: options.afterID)
        let rules = try schedulingRules()
        let request = plainRequest(for: moved, options, now: now)
        let visit = PlannedVisit(
          clinicianID: clinician, resourceIDs: resourceIDs, start: start, minutes: moved.durationMinutes)
        let verdict = SlotCheck(rules: rules).verdict(on: visit, for: request, in: day, now: now)
        var wish = try visitRequest(.appointment(id), now: now)
        wish.urgency = options.urgency
        wish.wishedStart = start
        wish.clinicianIDs = nil
        let analysis = VisitAnalysis(rules: rules)
        var difference: Explanation?
        if appointment.status.occupiesTime, let own = appointment.clinicianID {
          let standing = PlannedVisit(
            clinicianID: own, resourceIDs: appointment.resourceIDs, start: appointment.start,
            minutes: appointment.durationMinutes)
          var owned = wish
          owned.wishedStart = appointment.start
          let today = try practiceDay(daysTouched(by: appointment, options))
          let now = analysis.explanation(of: standing, for: owned, on: today, now: now)
          let there = analysis.explanation(of: visit, for: owned, on: day, now: appointment.start)
          difference = .sum(
            "worth there less worth here",
            of: [
              Explanation("there: \(there.description)", value: there.value, details: there.details),
              Explanation("here: \(now.description)", value: -now.value, details: now.details),
            ])
        }
        let movable = Set(verdict.conflicts).intersection(
          day.appointments.filter { $0.status == .booked && $0.start > now }.map(\.id))
        let details = try movable.sorted().map { try visitRequest(.appointment($0), now: now) }
        var alternatives: [SlotAlternative] = []
        if !verdict.isFree {
          let advisor = SlotAdvisor(rules: rules)
          alternatives = try advisor.alternatives(
            to: visit, for: wish, on: day, movable: movable, details: details, now: now)
          if alternatives.isEmpty {
            // A Sunday, a holiday, a time that has passed: the nearest days have something.
            let date = timeZone.date(of: max(now, start))
            let first = max(timeZone.date(of: now), date.adding(days: -3))
            let dates = (0...(date.daysSince1970 - first.daysSince1970 + 7)).map { first.adding(days: $0) }
            alternatives = try advisor.alternatives(
              to: visit, for: wish, on: practiceDay(dates, with: options.afterID), movable: [], now: now)
          }
        }
        return SlotRefusal(
          appointment: appointment, visit: visit, verdict: verdict, alternatives: alternatives,
          difference: difference, version: try connection.plan.version())
      }
    } catch let error as SchedulingError {
      throw PracticeError(.failed, "\(error)")
    }
  }
}
