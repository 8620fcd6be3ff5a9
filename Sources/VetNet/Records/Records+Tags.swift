import Clinical
import Interchange
import Store

/// A tag with how many records have it.
public struct TagUse: Encodable, Sendable {
  public let name: String
  public let patients: Int
  public let notes: Int
  public let appointments: Int
}

/// A record that has a tag.
public struct TaggedRecord: Encodable, Sendable {
  /// `patient`, `note` or `appointment`.
  public let kind: String
  public let id: String
  /// Whose it is, of notes and appointments.
  public let patientID: String?

  private enum CodingKeys: String, CodingKey {
    case kind, id
    case patientID = "patient_id"
  }
}

extension Practice.Records {
  /// Gives a record a tag, or takes it away.
  ///
  /// - Throws: ``PracticeError`` for a tag that is empty, longer than 60 characters or not on one line, and for a record that isn't on
  ///   file.
  func tag(_ record: TagRecord.Target, _ tag: String, isRemoved: Bool) throws -> (record: TaggedRecord, changed: Bool) {
    let name = tag.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let isPlain = !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard !name.isEmpty, name.count <= RowAdditions.longestTag, isPlain else {
      throw PracticeError(.invalidArgument, "a tag is one line of at most 60 characters")
    }
    return try writing {
      let (table, row, tagged) = try target(record)
      let changed =
        try isRemoved
        ? connection.tags.remove(name, from: table, row: row) : connection.tags.add(name, to: table, row: row)
      return (tagged, changed)
    }
  }

  private func target(_ record: TagRecord.Target) throws -> (RecordTable, Int64, TaggedRecord) {
    switch record {
    case .patient(let reference):
      let patient = try stored(patient: reference)
      return (.patient, patient.rowID, TaggedRecord(kind: "patient", id: patient.value.id, patientID: nil))
    case .note(let id):
      let note = try storedNote(id)
      return (.note, note.rowID, TaggedRecord(kind: "note", id: note.value.id, patientID: note.value.patientID))
    case .appointment(let id):
      let appointment = try practice.calendar.storedAppointment(id)
      return (
        .appointment, appointment.rowID,
        TaggedRecord(kind: "appointment", id: appointment.value.id, patientID: appointment.value.patientID)
      )
    }
  }

  func tagUses() throws -> [TagUse] {
    try reading {
      try connection.tags.all().map {
        TagUse(
          name: $0.name, patients: $0.counts["patient"] ?? 0, notes: $0.counts["note"] ?? 0,
          appointments: $0.counts["appointment"] ?? 0)
      }
    }
  }

  /// The tags of one record.
  func tags(of record: TagRecord.Target) throws -> (record: TaggedRecord, tags: [String]) {
    try reading {
      let (table, row, tagged) = try target(record)
      return (tagged, try connection.tags.tags(of: table, row: row))
    }
  }

  func tagged(_ tag: String) throws -> [TaggedRecord] {
    try reading {
      try connection.tags.records(tag).map { record in
        let patient: String? =
          switch record.table {
          case .note: try connection.notes.note(row: record.rowID)?.value.patientID
          case .appointment: try connection.appointments.appointment(row: record.rowID)?.value.patientID
          default: nil
          }
        return TaggedRecord(kind: record.table.rawValue, id: record.id, patientID: patient)
      }
    }
  }
}
