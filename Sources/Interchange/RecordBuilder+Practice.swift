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
    for entry in row.rows("working_hours", fields: ["weekday", "start", "end"]) {
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
      breaks: breaks, leave: leave)
  }

  private func workingHours(_ entry: Row) throws(FieldError) -> StaffMember.WorkingHours {
    let minutes = try window(entry, from: "start", to: "end")
    return StaffMember.WorkingHours(weekday: try weekday(entry), minutes: minutes)
  }

  private func pause(_ entry: Row) throws(FieldError) -> StaffMember.Break {
    let window = try window(entry, from: "earliest", to: "latest")
    guard let minutes = try entry.integer("minutes", in: 1...window.count) else {
      throw .missing(entry.path + "minutes", hint: "how long the break is")
    }
    return StaffMember.Break(weekday: try weekday(entry), window: window, minutes: minutes)
  }

  private func leave(_ entry: Row) throws(FieldError) -> StaffMember.Leave {
    guard let first = try entry.day("from") else { throw .missing(entry.path + "from", hint: "the first day away") }
    let last = try entry.day("to") ?? first
    guard first <= last else {
      throw FieldError(entry.path + "to", value: "\(last)", "lies before 'from'", hint: "the last day away")
    }
    return StaffMember.Leave(days: first...last)
  }

  func resource(_ row: Row) throws(FieldError) -> Resource {
    let id = try requiredID(row)
    let name = try row.phrase("name") ?? row.lacking("name", hint: "such as Consulting room 1")
    let kind = try row.phrase("kind") ?? row.lacking("kind", hint: "such as room, theatre or imaging")
    return Resource(
      id: id, name: name, kind: kind, capacity: row.optional(try row.integer("capacity", in: 1...1000)) ?? 1,
      cleaningMinutes: row.optional(try row.integer("cleaning_minutes", in: 0...1440)) ?? 0)
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
