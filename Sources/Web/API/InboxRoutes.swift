import Clinical
import Presentation
import VetNet

/// What came in and waits to be filed, as JSON. Only what a person names is filed, and to whom they say.
enum InboxRoutes {
  static let all: [Route] =
    [
      count, list, takeIn, session, place, undoLast, undoSeveral, aside, fileSeveral, item, file, book, ask, reject,
      later, undo,
    ]

  private static let shape: Schema = .object(
    [
      "id": .string(), "kind": .oneOf(IncomingItem.Kind.allCases.map(\.rawValue)),
      "state": .oneOf(InboxItem.State.allCases.map(\.rawValue)), "source": .string(), "origin": .string(),
      "received_at": .string(), "reason": .string(), "revision": .integer, "is_back": .boolean,
      "readers": .list(.string("who else has it open")),
      "candidates": .list(
        .object(
          [
            "patient_id": .string(), "name": .string(), "species": .string(), "certainty": .number,
            "evidence": .list(.string()),
          ], optional: ["owner_name": .string()])),
    ],
    optional: [
      "dated_at": .string(), "title": .string(), "author": .string(), "urgency": Shapes.urgency,
      "appointment": Shapes.appointment, "text": .string(), "original": .any, "decisions": .list(.any),
      "filed": .object(["patient_id": .string(), "kind": .string(), "id": .string()]),
      "until": .string("when it comes back"), "asked": .string("what its sender is asked"),
      "level": .object(
        [
          "action": .string(), "target_minutes": .integer, "basis": .string(),
          "words": .list(.string("of the message, where the whole of it is shown")),
        ]),
      "booked": Shapes.appointment, "contact": .string(), "animal": .string(),
      "answers": .string("the item that it answers"), "batch": .integer,
    ])

  /// The item's revision that an act is based on; 412 where somebody decided since, with who and when.
  private static let seen: [String: Schema] = ["seen": .integer]

  private static let sessionShape: Schema = .object(
    [
      "chosen": .list(.string()), "next": .list(.string("what comes next, without what others have open")),
      "others": .list(.object(["name": .string(), "item": .string()])),
      "tally": .object([
        "waiting": .integer, "urgent": .integer, "later": .integer, "asked": .integer, "decided": .integer,
      ]),
      "words": .string("12 of 40, 3 urgent left"),
    ], optional: ["item": .string("where whoever asks stopped")])

  private struct SessionOutput: Encodable {
    struct Other: Encodable {
      let name: String
      let item: String
    }
    let item: String?
    let chosen: [String]
    let next: [String]
    let others: [Other]
    let tally: InboxTally
    let words: String

    init(_ session: InboxSession) {
      item = session.item
      chosen = session.chosen
      next = session.next
      others = session.others.map { Other(name: $0.name, item: $0.item) }
      tally = session.tally
      words = session.tally.words
    }
  }

  private static let session = Route(
    "GET", "/inbox-session", .api, .reading,
    "Where whoever asks is in the queue, what comes next, and who else works on it.",
    parameters: [.init(name: "after", meaning: "an item: what stands behind it comes first")], answer: sessionShape
  ) { call in
    try .json(SessionOutput(call.perform(ShowInboxSession(after: call.request.parameter("after")))))
  }

  private static let place = Route(
    "POST", "/inbox-session", .api, .writing,
    "Remembers which item whoever asks has open, and which they have chosen; others see the one for three minutes.",
    body: .object([:], optional: ["item": .string("empty for none"), "chosen": .list(.string())]), answer: sessionShape
  ) { call in
    let fields = try Fields(call, known: ["item", "chosen"])
    let operation = KeepInboxPlace(
      item: fields.names("item") ? try fields.text("item", atMost: 60) ?? "" : nil, chosen: try fields.list("chosen"))
    return try .json(SessionOutput(call.perform(operation)))
  }

