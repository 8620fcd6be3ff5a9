import Clinical

/// The line of a table that names its columns, however much stands above it.
struct TableHead {
  let delimiter: UInt8
  let names: [String]
  /// From 1.
  let line: Int

  /// How many lines may stand above: a title, a date, an empty line.
  static let searchedLines = 30

  /// Finds the head of a mapped table: the first line that has all its headings.
  ///
  /// - Returns: nil where no line has; `missing` are the headings that the likeliest line lacks, and `near` what it has.
  static func find(
    _ lines: LineReader, _ table: MappedTable
  ) throws(InterchangeError) -> (head: TableHead?, missing: [String], near: [String]) {
    let wanted = Set(table.columns.values.joined().map(ImportVocabulary.normalize))
    var best: (missing: [String], names: [String])?
    var delimiter = table.form.delimiter
    for _ in 0..<searchedLines {
      guard case .line(let line)? = try lines.next() else { break }
      if let declared = CSVHeader.declaredDelimiter(line.bytes) {
        delimiter = declared
        continue
      }
      for candidate in delimiter.map({ [$0] }) ?? CSVHeader.delimiters {
        guard let names = cells(of: line.bytes, delimiter: candidate) else { continue }
        let has = Set(names.map(ImportVocabulary.normalize))
        let missing = table.columns.values.joined().filter { !has.contains(ImportVocabulary.normalize($0)) }.sorted()
        if wanted.isSubset(of: has) {
          return (TableHead(delimiter: candidate, names: names, line: line.number), [], names)
        }
        if missing.count < best?.missing.count ?? .max { best = (missing, names) }
      }
    }
    return (nil, best?.missing ?? [], best?.names ?? [])
  }

  /// A line's cells, without white space around them; nil for one that isn't a whole record.
  static func cells(of line: [UInt8], delimiter: UInt8) -> [String]? {
    var parser = CSVRecordParser(delimiter: delimiter)
    guard case .record(let cells) = parser.feed(line, ending: .none) else { return nil }
    return cells.map { String(decoding: $0, as: UTF8.self).trimmingSpaces() }
  }

  /// Where a heading stands: letter for letter, else in any case and spelling.
  func column(_ heading: String) -> Int? {
    names.firstIndex(of: heading)
      ?? names.firstIndex { ImportVocabulary.normalize($0) == ImportVocabulary.normalize(heading) }
  }
}
