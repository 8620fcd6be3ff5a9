import Clinical
import VetNet

/// Machines that take part: which there are, whose, when they were here last; a lost one is revoked.
enum DevicesPage {
  static func page(_ call: Call) throws -> HTML {
    let live = try live(call)
    if call.request.parameter("part") != nil { return live }
    return ManagePages.page(
      .devices, call,
      main: """
        <h1>Devices</h1><p class="hint">Browsers in which somebody signed in keep today and the next seven days for the time without the server, sealed, and so do practice files elsewhere with all they hold. A lost one is revoked: its sessions end at once, and a browser wipes what it keeps when it reaches the server again, or loses the key after \(BrowserDesk.contactHours) hours without it.</p>
        \(try inviting(call))\(ManagePages.live(ManagePages.Page.devices.path, kinds: "device user", live))
        """)
  }

  /// A machine elsewhere may come, once; by whose hand it acts then.
  private static func inviting(_ call: Call) throws -> HTML {
    let actor = call.session.actor
    guard actor.role.may(.manageUsers) else { return "" }
    let users = try call.permitted(ListUsers())?.filter { !$0.isDisabled && $0.role.may(.readRegister) } ?? []
    let user: HTML =
      users.isEmpty
      ? ""
      : ManageField.choice(
        "invite_user", "user", "Who works on it", users.map { ($0.name, "\($0.name), \($0.role.rawValue)") },
        chosen: users.first { $0.role == .veterinarian }?.name, hint: "It may do what they may.")
    let form = ManageForm(
      method: "POST", path: "/api/v1/devices", testID: "invite_form", label: "Invite a machine",
      fields: """
        <div class="fields">\(ManageField.text("invite_device", "device", "What it is called", hint: "Such as: farm laptop."))\(user)\(ManageField.number("invite_minutes", "minutes", "Holds for, minutes", value: Practice.Devices.invitationMinutes, in: 1...Practice.Devices.longestInvitationMinutes))</div>
        """, button: "Invite", done: "Invited: the line below is shown this once.", empties: true, shows: "invitation")
    return """
      <details class="card" data-testid="invite"><summary>A machine that takes the practice along</summary><p class="hint">A practice file on another machine, which syncs with this one by vetnet sync. Whoever has the line that you get here can take the whole practice along, once, until it is used or over: it goes to nobody else. On the other machine: vetnet clone, with that line.\(reach(call))</p>\(form.html)
      <div class="field made" data-made role="status" data-testid="invitation_made" hidden><label for="invitation">The invitation, shown this once</label><div class="ask-line"><input id="invitation" readonly autocomplete="off" data-testid="invitation"><button type="button" data-copy="invitation">Copy</button></div></div></details>
      """
  }

  /// What keeps other machines from it.
  private static func reach(_ call: Call) -> HTML {
    guard let hub = HubAddress.read(beside: call.practice.path) else {
      return
        " This server hasn't said where other machines reach it: vetnet device enroll NAME --url URL names the address."
    }
    return hub.pin == nil
      ? " This server answers on this machine only: machines elsewhere reach it once it is served with TLS (vetnet serve --listen, --tls-cert)."
      : ""
  }

  private static func live(_ call: Call) throws -> HTML {
    let devices = try call.perform(ListDevices())
    guard !devices.isEmpty else { return "<p class=\"empty\">No device is known yet.</p>" }
    let manages = call.session.actor.role.may(.manageUsers)
    let rank: (Device) -> Int = { $0.state == .revoked ? 1 : 0 }
    let ordered = devices.sorted {
      (rank($0), -($0.seenAt ?? $0.enrolledAt).seconds) < (rank($1), -($1.seenAt ?? $1.enrolledAt).seconds)
    }
    let rows = try ordered.prefix(200).html { try row($0, manages, call) }
    return "<ul class=\"plain devices\" data-testid=\"device_list\">\(rows)</ul>"
  }

  private static func row(_ device: Device, _ manages: Bool, _ call: Call) throws -> HTML {
    let seen: HTML =
      device.state == .invited
      ? "invited, may come until \(call.zone.describe(device.seenAt ?? device.enrolledAt))"
      : "here last \(call.zone.describe(device.seenAt ?? device.enrolledAt))"
    let kind: HTML = device.kind == .browser ? "browser" : "practice file"
    let user: HTML = device.user.map { " of <b><bdi>\($0)</bdi></b>" } ?? ""
    let id = device.id ?? device.name
    let standing: HTML =
      device.revocation.map { revocation in
        let wiped: HTML =
          device.kind == .file
          ? ""
          : device.wipedAt.map { "; wiped \(call.zone.describe($0))" as HTML } ?? "; not here since, so not wiped yet"
        return
          " <span class=\"badge bad\">revoked</span> \(call.zone.describe(revocation.at)) by \(revocation.by)\(revocation.reason.map { ": \($0)" })\(wiped)"
      } ?? ""
    return """
      <li class="card" data-testid="device_\(id)"><p><b><bdi>\(device.name)</bdi></b> <span class="id">\(device.id)</span> \(kind)\(user), \(seen)\(standing)</p>\(try lost(device, call))\(manages ? taking(device, id) : "" as HTML)</li>
      """
  }

  /// What had not reached the practice when it was wiped.
  private static func lost(_ device: Device, _ call: Call) throws -> HTML {
    guard device.wipedAt != nil, let id = device.id else { return "" }
    let losses = try call.perform(ListBrowserLosses(device: id))
    guard !losses.isEmpty else { return "<p class=\"hint\">Nothing waited there.</p>" }
    let items = losses.html { loss in
      "<li>\(loss.kind.rawValue)\(loss.record.map { ", \($0)" })\(loss.writtenAt.map { ", written \(call.zone.describe($0))" })</li>"
    }
    return "<p>Went with it, and never reached the practice:</p><ul data-testid=\"device_losses\">\(items)</ul>"
  }

  /// The way to let one come no more.
  private static func taking(_ device: Device, _ id: String) -> HTML {
    switch device.state {
    case .revoked: ""
    case .active: revoking(device, id)
    case .invited:
      ManageForm(
        method: "POST", path: Link.path(["api", "v1", "devices", id, "revocation"]), testID: "withdraw_\(id)_form",
        label: "Withdraw the invitation of \(device.name)",
        fields: ManageField.hidden("reason", "the invitation was withdrawn"), button: "Withdraw the invitation",
        done: "Withdrawn: its line is good for nothing any more.", style: "danger"
      ).html
    }
  }

  private static func revoking(_ device: Device, _ id: String) -> HTML {
    let form = ManageForm(
      method: "POST", path: Link.path(["api", "v1", "devices", id, "revocation"]), testID: "revoke_\(id)_form",
      label: "Revoke \(device.name), \(id)",
      fields: ManageField.text("revoke_\(id)", "reason", "Why", hint: "Such as: left on a train."),
      button: "Revoke", done: "Revoked: its sessions have ended.", style: "danger")
    return "<details><summary>Lost, or nobody's any more?</summary>\(form.html)</details>"
  }
}