  private static let takeIn = Route(
    "POST", "/inbox", .api, .writing,
    "Takes in what an owner wrote or said. It waits, the most urgent first; with `patient_id`, which a person says, it is filed.",
    parameters: [Shapes.idempotencyKey],
    body: .object(
      ["text": .string("in the owner's words")],
      optional: [
        "id": .string("its sender's id for it: the same again is no news"), "channel": .string("phone, web form, …"),
        "author": .string("who wrote or rang"), "contact": .string("a number or an address to reach them"),
        "animal": .string("what they call the animal"), "species": .string(), "breed": .string(), "age": .string(),
        "sex": .oneOf(["MN", "FS", "M", "F", "unknown"]), "weight_kg": .number,
        "urgency": Shapes.urgency, "answers": .string("the item that it answers"),
        "patient_id": .string("an id, or words that fit one patient"),
      ]), answer: shape, status: 201
  ) { call in
    let fields = try Fields(
      call,
      known: [
        "text", "id", "channel", "author", "contact", "animal", "species", "breed", "age", "sex", "weight_kg",
        "answers",
        "patient_id", "urgency",
      ])
    var message = IncomingMessage(
      text: try fields.required("text", atMost: 20_000), channel: try fields.text("channel", atMost: 60))
    message.id = try fields.text("id", atMost: 200)
    message.author = try fields.text("author", atMost: 200)
    message.contact = try fields.text("contact", atMost: 200)
    message.animal = try fields.text("animal", atMost: 200)
    message.species = try fields.species("species")
    message.breed = try fields.text("breed", atMost: 200)
    message.age = try fields.text("age", atMost: 60)
    message.sex = try fields.sex("sex")
    message.weightKilograms = try fields.number("weight_kg", above: 0, below: 2000)
    message.answers = try fields.text("answers", atMost: 60)
    message.urgency = try fields.urgency("urgency")
    let operation = TakeIn(message: message, patient: try fields.text("patient_id", atMost: 200))
    return try call.once(operation) { item, _ in
      try .json(InboxItemOutput(item, zone: call.zone, isWhole: false), status: 201)
    }
  }

  private static let book = Route(
    "POST", "/inbox/{id}/book", .api, .writing,
    "Files an item to its patient and books a visit, in one step, at the level that the item has.",
    parameters: [Shapes.idempotencyKey],
    body: .object(
      ["patient_id": .string(), "start": .string("2026-11-26T09:30"), "clinician_id": .string()],
      optional: [
        "duration_minutes": .integer, "resource_ids": .list(.string()), "visit_type": .string(), "reason": .string(),
        "urgency": Shapes.urgency,
      ].merging(seen) { first, _ in first }), answer: shape
  ) { call in
    let fields = try Fields(
      call,
      known: [
        "patient_id", "start", "clinician_id", "duration_minutes", "resource_ids", "visit_type", "reason", "urgency",
        "seen",
      ])
    guard let start = try fields.moment("start") else {
      throw ErrorBody(400, "invalid_field", "'start' is needed", hint: "Write 2026-11-23T09:30.", field: "start")
    }
    let patient = try fields.required("patient_id", atMost: 200)
    let booking = Booking(
      patient: patient, start: start, minutes: try fields.integer("duration_minutes", in: 1...1440),
      clinicianID: try fields.required("clinician_id"), resourceIDs: try fields.list("resource_ids") ?? [],
      visitType: try BookRoutes.visitType(fields, call), reason: try fields.text("reason", atMost: 20_000),
      urgency: try fields.urgency("urgency"))
    let operation = BookInboxItem(id: call.value("id"), patient: patient, booking: booking, seen: try seen(fields))
    return try call.once(operation) { item, _ in try .json(InboxItemOutput(item, zone: call.zone, isWhole: false)) }
  }

  private static let ask = Route(
    "POST", "/inbox/{id}/ask", .api, .writing,
    "Keeps what the sender of an item is asked back; nothing is sent. It comes back with its answer, or at a time.",
    parameters: [Shapes.idempotencyKey],
    body: .object(
      ["text": .string("the draft of the reply")],
      optional: ["until": .string("when it comes back; what its level tells without")].merging(seen) { first, _ in first
      }),
    answer: shape
  ) { call in
    let fields = try Fields(call, known: ["text", "until", "seen"])
    let operation = AskBack(
      id: call.value("id"), text: try fields.required("text", atMost: 4000), until: try fields.moment("until"),
      seen: try seen(fields))
    return try call.once(operation) { item, _ in try .json(InboxItemOutput(item, zone: call.zone, isWhole: false)) }
  }

