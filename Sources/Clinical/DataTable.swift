import Glibc

/// A table of judgement or vocabulary from `Models/`: tab-separated text whose head says where it comes from.
///
///     # title: What the table is
///     # source: Where its rows come from
///     id<TAB>form<TAB>expansion
///     pupd<TAB>PU/PD<TAB>polyuria polydipsia
///
/// Lines that begin with `#` are comments, those with a colon metadata; the first other line names the columns; empty
/// lines are skipped. A row may be shorter than the head (the rest is empty), never longer.
///
/// Tables are read at every start of the program, and few of their cells by most questions: cells stay places in the file's
/// bytes until they are asked for.
public struct DataTable: Sendable {
  public struct Row: Sendable {
    /// The line in the file, from 1.
    public let line: Int
    @usableFromInline let cells: Range<Int>
    @usableFromInline let content: Content

    /// The cell in `column`, without white space around it; empty where the row has none.
    ///
    /// - Precondition: the table was opened with `column` among the required ones, or has it.
    public subscript(column: String) -> String {
      withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// The cell split at `separator`, an ASCII character; empty parts dropped.
    public func list(_ column: String, separator: Character = "|") -> [String] {
      var parts: [String] = []
      forEachPart(column, separator: separator) { parts.append(String(decoding: $0, as: UTF8.self)) }
      return parts
    }

    /// Runs `body` on the UTF-8 of each part that ``list(_:separator:)`` would give, where it lies.
    @inlinable
    public func forEachPart<Failure: Error>(
      _ column: String, separator: Character = "|", _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
      guard let separator = separator.asciiValue else { preconditionFailure("'\(separator)' is not ASCII") }
      try withBytes(column) { bytes throws(Failure) in
        var start = 0
        while start < bytes.count {
          let end = bytes.place(of: separator, in: start..<bytes.count)
          let part = UnsafeBufferPointer(rebasing: bytes[bytes.trimmed(start..<end)])
          if !part.isEmpty { try body(part) }
          start = end + 1
        }
      }
    }

    /// The cell as a number.
    ///
    /// - Throws: ``DataTableError`` naming file, line, column and value when it isn't one.
    public func number(_ column: String) throws(DataTableError) -> Double {
      guard let value = Double(self[column]) else {
        throw error(column, "is not a number")
      }
      return value
    }

    /// An error about this row, for values that only the reader of the table can judge. Of a long value its beginning is shown.
    public func error(_ column: String, _ problem: String) -> DataTableError {
      let value = self[column]
      let shown = value.count > Self.shownLength ? value.prefix(Self.shownLength) + "…" : value[...]
      return DataTableError(table: content.name, line: line, column: column, problem: "'\(shown)' \(problem)")
    }

    /// Characters of a value that an error shows: learned weights are a line of hundreds of thousands.
    private static let shownLength = 200

    /// Runs `body` on the UTF-8 of a cell where it lies, such as to compute a checksum; no bytes where the row has none.
    @inlinable
    public func withBytes<Result, Failure: Error>(
      _ column: String, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      // Of a dozen names few are as long as the one that is asked for.
      let index = content.columns.lastIndex { $0.utf8.count == column.utf8.count && $0 == column } ?? cells.count
      guard index < cells.count else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
      let place = content.places[cells.lowerBound + index]
      return try content.bytes.withUnsafeBufferPointer { bytes throws(Failure) in
        try body(UnsafeBufferPointer(rebasing: bytes[Int(place.start)..<Int(place.end)]))
      }
    }
  }

  /// The file, and where its cells lie, row after row.
  @usableFromInline
  final class Content: Sendable {
    @usableFromInline
    struct Place: Sendable {
      @usableFromInline let start: UInt32
      @usableFromInline let end: UInt32

      init(start: UInt32, end: UInt32) {
        self.start = start
        self.end = end
      }
    }

    let name: String
    @usableFromInline let columns: [String]
    @usableFromInline let bytes: [UInt8]
    @usableFromInline let places: [Place]

    init(name: String, columns: [String], bytes: [UInt8], places: [Place]) {
      self.name = name
      self.columns = columns
      self.bytes = bytes
      self.places = places
    }
  }

