public import Clinical
public import VetNet

// How values of the record look as JSON and as a line. Keys are the import format's, so that output can be read back.

public struct PatientOutput: Encodable {
  let id: String
  let name: String
  let species: String
  let breed: String?
  let sex: String
  let date_of_birth: String?
  let deceased_at: String?
  let age_years: Double?
  let weight_kg: Double?
  let owner_id: String?
  let owner_name: String?
  let microchip: String?

  public init(_ patient: Patient, on today: CalendarDate) {
    id = patient.id
    name = patient.name
    species = patient.species.rawValue
    breed = patient.breed
    sex = patient.sex.rawValue
    date_of_birth = patient.dateOfBirth?.description
    deceased_at = patient.deceasedAt?.description
    age_years = patient.ageInDays(on: patient.deceasedAt ?? today).map { (Double($0) / 365.25 * 10).rounded() / 10 }
    weight_kg = patient.weightKilograms
    owner_id = patient.ownerID
    owner_name = patient.ownerName
    microchip = patient.microchip
  }
}

public struct AppointmentOutput: Encodable {
  let id: String
  let patient_id: String?
  let clinician_id: String?
  let resource_ids: [String]
  let start: String
  let duration_minutes: Int
  let visit_type: String?
  let reason: String?
  let status: String

  public init(_ appointment: Appointment, zone: PracticeTimeZone) {
    id = appointment.id
    patient_id = appointment.patientID
    clinician_id = appointment.clinicianID
    resource_ids = appointment.resourceIDs
    start = zone.iso8601(appointment.start)
    duration_minutes = appointment.durationMinutes
    visit_type = appointment.visitType?.rawValue
    reason = appointment.reason
    status = appointment.status.rawValue
  }
}

public struct PatientOverviewOutput: Encodable {
  let patient: PatientOutput
  let owner: OwnerOutput?
  let owner_phone: String?
  let note_count: Int
  let retracted_note_count: Int
  let last_note_at: String?
  let upcoming: [AppointmentOutput]

  public init(_ overview: PatientOverview, zone: PracticeTimeZone, today: CalendarDate) {
    patient = PatientOutput(overview.patient, on: today)
    owner = OwnerOutput(overview)
    owner_phone = overview.client?.phone
    note_count = overview.noteCount
    retracted_note_count = overview.retractedNoteCount
    last_note_at = overview.lastNoteAt.map(zone.iso8601)
    upcoming = overview.upcoming.map { AppointmentOutput($0, zone: zone) }
  }
}

/// Whom to ring about a patient.
public struct OwnerOutput: Encodable {
  public struct Phone: Encodable {
    let label: String
    let number: String
  }

  let id: String?
  let name: String
  let phones: [Phone]
  let email: String?

  /// Nil for a patient without an owner.
  public init?(_ overview: PatientOverview) {
    guard let name = overview.client?.name ?? overview.patient.ownerName else { return nil }
    id = overview.client?.id
    self.name = name
    phones = (overview.client?.phones ?? []).map { Phone(label: $0.label ?? "phone", number: $0.number) }
    email = overview.client?.email
  }

  private enum CodingKeys: String, CodingKey { case id, name, phones, email }

  /// Keys that scripts rely on are there without a value too.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encode(phones, forKey: .phones)
    try container.encode(email, forKey: .email)
  }
}

public struct NoteVersionOutput: Encodable {
  let replaced_at: String
  let replaced_by: String
  let cause: String
  let reason: String?
  let patient_id: String?
  let text: String

  public init(_ version: NoteHistory.Version, zone: PracticeTimeZone) {
    replaced_at = zone.iso8601(version.replacedAt)
    replaced_by = version.actor
    cause = version.cause
    reason = version.reason
    patient_id = version.patientID
    text = version.text
  }
}

public struct RetractionOutput: Encodable {
  let at: String
  let by: String
  let reason: String

  public init(_ retraction: NoteHistory.Retraction, zone: PracticeTimeZone) {
    at = zone.iso8601(retraction.at)
    by = retraction.actor
    reason = retraction.reason
  }
}

public struct NoteOutput: Encodable {
  let id: String
  let patient_id: String
  let recorded_at: String
  let author: String?
  let kind: String
  let text: String
  /// Only where it is not what was written.
  public var damaged: Bool? = nil
  /// Nil for a note that stands.
  let retracted: RetractionOutput?
  let versions: [NoteVersionOutput]?

