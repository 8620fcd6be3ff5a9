import Clinical
import VetNet

/// Machines that take part, for whoever manages them, as JSON.
enum DeviceRoutes {
  static let all: [Route] = [list, losses, revoke]

  private static let shape = Schema.object(
    ["name": .string(), "kind": .oneOf(["file", "browser"]), "state": .oneOf(["invited", "active", "revoked"])],
    optional: [
      "id": .string(), "user": .string(), "enrolled_at": .string(), "seen_at": .string(), "revoked_at": .string(),
      "revoked_by": .string(), "reason": .string(), "wiped_at": .string(),
    ])

  private static let list = Route(
    "GET", "/devices", .api, .reading, "Practice files elsewhere and browsers that take part.",
    answer: .object(["devices": .list(shape)])
  ) { call in try .json(["devices": call.perform(ListDevices())]) }

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
