public import Clinical

/// Who works at the practice, with skills, hours, breaks and leave.
public struct StaffStore {
  let connection: Connection

  /// Inserts or updates a member of staff under `member.id` of the source.
  public func upsert(_ member: StaffMember, source: Int64) throws(StoreError) -> Upserted {
    try connection.transaction { () throws(StoreError) in
      let result = try connection.upsert(
        .staff, source: source, id: member.id, columns: ["name", "role"], children: Self.canonical(member),
        values: member.name, member.role.rawValue)
      if result.outcome != .unchanged { try replaceChildren(of: result.rowID, by: member, source: source) }
      return result
    }
  }

  public func member(row: Int64) throws(StoreError) -> Stored<StaffMember>? {
    guard
      let head = try connection.first("\(Self.selection) WHERE record.id = ?", row, read: Self.readHead)
    else { return nil }
    return try complete(head)
  }

  /// Those with this id; several only when sources share it.
  public func members(id: String) throws(StoreError) -> [Stored<StaffMember>] {
    var found: [Stored<StaffMember>] = []
    for row in try connection.recordIDs.candidates(.staff, id) {
      if let member = try member(row: row) { found.append(member) }
    }
    return found
  }

  /// All, in the order they came.
  public func list() throws(StoreError) -> [Stored<StaffMember>] {
    var members: [Stored<StaffMember>] = []
    for head in try connection.rows("\(Self.selection) ORDER BY record.id", read: Self.readHead) {
      members.append(try complete(head))
    }
    return members
  }

  private static let selection = """
    SELECT record.id, \(RecordIDs.expression("record", .staff)), record.name, record.role FROM staff AS record
    """

  private static func readHead(_ row: Statement) throws(StoreError) -> Stored<StaffMember> {
    guard let role = StaffMember.Role(rawValue: row.text(3)) else {
      throw StoreError(.corrupt, context: "the role of staff row \(row.int64(0))")
    }
    return Stored(
      rowID: row.int64(0), patientRowID: nil, value: StaffMember(id: row.text(1), name: row.text(2), role: role))
  }

  private func complete(_ head: Stored<StaffMember>) throws(StoreError) -> Stored<StaffMember> {
    var member = head.value
    for (specialty, competence) in try connection.rows(
      "SELECT specialty, competence FROM staff_skill WHERE staff_id = ? ORDER BY specialty", head.rowID,
      read: { ($0.text(0), $0.double(1)) })
    {
      member.skills[specialty] = competence
    }
    member.workingHours = try connection.rows(
      """
      SELECT weekday, start_minute, end_minute, \(RecordIDs.reference("hours.location_id", .location))
      FROM staff_hours AS hours WHERE staff_id = ? ORDER BY ordinal
      """, head.rowID
    ) { row throws(StoreError) in
      StaffMember.WorkingHours(
        weekday: row.int(0), minutes: try Self.range(row, 1), locationID: row.optionalText(3))
    }
    member.breaks = try connection.rows(
      """
      SELECT weekday, earliest_minute, latest_minute, duration_minutes FROM staff_break
      WHERE staff_id = ? ORDER BY ordinal
      """, head.rowID
    ) { row throws(StoreError) in
      StaffMember.Break(weekday: row.int(0), window: try Self.range(row, 1), minutes: row.int(3))
    }
    member.leave = try connection.rows(
      "SELECT first_day, last_day FROM staff_leave WHERE staff_id = ? ORDER BY ordinal", head.rowID
    ) { row throws(StoreError) in
      guard let first = row.optionalDate(0), let last = row.optionalDate(1), first <= last else {
        throw StoreError(.corrupt, context: "the leave of staff row \(head.rowID)")
      }
      return StaffMember.Leave(days: first...last)
    }
    member.credentials = try connection.rows(
      "SELECT name, expires_on FROM staff_credential WHERE staff_id = ? ORDER BY ordinal", head.rowID
    ) { StaffMember.Credential(name: $0.text(0), expires: $0.optionalDate(1)) }
    for (type, most) in try connection.rows(
      "SELECT visit_type, most_per_day FROM staff_load WHERE staff_id = ? ORDER BY visit_type", head.rowID,
      read: { ($0.text(0), $0.int(1)) })
    {
      member.load.mostPerDay[type] = most
    }
    if let long = try connection.first(
      "SELECT latest_minute, long_minutes FROM staff_long_visits WHERE staff_id = ?", head.rowID,
      read: { (latest: $0.isNull(0) ? nil : $0.int(0), minutes: $0.int(1)) })
    {
      member.load.latestLongStart = long.latest
      member.load.longMinutes = long.minutes
    }
    return Stored(rowID: head.rowID, patientRowID: nil, value: member)
  }

  private static func range(_ row: Statement, _ column: Int32) throws(StoreError) -> Range<Int> {
    guard row.int(column) <= row.int(column + 1) else {
      throw StoreError(.corrupt, context: "a stretch of time that ends before it begins")
    }
    return row.int(column)..<row.int(column + 1)
  }

