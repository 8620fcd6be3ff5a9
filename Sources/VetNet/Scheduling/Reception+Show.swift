package import Clinical
import Scheduling
import Store

// The appointment book as it stands, with what it risks.

extension Practice.Reception {
  /// Days that are simulated for what a plan risks.
  static let simulatedDays = 1000

  /// A day's appointments, with what is still asked for, how full the day is and how late it may run.
  ///
  /// - Parameters:
  ///   - date: the day.
  ///   - clinicianID: only this clinician's; nil for all.
  ///   - locationID: only at this location; nil for all.
  ///   - now: the present moment.
  ///   - seed: of the simulated days.
  ///   - judges: whether cases are assessed, for urgency and risk; without, it is quick.
  /// - Returns: the day.
  /// - Throws: ``PracticeError`` for an unknown clinician.
  package func schedule(
    on date: CalendarDate, clinicianID: String?, locationID: String? = nil, now: Timestamp, seed: UInt64 = 1,
    judges: Bool = true
  ) throws -> DaySchedule {
    try reading {
      let staff = try practice.workplace.staffNames()
      if let clinicianID, staff[clinicianID] == nil { throw practice.calendar.unknownClinician(clinicianID, staff) }
      var stored = try connection.appointments.appointments(startingIn: timeZone.interval(of: date))
      let whole = try practice.calendar.practiceDay([date])
      if let locationID { stored.removeAll { whole.siteID(of: $0.value) != locationID } }
      var day = locationID.map { whole.at($0) } ?? whole
      if locationID != nil {
        let here = Set(stored.map(\.value.id))
        day.appointments.removeAll { !here.contains($0.id) }
      }
      var cases: [String: VisitRequest] = [:]
      if judges {
        for item in stored where item.value.status.occupiesTime || item.value.status == .requested {
          cases[item.value.id] = try practice.calendar.visitRequest(.appointment(item.value.id), now: now)
        }
      }
      let risk = judges ? risk(of: stored, cases, day, seed: seed) : nil
      let risks = Dictionary(
        (risk?.visits ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      let entries = try stored.filter { clinicianID == nil || $0.value.clinicianID == clinicianID }.map { item in
        DaySchedule.Entry(
          appointment: item.value, patient: try item.value.patientID.flatMap { try practice.records.registered($0) },
          clinicianName: item.value.clinicianID.flatMap { staff[$0] },
          conflict: try item.conflict ?? missing(item) ?? misfit(item.value, in: whole, now: now),
          urgency: day.options[item.value.id]?.urgency ?? cases[item.value.id]?.urgency, risk: risks[item.value.id],
          options: day.options[item.value.id] ?? AppointmentOptions(),
          broken: try practice.calendar.brokenLimits(
            of: item.value, day.options[item.value.id] ?? AppointmentOptions()),
          revision: item.version, locationID: whole.siteID(of: item.value))
      }
      return DaySchedule(
        date: date,
        entries: entries.sorted {
          ($0.isOpen ? 1 : 0, $0.appointment.start, $0.appointment.clinicianID ?? "", $0.appointment.id)
            < ($1.isOpen ? 1 : 0, $1.appointment.start, $1.appointment.clinicianID ?? "", $1.appointment.id)
        }, workload: workload(day, risk, only: clinicianID), resources: day.resources, risk: risk)
    }
  }

  /// One appointment as its day shows it, without judging its case.
  package func scheduled(_ id: String, now: Timestamp) throws -> DaySchedule.Entry {
    try reading {
      let date = timeZone.date(of: try practice.calendar.storedAppointment(id).value.start)
      let day = try schedule(on: date, clinicianID: nil, now: now, judges: false)
      guard let entry = day.entries.first(where: { $0.appointment.id == id }) else {
        throw PracticeError(.notFound, "there is no appointment '\(id)'")
      }
      return entry
    }
  }

  /// Why a visit that is still to come doesn't fit its location's days, its clinician's hours or credentials any more; nil where it
  /// does. What is booked stays when these change.
  func misfit(_ appointment: Appointment, in day: PracticeDay, now: Timestamp) throws -> String? {
    guard appointment.status == .booked, appointment.start >= now, let clinician = appointment.clinicianID,
      try !practice.assessment.isBlock(appointment), day.staff.contains(where: { $0.id == clinician })
    else { return nil }
    var request = VisitRequest(
      id: appointment.id, patientID: appointment.patientID,
      visitType: appointment.visitType,
      duration: PredictedDuration(p50: Double(max(5, appointment.durationMinutes)), sigma: 0.4), receivedAt: now)
    request.locationID = day.options[appointment.id]?.locationID
    let visit = PlannedVisit(
      clinicianID: clinician, resourceIDs: appointment.resourceIDs, start: appointment.start,
      minutes: appointment.durationMinutes)
    let found = SlotCheck(rules: try practice.calendar.schedulingRules()).misfits(of: visit, for: request, in: day)
    return found.first { Self.misfits.contains($0.kind) }?.description
  }

  private static let misfits: Set<SlotObstacle.Kind> = [.closed, .elsewhere, .onLeave, .notWorking, .uncredentialed]

  /// That the calendar an appointment came from has it no more; nil where that is not so.
  private func missing(_ item: StoredAppointment) throws -> String? {
    guard item.value.status.occupiesTime,
      let gone = try connection.calendars.event(appointment: item.rowID)?.goneAt
    else { return nil }
    return "no longer in the calendar that it came from, since \(timeZone.date(of: gone))"
  }

  /// The simulated day, of what occupies time.
  func risk(
    of stored: [StoredAppointment], _ cases: [String: VisitRequest], _ day: PracticeDay, seed: UInt64
  ) -> DayRisk {
    let visits = stored.map(\.value).filter(\.status.occupiesTime).map { appointment in
      let options = day.options[appointment.id]
      return RiskVisit(
        id: appointment.id, clinicianID: appointment.clinicianID, resourceIDs: appointment.resourceIDs,
        start: appointment.start, minutes: appointment.durationMinutes,
        duration: cases[appointment.id]?.duration
          ?? PredictedDuration(p50: Double(max(5, appointment.durationMinutes)), sigma: 0.4),
        travelBefore: options?.travelBefore ?? 0, travelAfter: options?.travelAfter ?? 0)
    }
    return practice.assessment.keptRisk(of: visits, resources: day.resources, seed: seed)
  }

  /// What a day asks of each who works on it: of what is still to be done, or with `countsDone` of all of it.
  func workload(
    _ day: PracticeDay, _ risk: DayRisk?, only clinicianID: String?, countsDone: Bool = false
  ) -> [DaySchedule.Workload] {
    day.staff.filter { clinicianID == nil || $0.id == clinicianID }.compactMap { member in
      let own = day.appointments.filter {
        $0.clinicianID == member.id && ($0.status.occupiesTime || countsDone && $0.status == .done)
      }
      let hours = day.sites.isEmpty ? nil : day.dates.map { date in localHours(of: member, on: date, day) }
      let working = day.dates.reduce(0) { sum, date in sum + workingMinutes(of: member, on: date, day) }
      let takesVisits = member.role == .veterinarian || member.role == .nurse
      guard (working > 0 && takesVisits) || !own.isEmpty else { return nil }
      return DaySchedule.Workload(
        clinicianID: member.id, name: member.name, visits: own.count,
        bookedMinutes: own.reduce(0) { sum, appointment in
          let options = day.options[appointment.id]
          return sum + appointment.durationMinutes + (options?.travelBefore ?? 0) + (options?.travelAfter ?? 0)
        }, workingMinutes: working,
        hours: hours.map { Array($0.joined()) } ?? day.dates.flatMap { date in member.hours(on: date) },
        risk: risk?.clinicians.first { $0.id == member.id })
    }
  }

  /// Minutes of work on a day, breaks taken out: by contract, or, where there are locations, as far as these are open.
  func workingMinutes(of member: StaffMember, on date: CalendarDate, _ day: PracticeDay) -> Int {
    day.sites.isEmpty
      ? member.workingMinutes(on: date) : member.workingMinutes(in: localHours(of: member, on: date, day), on: date)
  }

  /// Working hours at the locations that are open, in minutes of the day.
  private func localHours(of member: StaffMember, on date: CalendarDate, _ day: PracticeDay) -> [Range<Int>] {
    day.hours(of: member, on: date).map { stretch in
      let end = timeZone.local(stretch.time.upperBound)
      return timeZone.local(stretch.time.lowerBound).minuteOfDay..<(end.date == date ? end.minuteOfDay : 1440)
    }
  }
}

extension StaffMember {
  /// Working hours of a day, in minutes of it; none on leave.
  func hours(on date: CalendarDate) -> [Range<Int>] {
    isOnLeave(date) ? [] : workingHours.filter { $0.weekday == date.weekday }.map(\.minutes)
  }

  /// Minutes of work on a day by contract, breaks taken out; 0 on leave.
  func workingMinutes(on date: CalendarDate) -> Int { workingMinutes(in: hours(on: date), on: date) }

  /// What the weekday's breaks leave of such hours.
  func workingMinutes(in hours: [Range<Int>], on date: CalendarDate) -> Int {
    let pauses = breaks.filter { $0.weekday == date.weekday }.reduce(0) { $0 + $1.minutes }
    return max(0, hours.reduce(0) { $0 + $1.count } - pauses)
  }
}
