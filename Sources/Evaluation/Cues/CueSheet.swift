/// A table of cues as its file is written: cells can be written again, and every other byte stays as it was.
struct CueSheet {
  private var lines: [String]
  /// Where in `lines` the rows stand.
  private var places: [Int] = []
  private let columns: [String]
  /// The column that holds the cues.
  private let column: Int

  /// Nil where the table has no such column.
  ///
  /// - Parameters:
  ///   - text: a table of `Models/`.
  ///   - name: the column with the cues, "|" between them.
  init?(_ text: String, column name: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let head = lines.firstIndex(where: { !$0.hasPrefix("#") && !$0.isEmpty }) else { return nil }
    columns = Self.cells(lines[head])
    guard let column = columns.firstIndex(of: name) else { return nil }
    self.column = column
    places = lines.indices.filter { $0 > head && !lines[$0].hasPrefix("#") && !lines[$0].isEmpty }
  }

  private static func cells(_ line: String) -> [String] {
    line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  }

  var rowCount: Int { places.count }
  var text: String { lines.joined(separator: "\n") }

  /// A cell of a row counted from 0; empty where the row has none.
  func cell(_ name: String, ofRow row: Int) -> String {
    guard let index = columns.firstIndex(of: name) else { return "" }
    let cells = Self.cells(lines[places[row]])
    return index < cells.count ? cells[index] : ""
  }

  func cues(ofRow row: Int) -> [String] {
    cell(columns[column], ofRow: row).split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
      .filter { !$0.isEmpty }
  }

  mutating func setCues(_ cues: [String], ofRow row: Int) {
    var cells = Self.cells(lines[places[row]])
    cells[column] = cues.joined(separator: "|")
    lines[places[row]] = cells.joined(separator: "\t")
  }
}
