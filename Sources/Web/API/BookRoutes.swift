import Clinical
import Presentation
import VetNet

/// The appointment book as JSON.
enum BookRoutes {
  static let all: [Route] = [day, waiting, appointment, book, change, check, slots, emergency, undo, redo]

  /// Steps instead of seconds, so that the same book gives the same plan.
  static var planLimits: SearchLimits {
    var limits = SearchLimits()
    limits.iterations = 3000
    return limits
  }

  private static let day = Route(
    "GET", "/day/{date}", .api, .reading, "A day's appointments, by time, and who works that day.",
    parameters: [.init(name: "clinician", meaning: "only this clinician's")], answer: Shapes.day
  ) { call in
    let day = try call.perform(ShowDay(date: call.date(), clinicianID: call.request.parameter("clinician")))
    return try .json(DayOutput(day, zone: call.zone))
  }

  private static let waiting = Route(
    "GET", "/waiting", .api, .reading, "Requests without a slot, the most urgent first.",
    parameters: [
      .init(name: "days", meaning: "how many days ahead to look for the best free slot of each (default 0: don't)")
    ] + Shapes.paging, answer: Shapes.page("waiting", Shapes.appointment)
  ) { call in
    let days = try Paging.number(call.request, "days", 0...60) ?? 0
    let list = try call.perform(ListWaiting(days: days))
    return try .json(
      PageOutput("waiting", list, Paging(call.request)) { WaitingOutput(list[$0], zone: call.zone) })
  }

  private static let appointment = Route(
    "GET", "/appointments/{id}", .api, .reading, "One appointment; its revision is the ETag.",
    answer: Shapes.entry
  ) { call in
    try shown(call.value("id"), call)
  }

  private static let bookingFields: Set<String> = [
    "patient_id", "appointment_id", "start", "duration_minutes", "clinician_id", "resource_ids", "visit_type", "reason",
    "dry_run", "urgency",
  ]

  private static let book = Route(
    "POST", "/appointments", .api, .writing,
    "Books an appointment. A slot that is taken is refused with 409, and `free_slots` names what is left.",
    parameters: [Shapes.idempotencyKey],
    body: .object(
      ["start": .string("2026-11-26T09:30, in the practice's time where it has no offset"), "clinician_id": .string()],
      optional: [
        "patient_id": .string("an id, or words that fit one patient"),
        "appointment_id": .string("instead: a request on file that gets this time"), "duration_minutes": .integer,
        "resource_ids": .list(.string()), "visit_type": .string(), "reason": .string(), "dry_run": .boolean,
        "urgency": Shapes.urgency,
      ]), answer: Shapes.appointment, status: 201
  ) { call in
    let fields = try Fields(call, known: bookingFields)
    guard let start = try fields.moment("start") else {
      throw ErrorBody(400, "invalid_field", "'start' is needed", hint: "Write 2026-11-23T09:30.", field: "start")
    }
    let isDryRun = try fields.flag("dry_run")
    let booking = BookAppointment(
      booking: Booking(
        patient: try fields.text("patient_id"), appointmentID: try fields.text("appointment_id"), start: start,
        minutes: try fields.integer("duration_minutes", in: 1...1440),
        clinicianID: try fields.required("clinician_id"), resourceIDs: try fields.list("resource_ids") ?? [],
        visitType: try visitType(fields, call), reason: try fields.text("reason", atMost: 20_000),
        urgency: try fields.urgency("urgency")), isDryRun: isDryRun)
    return try call.once(booking) { change, context in
      try changed(change, call, context, status: isDryRun ? 200 : 201, isWritten: !isDryRun)
    }
  }

