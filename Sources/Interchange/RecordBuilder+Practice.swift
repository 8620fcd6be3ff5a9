import Clinical

/// Who works at the practice, and with what.
extension RecordBuilder {
  func staffMember(_ row: Row) throws(FieldError) -> StaffMember {
    let id = try requiredID(row)
    let name = try row.phrase("name") ?? row.lacking("name", hint: "every member of staff needs a name")
    let role = try row.choice("role", of: "staff_role", StaffMember.Role.self)
    if role == nil {
      let words = StaffMember.Role.allCases.map(\.rawValue).joined(separator: ", ")
      _ = row.lacking("role", hint: "one of " + words)
    }
    // One bad entry of a list costs that entry.
    var hours: [StaffMember.WorkingHours] = []
    for entry in row.rows("working_hours", fields: ["weekday", "start", "end", "location_id"]) {
      if let read = entry.optional(try workingHours(entry)) { hours.append(read) }
    }
    var breaks: [StaffMember.Break] = []
    for entry in row.rows("breaks", fields: ["weekday", "earliest", "latest", "minutes"]) {
      if let read = entry.optional(try pause(entry)) { breaks.append(read) }
    }
    var leave: [StaffMember.Leave] = []
    for entry in row.rows("leave", fields: ["from", "to"]) {
      if let read = entry.optional(try self.leave(entry)) { leave.append(read) }
    }
    return StaffMember(
      id: id, name: name, role: role ?? .administrator,
      skills: row.optional(try row.numbers("skills", in: 0...1)) ?? [:],
      workingHours: hours,
      breaks: breaks, leave: leave, credentials: try credentials(row), load: row.optional(try load(row)) ?? .init())
  }

  /// Objects with a name and the last day; in a cell also names between semicolons.
  private func credentials(_ row: Row) throws(FieldError) -> [StaffMember.Credential] {
    if case .cell? = row.values["credentials"] {
      return (row.optional(try row.identifiers("credentials")) ?? []).map { StaffMember.Credential(name: $0) }
    }
    var credentials: [StaffMember.Credential] = []
    for entry in row.rows("credentials", fields: ["name", "expires"]) {
      if let read = entry.optional(try credential(entry)) { credentials.append(read) }
    }
    return credentials
  }

  private func credential(_ entry: Row) throws(FieldError) -> StaffMember.Credential {
    guard let name = try entry.phrase("name") else {
      throw .missing(entry.path + "name", hint: "what they may do, such as surgery")
    }
    return StaffMember.Credential(name: name, expires: try entry.day("expires"))
  }

  private func load(_ row: Row) throws(FieldError) -> StaffMember.LoadPreference? {
    guard let value = row.values["load"] else { return nil }
    guard case .object(let values) = value else { throw row.wrongType("load", value, expected: "an object") }
    let keys = ["most_per_day", "latest_long_start", "long_minutes"]
    let list = Row(
      values: ["load": .list([value])], format: row.format, dates: row.dates, vocabulary: row.vocabulary,
      tally: row.tally, report: row.report)
    guard let entry = list.rows("load", fields: keys).first, !values.isEmpty else { return nil }
    var load = StaffMember.LoadPreference()
    let counts = try entry.numbers("most_per_day", in: 0...100)
    load.mostPerDay = counts.mapValues { Int($0.rounded()) }
    load.latestLongStart = try entry.minuteOfDay("latest_long_start")
    load.longMinutes = try entry.integer("long_minutes", in: 5...1440) ?? load.longMinutes
    return load
  }

  private func workingHours(_ entry: Row) throws(FieldError) -> StaffMember.WorkingHours {
    let minutes = try window(entry, from: "start", to: "end")
    return StaffMember.WorkingHours(
      weekday: try weekday(entry), minutes: minutes, locationID: try entry.identifier("location_id"))
  }

  private func pause(_ entry: Row) throws(FieldError) -> StaffMember.Break {
    let window = try window(entry, from: "earliest", to: "latest")
    guard let minutes = try entry.integer("minutes", in: 1...window.count) else {
      throw .missing(entry.path + "minutes", hint: "how long the break is")
    }
    return StaffMember.Break(weekday: try weekday(entry), window: window, minutes: minutes)
  }

  private func leave(_ entry: Row) throws(FieldError) -> StaffMember.Leave {
    StaffMember.Leave(days: try days(entry))
  }

  private func days(_ entry: Row) throws(FieldError) -> ClosedRange<CalendarDate> {
    guard let first = try entry.day("from") else { throw .missing(entry.path + "from", hint: "the first day away") }
    let last = try entry.day("to") ?? first
    guard first <= last else {
      throw FieldError(entry.path + "to", value: "\(last)", "lies before 'from'", hint: "the last day away")
    }
    return first...last
  }

  func resource(_ row: Row) throws(FieldError) -> Resource {
    let id = try requiredID(row)
    let name = try row.phrase("name") ?? row.lacking("name", hint: "such as Consulting room 1")
    let kind = try row.phrase("kind") ?? row.lacking("kind", hint: "such as room, theatre or imaging")
    return Resource(
      id: id, name: name, kind: kind, capacity: row.optional(try row.integer("capacity", in: 1...1000)) ?? 1,
      cleaningMinutes: row.optional(try row.integer("cleaning_minutes", in: 0...1440)) ?? 0,
      locationID: row.optional(try row.identifier("location_id")))
  }

  func location(_ row: Row) throws(FieldError) -> Location {
    let id = try requiredID(row)
    let name = try row.phrase("name") ?? row.lacking("name", hint: "what people call the place")
    var hours: [StaffMember.WorkingHours] = []
    for entry in row.rows("opening_hours", fields: ["weekday", "start", "end"]) {
      if let read = entry.optional(try workingHours(entry)) { hours.append(read) }
    }
    var closures: [Location.Closure] = []
    for entry in row.rows("closures", fields: ["from", "to", "open", "reason"]) {
      if let read = entry.optional(try closure(entry)) { closures.append(read) }
    }
    return Location(
      id: id, name: name, address: row.optional(try row.phrase("address")),
      region: row.optional(try row.phrase("region")), hours: hours, closures: closures)
  }

  private func closure(_ entry: Row) throws(FieldError) -> Location.Closure {
    let days = try days(entry)
    return Location.Closure(
      days: days, isOpen: entry.values["open"] == .truth(true), reason: try entry.phrase("reason"))
  }

  private func weekday(_ row: Row) throws(FieldError) -> Int {
    guard let weekday = try row.integer("weekday", in: 1...7) else {
      throw .missing(row.path + "weekday", hint: "1 is Monday, 7 is Sunday")
    }
    return weekday
  }

  private func window(_ row: Row, from first: String, to last: String) throws(FieldError) -> Range<Int> {
    guard let start = try row.minuteOfDay(first) else { throw .missing(row.path + first, hint: "a time like 09:00") }
    guard let end = try row.minuteOfDay(last) else { throw .missing(row.path + last, hint: "a time like 17:30") }
    guard start < end else {
      throw FieldError(
        row.path + last, value: clock(end), "does not lie after '\(first)'",
        hint: "split a night shift at midnight: one entry up to 24:00, one from 00:00")
    }
    return start..<end
  }
}
