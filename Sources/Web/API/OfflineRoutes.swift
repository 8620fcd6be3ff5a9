import Clinical
import Formulary
import FoundationEssentials
import Presentation
import VetNet

/// What browsers take along for the time without the server, and the notes that they bring back.
enum OfflineRoutes {
  static let all: [Route] = [day, note]

  /// Bytes of a day's answer, about: what would be more is left out by patient, and named.
  static let mostBytes = 2 << 20
  /// Days that may be asked for, from today.
  static let days = 8

  private static let day = Route(
    "GET", "/offline/{date}", .api, .reading,
    "A day with briefs, last notes and drug sheets of its patients, to be taken along: today or one of the next seven days, \(TakeAlongDay.mostPatients) patients and \(mostBytes >> 20) MiB at most. Browsers keep it sealed. Who may not read the record gets the book alone.",
    answer: .object(
      [
        "date": .string(), "zone": .string(), "made_at": .string(), "appointments": .list(Shapes.entry),
        "clinicians": .list(.any),
        "patients": .list(
          .object(
            ["patient": Shapes.patient, "notes": .list(.any), "drugs": .list(.any)],
            optional: ["owner": .any, "brief": .any])), "left_out": .list(.string()), "may_write": .boolean,
      ])
  ) { call in
    let date = try call.date()
    guard (0..<days).contains(date.daysSince1970 - call.today.daysSince1970) else {
      throw ErrorBody(
        400, "invalid_field", "\(date) is not among the days that are taken along",
        hint: "Ask for today or one of the next \(days - 1) days.", field: "date")
    }
    return try .json(CarriedDayOutput(call.perform(TakeAlongDay(date: date)), call))
  }

  private static let note = Route(
    "POST", "/notes", .api, .writing, "Writes a note, in the name of whoever is signed in.",
    parameters: [Shapes.idempotencyKey],
    body: .object(
      ["patient_id": .string("an id, or words that fit one patient"), "text": .string()],
      optional: [
        "kind": .oneOf(NoteKind.allCases.map(\.rawValue)),
        "minutes_ago": .integer,
      ]),
    answer: .object([
      "id": .string(), "patient_id": .string(), "recorded_at": .string(), "kind": .string(), "text": .string(),
    ]), status: 201
  ) { call in
    let fields = try Fields(call, known: ["patient_id", "text", "kind", "minutes_ago"])
    let word = try fields.text("kind", atMost: 20) ?? NoteKind.consult.rawValue
    guard let kind = NoteKind(rawValue: word) else {
      throw ErrorBody(
        400, "invalid_field", "'kind' is not known",
        hint: "There are \(NoteKind.allCases.map(\.rawValue).joined(separator: ", ")).", field: "kind")
    }
    // How long ago it was written: clocks of devices may be wrong, and differ less in how fast they go.
    let ago = try fields.integer("minutes_ago", in: 0...(366 * 24 * 60)) ?? 0
    let operation = AddNote(
      patient: try fields.required("patient_id", atMost: 200), kind: kind, author: call.session.actor.name,
      text: try fields.required("text", atMost: 1 << 18), recordedAt: call.now.adding(minutes: -ago))
    return try call.once(operation) { note, _ in
      try .json(NoteOutput(note, text: note.text, zone: call.zone), status: 201)
    }
  }
}

/// A day that is taken along, as JSON within its bounds.
struct CarriedDayOutput: Encodable {
  struct Patient: Encodable {
    let patient: PatientOutput
    let owner: OwnerOutput?
    let brief: BriefOutput?
    let notes: [NoteOutput]
    let drugs: [DrugSheet]
  }

  let date: String
  let zone: String
  let made_at: String
  let appointments: [RevisedEntry]
  let clinicians: [DayOutput.Clinician]
  let patients: [Patient]
  /// Of whom nothing but their appointments is taken along, by id.
  let left_out: [String]
  let may_write: Bool

  init(_ day: CarriedDay, _ call: Call) throws {
    let book = DayOutput(day.schedule, zone: call.zone)
    date = book.date
    zone = call.zone.identifier
    made_at = call.zone.iso8601(call.now)
    appointments = book.appointments
    clinicians = book.clinicians
    may_write = call.session.actor.role.may(.writeRecord)
    var (patients, leftOut, bytes): ([Patient], [String], Int) = ([], day.leftOut, 0)
    for carried in day.patients {
      let output = Patient(
        patient: PatientOutput(carried.overview.patient, on: call.today), owner: OwnerOutput(carried.overview),
        brief: carried.brief.map { BriefOutput($0, zone: call.zone) },
        notes: carried.notes.map { NoteOutput($0, text: $0.text, zone: call.zone) }, drugs: carried.drugs)
      bytes += try JSONText.bytes(output).count
      if bytes <= OfflineRoutes.mostBytes {
        patients.append(output)
      } else {
        leftOut.append(carried.overview.patient.id)
      }
    }
    self.patients = patients
    left_out = leftOut
  }
}