  private static let change = Route(
    "PATCH", "/appointments/{id}", .api, .writing,
    "Moves an appointment, or cancels it with the status `cancelled`. 412 where it was changed since, with what it is now.",
    parameters: [
      .init(name: "If-Match", meaning: "the revision that the change is based on", isRequired: true, isHeader: true)
    ],
    body: .object(
      [:],
      optional: [
        "start": .string(), "clinician_id": .string(), "resource_ids": .list(.string()), "duration_minutes": .integer,
        "status": .oneOf(["cancelled"]), "dry_run": .boolean,
      ]), answer: Shapes.appointment
  ) { call in
    let id = call.value("id")
    let revision = try expected(call)
    let fields = try Fields(
      call, known: ["start", "clinician_id", "resource_ids", "duration_minutes", "status", "dry_run"])
    let isDryRun = try fields.flag("dry_run")
    do {
      if let status = try fields.text("status") {
        guard status == "cancelled" else {
          throw ErrorBody(400, "invalid_field", "'status' can become cancelled here", field: "status")
        }
        return try call.once(CancelAppointment(id: id, expecting: revision, isDryRun: isDryRun)) {
          try changed($0, call, $1, isWritten: !isDryRun)
        }
      }
      let move = MoveAppointment(
        id: id, start: try fields.moment("start"), clinicianID: try fields.text("clinician_id"),
        resourceIDs: try fields.list("resource_ids"), minutes: try fields.integer("duration_minutes", in: 1...1440),
        expecting: revision, isDryRun: isDryRun)
      return try call.once(move) { try changed($0, call, $1, isWritten: !isDryRun) }
    } catch let error as PracticeError where error.code == .changedMeanwhile {
      var body = ErrorBody(error)
      body.current = RevisedEntry(entry: try call.perform(ShowAppointment(id: id)), zone: call.zone)
      throw body
    }
  }

  private static let check = Route(
    "POST", "/appointments/{id}/check", .api, .reading,
    "What forbids an appointment a time, and the cheapest ways round; nothing is written.",
    body: .object(
      ["start": .string()], optional: ["clinician_id": .string(), "resource_ids": .list(.string())]),
    answer: .object(["appointment_id": .string(), "possible": .boolean, "obstacles": .list(.any)])
  ) { call in
    let fields = try Fields(call, known: ["start", "clinician_id", "resource_ids"])
    guard let start = try fields.moment("start") else {
      throw ErrorBody(400, "invalid_field", "'start' is needed", field: "start")
    }
    let refusal = try call.perform(
      ExplainRefusal(
        id: call.value("id"), start: start, clinicianID: fields.text("clinician_id"),
        resourceIDs: fields.list("resource_ids") ?? []))
    return try .json(RefusalOutput(refusal, zone: call.zone))
  }

  private static let slots = Route(
    "POST", "/slots", .api, .reading, "The best free slots for a case in words, or for a request on file.",
    body: CaseFields.shape(beside: [
      "appointment_id": .string(), "from": .string(), "days": .integer, "limit": .integer, "urgency": Shapes.urgency,
    ]), answer: .object(["proposals": .list(Shapes.slot)], optional: ["urgency": .string(), "visit_type": .string()])
  ) { call in
    try .json(ProposalsOutput(proposals(call), zone: call.zone))
  }

  /// What the body asks slots for.
  static func proposals(_ call: Call) throws -> CaseProposals {
    let fields = try Fields(
      call, known: CaseFields.names.union(["appointment_id", "from", "days", "limit", "urgency"]))
    return try call.perform(
      ProposeSlots(
        request: CaseFields.request(fields, call), from: fields.moment("from") ?? call.now,
        days: fields.integer("days", in: 1...60) ?? 7, limit: fields.integer("limit", in: 1...50) ?? 5,
        urgency: fields.urgency("urgency")))
  }

