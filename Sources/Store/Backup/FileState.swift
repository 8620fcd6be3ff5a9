public import Clinical

/// Which state of which practice a file holds: enough to tell the newer of two.
public struct FileState: Hashable, Sendable {
  /// The practice's own id, made with its file and kept by every copy; nil in files from before there was one.
  public let practiceID: String?
  /// How many transactions have changed what the practice said or did; see `change_count` in the schema.
  public let changeNumber: Int
  /// The moment of the latest note; nil without notes.
  public let latestNote: Timestamp?

  /// Reads the state of a file, of an older schema too, without changing it; `isStill` says that nobody has it open, while a file
  /// in use is read with its log.
  ///
  /// - Throws: ``StoreError`` where it can't be read.
  public init(path: String, isStill: Bool) throws(StoreError) {
    self = try (isStill ? Connection.openStill(path) : Connection.openAsItIs(path)).fileState()
  }

  init(practiceID: String?, changeNumber: Int, latestNote: Timestamp?) {
    self.practiceID = practiceID
    self.changeNumber = changeNumber
    self.latestNote = latestNote
  }

  /// Whether both are of one practice, as far as they say.
  public func isOfSamePractice(as other: Self) -> Bool {
    practiceID == nil || other.practiceID == nil || practiceID == other.practiceID
  }
}

extension Connection {
  /// The state that the file is in.
  public func fileState() throws(StoreError) -> FileState {
    let tables = Set(try rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) })
    var changes: Int64 = 0
    if tables.contains("change_count") {
      changes = try number("SELECT number FROM change_count")
    } else {
      // As the migration that begins the count would.
      for table in ["client", "patient", "appointment", "note", "intake", "assessment", "audit"]
      where tables.contains(table) {
        changes += try number("SELECT count(*) FROM \(table)")
      }
    }
    let id =
      tables.contains("plan_revision")
      ? try first("SELECT calendar_id FROM plan_revision", read: { $0.text(0) }) : nil
    let latest =
      tables.contains("note")
      ? try first("SELECT max(recorded_at) FROM note", read: { $0.optionalTimestamp(0) }) ?? nil : nil
    return FileState(practiceID: id, changeNumber: Int(changes), latestNote: latest)
  }

  /// Opens a file that others may have open, of whatever schema, for reading.
  static func openAsItIs(_ path: String) throws(StoreError) -> Connection {
    let connection = try connect(path, access: .readOnly)
    guard try connection.applicationMark() == applicationID else { throw connection.notAPractice }
    try connection.checkSchema()
    return connection
  }
}
