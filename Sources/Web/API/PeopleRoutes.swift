import Clinical
import VetNet

/// Who works at the practice, its rooms and its places, as JSON.
enum PeopleRoutes {
  static let all: [Route] = [
    staff, addStaff, changeStaff, leave, credentials, rooms, addRoom, changeRoom, locations, addLocation,
    changeLocation, closures,
    placeRooms,
  ]

  // MARK: Staff

  private static let memberShape = Schema.object(
    [
      "id": .string(), "name": .string(), "role": .oneOf(StaffMember.Role.allCases.map(\.rawValue)),
      "hours": .string("as they are typed: mon-fri 09:00-17:30, or none"), "breaks": .string(),
      "leave": .list(.object(["from": .string(), "to": .string()])),
      "credentials": .list(.object(["name": .string()], optional: ["expires": .string()])),
      "most_per_day": .any, "long_minutes": .integer,
    ], optional: ["latest_long_start": .string()])

  private static let staff = Route(
    "GET", "/staff", .api, .reading, "Who works at the practice, with hours, breaks and leave.",
    answer: .object(["staff": .list(memberShape)])
  ) { call in try .json(["staff": call.perform(ListStaff()).map(MemberOutput.init)]) }

  private static let addStaff = Route(
    "POST", "/staff", .api, .writing, "Somebody more who works at the practice.",
    body: .object(
      ["name": .string(), "role": .oneOf(StaffMember.Role.allCases.map(\.rawValue))], optional: ["hours": .string()]),
    answer: memberShape, status: 201
  ) { call in
    let fields = try Fields(call, known: ["name", "role", "hours"])
    let name = try fields.required("name", atMost: 400)
    guard let role = StaffMember.Role(rawValue: try fields.required("role", atMost: 40)) else {
      throw ErrorBody(400, "invalid_field", "'role' is not known", field: "role")
    }
    let hours = try fields.text("hours", atMost: 400)
    // The name is looked at first, so that each is said of its own field.
    _ = try call.about("name") { try call.perform(AddStaff(name: name, role: role, isDryRun: true)) }
    let added = try call.about("hours") { try call.perform(AddStaff(name: name, role: role, hours: hours)) }
    return try .json(MemberOutput(added), status: 201)
  }

  private static let changeStaff = Route(
    "PATCH", "/staff/{id}", .api, .writing,
    "Changes somebody's hours at a place, or breaks (\"none\" for none), or what they would like their days to be (null for no wish).",
    body: .object(
      [:],
      optional: [
        "hours": .string(), "location": .string(), "breaks": .string(), "most_per_day": .integer,
        "latest_long_start": .string("such as 15:30"), "long_minutes": .integer,
      ]),
    answer: memberShape
  ) { call in
    let fields = try Fields(
      call, known: ["hours", "location", "breaks", "most_per_day", "latest_long_start", "long_minutes"])
    func edited(_ isDryRun: Bool, _ fill: (inout StaffEdit) throws -> Void) throws -> StaffMember {
      var edit = StaffEdit()
      try fill(&edit)
      return try call.perform(ChangeStaff(reference: call.value("id"), edit: edit, isDryRun: isDryRun))
    }
    let hours = try fields.names("hours") ? fields.text("hours", atMost: 400) ?? "none" : nil
    let breaks = try fields.names("breaks") ? fields.text("breaks", atMost: 400) ?? "none" : nil
    let location = try fields.text("location", atMost: 200)
    let wishes = try wishes(fields)
    // Either is looked at by itself, so that it is said of its own field: an edit of nothing would be one of no place.
    if hours != nil { _ = try call.about("hours") { try edited(true) { ($0.hours, $0.location) = (hours, location) } } }
    if breaks != nil { _ = try call.about("breaks") { try edited(true) { $0.breaks = breaks } } }
    return try .json(
      MemberOutput(
        edited(false) {
          $0 = wishes
          ($0.hours, $0.location, $0.breaks) = (hours, location, breaks)
        }))
  }

  /// What somebody would like their days to be, as far as a body says it.
  private static func wishes(_ fields: Fields) throws -> StaffEdit {
    var edit = StaffEdit()
    if fields.names("most_per_day") { edit.mostPerDay["*"] = try fields.integer("most_per_day", in: 0...100) ?? -1 }
    if fields.names("latest_long_start") {
      let text = try fields.text("latest_long_start", atMost: 5)
      let minute = text.map { text in
        let parts = text.split(separator: ":").map { Int($0) ?? -1 }
        return parts.count == 2 && (0..<24).contains(parts[0]) && (0..<60).contains(parts[1])
          ? parts[0] * 60 + parts[1] : nil
      }
      guard minute != .some(nil) else {
        throw ErrorBody(
          400, "invalid_field", "'latest_long_start' is no time", hint: "Write 15:30.", field: "latest_long_start")
      }
      edit.latestLongStart = (minute ?? nil) ?? -1
    }
    edit.longMinutes = try fields.integer("long_minutes", in: 5...1440)
    return edit
  }