  private static let emergency = Route(
    "POST", "/emergencies", .api, .writing,
    "Makes room today for a red or orange case, moving as few others as it takes, and says who has to be told.",
    parameters: [Shapes.idempotencyKey],
    body: CaseFields.shape(beside: [
      "appointment_id": .string(), "urgency": .oneOf(["red", "orange"]), "duration_minutes": .integer,
      "dry_run": .boolean,
    ]),
    answer: .object([
      "appointment": Shapes.appointment, "urgency": .string(), "wait_minutes": .integer, "moved": .integer,
      "notices": .list(.any), "changes": .list(.any),
    ]), status: 201
  ) { call in
    let fields = try Fields(
      call, known: CaseFields.names.union(["appointment_id", "urgency", "duration_minutes", "dry_run"]))
    let isDryRun = try fields.flag("dry_run")
    let emergency = BookEmergency(
      request: try CaseFields.request(fields, call), urgency: try fields.urgency("urgency"),
      minutes: try fields.integer("duration_minutes", in: 1...1440), isDryRun: isDryRun)
    return try call.once(emergency) { booking, _ in
      try .json(EmergencyOutput(booking, zone: call.zone), status: isDryRun ? 200 : 201)
    }
  }

  private static let undo = Route(
    "POST", "/undo", .api, .writing, "Takes the latest change of the plan back, whoever made it.",
    parameters: [Shapes.idempotencyKey], answer: Shapes.reverted
  ) { call in
    try call.once(UndoPlan()) { reverted, _ in try .json(RevertOutput(reverted, zone: call.zone)) }
  }

  private static let redo = Route(
    "POST", "/redo", .api, .writing, "Makes the change again that was taken back last.",
    parameters: [Shapes.idempotencyKey], answer: Shapes.reverted
  ) { call in
    try call.once(RedoPlan()) { reverted, _ in try .json(RevertOutput(reverted, zone: call.zone)) }
  }

  // MARK: - Parts

  /// The revision of `If-Match`; nil for `*`.
  static func expected(_ call: Call) throws -> Int64? {
    guard var text = call.request.header("if-match")?.trimming(while: { $0 == " " }) else {
      throw ErrorBody(
        428, "revision_needed", "a change says which revision it is based on",
        hint: "Send the header If-Match with the ETag of the appointment.")
    }
    if text == "*" { return nil }
    if text.hasPrefix("W/") { text = String(text.dropFirst(2)) }
    guard let revision = Int64(text.trimming(while: { $0 == "\"" })) else {
      throw ErrorBody(400, "invalid_field", "If-Match is no revision", hint: "Send \"7\".", field: "If-Match")
    }
    return revision
  }

  static func visitType(_ fields: Fields, _ call: Call) throws -> VisitType? {
    guard let word = try fields.text("visit_type", atMost: 100) else { return nil }
    let known = VisitType.builtIn + (try call.perform(ListVisitTypes()))
    if let type = known.first(where: { $0.rawValue.lowercased() == word.lowercased() }) { return type }
    throw ErrorBody(
      400, "invalid_field", "'visit_type' is not known",
      hint: "There are \(VisitType.builtIn.map(\.rawValue).joined(separator: ", ")).", field: "visit_type")
  }

  private static func shown(_ id: String, _ call: Call) throws -> Response {
    let entry = RevisedEntry(entry: try call.perform(ShowAppointment(id: id)), zone: call.zone)
    return try .json(entry, headers: [("ETag", entry.tag)])
  }

  private static func changed(
    _ change: BookChange, _ call: Call, _ context: AnswerContext, status: Int = 200, isWritten: Bool
  ) throws -> Response {
    let id = change.appointment.id
    let headers: [(name: String, value: String)] =
      isWritten
      ? [
        ("ETag", "\"\(try context.revision(ofAppointment: id))\""),
        ("Location", Link.path(["api", "v1", "appointments", id])),
      ] : []
    return try .json(ChangeOutput(change, zone: call.zone), status: status, headers: headers)
  }
}

extension StringProtocol {
  func trimming(while isTrimmed: (Character) -> Bool) -> String {
    var rest = Substring(self)
    while let first = rest.first, isTrimmed(first) { rest.removeFirst() }
    while let last = rest.last, isTrimmed(last) { rest.removeLast() }
    return String(rest)
  }
}

extension Paging {
  /// A number of the query; nil where it isn't given.
  static func number(_ request: Request, _ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let text = request.parameter(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw ErrorBody(
        400, "invalid_field", "'\(name)' is not a whole number from \(range.lowerBound) to \(range.upperBound)",
        field: name)
    }
    return number
  }
}
