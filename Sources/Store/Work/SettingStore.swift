/// The practice's own settings, such as its time zone.
public struct SettingStore {
  let connection: Connection

  public func value(_ key: String) throws(StoreError) -> String? {
    try connection.first("SELECT value FROM setting WHERE key = ?", key) { $0.text(0) }
  }

  /// Sets a value; nil takes the setting away.
  public func set(_ key: String, to value: String?) throws(StoreError) {
    guard let value else {
      try connection.execute("DELETE FROM setting WHERE key = ?", key)
      return
    }
    try connection.execute(
      "INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key,
      value)
  }

  /// All, by key.
  public func all() throws(StoreError) -> [(key: String, value: String)] {
    try connection.rows("SELECT key, value FROM setting ORDER BY key") { ($0.text(0), $0.text(1)) }
  }
}

extension Connection {
  public var settings: SettingStore { SettingStore(connection: self) }
}