  public init(
    _ note: ClinicalNote, text: String, zone: PracticeTimeZone, history: NoteHistory? = nil, withVersions: Bool = false
  ) {
    retracted = history?.retraction.map { RetractionOutput($0, zone: zone) }
    versions = withVersions ? history?.versions.map { NoteVersionOutput($0, zone: zone) } : nil
    id = note.id
    patient_id = note.patientID
    recorded_at = zone.iso8601(note.recordedAt)
    author = note.author
    kind = note.kind.rawValue
    self.text = text
  }
}

public struct TimelineOutput: Encodable {
  let at: String
  let kind: String
  let id: String
  let title: String

  public init(_ entry: TimelineEntry, zone: PracticeTimeZone) {
    at = zone.iso8601(entry.at)
    kind = entry.kind
    id = entry.id
    title = entry.title
  }
}

extension Patient {
  /// `Bella · dog, Labrador, FS, 12 years, 31.2 kg · Mrs Ash`
  public func summary(on today: CalendarDate, units: MeasureUnits = .metric) -> String {
    var facts = [species.rawValue]
    if let breed { facts.append(breed) }
    facts.append(sex == .unknown ? "sex unknown" : sex.rawValue)
    facts.append(ageInDays(on: deceasedAt ?? today).map(Self.ageText) ?? "age unknown")
    if let weightKilograms { facts.append(units.weight(weightKilograms)) }
    var parts = [name, facts.joined(separator: ", ")]
    if let ownerName { parts.append(ownerName) }
    if let deceasedAt { parts.append("died \(deceasedAt)") }
    return parts.joined(separator: " · ")
  }

  private static func ageText(days: Int) -> String {
    switch days {
    case ..<14: "\(days) days"
    case ..<112: "\(days / 7) weeks"
    case ..<730: "\(days * 12 / 365) months"
    default: "\(days * 4 / 1461) years"
    }
  }
}

extension Unicode.Scalar {
  /// Whether it changes the direction of the text around it, so that words read as others than were written.
  fileprivate var turnsText: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// Without control characters, which a terminal would obey; line ends and tabs become spaces.
  public var withoutControls: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.compactMap { scalar in
          if scalar.properties.isWhitespace { return scalar.value < 0x20 || scalar.value == 0x85 ? " " : scalar }
          return scalar.properties.generalCategory == .control || scalar.turnsText ? nil : scalar
        }))
  }

  /// As it is but for what a terminal would obey, which is made visible: ␛ for an escape, ⟨U+202E⟩ for a mark that turns the
  /// direction of writing. Line ends and tabs stay.
  public var withVisibleControls: String {
    var result = String.UnicodeScalarView()
    let scalars = Array(unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let isLineEnd = scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
      if isLineEnd || scalar == "\n" || scalar == "\t" {
        result.append(scalar)
      } else if scalar.value < 0x20, let picture = Unicode.Scalar(0x2400 + scalar.value) {
        result.append(picture)
      } else if scalar.properties.generalCategory == .control || scalar.turnsText {
        let number = String(scalar.value, radix: 16, uppercase: true)
        result.append(
          contentsOf: "⟨U+\(String(repeating: "0", count: max(0, 4 - number.count)))\(number)⟩".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// On one line that is safe to print, cut to `width` with an ellipsis.
  public func shortened(to width: Int) -> String {
    // Short and plain, as most are: nothing to count.
    if utf8.count <= width, utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return String(self) }
    let line = split(whereSeparator: \.isNewline).joined(separator: " ").withoutControls
    return line.columns <= width ? line : line.prefix(columns: max(1, width - 1)) + "…"
  }

  /// Broken at spaces so that no line is wider than `width`, each begun with `indent`.
  public func wrapped(to width: Int, indent: String = "") -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in split(whereSeparator: \.isWhitespace) {
      let columns = String(word).columns
      if !line.isEmpty, indent.count + used + 1 + columns > width {
        lines.append(indent + line)
        (line, used) = ("", 0)
      }
      used += columns + (line.isEmpty ? 0 : 1)
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(indent + line) }
    return lines
  }
}
