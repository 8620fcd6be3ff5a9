import Clinical
import VetNet

/// Who may use the practice, as JSON.
enum UserRoutes {
  static let all: [Route] = [users, add, change, reset, rules]

  private static let userShape = Schema.object(
    ["name": .string(), "role": .oneOf(Role.allCases.map(\.rawValue)), "disabled": .boolean],
    optional: ["staff_id": .string(), "account": .string(), "location_roles": .any])

  private static let list = Schema.object(["users": .list(userShape)])

  private static func listed(_ call: Call, status: Int = 200) throws -> Response {
    try .json(["users": call.permitted(ListUsers()) ?? []], status: status)
  }

  private static let users = Route(
    "GET", "/users", .api, .reading, "Who may use the practice, and as what.", answer: list
  ) { call in try .json(["users": call.perform(ListUsers())]) }

  private static let add = Route(
    "POST", "/users", .api, .writing,
    "Somebody more who may use the practice. The first has to be an administrator, and closes it to everybody else.",
    body: .object(
      ["name": .string(), "role": .oneOf(Role.allCases.map(\.rawValue)), "passphrase": .string()],
      optional: ["staff_id": .string()]), answer: .object(["name": .string(), "role": .string()]), status: 201
  ) { call in
    let fields = try Fields(call, known: ["name", "role", "passphrase", "staff_id"])
    let name = try fields.required("name", atMost: 256).trimming(while: \.isWhitespace)
    let role = try role(fields)
    let verifier = try verifier(fields, call)
    let staff = try fields.text("staff_id", atMost: 200)
    try call.about("name") { try call.perform(AddUser(name: name, role: role, verifier: verifier, staff: staff)) }
    // Who adds the first is no user of the practice any more, and may see nothing else of it.
    return try .json(["name": name, "role": role.rawValue], status: 201)
  }

  private static let change = Route(
    "PATCH", "/users/{name}", .api, .writing,
    "Another role, everywhere or at one location (`role` null for what they are elsewhere); lets somebody in no more, or again.",
    body: .object(
      [:], optional: ["role": .oneOf(Role.allCases.map(\.rawValue)), "location": .string(), "disabled": .boolean]),
    answer: list
  ) { call in
    let fields = try Fields(call, known: ["role", "location", "disabled"])
    let name = call.value("name")
    if let location = try fields.text("location", atMost: 200) {
      let role = try fields.text("role", atMost: 40) == nil ? nil : role(fields)
      try call.about("location") { try call.perform(SetLocationRole(name: name, location: location, role: role)) }
    } else if fields.names("role") {
      try call.perform(SetUserRole(name: name, role: role(fields)))
    }
    if fields.names("disabled") {
      try call.perform(DisableUser(name: name, isDisabled: fields.flag("disabled")))
    }
    return try listed(call)
  }

  private static let reset = Route(
    "POST", "/users/{name}/passphrase", .api, .writing,
    "Another passphrase for somebody who has forgotten theirs; their sessions, passkeys and subscribed calendars end.",
    body: .object(["passphrase": .string()]),
    answer: .object(["users": .list(userShape), "feeds_ended": .integer])
  ) { call in
    let fields = try Fields(call, known: ["passphrase"])
    let feeds = try call.perform(ResetPassphrase(name: call.value("name"), verifier: verifier(fields, call)))
    return try .json(ResetOutput(users: call.permitted(ListUsers()) ?? [], feeds_ended: feeds))
  }

  private static let rules = Route(
    "PATCH", "/sign-in-rules", .api, .writing, "How the practice lets its users in.",
    body: .object([:], optional: ["idle_minutes": .integer, "account_unlock": .boolean]),
    answer: .object(["idle_minutes": .integer, "account_unlock": .boolean])
  ) { call in
    let fields = try Fields(call, known: ["idle_minutes", "account_unlock"])
    let unlocks = try fields.names("account_unlock") ? fields.flag("account_unlock") : nil
    return try .json(
      call.perform(
        SetSignInRules(
          idleMinutes: fields.integer("idle_minutes", in: Practice.People.idleRange), unlocksByAccount: unlocks)))
  }

  private static func role(_ fields: Fields) throws -> Role {
    guard let role = Role(rawValue: try fields.required("role", atMost: 40)), role != .owner else {
      throw ErrorBody(
        400, "invalid_field", "'role' is no role of a user",
        hint: "There are \(Role.allCases.filter { $0 != .owner }.map(\.rawValue).joined(separator: ", ")).",
        field: "role")
    }
    return role
  }

  /// What is kept of a passphrase. That takes 64 MiB for a moment: only for those who may use it, on the one thread that writes.
  private static func verifier(_ fields: Fields, _ call: Call) throws -> PassphraseVerifier {
    guard call.session.actor.role.may(.manageUsers) else {
      throw ErrorBody(lacking: .manageUsers, call.session.actor.role, for: "to set passphrases")
    }
    let words = Passphrase(try fields.required("passphrase", atMost: Passphrase.byteLimit))
    return try call.about("passphrase") { try PassphraseVerifier(of: words) }
  }
}

private struct ResetOutput: Encodable {
  let users: [PracticeUser]
  let feeds_ended: Int
}
