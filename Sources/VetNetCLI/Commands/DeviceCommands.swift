import Clinical
import Presentation
import VetNet

/// Machines that take part in the practice: practice files elsewhere, and browsers.
enum DeviceCommands {
  private static let dryRun = Option("--dry-run", nil, "say what would be done, change nothing")

  static let enroll = Command(
    "device enroll", "invites another machine to take the practice along; the invitation is shown this once",
    positionals: [Positional("NAME", "what the machine is called, such as laptop")],
    options: [
      Option("--user", "USER", "who works on it, and whose role counts; oneself unless named"),
      Option("--minutes", "N", "the invitation holds so long (1 to 1440; 15 unless named)"),
      Option(
        "--url", "URL",
        "where vetnet serve can be reached, instead of where it last said that it is; may be given several times"),
      Option("--tls-cert", "FILE", "with --url: the certificate that it serves with"),
      Option("--out", "FILE", "write the invitation to a file that only you can read, and don't show it"),
      dryRun,
    ],
    examples: [
      Example("vetnet device enroll laptop --user tom --as ann", "prints one line, which tom gives to vetnet clone"),
      Example("vetnet device enroll \"farm visits\" --user tom --out /media/usb/invitation", "on a stick"),
      Example(
        "vetnet device enroll laptop --url https://desk.practice.lan:8443 --tls-cert desk.pem",
        "where the server runs on another machine, or wasn't started yet"),
    ],
    discussion: """
      Whoever has the line can take the whole practice along, once, until it is used or over: give it to nobody else. It holds where
      the server is, by what its key is recognised, and a secret. The machine makes a key of its own then, which never leaves it, \
      and acts as the user, as their role allows. vetnet device list shows it; vetnet device revoke takes it off.
      """
  ) { invocation in
    let arguments = invocation.arguments
    let isDryRun = arguments.isSet("--dry-run")
    let practice = try invocation.openPractice(.write)
    let hub = try hub(invocation)
    let made = try invocation.perform(
      InviteDevice(
        device: arguments.positionals[0], user: arguments.value("--user"),
        minutes: invocation.integer("--minutes", in: 1...Practice.Devices.longestInvitationMinutes)
          ?? Practice.Devices.invitationMinutes, isDryRun: isDryRun), on: practice)
    let invitation = DeviceInvitation(made, hub: hub)
    if isDryRun {
      try invocation.showInvitation(made, nil, practice)
      return .ok
    }
    if let file = arguments.value("--out") {
      try invitation.write(to: file)
      try invocation.showInvitation(made, nil, practice, file: file)
    } else {
      try invocation.showInvitation(made, invitation, practice)
    }
    return .ok
  }

  /// Where the practice is served, as it was named or as the server said.
  private static func hub(_ invocation: Invocation) throws -> HubAddress {
    let arguments = invocation.arguments
    let urls = arguments.values("--url")
    guard !urls.isEmpty else {
      if arguments.isSet("--tls-cert") { throw UsageError("--tls-cert belongs to --url") }
      guard let known = HubAddress.read(beside: invocation.practicePath) else {
        throw PracticeError(
          .notFound, "no server has said where it serves this practice with TLS",
          hint: "Start vetnet serve with --tls-cert and --tls-key first, or name --url URL and --tls-cert FILE.")
      }
      return known
    }
    let pin = try arguments.value("--tls-cert").map { path in
      guard let text = try? InputText.read(path), let pin = CertificatePin.pin(pem: text) else {
        throw PracticeError(.invalidArgument, "'\(path)' is no certificate that can be read (PEM)")
      }
      return pin
    }
    return HubAddress(urls: try urls.map { try HubURL($0, pin: pin).description }, pin: pin)
  }

  static let list = Command(
    "device list", "lists the machines that take part, those that may come and those that were revoked",
    examples: [Example("vetnet device list", "who works on each, and when it was here last")]
  ) { invocation in
    let practice = try invocation.openPractice()
    let devices = try invocation.perform(ListDevices(), on: practice)
    for device in devices {
      try invocation.show(device) { [line(device, practice.timeZone)] }
    }
    if devices.isEmpty { invocation.terminal.say("There is none: vetnet device enroll NAME --user USER") }
    return .ok
  }

  static func line(_ device: Device, _ zone: PracticeTimeZone) -> String {
    func at(_ moment: Timestamp) -> String { zone.describe(moment) }
    let who = device.user.map { " of \($0)" } ?? ""
    let what =
      "\(device.id.map { "\($0): " } ?? "")\(device.name), \(device.kind == .file ? "practice file" : "browser")\(who)"
    let state =
      switch device.state {
      case .invited: "invited, may come until \(at(device.seenAt ?? device.enrolledAt))"
      case .active: "since \(at(device.enrolledAt)), here last \(device.seenAt.map(at) ?? "never")"
      case .revoked:
        "revoked \(device.revocation.map { "\(at($0.at)) by \($0.by)\($0.reason.map { ": \($0)" } ?? "")" } ?? "")"
          + (device.wipedAt.map { "; wiped \(at($0))" } ?? "")
      }
    return "\(what): \(state)".withoutControls
  }

  static let revoke = Command(
    "device revoke", "refuses a machine from now on, and ends its sessions",
    positionals: [Positional("NAME", "its name, or an id that vetnet device list shows")],
    options: [Option("--reason", "WHY", "why, for the record: lost, sold, left with somebody"), dryRun],
    examples: [Example("vetnet device revoke laptop --reason \"left on a train\" --as ann", "at once")],
    discussion: """
      What lies on the machine stays on it: a practice file there can still be read by whoever can open it. A browser wipes what it
      kept when it comes to the server again. Encrypt what travels: vetnet encrypt, and the disk.
      """
  ) { invocation in
    guard let reason = invocation.arguments.value("--reason") else { throw UsageError("--reason is needed: why") }
    let isDryRun = invocation.arguments.isSet("--dry-run")
    let practice = try invocation.openPractice(.write)
    let device = try invocation.perform(
      RevokeDevice(device: invocation.arguments.positionals[0], reason: reason, isDryRun: isDryRun), on: practice)
    try invocation.show(device) {
      [(isDryRun ? "\(device.name) would be refused." : "\(device.name) is refused from now on.").withoutControls]
    }
    return .ok
  }
}

extension Invocation {
  private struct InvitationOutput: Encodable {
    let device: String
    let user: String?
    let expires_at: String
    let urls: [String]?
    let pin: String?
    let invitation: String?
    let file: String?
    let dry_run: Bool
  }

  fileprivate func showInvitation(
    _ made: NewDeviceInvitation, _ invitation: DeviceInvitation?, _ practice: Practice, file: String? = nil
  ) throws {
    let isDryRun = arguments.isSet("--dry-run")
    let end = practice.timeZone.describe(made.expiresAt)
    if wantsJSON {
      return try terminal.printJSON(
        InvitationOutput(
          device: made.name, user: made.user, expires_at: practice.timeZone.iso8601(made.expiresAt),
          urls: invitation?.hub.urls, pin: invitation?.hub.pin, invitation: invitation?.line, file: file,
          dry_run: isDryRun))
    }
    let who = made.user.map { " for \($0)" } ?? ""
    if isDryRun { return terminal.print("Would invite \(made.name)\(who), until \(end).".withoutControls) }
    if let invitation { terminal.print(invitation.line) }
    terminal.say(
      "\(made.name)\(who) may come once, until \(end): on the other machine, vetnet clone \(file.map { "FILE with '\($0)'" } ?? "with that line"). It is shown this once."
        .withoutControls)
  }
}
