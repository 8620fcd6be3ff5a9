public import Clinical

/// Rooms and equipment.
public struct ResourceStore {
  let connection: Connection

  /// Inserts or updates a resource under `resource.id` of the source.
  ///
  /// What is booked stays as it was booked: new cleaning times and capacities apply to later bookings.
  public func upsert(_ resource: Resource, source: Int64) throws(StoreError) -> Upserted {
    try connection.transaction { () throws(StoreError) in
      // A room that names no location has the content that it had before there were any.
      var children = CanonicalBytes()
      if let location = resource.locationID { children.append(location) }
      let location: Int64? = try connection.recordIDs.required(.location, resource.locationID, preferring: source)
      let result = try connection.upsert(
        .resource, source: source, id: resource.id, columns: ["name", "kind", "capacity", "cleaning_minutes"],
        children: children, values: resource.name, resource.kind, resource.capacity, resource.cleaningMinutes)
      if result.outcome != .unchanged {
        try connection.execute("UPDATE resource SET location_id = ? WHERE id = ?", location, result.rowID)
      }
      return result
    }
  }

  /// Says where a room is; nil for the first location, or the practice's only place.
  public func setLocation(_ location: Int64?, row: Int64) throws(StoreError) {
    try connection.execute(
      "UPDATE resource SET location_id = ?1, \(Connection.changedHere) WHERE id = ?2 AND location_id IS NOT ?1",
      location,
      row)
  }

  /// Changes a room or device in place, whichever source it came from; where it is stays.
  ///
  /// - Throws: ``StoreError/Code/alteredRecord`` for a record that is not what was written.
  public func change(row: Int64, _ edit: (inout Resource) -> Void) throws(StoreError) -> Stored<Resource>? {
    try connection.transaction { () throws(StoreError) in
      guard let stored = try resource(row: row) else { return nil }
      try connection.recordHashes.requireSound(.resource, row)
      var resource = stored.value
      edit(&resource)
      try connection.execute(
        "UPDATE resource SET name = ?, kind = ?, capacity = ?, cleaning_minutes = ?, \(Connection.changedHere) WHERE id = ?",
        resource.name, resource.kind, resource.capacity, resource.cleaningMinutes, row)
      return try self.resource(row: row)
    }
  }

  public func resource(row: Int64) throws(StoreError) -> Stored<Resource>? {
    try connection.first("\(Self.selection) WHERE record.id = ?", row, read: Self.read)
  }

  /// Those with this id; several only when sources share it.
  public func resources(id: String) throws(StoreError) -> [Stored<Resource>] {
    var found: [Stored<Resource>] = []
    for row in try connection.recordIDs.candidates(.resource, id) {
      if let resource = try resource(row: row) { found.append(resource) }
    }
    return found
  }

  /// All, in the order they came.
  public func list() throws(StoreError) -> [Stored<Resource>] {
    try connection.rows("\(Self.selection) ORDER BY record.id", read: Self.read)
  }

  private static let selection = """
    SELECT record.id, \(RecordIDs.expression("record", .resource)), record.name, record.kind, record.capacity,
      record.cleaning_minutes, \(RecordIDs.reference("record.location_id", .location))
    FROM resource AS record
    """

  private static func read(_ row: Statement) throws(StoreError) -> Stored<Resource> {
    Stored(
      rowID: row.int64(0), patientRowID: nil,
      value: Resource(
        id: row.text(1), name: row.text(2), kind: row.text(3), capacity: row.int(4), cleaningMinutes: row.int(5),
        locationID: row.optionalText(6)))
  }
}

extension Connection {
  public var resources: ResourceStore { ResourceStore(connection: self) }
}
