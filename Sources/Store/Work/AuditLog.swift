public import Clinical

/// Who did what, when.
public struct AuditEntry: Hashable, Sendable {
  public let at: Timestamp
  public let actor: String
  public let action: String
  public let subject: String?
  /// JSON, never words of a note.
  public let details: String?

  public init(at: Timestamp, actor: String, action: String, subject: String? = nil, details: String? = nil) {
    self.at = at
    self.actor = actor
    self.action = action
    self.subject = subject
    self.details = details
  }
}

/// The record of who did what; it only grows.
public struct AuditLog {
  let connection: Connection

  public func append(_ entry: AuditEntry) throws(StoreError) {
    try connection.execute(
      "INSERT INTO audit (at, actor, action, subject, details) VALUES (?, ?, ?, ?, ?)", entry.at, entry.actor,
      entry.action, entry.subject, entry.details)
  }

  /// The newest entries, the newest first; about one subject, where it is named.
  public func entries(subject: String? = nil, limit: Int = 100) throws(StoreError) -> [AuditEntry] {
    let about = subject == nil ? "?1 IS NULL" : "subject = ?1"
    return try connection.rows(
      "SELECT at, actor, action, subject, details FROM audit WHERE \(about) ORDER BY at DESC, id DESC LIMIT ?2",
      subject,
      limit
    ) { row in
      AuditEntry(
        at: row.timestamp(0), actor: row.text(1), action: row.text(2), subject: row.optionalText(3),
        details: row.optionalText(4))
    }
  }
}

extension Connection {
  public var audit: AuditLog { AuditLog(connection: self) }
}
