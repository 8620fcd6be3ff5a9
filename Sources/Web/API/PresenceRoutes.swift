import VetNet

/// Who has what open.
enum PresenceRoutes {
  static let all: [Route] = [say]

  private static let kinds: [RecordKind] = [.patient, .note, .encounter]

  private static let say = Route(
    "POST", "/presence", .api, .reading,
    "Says that a page has a record open, to be said again every 15 seconds; others hear of it by the event `presence`. Nothing of it is kept.",
    access: .unattended, needs: .readRegister,
    body: .object(
      [
        "page": .string("what the page knows itself by"), "kind": .oneOf(kinds.map(\.rawValue)), "id": .string(),
      ], optional: ["is_typing": .boolean, "is_open": .boolean]),
    answer: .object([
      "people": .list(.object(["page": .string(), "name": .string(), "is_typing": .boolean]))
    ])
  ) { call in
    let fields = try Fields(call, known: ["page", "kind", "id", "is_typing", "is_open"])
    let word = try fields.required("kind", atMost: 20)
    guard let kind = RecordKind(rawValue: word), kinds.contains(kind) else {
      throw ErrorBody(
        400, "invalid_field", "'kind' is not known",
        hint: "There are \(kinds.map(\.rawValue).joined(separator: ", ")).", field: "kind")
    }
    let record = RecordReference(kind, try fields.required("id", atMost: 200))
    let visitor = PresenceBoard.Visitor(
      page: try fields.required("page", atMost: 64), name: call.session.actor.name,
      is_typing: try fields.flag("is_typing"))
    let isOpen = try !fields.names("is_open") || fields.flag("is_open")
    return try .json(["people": call.presence.say(visitor, of: call.session, at: record, isOpen: isOpen)])
  }
}