  /// The file's name, for messages.
  public let name: String
  public let metadata: [String: String]
  public let columns: [String]
  public let rows: [Row]

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - name: the file's name, used in errors.
  ///   - text: the whole file.
  ///   - required: columns that must be there.
  ///   - uniqueKey: a column whose values may not repeat.
  /// - Throws: ``DataTableError`` for a missing column, a row with too many cells, or a repeated key.
  public init(name: String, text: String, required: [String] = [], uniqueKey: String? = nil) throws(DataTableError) {
    try self.init(name: name, utf8: Array(text.utf8), required: required, uniqueKey: uniqueKey)
  }

  /// Reads a table from the bytes of its file.
  ///
  /// - Parameters:
  ///   - name: the file's name, used in errors.
  ///   - bytes: the whole file, UTF-8.
  ///   - required: columns that must be there.
  ///   - uniqueKey: a column whose values may not repeat.
  /// - Throws: ``DataTableError`` for a missing column, a row with too many cells, or a repeated key.
  /// - Complexity: one run over the bytes.
  public init(
    name: String, utf8 bytes: [UInt8], required: [String] = [], uniqueKey: String? = nil
  ) throws(DataTableError) {
    let scan = try bytes.withUnsafeBufferPointer { bytes throws(DataTableError) in
      var scan = Scan(name: name, bytes: bytes, required: required)
      try scan.run()
      return scan
    }
    guard let columns = scan.columns else {
      throw DataTableError(table: name, line: scan.line, column: "", problem: "the table has no head")
    }
    let content = Content(name: name, columns: columns, bytes: bytes, places: scan.places)
    rows = scan.rows.map { Row(line: $0.line, cells: $0.cells, content: content) }
    self.name = name
    self.metadata = scan.metadata
    self.columns = columns
    guard let uniqueKey else { return }
    // By hashes: thousands of keys are compared at every start of the program.
    var seen: Set<UInt64> = []
    for (place, row) in rows.enumerated() where !seen.insert(row.withBytes(uniqueKey, FNV1a.hash)).inserted {
      let key = row[uniqueKey]
      if rows[..<place].contains(where: { $0[uniqueKey] == key }) { throw row.error(uniqueKey, "stands there twice") }
    }
  }
}

extension DataTable {
  /// Finds a value in a table's head, without reading the table.
  ///
  /// - Parameters:
  ///   - key: what stands between "# " and a colon.
  ///   - bytes: the table's file.
  /// - Returns: what follows on the line; nil where the head has no such line.
  static func headValue(_ key: String, of bytes: [UInt8]) -> String? {
    let key = Array("# \(key):".utf8)
    return bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      while start < bytes.count, bytes[start] == UInt8(ascii: "#") {
        let end = bytes.place(of: 0x0A, in: start..<bytes.count)
        if bytes[start..<end].starts(with: key) {
          let value = UnsafeBufferPointer(rebasing: bytes[bytes.trimmed((start + key.count)..<end)])
          return String(decoding: value, as: UTF8.self)
        }
        start = end + 1
      }
      return nil
    }
  }
}

extension DataTable: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(name)
    packer.add(list: metadata.sorted { $0.key < $1.key }) { packer, entry in
      packer.add(entry.key)
      packer.add(entry.value)
    }
    packer.add(texts: columns)
    packer.add(all: rows.first?.content.bytes ?? [])
    packer.add(all: (rows.first?.content.places ?? []).flatMap { [$0.start, $0.end] })
    packer.add(all: rows.flatMap { [UInt32($0.line), UInt32($0.cells.lowerBound), UInt32($0.cells.upperBound)] })
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    let name = try unpacker.text()
    var metadata: [String: String] = [:]
    for (key, value) in try unpacker.list({ unpacker throws(PackingError) in
      (try unpacker.text(), try unpacker.text())
    }) {
      metadata[key] = value
    }
    let columns = try unpacker.texts()
    let bytes = try unpacker.all(UInt8.self)
    let ends = try unpacker.all(UInt32.self)
    let places = stride(from: 0, to: ends.count - 1, by: 2).map { Content.Place(start: ends[$0], end: ends[$0 + 1]) }
    let content = Content(name: name, columns: columns, bytes: bytes, places: places)
    let numbers = try unpacker.all(UInt32.self)
    rows = stride(from: 0, to: numbers.count - 2, by: 3).map {
      Row(line: Int(numbers[$0]), cells: Int(numbers[$0 + 1])..<Int(numbers[$0 + 2]), content: content)
    }
    self.name = name
    self.metadata = metadata
    self.columns = columns
  }
}

