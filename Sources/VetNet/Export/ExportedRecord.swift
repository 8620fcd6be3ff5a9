import Clinical
import Interchange
import Store

/// A record on its way out, under the id that its source gave it.
struct ExportedRecord {
  let rowID: Int64
  let record: ImportRecord
  /// As other records refer to it.
  let shownID: String
  /// Nil for the source that an import takes where none is named.
  let source: String?
  let additions: RowAdditions?
}

/// The records of a practice, or of one patient, kind by kind in the order in which an import needs them. Memory does not grow with
/// their number.
struct ExportSource {
  let connection: Connection
  /// Nil for the whole practice.
  let patient: Stored<Patient>?
  /// Asked between portions; throws to stop.
  let check: () throws -> Void

  private static let portion = 500

  /// Calls `body` with each record of a kind, in the order in which they came.
  func forEach(_ kind: ImportKind, _ body: (ExportedRecord) throws -> Void) throws {
    var last: Int64 = 0
    while true {
      try check()
      let page = try connection.recordIDs.page(
        kind.table, of: patient?.rowID, after: last, limit: Self.portion)
      for identified in page {
        if let record = try record(kind, identified) { try body(record) }
      }
      guard let end = page.last, page.count == Self.portion else { return }
      last = end.rowID
    }
  }

  private func record(_ kind: ImportKind, _ identified: RecordIDs.Identified) throws -> ExportedRecord? {
    var additions: RowAdditions?
    let record: ImportRecord?
    switch kind {
    case .clients: record = try connection.clients.client(row: identified.rowID).map { .client($0.value) }
    case .patients:
      record = try patient(identified.rowID)
      additions = try formerIDs(of: identified.rowID)
    case .locations: record = try connection.locations.location(row: identified.rowID).map { .location($0.value) }
    case .staff: record = try connection.staff.member(row: identified.rowID).map { .staff($0.value) }
    case .resources: record = try connection.resources.resource(row: identified.rowID).map { .resource($0.value) }
    case .notes:
      record = try connection.notes.note(row: identified.rowID).map { .note($0.value, of: .id($0.value.patientID)) }
      additions = RowAdditions(
        try connection.notes.versions(row: identified.rowID),
        try connection.notes.retraction(row: identified.rowID), onlyOf: patient?.value.id)
    case .intakes:
      record = try connection.intakes.intake(row: identified.rowID)
        .map { .intake($0.value, of: $0.value.patientID.map(PatientReference.id)) }
      additions = try overrides(ofIntake: identified.rowID)
    case .appointments:
      record = try connection.appointments.appointment(row: identified.rowID)
        .map { .appointment($0.value, of: $0.value.patientID.map(PatientReference.id)) }
      additions = try limits(ofAppointment: identified.rowID)
    }
    guard let record else { return nil }
    if [.patients, .notes, .appointments].contains(kind) {
      let tags = try connection.tags.tags(of: kind.table, row: identified.rowID)
      if !tags.isEmpty {
        additions = additions ?? RowAdditions()
        additions?.tags = tags
      }
    }
    return ExportedRecord(
      rowID: identified.rowID, record: record.renamed(identified.externalID), shownID: record.id,
      source: identified.source == ImportOptions.defaultSource ? nil : identified.source,
      additions: additions?.isEmpty == false ? additions : nil)
  }

  /// A name that the owner's own row tells is not repeated.
  private func patient(_ row: Int64) throws -> ImportRecord? {
    guard var patient = try connection.patients.patient(row: row)?.value else { return nil }
    if let id = patient.ownerID, let owner = try connection.recordIDs.row(.client, id),
      try connection.clients.client(row: owner)?.value.name == patient.ownerName
    {
      patient.ownerName = nil
    }
    return .patient(patient)
  }

  private func overrides(ofIntake row: Int64) throws -> RowAdditions {
    var additions = RowAdditions()
    additions.overrides = try connection.assessments.assessments(kind: Practice.Assessment.overrideKind, intake: row)
      .map {
        RowAdditions.Override(at: $0.createdAt, models: $0.modelVersions, labelledCase: $0.result)
      }
    return additions
  }

  private func limits(ofAppointment row: Int64) throws -> RowAdditions {
    var additions = RowAdditions()
    var limits = try connection.appointments.options(row: row)
    if let patient, let after = limits.afterID,
      try connection.appointments.appointments(id: after).first?.patientRowID != patient.rowID
    {
      // Another patient's visit is not part of this record.
      limits.afterID = nil
    }
    additions.limits = limits.isEmpty ? nil : limits
    additions.calendar = try connection.calendars.event(appointment: row).map {
      RowAdditions.CalendarLink(name: $0.calendar, series: $0.series, isCase: $0.isCase, goneAt: $0.goneAt)
    }
    additions.steps = try connection.visitSteps.steps(of: row)
    return additions
  }

  private func formerIDs(of row: Int64) throws -> RowAdditions {
    var additions = RowAdditions()
    additions.formerIDs = try connection.merges.formerIDs(of: row).map {
      RowAdditions.FormerID(
        id: $0.id, source: $0.source == ImportOptions.defaultSource ? nil : $0.source, at: $0.mergedAt, actor: $0.actor,
        reason: $0.reason)
    }
    return additions
  }
}

extension ImportKind {
  var table: RecordTable {
    switch self {
    case .clients: .client
    case .patients: .patient
    case .locations: .location
    case .staff: .staff
    case .resources: .resource
    case .notes: .note
    case .intakes: .intake
    case .appointments: .appointment
    }
  }
}

extension ImportRecord {
  /// The record under another id.
  func renamed(_ id: String) -> ImportRecord {
    switch self {
    case .client(var client):
      client.id = id
      return .client(client)
    case .patient(var patient):
      patient.id = id
      return .patient(patient)
    case .location(var location):
      location.id = id
      return .location(location)
    case .staff(var member):
      member.id = id
      return .staff(member)
    case .resource(var resource):
      resource.id = id
      return .resource(resource)
    case .note(var note, let reference):
      note.id = id
      return .note(note, of: reference)
    case .intake(var intake, let reference):
      intake.id = id
      return .intake(intake, of: reference)
    case .appointment(var appointment, let reference):
      appointment.id = id
      return .appointment(appointment, of: reference)
    case .calendarEntry: return self
    }
  }
}
