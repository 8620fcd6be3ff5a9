import Clinical
import VetNet

/// A case in words, as a body's fields.
enum CaseFields {
  static let names: Set<String> = [
    "text", "patient_id", "species", "breed", "age", "sex", "weight_kg", "channel",
  ]
  static let longestText = 200_000

  static func shape(beside others: [String: Schema], needsText: Bool = false) -> Schema {
    var optional: [String: Schema] = [
      "patient_id": .string("an id, or words that fit one patient"), "species": .string(), "breed": .string(),
      "age": .string("4y, 12 weeks"), "sex": .oneOf(["MN", "FS", "M", "F", "unknown"]), "weight_kg": .number,
      "channel": .string(),
    ]
    optional.merge(others) { $1 }
    if needsText { return .object(["text": .string("the intake in words")], optional: optional) }
    optional["text"] = .string("the intake in words")
    return .object([:], optional: optional)
  }

  static func intake(_ fields: Fields, _ call: Call) throws -> Intake {
    var intake = Intake(
      id: "", receivedAt: call.now, channel: try fields.text("channel", atMost: 60),
      text: try fields.required("text", atMost: longestText))
    intake.species = try fields.species("species")
    intake.breed = try fields.text("breed", atMost: 200)
    intake.age = try fields.text("age", atMost: 60)
    if let sex = try fields.sex("sex") { intake.sex = sex }
    intake.weightKilograms = try fields.number("weight_kg", above: 0, below: 2000)
    return intake
  }

  static func request(_ fields: Fields, _ call: Call) throws -> ProposalRequest {
    if let id = try fields.text("appointment_id") { return .appointment(id) }
    return .intake(try intake(fields, call), patient: try fields.text("patient_id"))
  }
}
