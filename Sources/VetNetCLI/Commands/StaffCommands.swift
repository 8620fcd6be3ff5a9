import Clinical
import Presentation
import VetNet

/// Who works at the practice.
enum StaffCommands {
  static let show = Command(
    "staff show", "shows who works here: hours, skills, credentials and preferences",
    positionals: [Positional("NAME", "one member of staff, by id or name", optional: true)],
    options: [LocationCommands.option],
    examples: [
      Example("vetnet staff show", "everybody"),
      Example("vetnet staff show \"Helen Marsh\" --json", "one, in the import format's keys"),
    ]
  ) { invocation in
    let practice = try invocation.openPractice()
    var staff = try invocation.perform(ListStaff(location: invocation.location(practice)), on: practice)
    if let name = invocation.arguments.positionals.first {
      let id = try invocation.perform(IdentifyStaff(reference: name), on: practice).id
      staff.removeAll { $0.id != id }
    }
    for member in staff { try print(member, "", invocation) }
    if staff.isEmpty, !invocation.wantsJSON { invocation.terminal.say("Nobody.") }
    return .ok
  }

  static let set = Command(
    "staff set", "changes somebody's hours, breaks, leave, credentials or preferences",
    positionals: [Positional("NAME", "a member of staff, by id or name")],
    options: [
      Option("--hours", "HOURS", "weekly hours such as \"mon-fri 9-17\"; always, or none"),
      Option("--breaks", "BREAKS", "such as \"mon-fri 12:00-14:00 30\": when between, and how many minutes; none"),
      Option("--leave", "DAYS", "a day, or FROM/TO, on which they are away; several times"),
      Option("--no-leave", "DAYS", "days on which they are there after all; several times"),
      Option("--location", "NAME", "where these hours are (default: the practice's only or first location)"),
      Option(
        "--credential", "NAME", "what they may do, such as surgery or \"surgery until 2027-03-31\"; several times"),
      Option("--no-credential", "NAME", "what they may do no more; several times"),
      Option(
        "--most", "TYPE=N", "visits of a type they would like in a day at most, or *=N of all; TYPE=none; several times"
      ),
      Option("--latest-long", "TIME", "no long visit is to begin later, such as 15:30; none"),
      Option("--long", "MINUTES", "from how many minutes on a visit is long (default 60)"),
      Option("--dry-run", nil, "say what would be done, change nothing"),
    ],
    examples: [
      Example("vetnet staff set S01 --hours \"mon-tue 9-17\" --location Harbour", "there on two days"),
      Example("vetnet staff set S01 --leave 2027-02-15/2027-02-19", "away for a week"),
      Example("vetnet staff set S02 --credential \"surgery until 2027-03-31\"", "who may operate until then"),
      Example("vetnet staff set S02 --most surgery=3 --latest-long 15:30", "how she would like her days"),
    ],
    discussion: """
      Credentials are binding where the practice keeps track of them: as soon as anybody has one of a name that a type of visit asks \
      for (Models/scheduling/visit-resources.tsv), nobody without it is proposed, planned or booked for such visits. Preferences have a price \
      that plans weigh, and schedule why names it.
      """
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let edit = try edit(invocation, practice)
    guard !edit.isEmpty else {
      throw UsageError(
        "'vetnet staff set' needs --hours, --breaks, --leave, --no-leave, --credential, --no-credential, --most, --latest-long or --long"
      )
    }
    let isDryRun = invocation.arguments.isSet("--dry-run")
    let member = try invocation.perform(
      ChangeStaff(reference: invocation.arguments.positionals[0], edit: edit, isDryRun: isDryRun), on: practice)
    try print(member, isDryRun ? "Would be: " : "", invocation)
    return .ok
  }

  private static func edit(_ invocation: Invocation, _ practice: Practice) throws -> StaffEdit {
    let arguments = invocation.arguments
    var edit = StaffEdit()
    edit.hours = arguments.value("--hours")
    edit.location = try invocation.location(practice)
    edit.breaks = arguments.value("--breaks")
    let leave = try arguments.values("--leave").map { try days($0, "--leave", isTakenBack: false) }
    edit.leave = try leave + arguments.values("--no-leave").map { try days($0, "--no-leave", isTakenBack: true) }
    for text in arguments.values("--credential") {
      let parts = text.components(separatedBy: " until ")
      guard parts.count <= 2, let name = parts.first?.trimmed, !name.isEmpty else {
        throw UsageError("--credential '\(text)' is not like surgery, or \"surgery until 2027-03-31\"")
      }
      var expires: CalendarDate?
      if parts.count == 2 {
        guard let date = CalendarDate(iso: parts[1].trimmed) else {
          throw UsageError("--credential '\(text)' ends on no date; write \"\(name) until 2027-03-31\"")
        }
        expires = date
      }
      edit.credentials.append(.init(name: name, expires: expires))
    }
    edit.credentials += arguments.values("--no-credential").map { .init(name: $0, isTakenAway: true) }
    for text in arguments.values("--most") {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let most = parts[1] == "none" ? -1 : Int(parts[1]), (-1...100).contains(most) else {
        throw UsageError("--most '\(text)' is not like surgery=3, or surgery=none")
      }
      edit.mostPerDay[parts[0]] = most
    }
    if let text = arguments.value("--latest-long") {
      edit.latestLongStart = text == "none" ? -1 : try minute(text)
    }
    edit.longMinutes = try invocation.integer("--long", in: 5...1440)
    return edit
  }

