public import Briefing
public import Clinical
import Retrieval
import Store

extension Practice {
  private static let similarLimit = 3

  /// The briefs of a day's appointments, in their order. The dead, the cancelled and those without a patient get none.
  public func briefs(on date: CalendarDate, clinicianID: String?, now: Timestamp) throws -> [Brief] {
    try reading {
      let appointments = try connection.appointments.appointments(startingIn: timeZone.interval(of: date)).map(\.value)
      return
        try appointments
        .filter { $0.status.occupiesTime && (clinicianID == nil || $0.clinicianID == clinicianID) }
        .sorted { ($0.start, $0.clinicianID ?? "", $0.id) < ($1.start, $1.clinicianID ?? "", $1.id) }
        .compactMap { appointment in
          guard let id = appointment.patientID else { return nil }
          let patient = try stored(patient: id)
          return patient.value.deceasedAt == nil ? try brief(patient, appointment: appointment, now: now) : nil
        }
    }
  }

  /// The brief for one appointment.
  ///
  /// - Throws: ``PracticeError`` when there is no such appointment, it has no patient, or the patient has died.
  public func brief(forAppointment id: String, now: Timestamp) throws -> Brief {
    try reading {
      let appointment = try storedAppointment(id).value
      guard let patientID = appointment.patientID else {
        throw PracticeError(.notFound, "appointment '\(id)' names no patient")
      }
      return try brief(living(stored(patient: patientID)), appointment: appointment, now: now)
    }
  }

  /// The brief for a patient, with the next appointment if there is one.
  public func brief(forPatient reference: String, now: Timestamp) throws -> Brief {
    try reading {
      let patient = try living(stored(patient: reference))
      let next = try connection.appointments.appointments(patient: patient.rowID).map(\.value)
        .first { $0.start >= now && $0.status.occupiesTime }
      return try brief(patient, appointment: next, now: now)
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

  private func brief(_ patient: Stored<Patient>, appointment: Appointment?, now: Timestamp) throws -> Brief {
    let record = try record(of: patient, at: now)
    let assessment = try appointment.flatMap { try self.assessment(of: $0, now: now) }
    let brief = try pipeline.brief(
      record, appointment: appointment, assessment: assessment,
      similar: similarLines(to: appointment?.reason, except: patient.value, now: now), now: now, zone: timeZone)
    return try verified(brief)
  }

  /// Passages of other patients' records that resemble the reason for the visit.
  private func similarLines(to reason: String?, except patient: Patient, now: Timestamp) throws -> [SimilarLine] {
    guard let reason else { return [] }
    let hits = try hits(
      for: reason, filter: RetrievalFilter(dates: Timestamp(seconds: .min / 2)..<now), limit: Self.similarLimit * 6)
    var seen: Set<String> = [patient.id]
    var lines: [SimilarLine] = []
    for hit in hits where lines.count < Self.similarLimit && seen.insert(hit.patientID).inserted {
      guard let other = try connection.patients.patients(id: hit.patientID).first?.value,
        other.species == patient.species
      else { continue }
      let note = try note(hit.noteID)
      let words = (note.text.slice(utf8: hit.range).map(String.init) ?? "").split(whereSeparator: \.isWhitespace)
        .prefix(14)
      lines.append(
        SimilarLine(
          text: "\(other.name) (\(other.id)), \(timeZone.date(of: note.recordedAt)): \(words.joined(separator: " "))…",
          note: note, range: hit.range))
    }
    return lines
  }

  /// A brief with every quote read again from its note; a line whose source no longer holds is left out.
  private func verified(_ brief: Brief) throws -> Brief {
    let holds = try brief.citations.map { $0.holds(in: try note($0.noteID)) }
    guard holds.contains(false) else { return brief }
    var brief = brief
    for index in brief.sections.indices {
      brief.sections[index].lines.removeAll { line in line.citations.contains { !holds[$0] } }
    }
    brief.sections.removeAll(where: \.lines.isEmpty)
    return brief
  }
}
