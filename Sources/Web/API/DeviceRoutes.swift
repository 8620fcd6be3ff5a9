import Clinical
import VetNet

/// Machines that take part, for whoever manages them, as JSON.
enum DeviceRoutes {
  static let all: [Route] = [list, invite, losses, revoke]

  private static let shape = Schema.object(
    ["name": .string(), "kind": .oneOf(["file", "browser"]), "state": .oneOf(["invited", "active", "revoked"])],
    optional: [
      "id": .string(), "user": .string(), "enrolled_at": .string(), "seen_at": .string(), "revoked_at": .string(),
      "revoked_by": .string(), "reason": .string(), "wiped_at": .string(), "expires_at": .string(),
    ])

  private static let list = Route(
    "GET", "/devices", .api, .reading, "Practice files elsewhere and browsers that take part.",
    answer: .object(["devices": .list(shape)])
  ) { call in try .json(["devices": call.perform(ListDevices())]) }

  private struct InvitationOutput: Encodable {
    let device: String
    let user: String?
    let expires_at: String
    let urls: [String]
    /// One line, which nobody can be told again.
    let invitation: String
  }

  private static let invite = Route(
    "POST", "/devices", .api, .writing,
    "Invites another machine to take the practice along, once: `invitation` is one line for vetnet clone there, and is told this once.",
    body: .object(["device": .string("what it is called")], optional: ["user": .string(), "minutes": .integer]),
    answer: .object(
      [
        "device": .string(), "expires_at": .string(), "urls": .list(.string()), "invitation": .string(),
      ], optional: ["user": .string()]), status: 201
  ) { call in
    let fields = try Fields(call, known: ["device", "user", "minutes"])
    let name = try fields.required("device", atMost: 200).trimmingSpaces()
    let user = try fields.text("user", atMost: 256)
    let minutes = try fields.integer("minutes", in: 1...Practice.Devices.longestInvitationMinutes)
    guard let hub = HubAddress.read(beside: call.practice.path) else {
      throw ErrorBody(
        409, "no_address", "this server has not said where machines elsewhere reach it",
        hint: "Name the address instead: vetnet device enroll NAME --url URL.")
    }
    let made = try call.perform(
      InviteDevice(device: name, user: user, minutes: minutes ?? Practice.Devices.invitationMinutes))
    return try .json(
      InvitationOutput(
        device: made.name, user: made.user, expires_at: call.zone.iso8601(made.expiresAt), urls: hub.urls,
        invitation: DeviceInvitation(made, hub: hub).line), status: 201)
  }

  private static let losses = Route(
    "GET", "/devices/{id}/losses", .api, .reading,
    "What was written in a browser, had not reached the practice, and went when it was wiped: by kind and id, without words.",
    answer: .object([
      "losses": .list(.object(["kind": .string()], optional: ["record": .string(), "written_at": .string()]))
    ])
  ) { call in try .json(["losses": call.perform(ListBrowserLosses(device: call.value("id")))]) }

  private static let revoke = Route(
    "POST", "/devices/{id}/revocation", .api, .writing,
    "Refuses a device from now on: its sessions end, and a browser wipes what it kept when it comes next.",
    body: .object(["reason": .string()]), answer: shape
  ) { call in
    let reason = try Fields(call, known: ["reason"]).required("reason", atMost: 500)
    return try .json(call.perform(RevokeDevice(device: call.value("id"), reason: reason)))
  }
}
