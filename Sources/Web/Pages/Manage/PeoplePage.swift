import Clinical
import VetNet

/// Who works here, when, and in which rooms.
enum PeoplePage {
  static func page(_ call: Call) throws -> HTML {
    let live = try live(call)
    if call.request.parameter("part") != nil { return live }
    return ManagePages.page(
      .people, call,
      main:
        "<h1>People and rooms</h1>\(ManagePages.live(ManagePages.Page.people.path, kinds: "staff resource location", live))"
    )
  }

  private static func live(_ call: Call) throws -> HTML {
    let staff = try call.perform(ListStaff())
    let rooms = try call.perform(ListRooms())
    let places = try call.perform(ListLocations()).map(\.location)
    let people: HTML =
      staff.isEmpty
      ? "<p class=\"empty\">Nobody is on file yet: add somebody here, or import staff.jsonl under <a href=\"/jobs\">Jobs</a>.</p>"
      : staff.html { member($0, places, call.today) }
    let things: HTML =
      rooms.isEmpty ? "<p class=\"empty\">No room or device is on file yet.</p>" : rooms.html { room($0, places) }
    return """
      <h2>People (\(staff.count))</h2>\(people)<details><summary>Add somebody</summary>\(newMember)</details>
      <h2>Rooms and devices (\(rooms.count))</h2>\(things)<details><summary>Add a room or device</summary>\(roomForm(nil))</details>
      <p class="hint">What is booked stays as it was booked; a visit that doesn't fit any more is named as a conflict on its day. Skills come with imports.</p>
      """
  }

  // MARK: People

  private static let hoursHint = "mon-fri 09:00-17:30, sat 09:00-12:00; none for no hours"

  private static func member(_ member: StaffMember, _ places: [Location], _ today: CalendarDate) -> HTML {
    let id = member.id
    let path = ["api", "v1", "staff", id]
    // Hours belong to a place; the first is where those are that name none.
    let places: [Location?] = places.isEmpty ? [nil] : places
    let main = places[0]?.id
    let hours = places.html { place in
      let own = member.workingHours.filter { ($0.locationID ?? main) == place?.id }
      let at = place.map { " at \($0.name)" } ?? ""
      let field = "hours_\(id)\(place.map { "_\($0.id)" } ?? "")"
      return ManageForm(
        method: "PATCH", path: Link.path(path), testID: "\(field)_form", label: "Hours of \(member.name)\(at)",
        fields: (place.map { ManageField.hidden("location", $0.id) } ?? "")
          + ManageField.words(field, "hours", "Works\(at)", value: StaffWeek.words(own), hint: hoursHint)
      ).html
    }
    let breaks = ManageForm(
      method: "PATCH", path: Link.path(path), testID: "breaks_\(id)_form", label: "Breaks of \(member.name)",
      fields: ManageField.words(
        "breaks_\(id)", "breaks", "Breaks", value: StaffWeek.words(member.breaks),
        hint: "mon-fri 12:00-14:00 30: between when, and how many minutes; none for none")
    ).html
    let upcoming = member.leave.filter { $0.days.upperBound >= today }
    let leave = upcoming.html { away in
      let (first, last) = ("\(away.days.lowerBound)", "\(away.days.upperBound)")
      return
        "<li><span>\(Badges.shortDate(away.days.lowerBound))\(first == last ? "" : " to \(Badges.shortDate(away.days.upperBound))")</span> \(ManageForm(method: "POST", path: Link.path(path + ["leave"]), testID: "leave_\(id)_\(first)", label: "Take back the leave of \(member.name) from \(first)", fields: ManageField.hidden("from", first) + ManageField.hidden("to", last) + ManageField.flag("taken_back", true), button: "Take back", done: "The leave is taken back.", style: "small").html)</li>"
    }
    let none: HTML = upcoming.isEmpty ? "<li class=\"empty\">No leave from today on.</li>" : ""
    let add = ManageForm(
      method: "POST", path: Link.path(path + ["leave"]), testID: "leave_\(id)_form", label: "Leave of \(member.name)",
      fields: """
        <div class="fields">\(ManageField.date("leave_\(id)_from", "from", "Away from"))\(ManageField.date("leave_\(id)_to", "to", "To (empty for one day)"))</div>
        """, button: "Add leave", done: "The leave is on file.", empties: true
    ).html
    let now: HTML = member.isOnLeave(today) ? " <span class=\"badge\">away today</span>" : ""
    return """
      <details class="card" data-testid="staff_\(id)"><summary><b><bdi>\(member.name)</bdi></b> <span class="id">\(id)</span> \(member.role.rawValue)</summary>\(now)
      <div class="split even"><div>\(hours)\(breaks)</div><div><h3>Leave</h3><ul class="plain leave">\(leave)\(none)</ul>\(add)</div></div>
      <div class="split even"><div><h3>May do</h3>\(credentials(member, path, today))</div><div><h3>Would like</h3>\(wishes(member, path))</div></div></details>
      """
  }

