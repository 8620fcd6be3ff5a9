import Clinical
import Interchange
import Store

extension ImportRecord {
  var isEvent: Bool { if case .calendarEntry = self { true } else { false } }

  /// The record itself.
  var value: any ImportedRecord {
    switch self {
    case .client(let client): client
    case .patient(let patient): patient
    case .location(let location): location
    case .staff(let member): member
    case .resource(let resource): resource
    case .note(let note, _): note
    case .intake(let intake, _): intake
    case .appointment(let appointment, _): appointment
    case .calendarEntry(let entry): entry.appointment
    }
  }

  var table: RecordTable {
    switch kind {
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
