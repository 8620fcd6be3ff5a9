/// A copy of a hub's file that is to be a file of its own: what only concerns the hub's machine, and what would be done twice, is
/// taken out before the copy has its name.
public enum Clone {
  /// What stays at the hub: who is signed in or may be by a key of their own, secret addresses, the queue of what came in, calendars of
  /// other programs, what ran, and who did what.
  public static let left = [
    "user_session", "sign_in_try", "user_passkey", "calendar_feed", "request_answer", "job_report", "job", "backup",
    "inbox_place", "inbox_decision", "inbox_candidate", "inbox_item", "calendar", "sync_replica", "audit_about",
    "audit_entry", "audit_head", "device",
  ]

  /// No passphrase has it: Argon2id's form, with a salt and a hash that are none.
  static let noVerifier = "$argon2id$none"

  /// Makes a clone of the state that a hub's file is in, proves the copy as a backup is proven, and puts it at `path` in one step.
  ///
  /// - Parameters:
  ///   - connection: the hub's file.
  ///   - path: where the clone is to stand.
  ///   - own: what the clone is to be; how far it has heard is what the copy holds.
  ///   - user: who signs in at it, and nobody else; nil where the practice has no users.
  ///   - cover: what it is sealed with.
  ///   - continuing: called between the steps, with what is done of what; what it throws ends it all, with nothing left behind.
  /// - Throws: ``StoreError``, ``Backup/Flaw``, or what `continuing` throws.
  public static func make(
    of connection: Connection, at path: String, as own: SyncSelf, user: Int64?, cover: Backup.Cover = .asSource,
    continuing: (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    let made = try Backup.make(of: connection, in: FilePath.folder(of: path), cover: cover, continuing: continuing)
    try prepare(made.file.path, as: own, user: user)
    try made.file.synchronize()
    try made.put(at: path)
  }

  /// Makes a clone of a copy of a hub's file that nobody has open.
  ///
  /// Nobody but the device's user can sign in at it: names and roles stay, for the record names them, and what a passphrase could be guessed
  /// from doesn't.
  ///
  /// - Throws: ``StoreError``; the file is then as it was.
  public static func prepare(_ path: String, as own: SyncSelf, user: Int64?) throws(StoreError) {
    let connection = try Connection.open(path, access: .readWrite)
    try connection.transaction { () throws(StoreError) in
      guard let hub = try connection.operationLog.own(), hub.practice == own.practice else {
        throw StoreError(.unknownRecord, context: "the part that '\(path)' takes in the practice")
      }
      for table in left
      where try connection.exists("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", table) {
        try connection.execute("DELETE FROM \(table)")
      }
      // Written where they were begun, and signed there.
      try connection.execute("DELETE FROM encounter WHERE signed_at IS NULL")
      try connection.execute("UPDATE user SET account = NULL")
      try connection.execute("UPDATE user SET verifier = ? WHERE id IS NOT ?", noVerifier, user)
      try connection.execute("DELETE FROM device_invitation")
      try connection.execute("DELETE FROM setting WHERE key IN ('device_identity', 'account_unlock')")
      var own = own
      own.sequence = 0
      own.clock = hub.clock
      own.hubSequence = hub.hubSequence
      try connection.operationLog.keep(own)
      // Rows that SQLite moved leave copies on the pages where they were.
      try connection.markRemovedText()
    }
  }
}
