import Clinical

/// What a mapping can make of a table's rows: the kinds of the import format, and the parts of a member of staff that
/// programs keep in tables of their own.
public enum MappedKind: String, CaseIterable, Sendable {
  case clients, patients, staff, hours, breaks, leave, resources, notes, intakes, appointments

  /// What the rows are imported as.
  public var importKind: ImportKind {
    switch self {
    case .clients: .clients
    case .patients: .patients
    case .staff, .hours, .breaks, .leave: .staff
    case .resources: .resources
    case .notes: .notes
    case .intakes: .intakes
    case .appointments: .appointments
    }
  }

  /// Whether the rows of one member of staff are gathered into one.
  var isPartOfStaff: Bool { self == .hours || self == .breaks || self == .leave }

  /// Monday first.
  static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

  /// What a mapping may name a column for.
  public var fields: [String] {
    switch self {
    case .clients, .patients, .resources: importKind.fields
    case .staff: ["id", "name", "role"]
    case .hours: ["id", "weekday", "start", "end"] + Self.weekdays
    case .breaks: ["id", "weekday", "earliest", "latest", "minutes"]
    case .leave: ["id", "from", "to"]
    case .notes, .intakes: importKind.fields + ["patient"]
    // The end stands in for a length.
    case .appointments: importKind.fields + ["patient", "end"]
    }
  }

  /// The fields of which each table has one at least: one of each group.
  var needed: [[String]] {
    switch self {
    case .clients: [["id"], ["name"]]
    case .patients: [["id"], ["name"]]
    case .staff: [["id"], ["name"]]
    case .hours: [["id"], ["weekday"] + Self.weekdays]
    case .breaks: [["id"], ["weekday"], ["earliest"], ["latest"]]
    case .leave: [["id"], ["from"]]
    case .resources: [["id"], ["name"]]
    case .notes: [["patient_id", "patient"], ["recorded_at"], ["text"]]
    case .intakes: [["text"]]
    case .appointments: [["start"], ["duration_minutes", "end", "actual_minutes"]]
    }
  }

  /// The fields that hold a day, or a day and a time.
  var dateFields: [String] {
    switch self {
    case .leave: ["from", "to"]
    case .appointments: ["start", "end"]
    case .hours, .breaks, .staff: []
    default: importKind.dateFields
    }
  }

  /// The fields that hold a time of day.
  var clockFields: [String] {
    switch self {
    case .hours: ["start", "end"]
    case .breaks: ["earliest", "latest"]
    default: []
    }
  }

  /// Fields of a fixed list of words, and the list in the vocabulary.
  static let lists = [
    "role": "staff_role", "status": "appointment_status", "weekday": "weekday", "channel": "channel",
    "visit_type": "visit_type",
  ]
}
