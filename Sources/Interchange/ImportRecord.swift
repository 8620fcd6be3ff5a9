public import Clinical

/// How a row says whose it is. Only the practice file can tell whether that is somebody, and one only.
public enum PatientReference: Hashable, Sendable {
  /// The id under which the animal was, or will be, imported.
  case id(String)
  /// What stood under a heading like "Pet": a name as a rule, an id in some exports. Try it as an id, then as a name;
  /// a name that fits several must be rejected, never guessed.
  case nameOrID(String)
  /// A column for each. A name that the animal of that id doesn't have must be rejected.
  case both(id: String, name: String)

  /// The words of the file.
  public var text: String {
    switch self {
    case .id(let text), .nameOrID(let text), .both(let text, _): text
    }
  }
}

/// One row of a file, read and checked on its own; whether what it refers to exists is for the practice file to say.
public enum ImportRecord: Hashable, Sendable {
  case client(Client)
  /// The owner link is in `ownerID` and `ownerName`.
  case patient(Patient)
  case location(Location)
  case staff(StaffMember)
  case resource(Resource)
  /// `note.patientID` equals the reference's text; replace it where that was a name.
  case note(ClinicalNote, of: PatientReference)
  /// `intake.patientID` equals the reference's text; nil where the row names nobody.
  case intake(Intake, of: PatientReference?)
  /// `appointment.patientID` equals the reference's text; nil where the row names nobody.
  case appointment(Appointment, of: PatientReference?)
  /// An event of a calendar; `appointment.patientID` is the id that VetNet wrote into it, nil where another program did.
  case calendarEntry(CalendarEntry)

  public var kind: ImportKind {
    switch self {
    case .client: .clients
    case .patient: .patients
    case .location: .locations
    case .staff: .staff
    case .resource: .resources
    case .note: .notes
    case .intake: .intakes
    case .appointment, .calendarEntry: .appointments
    }
  }

  /// The id the row gave, or the one derived for it.
  public var id: String {
    switch self {
    case .client(let client): client.id
    case .patient(let patient): patient.id
    case .location(let location): location.id
    case .staff(let member): member.id
    case .resource(let resource): resource.id
    case .note(let note, _): note.id
    case .intake(let intake, _): intake.id
    case .appointment(let appointment, _): appointment.id
    case .calendarEntry(let entry): entry.appointment.id
    }
  }

  /// Whose row it is, where it says so by reference to another file.
  public var patientReference: PatientReference? {
    switch self {
    case .note(_, let reference): reference
    case .intake(_, let reference), .appointment(_, let reference): reference
    case .client, .patient, .location, .staff, .resource, .calendarEntry: nil
    }
  }
}
