import Clinical
import Presentation
import Scheduling
import VetNet

/// Who is free: the question that is asked most at a desk.
enum ScheduleFreeCommand {
  static let command = Command(
    "schedule free", "says who and which rooms are free, at a moment or through a day",
    options: [
      Option("--at", "TIME", "15:00, 3pm, tomorrow 9:30 (default: the whole day)"),
      Option("--date", "DATE", "the day (default: today)"),
      Option("--with", "NAME", "only this member of staff, by id or name; may be given several times"),
      Option("--room", "NAME", "only this room or device, by id or name; may be given several times"),
      LocationCommands.option,
      Option("--for", "MINUTES", "how long a visit has to fit (default 10)"),
    ],
    examples: [
      Example("vetnet schedule free --at 15:00", "who could see somebody at three"),
      Example(
        "vetnet schedule free --at \"tomorrow 9:30\" --with \"Helen Marsh\" --for 20", "is she free, and how long"),
      Example("vetnet schedule free --date mon --json", "everybody's free times on Monday"),
    ],
    discussion: """
      Free times keep to the practice's opening hours (vetnet config set hours), to working hours, leave, breaks, travel and cleaning. The
      same is answered to vetnet ask "who is free at 3 today?".
      """
  ) { invocation in
    let practice = try invocation.openPractice()
    let zone = practice.timeZone
    let now = try invocation.now(in: zone)
    var date = try invocation.day("--date", in: zone)
    var moment: Timestamp?
    if let text = invocation.arguments.value("--at") {
      moment = try invocation.moment("--at", in: zone, needsTime: true)
      let written = try? invocation.written("--at", text, in: zone)
      if let day = date, let said = written?.date, said != day {
        throw UsageError("--at '\(text)' is not on --date \(day)")
      }
      if let day = date, let minute = written?.minuteOfDay { moment = zone.timestamp(of: day, minuteOfDay: minute) }
      date = moment.map(zone.date)
    }
    let people = invocation.arguments.values("--with")
    let rooms = invocation.arguments.values("--room")
    let free = try invocation.perform(
      FindFreeTimes(
        query: FreeQuery(
          date: date ?? zone.date(of: now), at: moment, minutes: invocation.minutes("--for"), people: people,
          rooms: rooms, wantsPeople: rooms.isEmpty || !people.isEmpty, wantsRooms: people.isEmpty || !rooms.isEmpty,
          location: invocation.location(practice))),
      on: practice, at: now)
    try invocation.show(FreeOutput(free, zone: zone)) {
      FreeText.lines(free, zone: zone, width: invocation.terminal.width)
    }
    return .ok
  }
}

extension Invocation {
  /// `20`, `20min` or `1h` in minutes; nil where the option isn't given.
  func minutes(_ option: String) throws -> Int? {
    guard let text = arguments.value(option) else { return nil }
    let digits = text.prefix(while: \.isNumber)
    let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
    let factor = ["": 1, "m": 1, "min": 1, "minutes": 1, "h": 60, "hour": 60, "hours": 60][unit]
    guard let factor, let number = Int(digits), (1...1440).contains(number * factor) else {
      throw UsageError("\(option) '\(text)' is no length; write 20, 20min or 1h")
    }
    return number * factor
  }

  /// The id of the member of staff whom an option names; nil where it isn't given.
  func staff(_ option: String, _ practice: Practice) throws -> String? {
    try arguments.value(option).map { try perform(IdentifyStaff(reference: $0), on: practice).id }
  }

  /// The ids of the rooms and devices that an option names.
  func rooms(_ option: String, _ practice: Practice) throws -> [String] {
    try arguments.values(option).map { try perform(IdentifyResource(reference: $0), on: practice).id }
  }
}

/// Free times as JSON.
struct FreeOutput: Encodable {
  struct Stretch: Encodable {
    let start: String
    let end: String
  }

  struct Line: Encodable {
    let id: String
    let name: String
    let kind: String
    /// At the moment asked about; nil for a whole day.
    let free: Bool?
    let until: String?
    let because: String?
    let stretches: [Stretch]

    init(_ line: FreeTime.Line, asked: Bool, zone: PracticeTimeZone) {
      id = line.id
      name = line.name
      kind = line.kind
      free = asked ? line.obstacle == nil : nil
      until = line.freeUntil.map(zone.iso8601)
      because = line.obstacle.map { FreeText.words($0, zone: zone) }
      stretches = line.stretches.map { Stretch(start: zone.iso8601($0.lowerBound), end: zone.iso8601($0.upperBound)) }
    }
  }

  let date: String
  let at: String?
  let minutes: Int
  let people: [Line]
  let rooms: [Line]

  init(_ free: FreeTimes, zone: PracticeTimeZone) {
    date = free.date.description
    at = free.at.map(zone.iso8601)
    minutes = free.minutes
    people = free.people.map { Line($0, asked: free.at != nil, zone: zone) }
    rooms = free.rooms.map { Line($0, asked: free.at != nil, zone: zone) }
  }
}

/// Free times as a person reads them.
enum FreeText {
  static func lines(_ free: FreeTimes, zone: PracticeTimeZone, width: Int) -> [String] {
    let day = "\(Weekday.name(free.date.weekday)) \(free.date)"
    let all = free.people + free.rooms
    guard !all.isEmpty else { return ["\(day): the practice lists nobody and nothing of the kind."] }
    guard let moment = free.at else {
      return ["\(day), for \(free.minutes) min:"]
        + all.flatMap { line in
          let times = line.stretches.map { "\(zone.clock($0.lowerBound))–\(zone.clock($0.upperBound))" }
          let text =
            times.isEmpty
            ? line.obstacle.map { words($0, zone: zone) } ?? "nothing free" : times.joined(separator: ", ")
          return Columns.hanging("  \(name(line))  ", text, width: width)
        }
    }
    let title = "\(day), \(zone.clock(moment)), for \(free.minutes) min:"
    let isFree = all.filter { $0.obstacle == nil }
    let taken = all.filter { $0.obstacle != nil }
    var lines = [title]
    for line in isFree {
      lines += Columns.hanging(
        "  free  ", "\(name(line))\(line.freeUntil.map { ", until \(zone.clock($0))" } ?? "")", width: width)
    }
    if isFree.isEmpty { lines.append("  nobody and nothing is free then") }
    for line in taken {
      let because = line.obstacle.map { words($0, zone: zone) } ?? ""
      let next =
        line.stretches.first { $0.lowerBound > moment }.map { "; free from \(zone.clock($0.lowerBound))" } ?? ""
      lines += Columns.hanging("  –     ", "\(name(line)): \(because)\(next)", width: width)
    }
    return lines
  }

  private static func name(_ line: FreeTime.Line) -> String { "\(line.name.withoutControls.isolated) (\(line.id))" }

  static func words(_ obstacle: FreeTime.Obstacle, zone: PracticeTimeZone) -> String {
    switch obstacle {
    case .onLeave: "on leave"
    case .notWorking: "not working"
    case .booked(let until): "booked until \(zone.clock(until))"
    case .tooShort(let until): "free only until \(zone.clock(until))"
    case .needsBreak: "needs the time for a break"
    case .past: "has passed"
    }
  }

  /// An answer of `ask`, in sentences.
  static func sentences(_ free: FreeTimes, zone: PracticeTimeZone) -> [String] {
    lines(free, zone: zone, width: .max).map { $0.split(separator: " ").joined(separator: " ") }
  }
}
