public import Clinical
import Foundation

/// Somebody who may use the practice.
public struct User: Hashable, Sendable {
  public let rowID: Int64
  public let name: String
  public let role: String
  /// As it is shown; nil where nobody's on file is meant.
  public let staffID: String?
  public let account: String?
  public let isDisabled: Bool
}

/// Who may use the practice.
public struct UserStore {
  let connection: Connection

  /// How names are compared.
  public static func key(_ name: String) -> String { name.precomposedStringWithCanonicalMapping.lowercased() }

  /// Whether anybody is in it: then only those who are may use the practice.
  public func hasAny() throws(StoreError) -> Bool { try connection.exists("SELECT 1 FROM user") }

  /// Whether the file at `path` can be read and has users, whatever its schema; it isn't changed.
  public static func areAny(inFileAt path: String) -> Bool {
    guard let connection = try? Connection.openAsItIs(path) else { return false }
    // Without the table nobody could have been added.
    return (try? connection.users.hasAny()) ?? false
  }

  /// All, in the order in which they came.
  public func list() throws(StoreError) -> [User] {
    try connection.rows("\(Self.selection) ORDER BY user.id", read: Self.read)
  }

  public func user(named name: String) throws(StoreError) -> User? {
    try connection.first("\(Self.selection) WHERE user.name_key = ?", Self.key(name), read: Self.read)
  }

  public func user(row: Int64) throws(StoreError) -> User? {
    try connection.first("\(Self.selection) WHERE user.id = ?", row, read: Self.read)
  }

  public func user(account: String) throws(StoreError) -> User? {
    try connection.first("\(Self.selection) WHERE user.account = ?", account, read: Self.read)
  }

  public func verifier(row: Int64) throws(StoreError) -> String? {
    try connection.first("SELECT verifier FROM user WHERE id = ?", row) { $0.text(0) }
  }

  /// Adds somebody; `staff` is the row of a member of staff.
  public func add(
    name: String, role: String, staff: Int64?, verifier: String, at moment: Timestamp
  ) throws(StoreError) {
    try connection.execute(
      "INSERT INTO user (name, name_key, role, staff_id, verifier, added_at) VALUES (?, ?, ?, ?, ?, ?)", name,
      Self.key(name), role, staff, verifier, moment)
  }

  public func set(role: String, row: Int64) throws(StoreError) {
    try connection.execute("UPDATE user SET role = ? WHERE id = ?", role, row)
  }

  /// Whether somebody is something else at some location than elsewhere.
  public func hasLocationRoles(row: Int64) throws(StoreError) -> Bool {
    try connection.exists("SELECT 1 FROM user_location_role WHERE user_id = ?", row)
  }

  /// What somebody is at a location; nil for what they are everywhere.
  public func role(row: Int64, at location: Int64) throws(StoreError) -> String? {
    try connection.first(
      "SELECT role FROM user_location_role WHERE user_id = ? AND location_id = ?", row, location
    ) { $0.text(0) }
  }

  /// What somebody is at locations where that is something else than elsewhere, by the location's id as it is shown.
  public func locationRoles(row: Int64) throws(StoreError) -> [(location: String, role: String)] {
    try connection.rows(
      """
      SELECT \(RecordIDs.reference("own.location_id", .location)), own.role FROM user_location_role AS own
      WHERE own.user_id = ? ORDER BY own.location_id
      """, row
    ) { ($0.text(0), $0.text(1)) }
  }

  /// Nil for what they are everywhere.
  public func set(role: String?, row: Int64, at location: Int64) throws(StoreError) {
    try connection.execute(
      "DELETE FROM user_location_role WHERE user_id = ? AND location_id = ?", row, location)
    guard let role else { return }
    try connection.execute(
      "INSERT INTO user_location_role (user_id, location_id, role) VALUES (?, ?, ?)", row, location, role)
  }

  public func set(isDisabled: Bool, row: Int64) throws(StoreError) {
    try connection.execute("UPDATE user SET is_disabled = ? WHERE id = ?", isDisabled ? 1 : 0, row)
  }

  public func set(verifier: String, row: Int64) throws(StoreError) {
    try connection.execute("UPDATE user SET verifier = ? WHERE id = ?", verifier, row)
  }

  /// Nil takes it away.
  public func set(account: String?, row: Int64) throws(StoreError) {
    try connection.execute("UPDATE user SET account = ? WHERE id = ?", account, row)
  }

  private static let selection = """
    SELECT user.id, user.name, user.role, \(RecordIDs.reference("user.staff_id", .staff)), user.account, user.is_disabled
    FROM user
    """

  private static func read(_ row: Statement) -> User {
    User(
      rowID: row.int64(0), name: row.text(1), role: row.text(2), staffID: row.optionalText(3),
      account: row.optionalText(4), isDisabled: row.int(5) != 0)
  }
}

extension Connection {
  public var users: UserStore { UserStore(connection: self) }
}
