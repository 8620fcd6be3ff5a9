import Clinical
import Presentation
import VetNet

/// Encounters as JSON. Words of a narrative travel in bodies only, so that none stands in an address, a history or a log.
enum EncounterRoutes {
  static let all: [Route] = [
    begin, list, cases, show, edit, decide, advance, sign, amend, discard, summary,
  ]

  private static let longest = 1 << 18

  private static let saved = Schema.object(
    ["id": .string(), "state": state, "revision": .integer, "saved_at": .string()], optional: ["note_id": .string()])

  private static let state = Schema.oneOf(EncounterState.allCases.map(\.rawValue))

  private static let whole = Schema.object(
    [
      "id": .string(), "patient_id": .string(), "author": .string(), "begun_by": .string(), "state": state,
      "revision": .integer, "began_at": .string(), "changed_at": .string(), "text": .string(),
    ],
    optional: [
      "appointment_id": .string(), "note_id": .string(), "signed_at": .string(), "signed_by": .string(),
      "signed_hash": .string(),
    ])

  private static let line = Schema.object([
    "kind": .oneOf(ProposedLine.Kind.allCases.map(\.rawValue)), "text": .string(),
    "places": .list(
      .object(["start": .integer, "end": .integer, "quote": .string()], optional: ["note_id": .string()])),
    "sources": .list(.string()),
  ])

  private static let shown = Schema.object(
    [
      "encounter": whole, "patient": Shapes.patient,
      "sections": .list(
        .object([
          "section": .oneOf(EncounterSection.allCases.map(\.rawValue)), "title": .string(), "words": .string(),
          "lines": .list(line),
        ])), "questions": .list(line),
      "follow_ups": .list(.object(["text": .string()], optional: ["from": .string(), "to": .string()])),
      "decisions": .list(
        .object([
          "section": .string(), "verdict": .oneOf(EncounterVerdict.allCases.map(\.rawValue)), "words": .string(),
          "at": .string(), "by": .string(),
        ])), "open": .list(.string()), "note_text": .string(),
    ], optional: ["risk": .oneOf(["low", "moderate", "high", "critical"])])

  private static let revision = Route.Parameter(
    name: "If-Match", meaning: "the revision that the change is based on", isRequired: true, isHeader: true)

  private static let begin = Route(
    "POST", "/encounters", .api, .writing,
    "Begins an encounter. An `id` that was made elsewhere is kept, and the same again is the same encounter.",
    parameters: [Shapes.idempotencyKey],
    body: .object(
      ["patient_id": .string("an id, or words that fit one patient")],
      optional: [
        "id": .string("enc- and 20 to 40 letters or digits"), "appointment_id": .string(), "author": .string(),
        "text": .string(),
      ]), answer: saved, status: 201
  ) { call in
    let fields = try Fields(call, known: ["patient_id", "id", "appointment_id", "author", "text"])
    let operation = BeginEncounter(
      id: try fields.text("id", atMost: 60), patient: try fields.required("patient_id", atMost: 200),
      appointment: try fields.text("appointment_id", atMost: 200), author: try fields.text("author", atMost: 200),
      text: try fields.text("text", atMost: longest) ?? "")
    return try showingBoth(operation.id, fields, call) {
      try call.once(operation) { encounter, _ in try answer(encounter, call, status: 201) }
    }
  }

  private static let list = Route(
    "GET", "/encounters", .api, .reading, "Encounters, what was changed last first.",
    parameters: [
      .init(name: "own", meaning: "1 for those that whoever asks began"),
      .init(name: "patient", meaning: "of one patient, by id"),
      .init(name: "state", meaning: "open, signed or all (default: open)"),
    ] + Shapes.paging, answer: Shapes.page("encounters", whole)
  ) { call in
    let list = try call.perform(
      ListEncounters(
        patient: call.request.parameter("patient"), isOwn: call.request.parameter("own") == "1", states: states(call)))
    return try .json(
      PageOutput("encounters", list, Paging(call.request)) { EncounterOutput(list[$0].encounter, zone: call.zone) })
  }

  private static func states(_ call: Call) throws -> [EncounterState] {
    switch call.request.parameter("state") ?? "open" {
    case "open": return EncounterState.allCases.filter { !$0.isSigned }
    case "signed": return EncounterState.allCases.filter(\.isSigned)
    case "all": return EncounterState.allCases
    default:
      throw ErrorBody(400, "invalid_field", "'state' is not known", hint: "Write open, signed or all.", field: "state")
    }
  }

  private static let cases = Route(
    "GET", "/encounter-cases", .api, .reading,
    "What was proposed for every encounter, what became of it and the final words.",
    parameters: Shapes.paging,
    answer: Shapes.page("cases", .object(["encounter": whole, "species": .string(), "decisions": .list(.any)]))
  ) { call in
    let list = try call.perform(ListEncounterCases())
    return try .json(
      PageOutput("cases", list, Paging(call.request)) { EncounterCaseOutput(list[$0], zone: call.zone) })
  }

  private static let show = Route(
    "GET", "/encounters/{id}", .api, .reading,
    "An encounter with the reading of its words; its revision is the ETag.", answer: shown
  ) { call in
    let found = try call.perform(ShowEncounter(id: call.value("id")))
    return try .json(
      ShownEncounterOutput(found, now: call.now, zone: call.zone),
      headers: [("ETag", "\"\(found.encounter.revision)\"")])
  }

  private static let edit = Route(
    "PUT", "/encounters/{id}", .api, .writing,
    "Replaces the words. 412 where there is a newer revision, with that (`current`) and what was sent (`sent`).",
    parameters: [revision, Shapes.idempotencyKey], body: .object(["text": .string()]), answer: saved
  ) { call in
    let fields = try Fields(call, known: ["text"])
    let text = try fields.text("text", atMost: longest) ?? ""
    let operation = EditEncounter(id: call.value("id"), expecting: try expected(call), text: text)
    return try showingBoth(operation.id, fields, call) {
      try call.once(operation) { encounter, _ in try answer(encounter, call) }
    }
  }

