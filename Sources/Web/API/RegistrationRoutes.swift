import Clinical
import Presentation
import VetNet

/// A registration as JSON, with its revision and what is unlikely about it.
struct RegistrationOutput: Encodable, Sendable {
  let revision: String
  let doubts: [String]
  let name: String
  let species: String
  let breed: String?
  let sex: String
  let date_of_birth: String?
  let weight_kg: Double?
  let microchip: String?

  init(_ registered: RegisteredPatient) {
    let patient = registered.patient
    revision = registered.revision
    doubts = registered.doubts
    name = patient.name
    species = patient.species.rawValue
    breed = patient.breed
    sex = patient.sex.rawValue
    date_of_birth = patient.dateOfBirth.map { "\($0)" }
    weight_kg = patient.weightKilograms
    microchip = patient.microchip
  }

  var tag: String { "\"\(revision)\"" }
}

/// Registrations of patients, to be read and corrected.
enum RegistrationRoutes {
  static let all: [Route] = [show, amend]

  private static let shape = Schema.object(
    [
      "revision": .string(), "doubts": .list(.string("what is unlikely, in words")), "name": .string(),
      "species": .string(), "sex": .string(),
    ],
    optional: [
      "breed": .string(), "date_of_birth": .string(), "weight_kg": .number, "microchip": .string(),
    ])

  private static let show = Route(
    "GET", "/patients/{id}/registration", .api, .reading,
    "What a patient is registered as; its revision is the ETag.", answer: shape
  ) { call in
    let found = RegistrationOutput(try call.perform(ShowRegistration(reference: call.value("id"))))
    return try .json(found, headers: [("ETag", found.tag)])
  }

  private static let amend = Route(
    "PATCH", "/patients/{id}", .api, .writing,
    "Corrects a registration. What is unlikely is refused unless `accept_doubts` says that somebody looked; 412 where it was changed since.",
    parameters: [
      .init(name: "If-Match", meaning: "the revision that the change is based on", isRequired: true, isHeader: true)
    ],
    body: .object(
      [:],
      optional: [
        "name": .string(), "species": .string(), "breed": .string(), "sex": .oneOf(["MN", "FS", "M", "F", "unknown"]),
        "date_of_birth": .string(), "weight_kg": .number, "microchip": .string(), "accept_doubts": .boolean,
        "dry_run": .boolean,
      ]), answer: shape
  ) { call in
    let reference = call.value("id")
    let fields = try Fields(
      call,
      known: [
        "name", "species", "breed", "sex", "date_of_birth", "weight_kg", "microchip", "accept_doubts", "dry_run",
      ])
    guard let header = call.request.header("if-match") else {
      throw ErrorBody(
        428, "revision_needed", "a change says which revision it is based on",
        hint: "Send the header If-Match with the ETag of the registration.")
    }
    let revision = header.trimming { $0 == " " || $0 == "\"" }
    let current = try call.perform(ShowRegistration(reference: reference))
    do {
      let amended = try call.perform(
        AmendPatient(
          reference: current.patient.id, fields: changed(PatientFields(current.patient), fields, call),
          expecting: revision == "*" ? nil : revision, acceptsDoubts: fields.flag("accept_doubts"),
          isDryRun: fields.flag("dry_run")))
      let output = RegistrationOutput(amended)
      return try .json(output, headers: [("ETag", output.tag)])
    } catch let error as PracticeError where error.code == .changedMeanwhile {
      var body = ErrorBody(error)
      body.registration = RegistrationOutput(current)
      throw body
    }
  }

  /// What a body names takes the place of what is on file; an empty text takes it away.
  private static func changed(_ registered: PatientFields, _ fields: Fields, _ call: Call) throws -> PatientFields {
    var result = registered
    if fields.names("name") { result.name = try fields.required("name", atMost: 200) }
    if let species = try fields.species("species") { result.species = species }
    if fields.names("breed") { result.breed = try fields.text("breed", atMost: 200) }
    if let sex = try fields.sex("sex") { result.sex = sex }
    if fields.names("weight_kg") { result.weightKilograms = try fields.number("weight_kg", above: 0, below: 2000) }
    if fields.names("microchip") { result.microchip = try fields.text("microchip", atMost: 40) }
    if fields.names("date_of_birth") {
      result.dateOfBirth = try fields.text("date_of_birth", atMost: 10).map { text in
        guard let date = CalendarDate(iso: text), date <= call.today else {
          throw ErrorBody(
            400, "invalid_field", "'date_of_birth' is no day that has been", hint: "Write 2019-05-01.",
            field: "date_of_birth")
        }
        return date
      }
    }
    return result
  }
}
