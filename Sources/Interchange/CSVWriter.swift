package import Clinical

/// Writes records as tables (RFC 4180): what any spreadsheet and Python's reader take apart again.
///
/// Columns are the import format's keys. A list of ids or texts stands in one cell between semicolons; what has parts of its own, such
/// as working hours, is a cell of JSON.
package struct CSVWriter: Sendable {
  /// Nil for a table of all kinds, whose first column names the kind.
  package let kind: ImportKind?
  private let columns: [String]
  private let writer: JSONLinesWriter

  package init(kind: ImportKind?, timeZone: PracticeTimeZone) {
    self.kind = kind
    writer = JSONLinesWriter(timeZone: timeZone)
    var columns = kind == nil ? ["record"] : []
    for kind in kind.map({ [$0] }) ?? ImportKind.allCases {
      for field in kind.fields + RowAdditions.keys(for: kind) where !columns.contains(field) { columns.append(field) }
    }
    self.columns = columns + [RowAdditions.sourceKey]
  }

  /// The head line, without its line feed.
  package var head: [UInt8] { line(columns) }

  /// A record's line, without its line feed; line breaks within cells stay.
  package func line(for record: ImportRecord, source: String?, additions: RowAdditions?) -> [UInt8] {
    let object = try? JSONParser.parse(writer.line(for: record, source: source, additions: additions))
    return line(
      columns.map { column in
        column == "record" && kind == nil ? record.kind.rawValue : object?[column].map(Self.cell) ?? ""
      })
  }

  private static func cell(_ value: JSONValue) -> String {
    switch value {
    case .string(let text), .number(let text): return text
    case .truth(let truth): return "\(truth)"
    case .null: return ""
    case .list(let items):
      let words = items.compactMap { item in
        if case .string(let text) = item, !text.contains(";") { text } else { nil }
      }
      if words.count == items.count { return words.joined(separator: ";") }
      return String(decoding: value.bytes, as: UTF8.self)
    case .object(let members): return members.isEmpty ? "" : String(decoding: value.bytes, as: UTF8.self)
    }
  }

  private func line(_ cells: [String]) -> [UInt8] {
    Array((cells.map(Self.quoted).joined(separator: ",") + "\r").utf8)
  }

  private static func quoted(_ cell: String) -> String {
    let special = cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D, 0x3B, 0x09].contains($0) }
    let isPadded = cell.utf8.first == 0x20 || cell.utf8.last == 0x20
    return special || isPadded ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
  }
}
