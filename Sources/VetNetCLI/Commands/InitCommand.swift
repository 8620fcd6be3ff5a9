import Clinical
import VetNet

enum InitCommand {
  static let command = Command(
    "init", "creates a practice file",
    options: [
      Option("--name", "NAME", "the practice's name, as briefs show it"),
      Option("--time-zone", "ZONE", "IANA name of the zone the practice works in (default: this machine's)"),
    ],
    examples: [
      Example("vetnet init --name \"Fernleigh\" --time-zone Europe/London", "makes the default practice file"),
      Example("vetnet init --practice /srv/vet/practice.vetnet", "makes one elsewhere; it is readable by you only"),
    ],
    discussion:
      "An existing file is never touched. Times in imports that carry no offset are read in the time zone given here."
  ) { invocation in
    let zoneName = invocation.arguments.value("--time-zone")
    guard let zone = zoneName.map({ PracticeTimeZone(identifier: $0) }) ?? .current else {
      throw UsageError("--time-zone '\(zoneName ?? "")' is not known here; write an IANA name such as Europe/London")
    }
    try Practice.create(
      at: invocation.practicePath, name: invocation.arguments.value("--name"), timeZone: zone,
      now: invocation.now(in: zone))
    invocation.terminal.say(
      "Created \(invocation.practicePath) (time zone \(zone.identifier)). Next: vetnet import PATH")
    return .ok
  }
}
