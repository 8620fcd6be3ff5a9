import Clinical
import VetNet

enum InitCommand {
  static let command = Command(
    "init", "creates a practice file",
    options: [
      Option("--name", "NAME", "the practice's name, as briefs show it"),
      Option("--time-zone", "ZONE", "IANA name of the zone the practice works in (default: this machine's)"),
      Option("--encrypted", nil, "encrypt the file; a recovery key is printed once"),
      PassphraseInput.newOption,
      Option("--dry-run", nil, "check that the file could be made, make nothing"),
    ],
    examples: [
      Example("vetnet init --name \"Fernleigh\" --time-zone Europe/London", "makes the default practice file"),
      Example("vetnet init --practice /srv/vet/practice.vetnet", "makes one elsewhere; it is readable by you only"),
      Example("vetnet init --encrypted", "one that nobody reads without the passphrase, which is asked for"),
    ],
    discussion:
      "An existing file is never touched. Times in imports that carry no offset are read in the time zone given here. "
      + "What --encrypted protects against, and what not, is in SECURITY.md; vetnet encrypt does it later."
  ) { invocation in
    let zoneName = invocation.arguments.value("--time-zone")
    guard let zone = zoneName.map({ PracticeTimeZone(identifier: $0) }) ?? .current else {
      throw UsageError("--time-zone '\(zoneName ?? "")' is not known here; write an IANA name such as Europe/London")
    }
    let path = invocation.practicePath
    let isDryRun = invocation.arguments.isSet("--dry-run")
    let now = try invocation.now(in: zone)
    let isEncrypted = invocation.arguments.isSet("--encrypted")
    guard isEncrypted || !invocation.arguments.isSet(PassphraseInput.newOption.name) else {
      throw UsageError("'\(PassphraseInput.newOption.name)' goes with '--encrypted'")
    }
    var key: NewFileKey?
    if isDryRun || isEncrypted { try Practice.checkCreation(at: path) }
    if !isDryRun {
      key = isEncrypted ? try invocation.newFileKey(now: now) : nil
      try Practice.create(
        at: path, name: invocation.arguments.value("--name"), timeZone: zone, encryptedBy: key, now: now)
    }
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(
        CreationOutput(
          practice: path, time_zone: zone.identifier, created: !isDryRun, encrypted: isEncrypted,
          recovery_key: key?.recoveryWords))
    } else {
      if let key { invocation.show(recoveryKey: key.recoveryWords) }
      invocation.terminal.say(
        isDryRun
          ? "Would create \(path) (time zone \(zone.identifier))."
          : "Created \(path) (time zone \(zone.identifier)). Next: vetnet import PATH")
    }
    return .ok
  }
}

private struct CreationOutput: Encodable {
  let practice: String
  let time_zone: String
  let created: Bool
  let encrypted: Bool
  /// Shown this once; left out of a plain file.
  let recovery_key: String?
}