  private static func credentials(_ member: StaffMember, _ path: [String], _ today: CalendarDate) -> HTML {
    let id = member.id
    let target = Link.path(path + ["credentials"])
    let rows = member.credentials.enumerated().html { index, credential in
      let until: HTML = credential.expires.map { " until \(Badges.shortDate($0))" } ?? ""
      let over: HTML = credential.holds(on: today) ? "" : " <span class=\"badge bad\">over</span>"
      let away = ManageForm(
        method: "POST", path: target, testID: "credential_\(id)_\(index)",
        label: "\(member.name) may do \(credential.name) no more",
        fields: ManageField.hidden("name", credential.name) + ManageField.flag("taken_away", true), button: "No more",
        done: "It is taken away.", style: "small")
      return "<li><span><bdi>\(credential.name)</bdi>\(until)\(over)</span> \(away.html)</li>"
    }
    let none: HTML = member.credentials.isEmpty ? "<li class=\"empty\">Nothing that is kept track of.</li>" : ""
    let add = ManageForm(
      method: "POST", path: target, testID: "credential_\(id)_form", label: "What \(member.name) may do",
      fields: """
        <div class="fields">\(ManageField.text("credential_\(id)_name", "name", "May do", hint: "such as surgery or radiography"))\(ManageField.date("credential_\(id)_expires", "expires", "Until (empty for no end)"))</div>
        """, button: "Add", done: "It is on file.", empties: true)
    return "<ul class=\"plain leave\">\(rows)\(none)</ul>\(add.html)"
  }

  private static func wishes(_ member: StaffMember, _ path: [String]) -> HTML {
    let id = member.id
    let most = member.load.mostPerDay["*"].map(String.init)
    let some = member.load.mostPerDay.filter { $0.key != "*" }.sorted { $0.key < $1.key }
      .map { "\($0.value) of \($0.key)" }
    let others: HTML =
      some.isEmpty
      ? ""
      : "<p class=\"hint\">At most \(some.joined(separator: ", ")) a day, as an import or the command line says.</p>"
    return ManageForm(
      method: "PATCH", path: Link.path(path), testID: "wishes_\(id)_form", label: "What \(member.name) would like",
      fields: """
        <div class="fields">\(ManageField.text("most_\(id)", "most_per_day", "Visits a day at most", value: most, hint: "empty for any number", type: "number", more: " data-kind=\"number\" inputmode=\"numeric\" min=\"0\" max=\"100\""))\(ManageField.text("latest_\(id)", "latest_long_start", "No long visit after", value: member.load.latestLongStart.map(StaffWeek.clock), hint: "such as 15:30; empty for any time", type: "time"))\(ManageField.number("long_\(id)", "long_minutes", "Long from, min", value: member.load.longMinutes, in: 5...1440))</div>
        """, sendsChanges: true
    ).html + others
  }

  private static let newMember = ManageForm(
    method: "POST", path: "/api/v1/staff", testID: "add_staff_form", label: "Add somebody",
    fields: """
      <div class="fields">\(ManageField.text("staff_name", "name", "Name"))\(ManageField.choice("staff_role", "role", "Works as", StaffMember.Role.allCases.map { ($0.rawValue, $0.rawValue) }))\(ManageField.text("staff_hours", "hours", "Works", hint: "mon-fri 09:00-17:30; empty for none yet"))</div>
      """, button: "Add", done: "They are on file.", empties: true
  ).html

  // MARK: Rooms

  private static func room(_ room: Resource, _ places: [Location]) -> HTML {
    let here = room.locationID ?? places.first?.id
    let place: HTML =
      places.count < 2
      ? ""
      : places.filter { $0.id != here }.html { other in
        ManageForm(
          method: "POST", path: Link.path(["api", "v1", "locations", other.id, "rooms"]),
          testID: "place_\(room.id)_\(other.id)", label: "Where \(room.name) is",
          fields: ManageField.hidden("room", room.id), button: "Move to \(other.name)", done: "It is there now.",
          style: "small"
        ).html
      }
    let where_: HTML = places.first { $0.id == here }.map { ", at \($0.name)" } ?? ""
    let count: HTML = room.capacity > 1 ? ", \(room.capacity) of them" : ""
    let cleaning: HTML = room.cleaningMinutes > 0 ? ", \(room.cleaningMinutes) min to clean" : ""
    return """
      <details class="card" data-testid="room_\(room.id)"><summary><b><bdi>\(room.name)</bdi></b> <span class="id">\(room.id)</span> \(room.kind)\(count)\(cleaning)\(where_)</summary>\(roomForm(room))\(place)</details>
      """
  }

  private static func roomForm(_ room: Resource?) -> HTML {
    let id = "room_\(room?.id ?? "new")"
    return ManageForm(
      method: room == nil ? "POST" : "PUT",
      path: room.map { Link.path(["api", "v1", "rooms", $0.id]) } ?? "/api/v1/rooms",
      testID: "\(id)_form", label: room.map { "Change \($0.name)" } ?? "Add a room or device",
      fields: """
        <div class="fields">\(ManageField.text("\(id)_name", "name", "Name", value: room?.name))\(ManageField.text("\(id)_kind", "kind", "Kind", value: room?.kind, hint: "room, theatre, imaging, or your own word"))\(ManageField.number("\(id)_capacity", "capacity", "How many", value: room?.capacity ?? 1, in: 1...100))\(ManageField.number("\(id)_cleaning", "cleaning_minutes", "Minutes to clean", value: room?.cleaningMinutes ?? 0, in: 0...480))</div>
        """, button: room == nil ? "Add" : "Save", done: room == nil ? "It is on file." : "Saved.", empties: room == nil
    ).html
  }
}
