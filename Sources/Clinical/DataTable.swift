/// A table of judgement or vocabulary from `Models/`: tab-separated text whose head says where it comes from.
///
///     # title: What the table is
///     # source: Where its rows come from
///     id<TAB>form<TAB>expansion
///     pupd<TAB>PU/PD<TAB>polyuria polydipsia
///
/// Lines that begin with `#` are comments, those with a colon metadata; the first other line names the columns; empty
/// lines are skipped. A row may be shorter than the head (the rest is empty), never longer.
public struct DataTable: Sendable {
  public struct Row: Sendable {
    /// The line in the file, from 1.
    public let line: Int
    fileprivate let cells: [String]
    fileprivate let table: String
    fileprivate let columnIndex: [String: Int]

    /// The cell in `column`, without white space around it; empty where the row has none.
    ///
    /// - Precondition: the table was opened with `column` among the required ones, or has it.
    public subscript(column: String) -> String {
      guard let index = columnIndex[column] else { return "" }
      return index < cells.count ? cells[index] : ""
    }

    /// The cell split at `separator`, empty parts dropped.
    public func list(_ column: String, separator: Character = "|") -> [String] {
      self[column].split(separator: separator).map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
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

    /// An error about this row, for values that only the reader of the table can judge.
    public func error(_ column: String, _ problem: String) -> DataTableError {
      DataTableError(table: table, line: line, column: column, problem: "'\(self[column])' \(problem)")
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
    var metadata: [String: String] = [:]
    var columns: [String]?
    var columnIndex: [String: Int] = [:]
    var rows: [Row] = []
    var seen: Set<String> = []
    var lineNumber = 0
    // On bytes: "\r\n" is one character, and tables are read at every start of the program.
    for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      lineNumber += 1
      let line = line.last == 0x0D ? line.dropLast() : line
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      if line.first == UInt8(ascii: "#") {
        let comment = Substring(line.dropFirst())
        if columns == nil, let colon = comment.utf8.firstIndex(of: UInt8(ascii: ":")) {
          metadata[comment[..<colon].trimmingSpaces()] = comment[comment.utf8.index(after: colon)...].trimmingSpaces()
        }
        continue
      }
      let cells = line.split(separator: 0x09, omittingEmptySubsequences: false).map { Substring($0).trimmingSpaces() }
      guard let known = columns else {
        columns = cells
        for (index, column) in cells.enumerated() { columnIndex[column] = index }
        if let missing = required.first(where: { columnIndex[$0] == nil }) {
          throw DataTableError(table: name, line: lineNumber, column: missing, problem: "the column is missing")
        }
        continue
      }
      guard cells.count <= known.count else {
        throw DataTableError(
          table: name, line: lineNumber, column: "", problem: "\(cells.count) cells, but \(known.count) columns")
      }
      let row = Row(line: lineNumber, cells: cells, table: name, columnIndex: columnIndex)
      if let uniqueKey, !seen.insert(row[uniqueKey]).inserted { throw row.error(uniqueKey, "stands there twice") }
      rows.append(row)
    }
    guard let columns else {
      throw DataTableError(table: name, line: lineNumber, column: "", problem: "the table has no head")
    }
    self.name = name
    self.metadata = metadata
    self.columns = columns
    self.rows = rows
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