  private static let decide = Route(
    "POST", "/encounters/{id}/decisions", .api, .writing, "Accepts, edits or drops sections as they are proposed.",
    parameters: [revision, Shapes.idempotencyKey],
    body: .object(
      [
        "sections": .list(.oneOf(EncounterSection.allCases.map(\.rawValue))),
        "verdict": .oneOf(EncounterVerdict.allCases.map(\.rawValue)),
      ], optional: ["text": .string("the final words of an edited section")]), answer: saved
  ) { call in
    let fields = try Fields(call, known: ["sections", "verdict", "text"])
    let sections = try (fields.list("sections") ?? []).map { word in
      guard let section = EncounterSection(rawValue: word) else {
        throw ErrorBody(400, "invalid_field", "'\(word.prefix(40))' is no section", field: "sections")
      }
      return section
    }
    guard let verdict = EncounterVerdict(rawValue: try fields.required("verdict", atMost: 20)) else {
      throw ErrorBody(
        400, "invalid_field", "'verdict' is not known", hint: "Write accepted, edited or dropped.", field: "verdict")
    }
    let operation = DecideEncounter(
      id: call.value("id"), expecting: try expected(call), sections: sections, verdict: verdict,
      text: try fields.text("text", atMost: longest))
    return try showingBoth(operation.id, fields, call) {
      try call.once(operation) { shown, _ in try answer(shown.encounter, call) }
    }
  }

  private static let advance = Route(
    "POST", "/encounters/{id}/advance", .api, .writing, "Goes one state forward.",
    parameters: [revision, Shapes.idempotencyKey], body: .object([:]), answer: saved
  ) { call in
    let fields = try Fields(call, known: [])
    let operation = AdvanceEncounter(id: call.value("id"), expecting: try expected(call))
    return try showingBoth(operation.id, fields, call) {
      try call.once(operation) { shown, _ in try answer(shown.encounter, call) }
    }
  }

  private static let sign = Route(
    "POST", "/encounters/{id}/sign", .api, .writing, "Makes one note of what was accepted and written.",
    parameters: [revision, Shapes.idempotencyKey], body: .object([:]), answer: saved
  ) { call in
    let fields = try Fields(call, known: [])
    let operation = SignEncounter(id: call.value("id"), expecting: try expected(call))
    return try showingBoth(operation.id, fields, call) {
      try call.once(operation) { shown, _ in try answer(shown.encounter, call) }
    }
  }

  private static let amend = Route(
    "POST", "/encounters/{id}/amend", .api, .writing,
    "Gives the note of a signed encounter another text, with a reason.",
    parameters: [revision, Shapes.idempotencyKey], body: .object(["text": .string(), "reason": .string()]),
    answer: saved
  ) { call in
    let fields = try Fields(call, known: ["text", "reason"])
    let operation = AmendEncounter(
      id: call.value("id"), expecting: try expected(call), text: try fields.required("text", atMost: longest),
      reason: try fields.required("reason"))
    return try showingBoth(operation.id, fields, call) {
      try call.once(operation) { shown, _ in try answer(shown.encounter, call) }
    }
  }

  private static let discard = Route(
    "DELETE", "/encounters/{id}", .api, .writing, "Throws an encounter away that nobody signed.",
    parameters: [revision, Shapes.idempotencyKey], answer: saved
  ) { call in
    try call.once(DiscardEncounter(id: call.value("id"), expecting: try expected(call))) { encounter, _ in
      try answer(encounter, call)
    }
  }

  private static let summary = Route(
    "GET", "/encounters/{id}/summary", .api, .reading, "What an owner takes home, in plain words and without doses.",
    answer: .object([
      "encounter_id": .string(), "patient": Shapes.patient,
      "parts": .list(.object(["part": .string(), "title": .string(), "lines": .list(.any)])),
    ])
  ) { call in
    let summarized = try call.perform(SummarizeEncounter(id: call.value("id")))
    return try .json(OwnerSummaryOutput(summarized, now: call.now, zone: call.zone))
  }

  // MARK: Parts

  private static func answer(_ encounter: Encounter, _ call: Call, status: Int = 200) throws -> Response {
    try .json(
      SavedEncounterOutput(encounter, zone: call.zone), status: status,
      headers: [("ETag", "\"\(encounter.revision)\"")])
  }

  private static func expected(_ call: Call) throws -> Int {
    guard let header = call.request.header("if-match") else {
      throw ErrorBody(
        428, "revision_needed", "a change says which revision it is based on",
        hint: "Send the header If-Match with the ETag of the encounter.")
    }
    guard let revision = Int(header.trimming { $0 == " " || $0 == "\"" }) else {
      throw ErrorBody(400, "invalid_field", "that is no revision", field: "If-Match")
    }
    return revision
  }

  /// A change that is based on an old revision is refused with both: what stands there, and what was sent.
  private static func showingBoth(
    _ id: String?, _ fields: Fields, _ call: Call, _ work: () throws -> Response
  ) throws -> Response {
    do {
      return try work()
    } catch let error as PracticeError where error.code == .changedMeanwhile {
      var body = ErrorBody(412, "changed_meanwhile", error.description, hint: error.hint)
      if let id {
        body.encounter = EncounterOutput(try call.perform(ShowEncounter(id: id)).encounter, zone: call.zone)
      }
      if fields.names("text") { body.sent = try fields.text("text", atMost: longest) ?? "" }
      throw body
    }
  }
}
