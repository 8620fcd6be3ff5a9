import Assessment
public import Clinical
import Glibc
import Scheduling
import Store

extension Practice {
  /// A day's appointments, with what is still asked for.
  public func schedule(on date: CalendarDate, clinicianID: String?) throws -> DaySchedule {
    try reading {
      let staff = try staffNames()
      if let clinicianID, staff[clinicianID] == nil { throw unknownClinician(clinicianID, staff) }
      let stored = try connection.appointments.appointments(startingIn: timeZone.interval(of: date))
      let entries = try stored.filter { clinicianID == nil || $0.value.clinicianID == clinicianID }.map { item in
        DaySchedule.Entry(
          appointment: item.value, patient: try item.value.patientID.flatMap { try registered($0) },
          clinicianName: item.value.clinicianID.flatMap { staff[$0] }, conflict: item.conflict)
      }
      return DaySchedule(
        date: date,
        entries: entries.sorted {
          ($0.isOpen ? 1 : 0, $0.appointment.start, $0.appointment.clinicianID ?? "", $0.appointment.id)
            < ($1.isOpen ? 1 : 0, $1.appointment.start, $1.appointment.clinicianID ?? "", $1.appointment.id)
        })
    }
  }

  /// The best free slots for a case; nobody is moved and nothing is written.
  public func proposeSlots(
    for request: ProposalRequest, from: Timestamp, now: Timestamp, days: Int, limit: Int
  ) throws -> CaseProposals {
    try reading {
      let visit = try visitRequest(request, now: now)
      let first = timeZone.date(of: max(from, now))
      let dates = (0..<days).map { first.adding(days: $0) }
      let proposals = try pipeline.plan(visit, on: practiceDay(dates), now: max(from, now), count: limit)
      return CaseProposals(request: visit, proposals: proposals, staffNames: try staffNames())
    }
  }

  /// Books an appointment, whoever else tries at the same moment: the file can't hold a double booking.
  ///
  /// - Returns: the appointment as it is on file, with its id.
  /// - Throws: ``PracticeError`` with `slotUnavailable` naming what is in the way.
  public func book(_ booking: Booking, now: Timestamp, isDryRun: Bool = false) throws -> Appointment {
    guard booking.start >= now else {
      throw PracticeError(
        .slotUnavailable, "\(timeZone.iso8601(booking.start)) has passed", hint: "Maybe give a later --at.")
    }
    return try changing(isDryRun: isDryRun) {
      var appointment: Appointment
      if let id = booking.appointmentID {
        let stored = try storedAppointment(id)
        guard stored.value.status == .requested || stored.value.status.occupiesTime else {
          throw PracticeError(.invalidArgument, "appointment '\(id)' is \(stored.value.status.rawValue)")
        }
        appointment = stored.value
      } else {
        guard let reference = booking.patient else {
          throw PracticeError(.invalidArgument, "say for whom: --patient or --appointment")
        }
        appointment = Appointment(
          id: try connection.recordIDs.unused(.appointment), patientID: try patient(reference).id, start: booking.start,
          durationMinutes: 0)
      }
      let staff = try connection.staff.list().map(\.value)
      guard let clinician = staff.first(where: { $0.id == booking.clinicianID }) else {
        throw unknownClinician(booking.clinicianID, try staffNames())
      }
      appointment.start = booking.start
      appointment.clinicianID = clinician.id
      if let type = booking.visitType { appointment.visitType = type }
      if let reason = booking.reason { appointment.reason = reason }
      if let minutes = booking.minutes {
        appointment.durationMinutes = minutes
      } else if appointment.durationMinutes == 0 {
        appointment.durationMinutes = try predictedMinutes(for: appointment, now: now)
      }
      appointment.status = .booked
      try checkPatient(of: appointment)
      let roles = try models.schedulingRules().visits.need(appointment.visitType).roles
      guard roles.contains(clinician.role) else {
        throw PracticeError(
          .slotUnavailable, "\(clinician.id) is \(clinician.role.rawValue) and does not take such visits",
          hint: "Maybe choose a \(roles.map(\.rawValue).sorted().joined(separator: " or ")).")
      }
      try checkHours(of: clinician, for: appointment)
      appointment.resourceIDs = try booking.resourceIDs.isEmpty ? freeResources(for: appointment) : booking.resourceIDs
      return try taking { try self.store(appointment, replacing: booking.appointmentID) }
    }
  }

  /// Cancels an appointment and frees its time.
  public func cancel(appointment id: String, now: Timestamp, isDryRun: Bool = false) throws -> Appointment {
    try changing(isDryRun: isDryRun) {
      let stored = try storedAppointment(id)
      guard stored.value.status == .requested || stored.value.status == .booked || stored.value.status == .arrived
      else {
        throw PracticeError(
          .invalidArgument, "appointment '\(id)' is \(stored.value.status.rawValue) and can't be cancelled")
      }
      return try connection.appointments.cancel(row: stored.rowID).value
    }
  }