  /// Ids of locations are the source's own first; nil for ids as they are shown.
  func replaceChildren(of row: Int64, by member: StaffMember, source: Int64?) throws(StoreError) {
    for table in [
      "staff_skill", "staff_hours", "staff_break", "staff_leave", "staff_credential", "staff_load", "staff_long_visits",
    ] {
      try connection.execute("DELETE FROM \(table) WHERE staff_id = ?", row)
    }
    for (specialty, competence) in member.skills.sorted(by: { $0.key < $1.key }) {
      try connection.execute(
        "INSERT INTO staff_skill (staff_id, specialty, competence) VALUES (?, ?, ?)", row, specialty, competence)
    }
    for (ordinal, hours) in member.workingHours.enumerated() {
      let location: Int64? = try connection.recordIDs.required(.location, hours.locationID, preferring: source)
      try connection.execute(
        """
        INSERT INTO staff_hours (staff_id, ordinal, weekday, start_minute, end_minute, location_id)
        VALUES (?, ?, ?, ?, ?, ?)
        """, row, ordinal, hours.weekday, hours.minutes.lowerBound, hours.minutes.upperBound, location)
    }
    for (ordinal, pause) in member.breaks.enumerated() {
      try connection.execute(
        """
        INSERT INTO staff_break (staff_id, ordinal, weekday, earliest_minute, latest_minute, duration_minutes)
        VALUES (?, ?, ?, ?, ?, ?)
        """, row, ordinal, pause.weekday, pause.window.lowerBound, pause.window.upperBound, pause.minutes)
    }
    for (ordinal, leave) in member.leave.enumerated() {
      try connection.execute(
        "INSERT INTO staff_leave (staff_id, ordinal, first_day, last_day) VALUES (?, ?, ?, ?)",
        row, ordinal, leave.days.lowerBound, leave.days.upperBound)
    }
    try insertTerms(of: row, member)
  }

  private func insertTerms(of row: Int64, _ member: StaffMember) throws(StoreError) {
    for (ordinal, credential) in member.credentials.enumerated() {
      try connection.execute(
        "INSERT INTO staff_credential (staff_id, ordinal, name, expires_on) VALUES (?, ?, ?, ?)", row, ordinal,
        credential.name, credential.expires)
    }
    for (type, most) in member.load.mostPerDay.sorted(by: { $0.key < $1.key }) {
      try connection.execute(
        "INSERT INTO staff_load (staff_id, visit_type, most_per_day) VALUES (?, ?, ?)", row, type, most)
    }
    if member.load.latestLongStart != nil || member.load.longMinutes != StaffMember.LoadPreference().longMinutes {
      try connection.execute(
        "INSERT INTO staff_long_visits (staff_id, latest_minute, long_minutes) VALUES (?, ?, ?)", row,
        member.load.latestLongStart, member.load.longMinutes)
    }
  }

  /// Changes somebody in place, whichever source they came from.
  ///
  /// - Throws: ``StoreError/Code/alteredRecord`` for a record that is not what was written, ``StoreError/Code/unknownRecord`` for hours
  ///   at a location that isn't there.
  public func change(row: Int64, _ edit: (inout StaffMember) -> Void) throws(StoreError) -> Stored<StaffMember>? {
    try connection.transaction { () throws(StoreError) in
      guard let stored = try member(row: row) else { return nil }
      try connection.recordHashes.requireSound(.staff, row)
      var member = stored.value
      edit(&member)
      try connection.execute(
        "UPDATE staff SET name = ?, role = ?, \(Connection.changedHere) WHERE id = ?", member.name,
        member.role.rawValue,
        row)
      try replaceChildren(of: row, by: member, source: nil)
      return try self.member(row: row)
    }
  }

  private static func canonical(_ member: StaffMember) -> CanonicalBytes {
    var canonical = CanonicalBytes()
    for (specialty, competence) in member.skills.sorted(by: { $0.key < $1.key }) {
      canonical.append("skill")
      canonical.append(specialty)
      canonical.append(competence)
    }
    for hours in member.workingHours {
      canonical.append("hours")
      for number in [hours.weekday, hours.minutes.lowerBound, hours.minutes.upperBound] {
        canonical.append(Int64(number))
      }
      if let location = hours.locationID { canonical.append(location) }
    }
    for pause in member.breaks {
      canonical.append("break")
      for number in [pause.weekday, pause.window.lowerBound, pause.window.upperBound, pause.minutes] {
        canonical.append(Int64(number))
      }
    }
    for leave in member.leave {
      canonical.append("leave")
      canonical.append(leave.days.lowerBound.description)
      canonical.append(leave.days.upperBound.description)
    }
    for credential in member.credentials {
      canonical.append("credential")
      canonical.append(credential.name)
      if let expires = credential.expires { canonical.append(expires.description) }
    }
    if !member.load.isEmpty {
      canonical.append("load")
      for (type, most) in member.load.mostPerDay.sorted(by: { $0.key < $1.key }) {
        canonical.append(type)
        canonical.append(Int64(most))
      }
      if let latest = member.load.latestLongStart { canonical.append(Int64(latest)) }
      canonical.append(Int64(member.load.longMinutes))
    }
    return canonical
  }
}

extension Connection {
  public var staff: StaffStore { StaffStore(connection: self) }
}
