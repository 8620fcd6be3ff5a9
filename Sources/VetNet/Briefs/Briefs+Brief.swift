package import Briefing
package import Clinical
import Scheduling
import Store

extension Practice.Briefs {
  /// The briefs of a day's appointments, in their order, and the appointments that get none, each with why.
  ///
  /// - Throws: ``PracticeError`` for a clinician who is not on the staff: nobody should take a mistyped id for a free day.
  package func briefs(
    on date: CalendarDate, clinicianID: String?, locationID: String? = nil, now: Timestamp
  ) throws -> DayBriefs {
    try reading {
      let briefed = try briefed(on: date, clinicianID: clinicianID, locationID: locationID)
      let preparation = try BriefPreparation(practice, now: now)
      var day = DayBriefs(without: briefed.without)
      for visit in briefed.visits {
        day.briefs.append(
          try preparation.brief(practice.records.stored(patient: visit.patient.id), appointment: visit.appointment))
      }
      return day
    }
  }

  /// The appointments of a day that ask for a brief, in their order, and those that get none, each with why.
  ///
  /// - Throws: ``PracticeError`` as ``briefs(on:clinicianID:locationID:now:)``.
  func briefed(on date: CalendarDate, clinicianID: String?, locationID: String? = nil) throws -> BriefedDay {
    try reading {
      if let clinicianID {
        let staff = try practice.workplace.staffNames()
        guard staff[clinicianID] != nil else { throw practice.calendar.unknownClinician(clinicianID, staff) }
      }
      let place = try locationID.map { (id: $0, day: try practice.calendar.practiceDay([date])) }
      let appointments = try connection.appointments.appointments(startingIn: timeZone.interval(of: date)).map(\.value)
        .filter { clinicianID == nil || $0.clinicianID == clinicianID }
        .filter { appointment in place.map { $0.day.siteID(of: appointment) == $0.id } ?? true }
        .sorted { ($0.start, $0.clinicianID ?? "", $0.id) < ($1.start, $1.clinicianID ?? "", $1.id) }
      var day = BriefedDay()
      for appointment in appointments {
        switch appointment.status {
        case .requested, .done: continue
        case .cancelled: day.without.append(.init(appointment: appointment, reason: .cancelled))
        case .noShow: day.without.append(.init(appointment: appointment, reason: .noShow))
        case .booked, .arrived, .inProgress:
          guard let id = appointment.patientID else {
            day.without.append(.init(appointment: appointment, reason: .noPatient))
            continue
          }
          let patient = try practice.records.stored(patient: id)
          if let died = patient.value.deceasedAt {
            day.without.append(.init(appointment: appointment, reason: .died(died)))
          } else {
            day.visits.append(.init(appointment: appointment, patient: patient.value))
          }
        }
      }
      return day
    }
  }

  /// The brief for one appointment.
  ///
  /// - Throws: ``PracticeError`` when there is no such appointment, it has no patient, or the patient has died.
  package func brief(forAppointment id: String, now: Timestamp) throws -> Brief {
    try reading {
      let appointment = try practice.calendar.storedAppointment(id).value
      guard let patientID = appointment.patientID else {
        throw PracticeError(.notFound, "appointment '\(id)' names no patient")
      }
      return try brief(living(practice.records.stored(patient: patientID)), appointment, now: now)
    }
  }

  /// The brief for a patient, with the next appointment if there is one.
  package func brief(forPatient reference: String, now: Timestamp) throws -> Brief {
    try reading {
      let patient = try living(practice.records.stored(patient: reference))
      let next = try connection.appointments.appointments(patient: patient.rowID).map(\.value)
        .first { $0.start >= now && $0.status.occupiesTime }
      return try brief(patient, next, now: now)
    }
  }

  /// Nothing is prepared for a brief that is kept.
  private func brief(_ patient: Stored<Patient>, _ appointment: Appointment?, now: Timestamp) throws -> Brief {
    try practice.assessment.keptBrief(patient, appointment, now: now) {
      try BriefPreparation(practice, now: now).newBrief(patient, appointment: appointment)
    }
  }

  private func living(_ patient: Stored<Patient>) throws -> Stored<Patient> {
    if let died = patient.value.deceasedAt {
      throw PracticeError(
        .invalidArgument, "\(patient.value.id) died on \(died) and gets no brief",
        hint: "Maybe look at the record: vetnet patient timeline \(patient.value.id)")
    }
    return patient
  }
}
