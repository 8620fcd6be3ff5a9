/// Shapes that several routes answer with.
enum Shapes {
  static let appointment = Schema.object(
    [
      "id": .string(), "resource_ids": .list(.string()), "start": .string(), "duration_minutes": .integer,
      "status": status,
    ],
    optional: [
      "patient_id": .string(), "clinician_id": .string(), "visit_type": .string(), "reason": .string(),
      "version": .integer,
    ])

  static let status = Schema.oneOf(["requested", "booked", "arrived", "in_progress", "done", "cancelled", "no_show"])
  static let urgency = Schema.oneOf(["red", "orange", "yellow", "green", "blue"])

  static let entry = Schema.object(
    [
      "id": .string(), "resource_ids": .list(.string()), "start": .string(), "duration_minutes": .integer,
      "status": status, "revision": .integer,
    ],
    optional: [
      "patient_id": .string(), "clinician_id": .string(), "visit_type": .string(), "reason": .string(),
      "urgency": urgency, "overrun": .number, "patient_name": .string(), "clinician_name": .string(),
    ])

  static let day = Schema.object([
    "date": .string(), "appointments": .list(entry),
    "clinicians": .list(
      .object([
        "id": .string(), "name": .string(), "visits": .integer, "booked_minutes": .integer, "working_minutes": .integer,
        "hours": .list(.list(.integer)),
      ])),
  ])

  static let slot = Schema.object(
    [
      "clinician_id": .string(), "resource_ids": .list(.string()), "start": .string(), "minutes": .integer,
      "score": .number, "explanation": explanation,
    ], optional: ["meets_target": .boolean])

  static let explanation = Schema.object(
    ["description": .string(), "value": .number], optional: ["evidence": .list(.any), "details": .list(.any)])

  static let patient = Schema.object(
    ["id": .string(), "name": .string(), "species": .string(), "sex": .string()],
    optional: [
      "breed": .string(), "date_of_birth": .string(), "deceased_at": .string(), "age_years": .number,
      "weight_kg": .number, "owner_id": .string(), "owner_name": .string(), "microchip": .string(),
    ])

  static let citation = Schema.object(
    ["note_id": .string(), "recorded_at": .string(), "start": .integer, "end": .integer, "quote": .string()],
    optional: ["author": .string()])

  static let answer = Schema.object([
    "answer_class": .oneOf(["found", "negative", "not_recorded", "conflicting", "ambiguous_patient"]),
    "answer": .string(), "candidates": .list(patient), "citations": .list(citation),
    "sentences": .list(.object(["text": .string(), "citations": .list(.integer)])),
  ])

  private static let letter = Schema.oneOf(["normal", "abnormal", "critical", "not stated"])

  static let assessment = Schema.object([
    "urgency": urgency, "target_minutes": .integer, "action": .string(), "questions": .list(.string()),
    "abcde": .object([
      "airway": letter, "breathing": letter, "circulation": letter, "disability": letter, "exposure": letter,
    ]), "complexity": .object(["level": .integer, "points": .integer]),
    "duration_minutes": .object(["p50": .number, "p80": .number, "p90": .number]), "visit_type": .string(),
    "specialties": .list(.object(["name": .string(), "score": .number])), "explanation": explanation,
    "model_versions": .any,
  ])

  static let reverted = Schema.object(
    ["appointments": .list(appointment), "reverted": .any], optional: ["version": .integer])

  static func page(_ name: String, _ item: Schema) -> Schema {
    .object([name: .list(item), "total": .integer], optional: ["next_offset": .integer])
  }

  static let paging: [Route.Parameter] = [
    .init(name: "limit", meaning: "how many at most (default 50)"), .init(name: "offset", meaning: "how many to skip"),
  ]

  static let idempotencyKey = Route.Parameter(
    name: "Idempotency-Key",
    meaning: "a request that is sent again with its key is answered as before, and not done again",
    isHeader: true)

  /// That an answer may be had as lines of JSON, which are sent as they are found.
  static func lines(_ what: String) -> Route.Parameter {
    Route.Parameter(name: "Accept", meaning: "\(Pieces.linesType) for lines of JSON: \(what)", isHeader: true)
  }

  static let error = Schema.object([
    "error": .object(
      ["code": .string(), "message": .string()], optional: ["hint": .string(), "field": .string()])
  ])
}