  private static let leave = Route(
    "POST", "/staff/{id}/leave", .api, .writing,
    "Days on which somebody is away, both ends included; with `taken_back`, days on which they are there after all.",
    body: .object(["from": .string()], optional: ["to": .string(), "taken_back": .boolean]), answer: memberShape
  ) { call in
    let fields = try Fields(call, known: ["from", "to", "taken_back"])
    let days = try fields.days()
    var edit = StaffEdit()
    edit.leave = [.init(first: days.first, last: days.last, isTakenBack: try fields.flag("taken_back"))]
    let member = try call.about("to") { try call.perform(ChangeStaff(reference: call.value("id"), edit: edit)) }
    return try .json(MemberOutput(member))
  }

  private static let credentials = Route(
    "POST", "/staff/{id}/credentials", .api, .writing,
    "What somebody may do, such as surgery, until a day or for as long as nobody says otherwise; with `taken_away`, no more.",
    body: .object(["name": .string()], optional: ["expires": .string(), "taken_away": .boolean]), answer: memberShape
  ) { call in
    let fields = try Fields(call, known: ["name", "expires", "taken_away"])
    var edit = StaffEdit()
    edit.credentials = [
      .init(
        name: try fields.required("name", atMost: 200).trimming(while: \.isWhitespace),
        expires: try fields.text("expires", atMost: 10).map { try Fields.day("expires", $0) },
        isTakenAway: try fields.flag("taken_away"))
    ]
    return try .json(MemberOutput(call.perform(ChangeStaff(reference: call.value("id"), edit: edit))))
  }

  // MARK: Rooms

  private static let roomShape = Schema.object(
    ["id": .string(), "name": .string(), "kind": .string(), "capacity": .integer, "cleaning_minutes": .integer],
    optional: ["location_id": .string()])

  private static let roomBody = Schema.object(
    ["name": .string(), "kind": .string()], optional: ["capacity": .integer, "cleaning_minutes": .integer])

  private static let rooms = Route(
    "GET", "/rooms", .api, .reading, "Rooms and equipment.", answer: .object(["rooms": .list(roomShape)])
  ) { call in try .json(["rooms": call.perform(ListRooms()).map(RoomOutput.init)]) }

  private static let addRoom = Route(
    "POST", "/rooms", .api, .writing, "A room or a piece of equipment more.", body: roomBody, answer: roomShape,
    status: 201
  ) { call in try .json(kept(call, reference: nil), status: 201) }

  private static let changeRoom = Route(
    "PUT", "/rooms/{id}", .api, .writing,
    "Another name, kind, number or cleaning time of a room. What is booked stays as it was booked.", body: roomBody,
    answer: roomShape
  ) { call in try .json(kept(call, reference: call.value("id"))) }

  private static func kept(_ call: Call, reference: String?) throws -> RoomOutput {
    let fields = try Fields(call, known: ["name", "kind", "capacity", "cleaning_minutes"])
    let wanted = KeepRoom(
      reference: reference, name: try fields.required("name", atMost: 400),
      kind: try fields.required("kind", atMost: 400), capacity: try fields.integer("capacity", in: 1...100) ?? 1,
      cleaningMinutes: try fields.integer("cleaning_minutes", in: 0...480) ?? 0)
    return RoomOutput(try call.about("name") { try call.perform(wanted) })
  }

  // MARK: Locations

  private static let locationShape = Schema.object(
    ["id": .string(), "name": .string(), "hours": .string("as they are typed, or none for whenever somebody works")],
    optional: ["region": .string(), "address": .string()])

  private static let locations = Route(
    "GET", "/locations", .api, .reading, "Where the practice sees animals; none where it is one place.",
    answer: .object(["locations": .list(locationShape)])
  ) { call in try .json(["locations": call.perform(ListLocations()).map { LocationOutput($0.location) }]) }

  private static let addLocation = Route(
    "POST", "/locations", .api, .writing, "A further place. All that there is belongs to the first.",
    body: .object(
      ["name": .string()], optional: ["address": .string(), "hours": .string(), "region": .string()]),
    answer: locationShape, status: 201
  ) { call in
    let fields = try Fields(call, known: ["name", "address", "hours", "region"])
    let name = try fields.required("name", atMost: 400)
    let (hours, region) = (try fields.text("hours", atMost: 400), try fields.text("region", atMost: 100))
    _ = try call.about("hours") { try call.perform(AddLocation(name: name, hours: hours, isDryRun: true)) }
    _ = try call.about("region") { try call.perform(AddLocation(name: name, region: region, isDryRun: true)) }
    let added = try call.perform(
      AddLocation(name: name, address: fields.text("address", atMost: 400), region: region, hours: hours))
    return try .json(LocationOutput(added), status: 201)
  }

