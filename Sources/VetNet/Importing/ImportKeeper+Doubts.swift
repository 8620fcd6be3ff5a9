import Clinical
import Interchange
import Store

/// Fields that read well and yet can't be kept: they cost themselves, not their row.
extension ImportKeeper {
  func leaveOutDoubtful(_ row: inout Row, _ context: ImportContext) throws {
    switch row.record {
    case .patient(var patient):
      try leaveOutOwner(&row, &patient, context.source)
      try leaveOutMicrochip(&row, &patient, context.source)
      row.record = .patient(patient)
    case .appointment(var appointment, let reference):
      try leaveOutStrangers(&row, &appointment, context.source)
      row.record = .appointment(appointment, of: reference)
    case .note(let note, _): try leaveOutCorrected(&row, note, context.source)
    case .client, .location, .staff, .resource, .intake, .calendarEntry: break
    }
  }

  /// An owner whom nobody knows takes no animal from one who is known; a new animal brings its owner along.
  private func leaveOutOwner(_ row: inout Row, _ patient: inout Patient, _ source: Int64) throws {
    guard row.stated.given.contains("owner_id"), let owner = patient.ownerID,
      let doubt = try doubt(of: owner, .client, source)
    else { return }
    let known = try practice.connection.imports.content(of: "owner_id", of: patient, source: source)
    guard doubt.isAmbiguous || known != nil else { return }
    row.lose("owner_id", value: owner, doubt.reason, hint: doubt.hint)
    // The name belongs to the owner.
    row.stated.given.remove("owner_name")
    patient.ownerID = nil
  }

  /// One chip is in one animal.
  private func leaveOutMicrochip(_ row: inout Row, _ patient: inout Patient, _ source: Int64) throws {
    guard row.stated.given.contains("microchip"), let chip = patient.microchip else { return }
    let others = try practice.connection.patients.others(withMicrochip: chip, than: patient.id, source: source)
    guard let other = others.first,
      try practice.connection.imports.content(of: "microchip", of: patient, source: source) != chip
    else { return }
    row.lose(
      "microchip", "is on file as that of patient \(other)",
      hint: "read the chip, and correct whichever of the two is wrong")
    patient.microchip = nil
  }

  private func leaveOutStrangers(_ row: inout Row, _ appointment: inout Appointment, _ source: Int64) throws {
    if let clinician = appointment.clinicianID, let doubt = try doubt(of: clinician, .staff, source) {
      row.lose("clinician_id", value: clinician, doubt.reason, hint: doubt.hint)
      appointment.clinicianID = nil
    }
    for resource in appointment.resourceIDs {
      guard let doubt = try doubt(of: resource, .resource, source) else { continue }
      row.lose("resource_ids", value: resource, doubt.reason, hint: doubt.hint)
      appointment.resourceIDs.removeAll { $0 == resource }
    }
  }

  /// What somebody here corrected is not taken back by a file that says a third thing.
  private func leaveOutCorrected(_ row: inout Row, _ note: ClinicalNote, _ source: Int64) throws {
    let connection = practice.connection
    guard let stored = try connection.notes.row(id: note.id, source: source) else { return }
    let corrected = try connection.notes.fieldsCorrectedHere(row: stored)
    guard !corrected.isEmpty else { return }
    let news = try connection.imports.news(note, stated: row.stated, source: source)
    for field in corrected.intersection(news).sorted() {
      let verb = field == "text" ? "amend" : "move"
      row.lose(
        field, "of note \(note.id) was corrected here, which stands",
        hint: "if the file is right: vetnet note \(verb) \(note.id)")
    }
  }

  private struct Doubt {
    let reason: String
    let hint: String
    let isAmbiguous: Bool
  }

  /// Why an id leads to nobody; nil where it leads to somebody.
  private func doubt(of id: String, _ table: RecordTable, _ source: Int64) throws -> Doubt? {
    do {
      guard try practice.connection.recordIDs.row(table, id, preferring: source) == nil else { return nil }
      return Doubt(
        reason: "names nobody on file", hint: "import what it refers to first, or correct the id", isAmbiguous: false)
    } catch let error where error.code == .ambiguousID {
      return Doubt(reason: "fits records of several sources", hint: "write it as source:id", isAmbiguous: true)
    }
  }
}
