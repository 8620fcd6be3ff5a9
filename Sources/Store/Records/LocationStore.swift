public import Clinical

/// Where the practice sees animals.
public struct LocationStore {
  let connection: Connection

  /// Inserts or updates a location under `location.id` of the source.
  public func upsert(_ location: Location, source: Int64) throws(StoreError) -> Upserted {
    try connection.transaction { () throws(StoreError) in
      let result = try connection.upsert(
        .location, source: source, id: location.id, columns: ["name", "address", "region"],
        children: Self.canonical(location), values: location.name, location.address, location.region)
      if result.outcome != .unchanged { try replaceChildren(of: result.rowID, by: location) }
      return result
    }
  }

  /// Changes a location in place, whichever source it came from.
  ///
  /// - Throws: ``StoreError/Code/alteredRecord`` for one that is not what was written.
  public func change(row: Int64, _ edit: (inout Location) -> Void) throws(StoreError) -> Stored<Location>? {
    try connection.transaction { () throws(StoreError) in
      guard let stored = try location(row: row) else { return nil }
      try connection.recordHashes.requireSound(.location, row)
      var location = stored.value
      edit(&location)
      try connection.execute(
        "UPDATE location SET name = ?, address = ?, region = ?, \(Connection.changedHere) WHERE id = ?", location.name,
        location.address,
        location.region, row)
      try replaceChildren(of: row, by: location)
      return try self.location(row: row)
    }
  }

  public func location(row: Int64) throws(StoreError) -> Stored<Location>? {
    guard let head = try connection.first("\(Self.selection) WHERE record.id = ?", row, read: Self.readHead) else {
      return nil
    }
    return try complete(head)
  }

  /// Whether there is any: without one, the practice is one place.
  public func hasAny() throws(StoreError) -> Bool { try connection.exists("SELECT 1 FROM location") }

  /// All, in the order they came: the first is where everything is that names none.
  public func list() throws(StoreError) -> [Stored<Location>] {
    var locations: [Stored<Location>] = []
    for head in try connection.rows("\(Self.selection) ORDER BY record.id", read: Self.readHead) {
      locations.append(try complete(head))
    }
    return locations
  }

  private static let selection = """
    SELECT record.id, \(RecordIDs.expression("record", .location)), record.name, record.address, record.region
    FROM location AS record
    """

  private static func readHead(_ row: Statement) -> Stored<Location> {
    Stored(
      rowID: row.int64(0), patientRowID: nil,
      value: Location(
        id: row.text(1), name: row.text(2), address: row.optionalText(3), region: row.optionalText(4)))
  }

  private func complete(_ head: Stored<Location>) throws(StoreError) -> Stored<Location> {
    var location = head.value
    location.hours = try connection.rows(
      "SELECT weekday, start_minute, end_minute FROM location_hours WHERE location_id = ? ORDER BY ordinal",
      head.rowID
    ) { row throws(StoreError) in
      guard row.int(1) <= row.int(2) else {
        throw StoreError(.corrupt, context: "the hours of location row \(head.rowID)")
      }
      return StaffMember.WorkingHours(weekday: row.int(0), minutes: row.int(1)..<row.int(2))
    }
    location.closures = try connection.rows(
      "SELECT first_day, last_day, is_open, reason FROM location_closure WHERE location_id = ? ORDER BY ordinal",
      head.rowID
    ) { row throws(StoreError) in
      guard let first = row.optionalDate(0), let last = row.optionalDate(1), first <= last else {
        throw StoreError(.corrupt, context: "the closures of location row \(head.rowID)")
      }
      return Location.Closure(days: first...last, isOpen: row.int(2) == 1, reason: row.optionalText(3))
    }
    return Stored(rowID: head.rowID, patientRowID: nil, value: location)
  }

  private func replaceChildren(of row: Int64, by location: Location) throws(StoreError) {
    try connection.execute("DELETE FROM location_hours WHERE location_id = ?", row)
    try connection.execute("DELETE FROM location_closure WHERE location_id = ?", row)
    for (ordinal, hours) in location.hours.enumerated() {
      try connection.execute(
        "INSERT INTO location_hours (location_id, ordinal, weekday, start_minute, end_minute) VALUES (?, ?, ?, ?, ?)",
        row, ordinal, hours.weekday, hours.minutes.lowerBound, hours.minutes.upperBound)
    }
    for (ordinal, closure) in location.closures.enumerated() {
      try connection.execute(
        """
        INSERT INTO location_closure (location_id, ordinal, first_day, last_day, is_open, reason)
        VALUES (?, ?, ?, ?, ?, ?)
        """, row, ordinal, closure.days.lowerBound, closure.days.upperBound, closure.isOpen ? 1 : 0, closure.reason)
    }
  }

  private static func canonical(_ location: Location) -> CanonicalBytes {
    var canonical = CanonicalBytes()
    for hours in location.hours {
      canonical.append("hours")
      for number in [hours.weekday, hours.minutes.lowerBound, hours.minutes.upperBound] {
        canonical.append(Int64(number))
      }
    }
    for closure in location.closures {
      canonical.append("closure")
      canonical.append(closure.days.lowerBound.description)
      canonical.append(closure.days.upperBound.description)
      canonical.append(Int64(closure.isOpen ? 1 : 0))
      if let reason = closure.reason { canonical.append(reason) }
    }
    return canonical
  }
}

extension Connection {
  public var locations: LocationStore { LocationStore(connection: self) }
}
