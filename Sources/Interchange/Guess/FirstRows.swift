extension ImportReader {
  /// The first rows of each table as a mapping has them read: one object of JSON each, in the import format's words, or why a
  /// row can't be read.
  ///
  /// - Throws: ``InterchangeError`` for a path that isn't there or can't be read.
  public static func firstRows(
    _ paths: [String], mapping: ImportMapping, count: Int, options: ImportOptions
  ) throws(InterchangeError) -> [(file: String, kind: MappedKind, rows: [String])] {
    var shown: [(file: String, kind: MappedKind, rows: [String])] = []
    for source in try ImportDiscovery.find(paths, mapping: mapping).sources {
      guard let table = source.mapping else { continue }
      let reader = ImportReader([source], options: options)
      var rows: [String] = []
      while rows.count < count, let event = try reader.next() {
        switch event {
        case .record(_, _, let raw, _), .amendment(_, let raw, _, _):
          rows.append(String(decoding: raw.asRead(options), as: UTF8.self))
        case .reject(let reject): rows.append(reject.description)
        case .problem(let problem) where problem.isFailure: rows.append(problem.description)
        case .problem: continue
        }
      }
      shown.append((source.name, table.kind, rows))
    }
    return shown
  }
}

extension RawRow {
  /// The row in the import format's words, as its mapping has it read.
  fileprivate func asRead(_ options: ImportOptions) -> [UInt8] {
    guard let origin, let table = origin.table, let delimiter = origin.delimiter,
      let cells = CSVRecordParser.cells(of: bytes, delimiter: delimiter)
    else { return bytes }
    var dates = DateReader(timeZone: options.timeZone, acceptsLocalForms: true)
    dates.order = origin.dateOrder.map(DateReader.Order.known) ?? .unknown
    let head = TableHead(delimiter: delimiter, names: origin.columns, line: 0)
    return RowMapping(table, head: head, vocabulary: options.vocabulary, dates: dates)
      .fields(of: cells.map { String(decoding: $0, as: UTF8.self) }).asJSON
  }
}
