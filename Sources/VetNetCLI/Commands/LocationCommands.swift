import Clinical
import Presentation
import VetNet

/// Where the practice sees animals.
enum LocationCommands {
  static let option = Option("--location", "NAME", "only this location, by id or name (default: all)")
  private static let dryRun = Option("--dry-run", nil, "say what would be done, change nothing")
  private static let named = Positional("LOCATION", "a location, by id or name")

  static let list = Command(
    "location list", "lists the practice's locations with what is there",
    examples: [Example("vetnet location list --json", "hours, region, rooms and staff of each")],
    discussion: "A practice that lists none is one place. What names no location is at the first."
  ) { invocation in
    let states = try invocation.perform(ListLocations(), on: invocation.openPractice())
    for state in states {
      try invocation.show(LocationOutput(state)) {
        let location = state.location
        return [
          "\(location.name.withoutControls) (\(location.id))\(state.isMain ? ", where everything is that names no location" : "")",
          "  open \(location.hoursText)",
          "  \(location.region.map { "closed on the public holidays of \($0)" } ?? "keeps no public holidays")",
          "  rooms \(state.roomIDs.isEmpty ? "none" : state.roomIDs.joined(separator: ", ")); staff \(state.staffIDs.isEmpty ? "none" : state.staffIDs.joined(separator: ", "))",
        ]
      }
    }
    if states.isEmpty { invocation.terminal.say("None: the practice is one place. vetnet location add NAME adds one.") }
    return .ok
  }

  static let add = Command(
    "location add", "adds a place where the practice sees animals",
    positionals: [Positional("NAME", "what people call it")],
    options: [
      Option("--id", "ID", "as files refer to it (default: the next number)"),
      Option("--hours", "HOURS", "such as \"mon-fri 08:30-18:30, sat 09:00-12:00\" (default: whenever somebody works)"),
      Option("--region", "REGION", "whose public holidays close it, such as england-and-wales (default: none)"),
      Option("--address", "TEXT", "in one line"), dryRun,
    ],
    examples: [
      Example(
        "vetnet location add \"High Street\" --id HS --region scotland", "the first: all that there is belongs to it"),
      Example(
        "vetnet location add Harbour --id HB --hours \"mon-fri 9-17\"", "a branch, to which rooms and hours are given"),
    ],
    discussion: """
      Rooms go there by vetnet location rooms, people by their hours (import, or vetnet staff set). Nobody is booked at two locations \
      at once: hours at two of them on one day have the way between them (30 minutes unless Models say otherwise) taken from the later.
      """
  ) { invocation in
    let arguments = invocation.arguments
    let isDryRun = arguments.isSet("--dry-run")
    let location = try invocation.perform(
      AddLocation(
        name: arguments.positionals[0], id: arguments.value("--id"), address: arguments.value("--address"),
        region: arguments.value("--region"), hours: arguments.value("--hours"), isDryRun: isDryRun),
      on: invocation.openPractice(.write))
    return try report(location, isDryRun ? "Would add" : "Added", invocation)
  }

  static let hours = Command(
    "location hours", "shows when a location is open, or changes it",
    positionals: [
      named, Positional("HOURS", "such as \"mon-fri 08:30-18:30\"; always for whenever somebody works", optional: true),
    ],
    options: [Option("--region", "REGION", "whose public holidays close it; none for no holidays"), dryRun],
    examples: [
      Example("vetnet location hours HB", "as it is"),
      Example("vetnet location hours HB \"mon-fri 9-17, sat 9-12\" --region ireland", "from now on"),
    ],
    discussion:
      "Nothing is proposed, planned or booked outside. What is booked stays, and is named as a conflict where it doesn't fit."
  ) { invocation in
    let arguments = invocation.arguments
    let hours = arguments.positionals.count > 1 ? arguments.positionals[1] : nil
    guard hours != nil || arguments.isSet("--region") else {
      let location = try invocation.perform(
        IdentifyLocation(reference: arguments.positionals[0]), on: invocation.openPractice())
      return try report(location, "", invocation)
    }
    let isDryRun = arguments.isSet("--dry-run")
    let location = try invocation.perform(
      SetLocationHours(
        location: arguments.positionals[0], hours: hours, region: arguments.value("--region"), isDryRun: isDryRun),
      on: invocation.openPractice(.write))
    return try report(location, isDryRun ? "Would change" : "Changed", invocation)
  }

