/// Where records come from: another program's export, a folder, or this program.
public struct SourceRegistry {
  let connection: Connection

  /// What is written in VetNet itself.
  public static let localName = "vetnet"

  /// The source's row, made when the name is new.
  public func id(named name: String) throws(StoreError) -> Int64 {
    if let known = try connection.first("SELECT id FROM source WHERE name = ?", name, read: { $0.int64(0) }) {
      return known
    }
    try connection.execute("INSERT INTO source (name) VALUES (?)", name)
    return connection.lastInsertedRowID
  }

  /// The source of what is written in VetNet itself.
  public func local() throws(StoreError) -> Int64 { try id(named: Self.localName) }

  /// The names of all sources, the oldest first.
  public func names() throws(StoreError) -> [String] {
    try connection.rows("SELECT name FROM source ORDER BY id") { $0.text(0) }
  }
}

extension Connection {
  public var sources: SourceRegistry { SourceRegistry(connection: self) }
}
