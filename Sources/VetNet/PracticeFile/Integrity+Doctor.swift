package import Clinical
import Glibc
import Store
import Vectorization

/// Something that a check of the practice file found.
public struct DoctorFinding: Encodable, Sendable {
  public enum Severity: String, Encodable, Sendable {
    /// The file itself is broken.
    case damage
    /// Somebody should decide or act.
    case problem
    /// A value that is unlikely; it was kept as it is.
    case unlikely
    /// How it is, which nobody need change.
    case remark
  }

  public let severity: Severity
  /// What it is about: a record's id, a table, a file.
  public let subject: String
  public let message: String

  init(_ severity: Severity, _ subject: String, _ message: String) {
    self.severity = severity
    self.subject = subject
    self.message = message
  }
}

extension Practice.Integrity {
  /// Checks the file, the index, the models, the appointment book, and values that can't be right.
  ///
  /// Nothing is changed. Findings come in the order file, records, index, models, appointments, values; the last two are left out
  /// where something before them is damaged, for they would be about values that nobody wrote.
  package func doctor(now: Timestamp, isQuick: Bool) throws -> [DoctorFinding] {
    try reading {
      var findings = try integrityFindings(isQuick: isQuick)
      let isSound = findings.allSatisfy { $0.severity != .damage }
      findings += permissionFindings()
      findings += Confinement.findings
      findings.append(Confinement.readerFinding(practice.settings.readerAddress))
      if isSound { findings += try practice.people.peopleFindings() }
      findings += try keyFindings() + practice.file.encryptionFindings()
      findings += modelFindings()
      guard isSound else { return findings }
      findings += try appointmentFindings(now: now)
      findings += try valueFindings(today: timeZone.date(of: now))
      return findings
    }
  }

  private func permissionFindings() -> [DoctorFinding] {
    [path, practice.secrets.auditKey?.path].compactMap(\.self).compactMap { file in
      var status = stat()
      guard stat(file, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
      return DoctorFinding(.problem, file, "others on this machine may read it; run: chmod 600 '\(file)'")
    }
  }

  /// Whether the key that the audit log's head was made with is not here.
  private func keyFindings() throws -> [DoctorFinding] {
    guard let key = practice.secrets.auditKey, try connection.audit.lacksKey(key) else { return [] }
    if key.isUnreadable {
      return [
        DoctorFinding(
          .problem, "audit log",
          "its key '\(key.path)' can't be read, and nothing is written until it can: give its owner the right to read it"
        )
      ]
    }
    return [
      DoctorFinding(
        .problem, "audit log",
        "its key '\(key.path)' is not there; put it back, or the next entry makes another, and what is before it rests on anchors alone"
      )
    ]
  }

  private func modelFindings() -> [DoctorFinding] {
    do {
      let file = try models.usable { try ModelFile(bytes: try models.data(IndexModel.defaultFile)) }
      try models.usable { try file.verify { ContentHash(of: Array($0)).bytes } }
      return []
    } catch {
      return [DoctorFinding(.problem, "Models/\(IndexModel.defaultFile)", "\(error)")]
    }
  }

  private func appointmentFindings(now: Timestamp) throws -> [DoctorFinding] {
    var findings = try connection.appointments.conflicts().map {
      DoctorFinding(
        .problem, "appointment \($0.value.id)", "\($0.conflict ?? "overlaps another"); move or cancel one of them")
    }
    findings += try slotFindings()
    let today = timeZone.date(of: now)
    let ahead = timeZone.interval(of: today).lowerBound..<timeZone.interval(of: today.adding(days: 90)).upperBound
    let booked = Dictionary(grouping: try connection.appointments.appointments(startingIn: ahead).map(\.value)) {
      timeZone.date(of: $0.start)
    }
    for (date, appointments) in booked.sorted(by: { $0.key < $1.key }) {
      let day = try practice.calendar.practiceDay([date])
      for appointment in appointments {
        guard let reason = try practice.reception.misfit(appointment, in: day, now: now) else { continue }
        findings.append(
          DoctorFinding(.problem, "appointment \(appointment.id)", "\(reason); move it, or leave it as it is"))
      }
    }
    return findings
  }

  /// Appointments whose occupied slots are not those of their times.
  func slotFindings() throws -> [DoctorFinding] {
    try connection.appointments.rowsWithWrongSlots().map { row in
      let id = try connection.recordIDs.shown(.appointment, row) ?? "row \(row)"
      return DoctorFinding(.damage, "appointment \(id)", "holds other slots than its time says")
    }
  }

  private func valueFindings(today: CalendarDate) throws -> [DoctorFinding] {
    let limits = try models.plausibility()
    var findings: [DoctorFinding] = []
    for patient in try connection.patients.list().map(\.value) {
      for complaint in limits.complaints(about: patient, today: today) {
        findings.append(DoctorFinding(.unlikely, "patient \(patient.id)", complaint))
      }
    }
    for ids in try connection.patients.sharedMicrochips() {
      findings.append(
        DoctorFinding(
          .problem, "patients \(ids.joined(separator: ", "))",
          "have one microchip between them; they are one animal, or one of them has another's chip"))
    }
    guard let live = try connection.generations.live() else { return findings }
    let species = Dictionary(
      try connection.patients.list().map { ($0.rowID, $0.value.species) }, uniquingKeysWith: { first, _ in first })
    for fact in try connection.facts.measurements(generation: live.rowID) {
      guard let kind = species[fact.patientRowID], let value = fact.value.value,
        let complaint = limits.complaint(about: fact.value.kind, value: value, species: kind)
      else { continue }
      let note = try connection.recordIDs.shown(.note, fact.noteRowID) ?? "row \(fact.noteRowID)"
      findings.append(DoctorFinding(.unlikely, "note \(note)", complaint))
    }
    return findings
  }
}