  /// Improves a day: places what is asked for, and moves booked visits where that gains more than it costs.
  ///
  /// Written in one transaction that holds the lock from reading to writing, so the plan can't be based on stale data.
  public func optimize(_ date: CalendarDate, limits: SearchLimits, now: Timestamp, isDryRun: Bool) throws -> DayPlan {
    func work() throws -> DayPlan {
      let day = try self.practiceDay([date])
      let open = try self.openRequests(on: date)
      let requests = try open.map { try self.visitRequest(.appointment($0.value.id), now: now) }
      let movable = Set(day.appointments.filter { $0.status == .booked && $0.start > now }.map(\.id))
      let began = Self.monotonicSeconds()
      let proposal = try DayOptimizer(rules: try self.models.schedulingRules(), configuration: limits.configuration)
        .optimize(day, requests: requests, movable: movable, now: now) { Self.monotonicSeconds() - began }
      if !isDryRun { try self.apply(proposal) }
      let known = (day.appointments + open.map(\.value)).reduce(into: [String: Appointment]()) { $0[$1.id] = $1 }
      var patients: [String: Patient] = [:]
      for id in known.values.compactMap(\.patientID) { patients[id] = try self.registered(id) }
      return DayPlan(
        date: date, proposal: proposal, appointments: known, patients: patients,
        isWritten: !isDryRun && !proposal.changes.isEmpty)
    }
    do {
      return try isDryRun ? reading(work) : writing { try self.taking(work) }
    } catch let error as SchedulingError {
      throw PracticeError(.failed, "\(error)")
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

  private func registered(_ id: String) throws -> Patient? { try connection.patients.patients(id: id).first?.value }

  func staffNames() throws -> [String: String] {
    Dictionary(
      try connection.staff.list().map { ($0.value.id, $0.value.name) }, uniquingKeysWith: { first, _ in first })
  }

  /// Staff, rooms and bookings of some days.
  private func practiceDay(_ dates: [CalendarDate]) throws -> PracticeDay {
    let appointments = try dates.flatMap {
      try connection.appointments.appointments(startingIn: timeZone.interval(of: $0)).map(\.value)
    }
    return PracticeDay(
      dates: dates, timeZone: timeZone, staff: try connection.staff.list().map(\.value),
      resources: try connection.resources.list().map(\.value), appointments: appointments)
  }

  /// What is asked for and has its wished time on that day.
  private func openRequests(on date: CalendarDate) throws -> [StoredAppointment] {
    try connection.appointments.appointments(startingIn: timeZone.interval(of: date)).filter {
      $0.value.status == .requested
    }
  }

  /// A request as the scheduler sees it: the case assessed, its length predicted.
  private func visitRequest(_ request: ProposalRequest, now: Timestamp) throws -> VisitRequest {
    switch request {
    case .intake(let intake, let reference):
      let assessment = try triage(intake, patient: reference, now: now, saves: false)
      return VisitRequest(
        id: intake.id, patientID: try reference.map { try patient($0).id }, urgency: assessment.triage.urgency,
        visitType: assessment.visitType.visitType, specialty: assessment.specialties.first?.specialty,
        duration: assessment.predictedDuration, preferredClinicianID: try usualClinician(of: reference),
        receivedAt: intake.receivedAt ?? now)
    case .appointment(let id):
      let appointment = try storedAppointment(id).value
      let assessed = try assessment(of: appointment, now: now)
      return VisitRequest(
        id: appointment.id, patientID: appointment.patientID, urgency: assessed?.triage.urgency,
        visitType: appointment.visitType ?? assessed?.visitType.visitType,
        specialty: assessed?.specialties.first?.specialty,
        duration: assessed?.predictedDuration
          ?? PredictedDuration(p50: Double(max(5, appointment.durationMinutes)), sigma: 0.4),
        preferredClinicianID: try appointment.clinicianID ?? usualClinician(of: appointment.patientID),
        wishedStart: appointment.start, receivedAt: min(now, appointment.start))
    }
  }

  /// The vet who wrote most of the patient's latest ten notes, where that is somebody on the staff.
  private func usualClinician(of reference: String?) throws -> String? {
    guard let reference, let patient = try? stored(patient: reference) else { return nil }
    let vets = Set(try connection.staff.list().map(\.value).filter { $0.role == .veterinarian }.map(\.id))
    var counts: [String: Int] = [:]
    for note in try connection.notes.notes(patient: patient.rowID).suffix(10) {
      if let author = note.value.author, vets.contains(author) { counts[author, default: 0] += 1 }
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  private func predictedMinutes(for appointment: Appointment, now: Timestamp) throws -> Int {
    let estimate = try assessment(of: appointment, now: now)?.duration ?? usualDuration(of: appointment, now: now)
    let quantile = try models.schedulingRules().planQuantile
    return Int((estimate.quantile(quantile) / 5).rounded(.up)) * 5
  }

  // MARK: - Writing the book

  /// The dead are not booked, and nobody is in two rooms at once.
  private func checkPatient(of appointment: Appointment) throws {
    guard let id = appointment.patientID else { return }
    let patient = try stored(patient: id)
    if let died = patient.value.deceasedAt {
      throw PracticeError(.slotUnavailable, "\(id) died on \(died)", hint: "Maybe another patient is meant.")
    }
    let others = try connection.appointments.appointments(patient: patient.rowID).map(\.value).filter {
      $0.id != appointment.id && $0.status.occupiesTime && $0.start < appointment.end && appointment.start < $0.end
    }
    if let other = others.first {
      throw PracticeError(
        .slotUnavailable, "\(id) is booked then already: \(other.id) at \(timeZone.iso8601(other.start))",
        hint: "Maybe cancel that one first.")
    }
  }

  /// Somebody may be booked outside their hours only by changing the hours.
  private func checkHours(of clinician: StaffMember, for appointment: Appointment) throws {
    let start = timeZone.local(appointment.start)
    let minutes = start.minuteOfDay..<(start.minuteOfDay + appointment.durationMinutes)
    if clinician.isOnLeave(start.date) {
      throw PracticeError(.slotUnavailable, "\(clinician.id) is on leave on \(start.date)")
    }
    let works = clinician.workingHours.contains {
      $0.weekday == start.date.weekday && $0.minutes.lowerBound <= minutes.lowerBound
        && minutes.upperBound <= $0.minutes.upperBound
    }
    guard works else {
      throw PracticeError(
        .slotUnavailable,
        "\(clinician.id) does not work at \(timeZone.iso8601(appointment.start)) for \(appointment.durationMinutes) minutes",
        hint: "Maybe ask: vetnet schedule propose --patient …")
    }
  }

  /// One free resource of each kind that the visit needs.
  private func freeResources(for appointment: Appointment) throws -> [String] {
    let resources = try connection.resources.list()
    return try models.schedulingRules().visits.need(appointment.visitType).resourceKinds.compactMap { kind in
      let ofKind = resources.filter { $0.value.kind == kind }
      guard !ofKind.isEmpty else { return nil }
      for resource in ofKind
      where try connection.appointments.freeUnit(
        of: resource.rowID, at: appointment.start, minutes: appointment.durationMinutes) != nil
      {
        return resource.value.id
      }
      throw PracticeError(
        .slotUnavailable, "no \(kind) is free at \(timeZone.iso8601(appointment.start))",
        hint: "Maybe take another time.")
    }
  }

  private func store(_ appointment: Appointment, replacing id: String?) throws -> Appointment {
    guard let id else { return try connection.appointments.book(appointment).value }
    let stored = try storedAppointment(id)
    return try connection.appointments.change(row: stored.rowID, expecting: stored.version) { $0 = appointment }.value
  }

  /// Says a taken slot in words.
  private func taking<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as SlotTaken {
      throw PracticeError(.slotUnavailable, "\(error)", hint: "Maybe ask for free ones: vetnet schedule propose")
    }
  }

  /// All changes or none: first everything that moves gives its slots up, then takes the new ones.
  private func apply(_ proposal: DayProposal) throws {
    for change in proposal.changes where change.kind == .move {
      let stored = try storedAppointment(change.id)
      _ = try connection.appointments.change(row: stored.rowID) { $0.status = .requested }
    }
    for change in proposal.changes {
      let stored = try storedAppointment(change.id)
      _ = try connection.appointments.change(row: stored.rowID) {
        $0.start = change.after.start
        $0.durationMinutes = change.after.minutes
        $0.clinicianID = change.after.clinicianID
        $0.resourceIDs = change.after.resourceIDs
        $0.status = .booked
      }
    }
  }

  private struct DryRunIsOver<Value: Sendable>: Error {
    let value: Value
  }

  /// A change of the book in one transaction; a dry run does it and takes it back.
  private func changing<Value: Sendable>(isDryRun: Bool, _ work: () throws -> Value) throws -> Value {
    guard isDryRun else { return try writing(work) }
    do {
      return try writing { throw DryRunIsOver(value: try work()) }
    } catch let over as DryRunIsOver<Value> {
      return over.value
    }
  }

  private func unknownClinician(_ id: String, _ staff: [String: String]) -> PracticeError {
    PracticeError(
      .notFound, "there is no staff member '\(id)'",
      hint: "There are \(staff.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")).")
  }

  /// Seconds on a clock that never runs back, for limits of search only.
  private static func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension DaySchedule.Entry {
  /// Asked for and not yet given a place.
  var isOpen: Bool { appointment.status == .requested }
}
