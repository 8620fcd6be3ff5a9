/// What the rows of a file are, in the order in which they are imported: an animal after its owner, a note after its
/// animal.
public enum ImportKind: String, CaseIterable, Comparable, Sendable {
  case clients, patients, locations, staff, resources, notes, intakes, appointments

  /// Position in the order of import.
  var rank: Int {
    switch self {
    case .clients: 0
    case .patients: 1
    case .locations: 2
    case .staff: 3
    case .resources: 4
    case .notes: 5
    case .intakes: 6
    case .appointments: 7
    }
  }

  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

  /// The keys of a row, as the import format names them.
  public var fields: [String] {
    switch self {
    case .clients: ["id", "name", "phone", "email", "address"]
    case .patients:
      [
        "id", "name", "species", "breed", "sex", "date_of_birth", "deceased_at", "weight_kg", "owner_id", "owner_name",
        "microchip",
      ]
    case .locations: ["id", "name", "address", "region", "opening_hours", "closures"]
    case .staff: ["id", "name", "role", "skills", "working_hours", "breaks", "leave", "credentials", "load"]
    case .resources: ["id", "name", "kind", "capacity", "cleaning_minutes", "location_id"]
    case .notes: ["id", "patient_id", "recorded_at", "author", "kind", "text"]
    case .intakes:
      ["id", "patient_id", "received_at", "channel", "species", "breed", "age", "sex", "weight_kg", "text"]
    case .appointments:
      [
        "id", "patient_id", "clinician_id", "resource_ids", "start", "duration_minutes", "actual_minutes",
        "visit_type", "reason", "status",
      ]
    }
  }

  /// Further keys that a row may have: the animal by name, and a time of day in a column of its own.
  public var extraFields: [String] {
    switch self {
    case .clients: ["given_name", "family_name"]
    case .notes: ["patient", "recorded_time"]
    case .intakes: ["patient", "received_time"]
    case .appointments: ["patient", "start_time", "location_id"]
    case .patients, .locations, .staff, .resources: []
    }
  }

  /// The keys that hold a day, or a day and a time.
  var dateFields: [String] {
    switch self {
    case .patients: ["date_of_birth", "deceased_at"]
    case .notes: ["recorded_at"]
    case .intakes: ["received_at"]
    case .appointments: ["start"]
    case .clients, .locations, .staff, .resources: []
    }
  }

  /// What a row must show to be taken for this kind where the file's name doesn't say: one of each group.
  var telltales: [[String]] {
    switch self {
    case .clients: [["id"], ["name", "family_name"], ["phone", "email", "address"]]
    case .patients:
      [["id"], ["name"], ["species", "breed", "date_of_birth", "sex", "owner_id", "owner_name", "microchip"]]
    case .locations: [["id"], ["name"], ["opening_hours", "closures"]]
    case .staff: [["id"], ["name"], ["role", "skills", "working_hours"]]
    case .resources: [["id"], ["name"], ["capacity", "cleaning_minutes"]]
    case .notes: [["patient_id", "patient"], ["recorded_at"], ["text"]]
    case .intakes: [["received_at", "channel"], ["text"]]
    case .appointments: [["start"], ["duration_minutes", "actual_minutes", "visit_type", "status", "clinician_id"]]
    }
  }
}

/// How a file spells its rows.
public enum ImportFormat: String, CaseIterable, Sendable {
  /// One JSON object a line.
  case jsonLines = "jsonl"
  /// RFC 4180, also with semicolons, tabs or bars between the cells.
  case csv
  /// One note: front matter between lines of three dashes, then the text.
  case text
  /// iCalendar (RFC 5545): appointments.
  case calendar = "ics"
  /// FHIR R4 as JSON: a Bundle, one resource, or one resource a line.
  case fhir
  /// What an earlier import rejected, rows of any kind and format; see ``RejectsWriter``.
  case rejects
}

/// Which of the first two numbers in `03/05/2024` is the day.
public enum DateOrder: String, CaseIterable, Sendable {
  case dayFirst = "dmy"
  case monthFirst = "mdy"
}