/// One run over the bytes of a table. On bytes also because "\r\n" is one character.
private struct Scan {
  let name: String
  let bytes: UnsafeBufferPointer<UInt8>
  let required: [String]
  var metadata: [String: String] = [:]
  var columns: [String]?
  var places: [DataTable.Content.Place] = []
  var rows: [(line: Int, cells: Range<Int>)] = []
  /// The last line that was read, from 1.
  var line = 0

  init(name: String, bytes: UnsafeBufferPointer<UInt8>, required: [String]) {
    self.name = name
    self.bytes = bytes
    self.required = required
    places.reserveCapacity(bytes.count / 12)
  }

  mutating func run() throws(DataTableError) {
    var start = 0
    while start <= bytes.count {
      let end = bytes.place(of: 0x0A, in: start..<bytes.count)
      line += 1
      try read(start..<(end > start && bytes[end - 1] == 0x0D ? end - 1 : end))
      start = end + 1
    }
  }

  private mutating func read(_ range: Range<Int>) throws(DataTableError) {
    guard let first = range.first(where: { bytes[$0] != 0x20 && bytes[$0] != 0x09 }) else { return }
    if first == range.lowerBound, bytes[first] == UInt8(ascii: "#") {
      if columns == nil, let colon = range.first(where: { bytes[$0] == UInt8(ascii: ":") }) {
        metadata[text((first + 1)..<colon)] = text((colon + 1)..<range.upperBound)
      }
      return
    }
    let firstCell = places.count
    var start = range.lowerBound
    while start <= range.upperBound {
      let end = bytes.place(of: 0x09, in: start..<range.upperBound)
      let cell = bytes.trimmed(start..<end)
      places.append(DataTable.Content.Place(start: UInt32(cell.lowerBound), end: UInt32(cell.upperBound)))
      start = end + 1
    }
    guard let columns else {
      let names = places.map { text(Int($0.start)..<Int($0.end)) }
      places.removeAll(keepingCapacity: true)
      if let missing = required.first(where: { !names.contains($0) }) {
        throw DataTableError(table: name, line: line, column: missing, problem: "the column is missing")
      }
      self.columns = names
      return
    }
    let count = places.count - firstCell
    guard count <= columns.count else {
      throw DataTableError(
        table: name, line: line, column: "", problem: "\(count) cells, but \(columns.count) columns")
    }
    rows.append((line, firstCell..<places.count))
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[bytes.trimmed(range)]), as: UTF8.self)
  }
}

/// A table in `Models/` that can't be used: which file, line and column, and what is wrong.
public struct DataTableError: Error, Equatable, Sendable, CustomStringConvertible {
  public let table: String
  public let line: Int
  public let column: String
  public let problem: String

  public init(table: String, line: Int, column: String, problem: String) {
    self.table = table
    self.line = line
    self.column = column
    self.problem = problem
  }

  public var description: String {
    "\(table), line \(line)\(column.isEmpty ? "" : ", column \(column)"): \(problem)"
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Where a byte first stands in a range; the range's end where it doesn't.
  @usableFromInline
  func place(of byte: UInt8, in range: Range<Int>) -> Int {
    guard !range.isEmpty, let start = baseAddress?.advanced(by: range.lowerBound),
      let found = memchr(start, Int32(byte), range.count)
    else { return range.upperBound }
    return range.lowerBound + UnsafeRawPointer(start).distance(to: found)
  }

  /// A range without the ASCII spaces, tabs and line ends at its ends.
  @usableFromInline
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper, Self.isSpace(self[lower]) { lower += 1 }
    while upper > lower, Self.isSpace(self[upper - 1]) { upper -= 1 }
    return lower..<upper
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

extension StringProtocol {
  /// The text without ASCII spaces, tabs and line ends around it.
  public func trimmingSpaces() -> String {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let bytes = utf8
    guard let first = bytes.firstIndex(where: { !isSpace($0) }) else { return "" }
    var last = first
    var index = first
    while index != bytes.endIndex {
      let next = bytes.index(after: index)
      if !isSpace(bytes[index]) { last = next }
      index = next
    }
    return String(self[first..<last])
  }
}
