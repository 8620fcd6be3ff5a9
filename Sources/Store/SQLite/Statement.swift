public import Clinical
import CSQLite

/// A prepared statement: values in by position from 1, columns out by position from 0.
///
/// One is lent by ``Connection/withStatement(_:_:)``, which resets it afterwards; don't keep it.
public final class Statement {
  private let handle: OpaquePointer
  /// The statement's text, which never holds a value.
  let sql: String
  /// Whether it can't change a file.
  let isReadOnly: Bool
  /// Whether somebody is running it.
  var isLent = false

  init(database: OpaquePointer, sql: String, isCached: Bool) throws(StoreError) {
    var handle: OpaquePointer?
    let result = sqlite3_prepare_v3(
      database, sql, -1, isCached ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, &handle, nil)
    guard result == SQLITE_OK, let handle else {
      throw .sqlite(result, context: "preparing \(Self.excerpt(sql))")
    }
    self.handle = handle
    self.sql = sql
    isReadOnly = sqlite3_stmt_readonly(handle) != 0
  }

  deinit {
    sqlite3_finalize(handle)
  }

  // MARK: Values in

  public func bind(_ value: Int64, at index: Int32) throws(StoreError) {
    try check(sqlite3_bind_int64(handle, index, value))
  }

  public func bind(_ value: Double, at index: Int32) throws(StoreError) {
    try check(sqlite3_bind_double(handle, index, value))
  }

  public func bind(_ value: String, at index: Int32) throws(StoreError) {
    var value = value
    let result = value.withUTF8 { bytes -> Int32 in
      guard let length = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
      // An empty buffer may have no address, and a text without one would be NULL.
      guard let base = bytes.baseAddress else { return vetnet_sqlite_bind_text(handle, index, "", 0) }
      return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        vetnet_sqlite_bind_text(handle, index, $0, length)
      }
    }
    try check(result)
  }

  public func bind(_ value: [UInt8], at index: Int32) throws(StoreError) {
    try check(value.withUnsafeBytes { Self.bindBlob($0, handle, index) })
  }

  /// Stores numbers as a blob, in the machine's byte order (little-endian on every platform VetNet is built for).
  public func bind(_ values: [Float], at index: Int32) throws(StoreError) {
    try check(values.withUnsafeBytes { Self.bindBlob($0, handle, index) })
  }

  /// Stores the bytes as a blob; they are copied.
  public func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) throws(StoreError) {
    try check(Self.bindBlob(bytes, handle, index))
  }

  public func bindNull(at index: Int32) throws(StoreError) {
    try check(sqlite3_bind_null(handle, index))
  }

  /// Gives each value to the `?` of its position.
  ///
  /// - Precondition: there are as many values as parameters; a forgotten one would silently be NULL.
  public func bind<each Value: Bindable>(_ values: repeat each Value) throws(StoreError) {
    var index: Int32 = 0
    for value in repeat each values {
      index += 1
      try value.bind(to: self, at: index)
    }
    let expected = sqlite3_bind_parameter_count(handle)
    precondition(index == expected, "\(index) values for \(expected) parameters of \(Self.excerpt(sql))")
  }

  private static func bindBlob(_ bytes: UnsafeRawBufferPointer, _ handle: OpaquePointer, _ index: Int32) -> Int32 {
    guard let length = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
    guard let base = bytes.baseAddress else { return sqlite3_bind_zeroblob(handle, index, 0) }
    return vetnet_sqlite_bind_blob(handle, index, base, length)
  }

  // MARK: Running

  /// Moves to the next row; false when there is none.
  public func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result: throw .sqlite(result, context: Self.excerpt(sql))
    }
  }

  /// Runs a statement that returns no rows, and makes it ready for the next values.
  public func run() throws(StoreError) {
    defer { sqlite3_reset(handle) }
    while try step() {}
  }

  /// Makes the statement ready to run again, with the values it has. An error of the last run was thrown by then.
  public func reset() {
    sqlite3_reset(handle)
  }

  /// Forgets values too: they are copies of note text that need not stay in memory.
  func resetAndClear() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  // MARK: Columns out

  var columnCount: Int32 { sqlite3_column_count(handle) }

  func name(ofColumn column: Int32) -> String {
    sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
  }

  /// Adds the value in a column as it is stored; text as its bytes, be they UTF-8 or not.
  func append(_ column: Int32, to canonical: inout CanonicalBytes) {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: canonical.append(int64(column))
    case SQLITE_FLOAT: canonical.append(double(column))
    case SQLITE_TEXT:
      withBlob(column) { canonical.append(text: $0) }
    case SQLITE_BLOB: canonical.append(bytes(column))
    default: canonical.appendNull()
    }
  }

  public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  public func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  public func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

  public func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  public func timestamp(_ column: Int32) -> Timestamp { Timestamp(seconds: int64(column)) }

  /// The text in a column; empty where it is NULL.
  public func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  public func bytes(_ column: Int32) -> [UInt8] { withBlob(column) { [UInt8]($0) } }

  public func optionalInt64(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }

  public func optionalDouble(_ column: Int32) -> Double? { isNull(column) ? nil : double(column) }

  public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  public func optionalTimestamp(_ column: Int32) -> Timestamp? { isNull(column) ? nil : timestamp(column) }

  /// A day; nil where the column is NULL or names none.
  public func optionalDate(_ column: Int32) -> CalendarDate? {
    optionalText(column).flatMap { CalendarDate(iso: $0) }
  }

  /// Reads a blob where it lies, without copying. The bytes are SQLite's, and gone after `body`.
  public func withBlob<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    // The pointer first: asking for it may change the length.
    let base = sqlite3_column_blob(handle, column)
    let count = base == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
    return body(UnsafeRawBufferPointer(start: base, count: count))
  }

  private func check(_ result: Int32) throws(StoreError) {
    guard result == SQLITE_OK else { throw .sqlite(result, context: "binding to \(Self.excerpt(sql))") }
  }

  /// Enough of a statement to recognise it by, on one line.
  static func excerpt(_ sql: String) -> String {
    let line = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.utf8.count <= 120 ? line : "\(line.prefix(117))..."
  }
}
