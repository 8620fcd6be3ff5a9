/// What things are called, written once: `Models/lexicon/names.tsv`, and any other table whose rows other tables name.
///
///     # names: lexicon/names.tsv
///     id<TAB>forms
///     vomiting<TAB>@vomiting|@vomiting.written|sick <num> times
///
/// A table whose head says `names:` names rows of that table within its cells: `@vomiting` is every phrase of the column `names`
/// of the row `vomiting`, `@vomiting.written` every phrase of the column `written`, `@vomiting*` every phrase of all the columns of
/// phrases that the row has (`names`, `written`, `asked`). What is read is the table with the phrases in their places, on the same
/// lines, so that nothing that reads tables need know of references.
public struct NameLexicon: Sendable {
  private let table: DataTable
  /// The place of each row by the hash of its id.
  private let places: [UInt64: Int]

  /// The columns that hold phrases, in the order in which `@id*` gives them.
  private static let phraseColumns = ["names", "written", "asked"]
  private static let mark = UInt8(ascii: "@")
  private static let all = UInt8(ascii: "*")

  /// - Parameter table: with the columns `id` and `names`.
  /// - Throws: ``DataTableError`` for an id that stands there twice, or one that a reference can't write.
  public init(_ table: DataTable) throws(DataTableError) {
    var places: [UInt64: Int] = [:]
    places.reserveCapacity(table.rows.count)
    for (place, row) in table.rows.enumerated() {
      let hash = row.withBytes("id", FNV1a.hash)
      guard places.updateValue(place, forKey: hash) == nil else { throw row.error("id", "stands there twice") }
      let isPlain = row.withBytes("id") { id in
        !id.isEmpty && id.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
      }
      guard isPlain else { throw row.error("id", "is not of small letters, digits and hyphens") }
    }
    self.table = table
    self.places = places
  }

  /// Finds in a table's head which file's rows it names.
  ///
  /// - Parameter bytes: the table's file.
  /// - Returns: the file's path in the model folder; nil where the head names none.
  public static func file(namedBy bytes: [UInt8]) -> String? { DataTable.headValue("names", of: bytes) }

  /// A table's bytes with the phrases in the places of the references.
  ///
  /// - Parameters:
  ///   - bytes: the table's file, UTF-8.
  ///   - name: of the file, for errors.
  /// - Returns: as many lines as there were.
  /// - Throws: ``DataTableError`` with line, column and reference where a reference names no row, no column or nothing.
  public func resolved(_ bytes: [UInt8], name: String) throws(DataTableError) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    try bytes.withUnsafeBufferPointer { bytes throws(DataTableError) in
      var copied = 0
      var place = bytes.place(of: Self.mark, in: 0..<bytes.count)
      while place < bytes.count {
        var end = place + 1
        if Self.beginsPart(at: place, bytes) {
          while end < bytes.count, !Self.endsPart(bytes[end]) { end += 1 }
          result.append(contentsOf: bytes[copied..<place])
          let reference = UnsafeBufferPointer(rebasing: bytes[bytes.trimmed((place + 1)..<end)])
          guard append(reference, to: &result) else { throw error(of: place..<end, in: bytes, name: name) }
          copied = end
        }
        place = bytes.place(of: Self.mark, in: end..<bytes.count)
      }
      result.append(contentsOf: bytes[copied..<bytes.count])
    }
    return result
  }

  /// Appends what a reference stands for, "|" between its phrases; false where it stands for nothing.
  private func append(_ reference: UnsafeBufferPointer<UInt8>, to result: inout [UInt8]) -> Bool {
    var id = reference
    var columns = [Self.phraseColumns[0]]
    if reference.last == Self.all {
      id = UnsafeBufferPointer(rebasing: reference.dropLast())
      columns = Self.phraseColumns.filter(table.columns.contains)
    } else {
      let dot = reference.place(of: UInt8(ascii: "."), in: 0..<reference.count)
      if dot < reference.count {
        id = UnsafeBufferPointer(rebasing: reference[..<dot])
        let column = String(decoding: reference[(dot + 1)...], as: UTF8.self)
        guard Self.phraseColumns.contains(column) else { return false }
        columns = [column]
      }
    }
    guard let place = places[FNV1a.hash(id)] else { return false }
    let start = result.count
    for column in columns {
      table.rows[place].withBytes(column) { phrases in
        guard !phrases.isEmpty else { return }
        if result.count > start { result.append(UInt8(ascii: "|")) }
        result.append(contentsOf: phrases)
      }
    }
    return result.count > start
  }

  /// Whether a part of a cell begins there: at the beginning of a cell, or behind "|".
  private static func beginsPart(at place: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    place > 0 && (bytes[place - 1] == UInt8(ascii: "|") || bytes[place - 1] == 0x09)
  }

  private static func endsPart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "|") || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private func error(of place: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>, name: String) -> DataTableError {
    let lines = bytes[..<place.lowerBound].split(separator: 0x0A, omittingEmptySubsequences: false)
    let head = lines.first { !$0.isEmpty && $0.first != UInt8(ascii: "#") }
    let columns = head?.split(separator: 0x09, omittingEmptySubsequences: false) ?? []
    let index = lines.last.map { $0.count { $0 == 0x09 } } ?? 0
    let column = index < columns.count ? String(decoding: columns[index], as: UTF8.self).trimmingSpaces() : ""
    let reference = String(decoding: bytes[place], as: UTF8.self)
    return DataTableError(
      table: name, line: lines.count, column: column,
      problem: "'\(reference)' names nothing in \(table.name); correct the name, or add the row or its phrases there")
  }
}
