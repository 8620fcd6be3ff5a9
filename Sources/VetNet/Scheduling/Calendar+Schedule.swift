import Assessment
package import Clinical
import Glibc
import Scheduling
import Store

extension Practice.Calendar {
  /// The best free slots for a case; nobody is moved and nothing is written.
  package func proposeSlots(
    for request: ProposalRequest, from: Timestamp, now: Timestamp, days: Int, limit: Int, urgency: Urgency? = nil,
    locationID: String? = nil
  ) throws -> CaseProposals {
    try reading {
      var visit = try visitRequest(request, now: now)
      if let urgency { visit.urgency = max(urgency, visit.urgency ?? urgency) }
      if let id = visit.patientID, let died = try practice.records.stored(patient: id).value.deceasedAt {
        throw PracticeError(.slotUnavailable, "\(id) died on \(died)", hint: "Maybe another patient is meant.")
      }
      // Who may not come before waits from then on.
      visit.receivedAt = max(visit.receivedAt, from)
      visit.locationID = locationID ?? visit.locationID
      let first = timeZone.date(of: max(from, now))
      let dates = (0..<days).map { first.adding(days: $0) }
      var day = try practiceDay(dates, with: visit.afterID)
      day.appointments.removeAll { $0.id == visit.id }
      let proposals = pipeline.plan(visit, on: day, rules: try schedulingRules(), now: max(from, now), count: limit)
      return CaseProposals(request: visit, proposals: proposals, staffNames: try practice.workplace.staffNames())
    }
  }

  // MARK: - Reading the book

  func storedAppointment(_ id: String) throws -> StoredAppointment {
    guard let stored = try connection.appointments.appointments(id: id).first else {
      throw PracticeError(
        .notFound, "there is no appointment '\(id)'", hint: "Maybe look at: vetnet schedule show --date DATE")
    }
    return stored
  }

  /// - Throws: ``PracticeError`` with `changedMeanwhile` where it is at another revision than the one expected.
  func storedAppointment(_ id: String, expecting revision: Int64?) throws -> StoredAppointment {
    let stored = try storedAppointment(id)
    guard revision == nil || revision == stored.version else {
      throw PracticeError(
        .changedMeanwhile, "appointment '\(id)' was changed meanwhile", hint: "Maybe look at it again and repeat.")
    }
    return stored
  }

  /// Staff, rooms and bookings of some days, with one appointment more that something has to come after, wherever that
  /// stands.
  func practiceDay(_ dates: [CalendarDate], with afterID: String? = nil) throws -> PracticeDay {
    var appointments = try dates.flatMap {
      try connection.appointments.appointments(startingIn: timeZone.interval(of: $0)).map(\.value)
    }
    if let afterID, !appointments.contains(where: { $0.id == afterID }),
      let first = try connection.appointments.appointments(id: afterID).first?.value
    {
      appointments.append(first)
    }
    return PracticeDay(
      dates: dates, timeZone: timeZone, staff: try connection.staff.list().map(\.value),
      resources: try connection.resources.list().map(\.value), appointments: appointments,
      options: try options(on: dates), sites: try practice.workplace.sites(on: dates),
      travelMinutes: try models.schedulingRules().locationTravelMinutes)
  }

  private func options(on dates: [CalendarDate]) throws -> [String: AppointmentOptions] {
    guard let first = dates.min(), let last = dates.max() else { return [:] }
    return try connection.appointments.options(
      startingIn: timeZone.timestamp(of: first)..<timeZone.timestamp(of: last.adding(days: 1)))
  }

  /// The rules with the practice's own settings.
  func schedulingRules() throws -> SchedulingRules {
    let rules = try models.schedulingRules()
    guard let text = try practice.settings.setting(.quantile), let quantile = Double(text) else { return rules }
    return rules.reserving(quantile: quantile)
  }

  /// What is asked for and has its wished time on that day.
  func openRequests(on date: CalendarDate) throws -> [StoredAppointment] {
    try connection.appointments.appointments(startingIn: timeZone.interval(of: date)).filter {
      $0.value.status == .requested
    }
  }

  /// A request as the scheduler sees it: the case assessed, its length predicted.
  func visitRequest(_ request: ProposalRequest, now: Timestamp) throws -> VisitRequest {
    switch request {
    case .intake(let intake, let reference):
      let assessment = try practice.assessment.triage(intake, patient: reference, now: now, saves: false)
      return VisitRequest(
        id: intake.id, patientID: try reference.map { try practice.records.patient($0).id },
        urgency: assessment.triage.urgency,
        visitType: assessment.visitType.visitType, specialty: assessment.specialties.first?.specialty,
        species: try species(of: reference) ?? intake.species, duration: assessment.predictedDuration,
        preferredClinicianID: try practice.assessment.usualClinician(of: reference),
        receivedAt: intake.receivedAt ?? now)
    case .appointment(let id):
      let stored = try storedAppointment(id)
      let appointment = stored.value
      let assessed = try practice.assessment.judgedCase(of: appointment, now: now)
      var request = VisitRequest(
        id: appointment.id, patientID: appointment.patientID, urgency: assessed?.urgency,
        visitType: appointment.visitType ?? assessed?.visitType, specialty: assessed?.specialty,
        species: try species(of: appointment.patientID),
        duration: try assessed?.predictedDuration ?? plannedDuration(of: appointment, now: now),
        preferredClinicianID: try appointment.clinicianID
          ?? practice.assessment.usualClinician(of: appointment.patientID),
        wishedStart: appointment.start, receivedAt: min(now, appointment.start))
      // Minutes on file were asked for by somebody; a prediction fills in where there are none.
      if appointment.durationMinutes > 0 { request.requestedMinutes = appointment.durationMinutes }
      request.apply(try connection.appointments.options(row: stored.rowID))
      return request
    }
  }

  private func species(of reference: String?) throws -> Species? {
    try reference.map { try practice.records.stored(patient: $0).value.species }
  }

  /// How long a visit of its type may take, for an appointment that says nothing else.
  private func plannedDuration(of appointment: Appointment, now: Timestamp) throws -> PredictedDuration {
    // What is no visit takes the time that was given to it.
    if try practice.assessment.isBlock(appointment) {
      return PredictedDuration(p50: Double(max(1, appointment.durationMinutes - 1)), sigma: 0.001)
    }
    let estimate = try practice.assessment.usualDuration(of: appointment, now: now)
    return PredictedDuration(p50: estimate.p50, sigma: estimate.sigma)
  }

  func predictedMinutes(for appointment: Appointment, now: Timestamp) throws -> Int {
    let estimate =
      try practice.assessment.judgedCase(of: appointment, now: now)?.duration
      ?? practice.assessment.usualDuration(of: appointment, now: now)
    let quantile = try schedulingRules().planQuantile
    return Int((estimate.quantile(quantile) / 5).rounded(.up)) * 5
  }

  func unknownClinician(_ id: String, _ staff: [String: String]) -> PracticeError {
    PracticeError(
      .notFound, "there is no staff member '\(id)'",
      hint: "There are \(staff.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")).")
  }

  /// Seconds on a clock that never runs back, for limits of search only.
  static func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension DaySchedule.Entry {
  /// Asked for and not yet given a place.
  var isOpen: Bool { appointment.status == .requested }
}