  private static func days(_ text: String, _ option: String, isTakenBack: Bool) throws -> StaffEdit.Leave {
    let dates = text.split(separator: "/", omittingEmptySubsequences: false).map { CalendarDate(iso: String($0)) }
    guard (1...2).contains(dates.count), let first = dates[0], let last = dates[dates.count - 1] else {
      throw UsageError("\(option) '\(text)' is no day; write 2027-02-15, or 2027-02-15/2027-02-19")
    }
    return StaffEdit.Leave(first: first, last: last, isTakenBack: isTakenBack)
  }

  private static func minute(_ text: String) throws -> Int {
    let parts = text.split(separator: ":").map { Int($0) }
    guard parts.count == 2, let hour = parts[0], let minute = parts[1], (0..<24).contains(hour),
      (0..<60).contains(minute)
    else { throw UsageError("--latest-long '\(text)' is no time; write 15:30, or none") }
    return hour * 60 + minute
  }

  private static func print(_ member: StaffMember, _ verb: String, _ invocation: Invocation) throws {
    try invocation.show(StaffOutput(member)) {
      func clock(_ minutes: Int) -> String { StaffOutput.clock(minutes) }
      let hours = member.workingHours.map {
        "\(Weekday.short($0.weekday)) \(clock($0.minutes.lowerBound))-\(clock($0.minutes.upperBound))\($0.locationID.map { " at \($0)" } ?? "")"
      }
      let skills = member.skills.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      let credentials = member.credentials.map { "\($0.name)\($0.expires.map { " until \($0)" } ?? "")" }
      var wishes = member.load.mostPerDay.sorted { $0.key < $1.key }.map {
        "at most \($0.value) \($0.key == "*" ? "visits" : "of \($0.key)") a day"
      }
      if let latest = member.load.latestLongStart {
        wishes.append("no visit of \(member.load.longMinutes) minutes or more after \(clock(latest))")
      }
      return ["\(verb)\(member.name.withoutControls) (\(member.id)), \(member.role.rawValue)"]
        + [
          ("works", hours), ("breaks", member.breaks.isEmpty ? [] : [StaffWeek.words(member.breaks)]),
          ("away", member.leave.map { "\($0.days.lowerBound) to \($0.days.upperBound)" }),
        ].compactMap { $1.isEmpty ? nil : "  \($0): \($1.joined(separator: ", "))" }
        + [("skills", skills), ("credentials", credentials), ("prefers", wishes)].compactMap {
          $1.isEmpty ? nil : "  \($0): \($1.joined(separator: ", "))"
        }
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  fileprivate func components(separatedBy separator: String) -> [String] {
    var parts: [String] = []
    var rest = Substring(self)
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}

/// A member of staff as JSON, in the import format's keys.
private struct StaffOutput: Encodable {
  struct Hours: Encodable {
    let weekday: Int
    let start: String
    let end: String
    let location_id: String?
  }

  struct Credential: Encodable {
    let name: String
    let expires: String?
  }

  struct Break: Encodable {
    let weekday: Int
    let earliest: String
    let latest: String
    let minutes: Int
  }

  struct Away: Encodable {
    let from: String
    let to: String
  }

  struct Load: Encodable {
    let most_per_day: [String: Int]
    let latest_long_start: String?
    let long_minutes: Int
  }

  let id: String
  let name: String
  let role: String
  let skills: [String: Double]
  let working_hours: [Hours]
  let breaks: [Break]
  let leave: [Away]
  let credentials: [Credential]
  let load: Load?

  init(_ member: StaffMember) {
    id = member.id
    name = member.name
    role = member.role.rawValue
    skills = member.skills
    working_hours = member.workingHours.map {
      Hours(
        weekday: $0.weekday, start: Self.clock($0.minutes.lowerBound), end: Self.clock($0.minutes.upperBound),
        location_id: $0.locationID)
    }
    breaks = member.breaks.map {
      Break(
        weekday: $0.weekday, earliest: Self.clock($0.window.lowerBound), latest: Self.clock($0.window.upperBound),
        minutes: $0.minutes)
    }
    leave = member.leave.map { Away(from: $0.days.lowerBound.description, to: $0.days.upperBound.description) }
    credentials = member.credentials.map { Credential(name: $0.name, expires: $0.expires?.description) }
    load =
      member.load.isEmpty
      ? nil
      : Load(
        most_per_day: member.load.mostPerDay, latest_long_start: member.load.latestLongStart.map(Self.clock),
        long_minutes: member.load.longMinutes)
  }

  static func clock(_ minutes: Int) -> String {
    let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}