  static let closures = Command(
    "location closures", "shows a year's days on which a location is closed, or changes them",
    positionals: [named],
    options: [
      Option("--year", "YEAR", "of which year (default: this one)"),
      Option("--close", "DAYS", "a day, or FROM/TO, on which it is closed"),
      Option("--open", "DAYS", "days on which it is open although there is a public holiday"),
      Option("--clear", "DAYS", "takes back what was said of these days"),
      Option("--reason", "TEXT", "why, in a few words"), dryRun,
    ],
    examples: [
      Example("vetnet location closures HB --year 2027", "public holidays and days of its own"),
      Example(
        "vetnet location closures HB --close 2026-12-24/2027-01-03 --reason \"winter break\"", "closed for a while"),
      Example("vetnet location closures HB --open 2026-12-28", "although that is a holiday"),
    ],
    discussion: """
      Public holidays follow from the location's region, by rules that hold for every year. Days that are proclaimed for one year only \
      are added by hand.
      """
  ) { invocation in
    let arguments = invocation.arguments
    for (one, other) in [("--close", "--open"), ("--close", "--clear"), ("--open", "--clear")] {
      try invocation.requireOne(of: one, other)
    }
    let edits: [(String, ChangeClosures.Edit)] = [("--close", .close), ("--open", .open), ("--clear", .clear)]
    let edit = edits.first { arguments.isSet($0.0) }
    let isDryRun = arguments.isSet("--dry-run")
    let practice = try invocation.openPractice(edit == nil ? .read : .write)
    let today = practice.timeZone.date(of: try invocation.now(in: practice.timeZone))
    guard let (option, edit) = edit else {
      let year = try invocation.integer("--year", in: 1900...9000) ?? today.year
      let found = try invocation.perform(ListClosures(location: arguments.positionals[0], year: year), on: practice)
      for day in found.days {
        try invocation.show(ClosedDayOutput(day)) {
          [
            "\(day.date)  \(Weekday.short(day.date.weekday))  \(day.reason.withoutControls)\(day.isHoliday ? "" : " (own)")"
          ]
        }
      }
      if found.days.isEmpty { invocation.terminal.say("\(found.location.id) has no such days in \(year).") }
      return .ok
    }
    let days = try days(arguments.value(option) ?? "", option)
    let location = try invocation.perform(
      ChangeClosures(
        location: arguments.positionals[0], first: days.lowerBound, last: days.upperBound, edit: edit,
        reason: arguments.value("--reason"), isDryRun: isDryRun), on: practice)
    return try report(location, isDryRun ? "Would change" : "Changed", invocation)
  }

  static let rooms = Command(
    "location rooms", "puts rooms and devices into a location",
    positionals: [named, Positional("ROOM", "a room or device, by id or name", repeating: true)],
    options: [dryRun],
    examples: [Example("vetnet location rooms HB R3 R4", "what is booked in them stays booked")]
  ) { invocation in
    let words = invocation.arguments.positionals
    let isDryRun = invocation.arguments.isSet("--dry-run")
    let location = try invocation.perform(
      PlaceRooms(location: words[0], rooms: Array(words.dropFirst()), isDryRun: isDryRun),
      on: invocation.openPractice(.write))
    return try report(location, isDryRun ? "Would change" : "Changed", invocation)
  }

  private static func days(_ text: String, _ option: String) throws -> ClosedRange<CalendarDate> {
    let ends = text.split(separator: "/", omittingEmptySubsequences: false).map { CalendarDate(iso: $0) }
    guard let first = ends.first ?? nil, ends.count <= 2, let last = ends.last ?? nil, first <= last else {
      throw UsageError("\(option) '\(text)' is no day; write 2026-12-24, or 2026-12-24/2027-01-03")
    }
    return first...last
  }

  private static let kept =
    "What is booked stays; vetnet schedule show marks what doesn't fit any more, and vetnet doctor lists it."

  private static func report(_ location: Location, _ verb: String, _ invocation: Invocation) throws -> ExitCode {
    try invocation.show(LocationOutput(location)) {
      let line = "\(location.name.withoutControls) (\(location.id)): open \(location.hoursText)"
      let holidays = location.region.map { ", closed on the public holidays of \($0)" } ?? ""
      return [(verb.isEmpty ? "" : "\(verb) ") + line + holidays + "."] + (verb.hasPrefix("Changed") ? [kept] : [])
    }
    return .ok
  }
}

extension Invocation {
  /// The id of the location that `--location` names; nil where it isn't given.
  func location(_ practice: Practice) throws -> String? {
    try arguments.value("--location").map { try perform(IdentifyLocation(reference: $0), on: practice).id }
  }
}

extension Location {
  /// `mon 09:00-17:00, tue 09:00-17:00`
  fileprivate var hoursText: String {
    if hours.isEmpty { return "whenever somebody works" }
    return hours.map {
      "\(Weekday.short($0.weekday)) \(Self.clock($0.minutes.lowerBound))-\(Self.clock($0.minutes.upperBound))"
    }
    .joined(separator: ", ")
  }

  fileprivate static func clock(_ minutes: Int) -> String {
    let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}

/// A location as JSON, in the import format's keys.
private struct LocationOutput: Encodable {
  struct Hours: Encodable {
    let weekday: Int
    let start: String
    let end: String
  }

  struct Closure: Encodable {
    let from: String
    let to: String
    let open: Bool?
    let reason: String?
  }

  let id: String
  let name: String
  let address: String?
  let region: String?
  let opening_hours: [Hours]
  let closures: [Closure]
  let main: Bool?
  let resource_ids: [String]?
  let staff_ids: [String]?

  init(_ location: Location) { self.init(location, nil) }
  init(_ state: LocationState) { self.init(state.location, state) }

  private init(_ location: Location, _ state: LocationState?) {
    id = location.id
    name = location.name
    address = location.address
    region = location.region
    opening_hours = location.hours.map {
      Hours(
        weekday: $0.weekday, start: Location.clock($0.minutes.lowerBound), end: Location.clock($0.minutes.upperBound))
    }
    closures = location.closures.map {
      Closure(
        from: $0.days.lowerBound.description, to: $0.days.upperBound.description, open: $0.isOpen ? true : nil,
        reason: $0.reason)
    }
    main = state?.isMain
    resource_ids = state?.roomIDs
    staff_ids = state?.staffIDs
  }
}

private struct ClosedDayOutput: Encodable {
  let date: String
  let reason: String
  let holiday: Bool

  init(_ day: ClosedDay) {
    date = day.date.description
    reason = day.reason
    holiday = day.isHoliday
  }
}
