internal import CSQLite
internal import CSodium

/// The versions of the C libraries that the store runs on, as they say them.
public enum LibraryVersions {
  public static var sqlite: String { String(cString: sqlite3_libversion()) }
  public static var sodium: String { String(cString: sodium_version_string()) }
}
