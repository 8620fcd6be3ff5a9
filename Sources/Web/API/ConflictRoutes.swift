import Clinical
import VetNet

/// What devices said without knowing of each other, for whoever may settle it, as JSON.
enum ConflictRoutes {
  static let all: [Route] = [list, settle, reopen]

  private static let choices = SettleSyncConflict.Choice.allCases.map(\.rawValue)

  private static let side = Schema.object(
    [:], optional: ["value": .any, "actor": .string(), "at": .string("by the clock there"), "device": .string()])

  private static let shape = Schema.object(
    [
      "id": .string(), "kind": .string(), "record": .string(), "field": .string(), "ours": side, "theirs": side,
      "kept": .string("which stands"), "choices": .list(.oneOf(choices)),
    ],
    optional: [
      "reason": .string(), "settled": .string(), "settled_at": .string(), "patient_id": .string(), "name": .string(),
    ])

  private struct Side: Encodable {
    let value: FieldContent?
    let actor: String?
    let at: String?
    let device: String?

    init(_ value: FieldContent?, _ said: ConflictBackground.Said?, _ zone: PracticeTimeZone) {
      self.value = value
      actor = said?.actor
      at = said.map { zone.iso8601($0.at) }
      device = said?.device
    }
  }

  private struct Output: Encodable {
    let id: String
    let kind: String
    let record: String
    let field: String
    let ours: Side
    let theirs: Side
    let kept: String
    let choices: [String]
    let reason: String?
    let settled: String?
    let settled_at: String?
    let patient_id: String?
    let name: String?

    init(_ conflict: SyncConflict, _ zone: PracticeTimeZone) {
      let background = conflict.background
      id = conflict.id
      kind = conflict.record.kind
      record = conflict.shownID
      field = conflict.field
      ours = Side(conflict.ours, background.ours, zone)
      theirs = Side(conflict.theirs, background.theirs, zone)
      kept = conflict.kept.rawValue
      choices = conflict.choices.map(\.rawValue)
      reason = conflict.reason
      settled = conflict.settled
      settled_at = conflict.settled == nil ? nil : background.settledAt.map(zone.iso8601)
      patient_id = background.patientID
      name = background.name
    }
  }

  private static let list = Route(
    "GET", "/conflicts", .api, .reading,
    "What devices said of one field without knowing of each other, or what the hub could not do as it was asked: both sides, and which stands.",
    parameters: [.init(name: "settled", meaning: "1: also those that somebody has settled")],
    answer: .object(["conflicts": .list(shape)])
  ) { call in
    let conflicts = try call.perform(ListSyncConflicts(all: call.request.parameter("settled") == "1"))
    return try .json(["conflicts": conflicts.map { Output($0, call.zone) }])
  }

  private static let settle = Route(
    "POST", "/conflicts/{id}/choice", .api, .writing,
    "Settles one, on every device: by the hub's value, the device's, or because what stands is right.",
    parameters: [Shapes.idempotencyKey], body: .object(["choice": .oneOf(choices)]),
    answer: .object(["id": .string(), "choice": .oneOf(choices)])
  ) { call in
    let word = try Fields(call, known: ["choice"]).required("choice", atMost: 20)
    guard let choice = SettleSyncConflict.Choice(rawValue: word) else {
      throw ErrorBody(
        400, "invalid_field", "'choice' is not known", hint: "There are \(choices.joined(separator: ", ")).",
        field: "choice")
    }
    return try call.once(SettleSyncConflict(id: call.value("id"), choice: choice)) { conflict, _ in
      try .json(["id": conflict.id, "choice": choice.rawValue])
    }
  }

  private static let reopen = Route(
    "POST", "/conflicts/{id}/reopening", .api, .writing,
    "Takes back that one was settled: what stood before stands again, unless it was changed since.",
    parameters: [Shapes.idempotencyKey], body: .object([:]), answer: .object(["id": .string()])
  ) { call in
    try call.once(ReopenSyncConflict(id: call.value("id"))) { conflict, _ in try .json(["id": conflict.id]) }
  }
}

extension SyncConflict {
  /// What can be chosen of it.
  var choices: [SettleSyncConflict.Choice] {
    SettleSyncConflict.Choice.allCases.filter { choice in
      switch choice {
      case .ours: background.isChoosable && ours != nil
      case .theirs: background.isChoosable && theirs != nil
      case .leave: true
      }
    }
  }
}
