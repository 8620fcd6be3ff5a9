import Clinical
import Presentation
import VetNet

/// What came in and waits to be filed, as JSON. Only what a person names is filed, and to whom they say.
enum InboxRoutes {
  static let all: [Route] = [count, list, item, undoLast, aside, file, reject, later, undo]

  private static let shape: Schema = .object(
    [
      "id": .string(), "kind": .oneOf(IncomingItem.Kind.allCases.map(\.rawValue)),
      "state": .oneOf(InboxItem.State.allCases.map(\.rawValue)), "source": .string(), "origin": .string(),
      "received_at": .string(), "reason": .string(),
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
    ])

  private static let count = Route(
    "GET", "/inbox-count", .api, .reading, "How much of the inbox there is to do.",
    answer: .object(["waiting": .integer, "urgent": .integer, "later": .integer, "decided": .integer])
  ) { call in try .json(call.perform(CountInbox())) }

  private static let list = Route(
    "GET", "/inbox", .api, .reading,
    "What waits to be filed, the most urgent first, then the longest waiting; what was put off at the end.",
    parameters: [
      .init(name: "state", meaning: "waiting, later, filed or rejected (default: waiting and later)"),
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
      optional: ["date": .string("when it was written, where that isn't what it says"), "dry_run": .boolean]),
    answer: shape
  ) { call in
    let fields = try Fields(call, known: ["patient_id", "date", "dry_run"])
    let filing = AssignInboxItem(
      id: call.value("id"), patient: try fields.required("patient_id", atMost: 200), date: try fields.moment("date"),
      isDryRun: try fields.flag("dry_run"))
    return try call.once(filing) { item, _ in try .json(InboxItemOutput(item, zone: call.zone, isWhole: false)) }
  }

  private static let reject = Route(
    "POST", "/inbox/{id}/reject", .api, .writing, "Says that an item is not to be filed, and why.",
    parameters: [Shapes.idempotencyKey], body: .object(["reason": .string()]), answer: shape
  ) { call in try setAside(call, isRejected: true) }

  private static let later = Route(
    "POST", "/inbox/{id}/later", .api, .writing, "Puts an item off: it stands behind all others.",
    parameters: [Shapes.idempotencyKey], body: .object([:], optional: ["reason": .string()]), answer: shape
  ) { call in try setAside(call, isRejected: false) }

  private static func setAside(_ call: Call, isRejected: Bool) throws -> Response {
    let fields = try Fields(call, known: ["reason"])
    let decision = SetInboxItemAside(
      id: call.value("id"), isRejected: isRejected, reason: try reason(fields, isNeeded: isRejected))
    return try call.once(decision) { item, _ in try .json(InboxItemOutput(item, zone: call.zone, isWhole: false)) }
  }

  private static let aside = Route(
    "POST", "/inbox/aside", .api, .writing,
    "Rejects several items with a reason, or puts them off, all or none; answers those that it changed.",
    parameters: [Shapes.idempotencyKey],
    body: .object(
      ["ids": .list(.string()), "state": .oneOf(["rejected", "later"])], optional: ["reason": .string()]),
    answer: .object(["items": .list(shape)])
  ) { call in
    let fields = try Fields(call, known: ["ids", "state", "reason"])
    let state = try fields.required("state")
    guard ["rejected", "later"].contains(state) else {
      throw ErrorBody(400, "invalid_field", "'state' is rejected or later", field: "state")
    }
    guard let ids = try fields.list("ids"), (1...SetSeveralAside.most).contains(ids.count) else {
      throw ErrorBody(400, "invalid_field", "'ids' names 1 to \(SetSeveralAside.most) items", field: "ids")
    }
    let isRejected = state == "rejected"
    let decision = SetSeveralAside(
      ids: ids, isRejected: isRejected, reason: try reason(fields, isNeeded: isRejected))
    return try call.once(decision) { items, _ in
      try .json(["items": items.map { InboxItemOutput($0, zone: call.zone, isWhole: false) }])
    }
  }

  private static let undo = Route(
    "POST", "/inbox/{id}/undo", .api, .writing,
    "Takes the last decision about an item back; what was filed is unfiled, unless somebody changed it since.",
    parameters: [Shapes.idempotencyKey], body: .object([:]), answer: shape
  ) { call in
    try call.once(UndoInbox(id: call.value("id"))) { item, _ in
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
    guard let word = request.parameter("state") else { return [.waiting, .later] }
    guard let state = InboxItem.State(rawValue: word) else {
      throw ErrorBody(400, "invalid_field", "'state' is waiting, later, filed or rejected", field: "state")
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