  private static let fileSeveral = Route(
    "POST", "/inbox/file-several", .api, .writing,
    "Files several items, each to the patient that is named for it, all or none; they are taken back as one.",
    parameters: [Shapes.idempotencyKey],
    body: .object([
      "files": .list(
        .object(["id": .string(), "patient_id": .string()], optional: ["seen": .integer]))
    ]),
    answer: .object(["items": .list(shape)])
  ) { call in
    let fields = try Fields(call, known: ["files"])
    let pairs = try fields.objects("files", known: ["id", "patient_id", "seen"]).map {
      FileSeveral.Pair(
        id: try $0.required("id", atMost: 60), patient: try $0.required("patient_id", atMost: 200), seen: try seen($0))
    }
    guard (1...SetSeveralAside.most).contains(pairs.count) else {
      throw ErrorBody(400, "invalid_field", "'files' names 1 to \(SetSeveralAside.most) items", field: "files")
    }
    return try call.once(FileSeveral(pairs: pairs)) { items, _ in
      try .json(["items": items.map { InboxItemOutput($0, zone: call.zone, isWhole: false) }])
    }
  }

  private static let undoSeveral = Route(
    "POST", "/inbox/undo-several", .api, .writing, "Takes back what was decided as one, all of it or nothing.",
    parameters: [Shapes.idempotencyKey], body: .object(["batch": .integer]), answer: .object(["items": .list(shape)])
  ) { call in
    let fields = try Fields(call, known: ["batch"])
    guard let batch = try fields.integer("batch", in: 1...Int(Int32.max)) else {
      throw ErrorBody(400, "invalid_field", "'batch' is needed", field: "batch")
    }
    return try call.once(UndoInboxBatch(batch: Int64(batch))) { items, _ in
      try .json(["items": items.map { InboxItemOutput($0, zone: call.zone, isWhole: false) }])
    }
  }

  static func seen(_ fields: Fields) throws -> Int? { try fields.integer("seen", in: 0...1_000_000) }

  private static let count = Route(
    "GET", "/inbox-count", .api, .reading, "How much of the inbox there is to do.",
    answer: .object([
      "waiting": .integer, "urgent": .integer, "later": .integer, "asked": .integer, "decided": .integer,
    ])
  ) { call in try .json(call.perform(CountInbox())) }

  private static let list = Route(
    "GET", "/inbox", .api, .reading,
    "What waits to be filed, the most urgent first, then the longest waiting; what was put off at the end.",
    parameters: [
      .init(name: "state", meaning: "waiting, later, asked, filed or rejected (default: the first three)"),
      .init(name: "kind", meaning: "letter, note, intake or event"),
    ] + Shapes.paging, answer: Shapes.page("items", shape)
  ) { call in
    let items = try call.perform(ListInbox(states: states(call.request), kind: kind(call.request)))
    return try .json(
      PageOutput("items", items, Paging(call.request)) {
        InboxItemOutput(items[$0], zone: call.zone, isWhole: false)
      })
  }

  private static let item = Route(
    "GET", "/inbox/{id}", .api, .reading,
    "One item, whole: its text, who it may be about and why, and what was decided. What came as a file lies at /inbox/{id}/original.",
    answer: shape
  ) { call in
    try .json(InboxItemOutput(call.perform(ShowInboxItem(id: call.value("id"))), zone: call.zone, isWhole: true))
  }

  private static let file = Route(
    "POST", "/inbox/{id}/file", .api, .writing,
    "Files an item to the patient that it is about: it becomes a note or an intake, or its appointment gets its patient.",
    parameters: [Shapes.idempotencyKey],
    body: .object(
      ["patient_id": .string("an id, or words that fit one patient")],
      optional: ["date": .string("when it was written, where that isn't what it says"), "dry_run": .boolean]
        .merging(seen) { first, _ in first }),
    answer: shape
  ) { call in
    let fields = try Fields(call, known: ["patient_id", "date", "dry_run", "seen"])
    let filing = AssignInboxItem(
      id: call.value("id"), patient: try fields.required("patient_id", atMost: 200), date: try fields.moment("date"),
      seen: try seen(fields), isDryRun: try fields.flag("dry_run"))
    return try call.once(filing) { item, _ in try .json(InboxItemOutput(item, zone: call.zone, isWhole: false)) }
  }

  private static let reject = Route(
    "POST", "/inbox/{id}/reject", .api, .writing, "Says that an item is not to be filed, and why.",
    parameters: [Shapes.idempotencyKey], body: .object(["reason": .string()], optional: seen), answer: shape
  ) { call in try setAside(call, isRejected: true) }

