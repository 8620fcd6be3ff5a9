import Clinical
@testable import Store
import Testing

@Suite struct StatementTests {
  let connection: Connection

  init() throws {
    connection = try Connection.inMemory(migrator: Migrator([]))
    try connection.executeScript(
      "CREATE TABLE t (i INTEGER, r REAL, s TEXT, b BLOB, u INTEGER UNIQUE) STRICT", context: "test")
  }

  @Test(arguments: [
    "", "plain", "naïve — 猫 🐈", "with\u{0}nul", "'; DROP TABLE t; --", String(repeating: "x", count: 100_000),
  ])
  func `every text comes back as it went in`(text: String) throws {
    try connection.execute("INSERT INTO t (s) VALUES (?)", text)
    #expect(try connection.rows("SELECT s FROM t") { $0.optionalText(0) } == [text])
  }

  @Test func `numbers, blobs and nil come back as they went in`() throws {
    try connection.execute(
      "INSERT INTO t (i, r, s, b) VALUES (?, ?, ?, ?)", Int64.min, -0.1, String?.none, [UInt8]([0, 255, 7]))
    try connection.execute("INSERT INTO t (i, r, b) VALUES (?, ?, ?)", Int?.none, Double?.none, [UInt8]())
    let rows = try connection.rows("SELECT i, r, s, b FROM t ORDER BY rowid") {
      ($0.optionalInt64(0), $0.optionalDouble(1), $0.optionalText(2), $0.bytes(3), $0.isNull(3))
    }
    #expect(rows[0] == (Int64.min, -0.1, nil, [0, 255, 7], false))
    #expect(rows[1] == (nil, nil, nil, [], false))
  }

  @Test func `floats are stored as their bytes and read in place`() throws {
    let numbers: [Float] = [1, -2.5, .pi, .leastNonzeroMagnitude]
    try connection.withStatement("INSERT INTO t (b) VALUES (?)") { statement throws(StoreError) in
      try statement.bind(numbers, at: 1)
      try statement.run()
    }
    let read = try connection.first("SELECT b FROM t") { row in
      row.withBlob(0) { bytes in (0..<4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) } }
    }
    #expect(read == numbers)
  }

  @Test func `the same text is prepared once`() throws {
    for number in 0..<50 { try connection.execute("INSERT INTO t (i) VALUES (?)", number) }
    let count = connection.cachedStatementCount
    for number in 0..<50 { try connection.execute("INSERT INTO t (i) VALUES (?)", number) }
    #expect(connection.cachedStatementCount == count)
    #expect(try connection.number("SELECT count(*) FROM t") == 100)
  }

  @Test func `a statement may run within itself`() throws {
    for number in 0..<4 { try connection.execute("INSERT INTO t (i) VALUES (?)", number) }
    let pairs = try connection.rows("SELECT i FROM t ORDER BY i") { outer throws(StoreError) in
      let number = outer.int(0)
      return (number, try connection.rows("SELECT i FROM t ORDER BY i") { $0.int(0) })
    }
    #expect(pairs.map(\.0) == [0, 1, 2, 3])
    #expect(pairs.allSatisfy { $0.1 == [0, 1, 2, 3] })
  }

  @Test func `a statement that failed can be used again`() throws {
    let sql = "INSERT INTO t (u) VALUES (?)"
    try connection.execute(sql, 1)
    let error = #expect(throws: StoreError.self) { try connection.execute(sql, 1) }
    #expect(error?.isUniqueViolation == true)
    try connection.execute(sql, 2)
    #expect(try connection.number("SELECT count(*) FROM t") == 2)
  }

  @Test func `an error names the statement and never the values`() throws {
    try connection.executeScript("CREATE TABLE c (s TEXT NOT NULL CHECK (length(s) < 9)) STRICT", context: "test")
    let error = #expect(throws: StoreError.self) {
      try connection.execute("INSERT INTO c (s) VALUES (?)", "Bella has a secret")
    }
    #expect(error?.code == .constraint(.check))
    #expect(error?.context == "INSERT INTO c (s) VALUES (?)")
    let missing = #expect(throws: StoreError.self) { try connection.execute("INSERT INTO c (s) VALUES (?)", Int?.none) }
    #expect(missing?.code == .constraint(.notNull))
    let typed = #expect(throws: StoreError.self) { try connection.execute("INSERT INTO t (i) VALUES (?)", "text") }
    #expect(typed?.code == .constraint(.datatype))
    let wrong = #expect(throws: StoreError.self) { try connection.execute("SELEKT 1") }
    #expect(wrong?.code == .statementFailed)
  }
}