  private static let changeLocation = Route(
    "PATCH", "/locations/{id}", .api, .writing,
    "Changes when a place is open (\"always\" for whenever somebody works), and whose public holidays it keeps (\"none\").",
    body: .object([:], optional: ["hours": .string(), "region": .string()]), answer: locationShape
  ) { call in
    let fields = try Fields(call, known: ["hours", "region"])
    let place = call.value("id")
    let hours = try fields.names("hours") ? fields.text("hours", atMost: 400) ?? "always" : nil
    let region = try fields.names("region") ? fields.text("region", atMost: 100) ?? "none" : nil
    _ = try call.about("hours") {
      try call.perform(SetLocationHours(location: place, hours: hours, isDryRun: true))
    }
    let changed = try call.about("region") {
      try call.perform(SetLocationHours(location: place, hours: hours, region: region))
    }
    return try .json(LocationOutput(changed))
  }

  private static let closures = Route(
    "POST", "/locations/{id}/closures", .api, .writing,
    "Days on which a place is closed, or open although there is a public holiday; `clear` takes back what was said of them.",
    body: .object(
      ["from": .string(), "edit": .oneOf(["close", "open", "clear"])],
      optional: ["to": .string(), "reason": .string()]), answer: locationShape
  ) { call in
    let fields = try Fields(call, known: ["from", "to", "edit", "reason"])
    guard let edit = ChangeClosures.Edit(rawValue: try fields.required("edit", atMost: 20)) else {
      throw ErrorBody(400, "invalid_field", "'edit' is neither close, open nor clear", field: "edit")
    }
    let days = try fields.days()
    let changed = try call.about("to") {
      try call.perform(
        ChangeClosures(
          location: call.value("id"), first: days.first, last: days.last, edit: edit,
          reason: fields.text("reason", atMost: 200)))
    }
    return try .json(LocationOutput(changed))
  }

  private static let placeRooms = Route(
    "POST", "/locations/{id}/rooms", .api, .writing, "Puts rooms into a place; what is booked in them stays booked.",
    body: .object(["room": .string()]), answer: locationShape
  ) { call in
    let room = try Fields(call, known: ["room"]).required("room", atMost: 200)
    return try .json(LocationOutput(call.perform(PlaceRooms(location: call.value("id"), rooms: [room]))))
  }
}

extension Fields {
  fileprivate static func day(_ name: String, _ text: String) throws -> CalendarDate {
    guard let date = CalendarDate(iso: text) else {
      throw ErrorBody(400, "invalid_field", "'\(name)' is no day", hint: "Write 2026-12-24.", field: name)
    }
    return date
  }

  /// The days from `from` to `to`, one day where `to` is missing.
  fileprivate func days() throws -> (first: CalendarDate, last: CalendarDate) {
    let first = try Self.day("from", required("from", atMost: 10))
    return (first, try text("to", atMost: 10).map { try Self.day("to", $0) } ?? first)
  }
}

private struct MemberOutput: Encodable {
  struct Away: Encodable {
    let from: String
    let to: String
  }

  let id: String
  let name: String
  let role: String
  let hours: String
  let breaks: String
  let leave: [Away]

  struct Credential: Encodable {
    let name: String
    let expires: String?
  }

  let credentials: [Credential]
  let most_per_day: [String: Int]
  let latest_long_start: String?
  let long_minutes: Int

  init(_ member: StaffMember) {
    id = member.id
    name = member.name
    role = member.role.rawValue
    hours = StaffWeek.words(member.workingHours)
    breaks = StaffWeek.words(member.breaks)
    leave = member.leave.map { Away(from: "\($0.days.lowerBound)", to: "\($0.days.upperBound)") }
    credentials = member.credentials.map { Credential(name: $0.name, expires: $0.expires.map { "\($0)" }) }
    most_per_day = member.load.mostPerDay
    latest_long_start = member.load.latestLongStart.map(StaffWeek.clock)
    long_minutes = member.load.longMinutes
  }
}

private struct RoomOutput: Encodable {
  let id: String
  let name: String
  let kind: String
  let capacity: Int
  let cleaning_minutes: Int
  let location_id: String?

  init(_ room: Resource) {
    id = room.id
    name = room.name
    kind = room.kind
    capacity = room.capacity
    cleaning_minutes = room.cleaningMinutes
    location_id = room.locationID
  }
}

private struct LocationOutput: Encodable {
  let id: String
  let name: String
  let hours: String
  let region: String?
  let address: String?

  init(_ location: Location) {
    id = location.id
    name = location.name
    hours = StaffWeek.words(location.hours)
    region = location.region
    address = location.address
  }
}