  private static let later = Route(
    "POST", "/inbox/{id}/later", .api, .writing,
    "Puts an item off: it stands behind all others, and comes back at a time where one is given.",
    parameters: [Shapes.idempotencyKey],
    body: .object(
      [:], optional: ["reason": .string(), "until": .string("2026-11-27T09:00")].merging(seen) { first, _ in first }),
    answer: shape
  ) { call in try setAside(call, isRejected: false) }

  private static func setAside(_ call: Call, isRejected: Bool) throws -> Response {
    let fields = try Fields(call, known: isRejected ? ["reason", "seen"] : ["reason", "until", "seen"])
    let decision = SetInboxItemAside(
      id: call.value("id"), isRejected: isRejected, reason: try reason(fields, isNeeded: isRejected),
      until: isRejected ? nil : try fields.moment("until"), seen: try seen(fields))
    return try call.once(decision) { item, _ in try .json(InboxItemOutput(item, zone: call.zone, isWhole: false)) }
  }

  private static let aside = Route(
    "POST", "/inbox/aside", .api, .writing,
    "Rejects several items with a reason, or puts them off, all or none; answers those that it changed.",
    parameters: [Shapes.idempotencyKey],
    body: .object(
      ["ids": .list(.string()), "state": .oneOf(["rejected", "later"])],
      optional: ["reason": .string(), "until": .string()]),
    answer: .object(["items": .list(shape)])
  ) { call in
    let fields = try Fields(call, known: ["ids", "state", "reason", "until"])
    let state = try fields.required("state")
    guard ["rejected", "later"].contains(state) else {
      throw ErrorBody(400, "invalid_field", "'state' is rejected or later", field: "state")
    }
    guard let ids = try fields.list("ids"), (1...SetSeveralAside.most).contains(ids.count) else {
      throw ErrorBody(400, "invalid_field", "'ids' names 1 to \(SetSeveralAside.most) items", field: "ids")
    }
    let isRejected = state == "rejected"
    let decision = SetSeveralAside(
      ids: ids, isRejected: isRejected, reason: try reason(fields, isNeeded: isRejected),
      until: isRejected ? nil : try fields.moment("until"))
    return try call.once(decision) { items, _ in
      try .json(["items": items.map { InboxItemOutput($0, zone: call.zone, isWhole: false) }])
    }
  }

  private static let undo = Route(
    "POST", "/inbox/{id}/undo", .api, .writing,
    "Takes the last decision about an item back; what was filed is unfiled, unless somebody changed it since.",
    parameters: [Shapes.idempotencyKey], body: .object([:], optional: seen), answer: shape
  ) { call in
    let fields = try Fields(call, known: ["seen"])
    return try call.once(UndoInbox(id: call.value("id"), seen: try seen(fields))) { item, _ in
      try .json(InboxItemOutput(item, zone: call.zone, isWhole: false))
    }
  }

  private static let undoLast = Route(
    "POST", "/inbox/undo", .api, .writing, "Takes the last decision of the inbox back, whoever made it.",
    parameters: [Shapes.idempotencyKey], body: .object([:]), answer: shape
  ) { call in
    try call.once(UndoInbox()) { item, _ in try .json(InboxItemOutput(item, zone: call.zone, isWhole: false)) }
  }

  // MARK: Parts

  private static func reason(_ fields: Fields, isNeeded: Bool) throws -> String? {
    let reason = try fields.text("reason", atMost: 1000)
    guard reason != nil || !isNeeded else {
      throw ErrorBody(
        400, "invalid_field", "a rejection needs a reason", hint: "Say why it is not to be filed.", field: "reason")
    }
    return reason
  }

  static func states(_ request: Request) throws -> [InboxItem.State] {
    guard let word = request.parameter("state") else { return InboxItem.State.open }
    guard let state = InboxItem.State(rawValue: word) else {
      throw ErrorBody(400, "invalid_field", "'state' is waiting, later, asked, filed or rejected", field: "state")
    }
    return [state]
  }

  static func kind(_ request: Request) throws -> IncomingItem.Kind? {
    guard let word = request.parameter("kind"), !word.isEmpty else { return nil }
    guard let kind = IncomingItem.Kind(rawValue: word) else {
      throw ErrorBody(400, "invalid_field", "'kind' is letter, note, intake or event", field: "kind")
    }
    return kind
  }
}
