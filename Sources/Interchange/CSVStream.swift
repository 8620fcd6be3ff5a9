import Clinical

/// A table with a head line.
final class CSVStream: RowStream {
  private let source: ImportSource
  private let file: InputFile
  private let encoding: TextEncoding
  private let kind: ImportKind
  private let context: StreamContext
  private let builder: RecordBuilder
  private let tally: FieldTally
  private let lines: LineReader
  private var table: (header: CSVHeader, reader: CSVReader)?
  private var origin: RowOrigin
  private var dates: DateReader
  private var sawRow = false
  private var pending: [ImportEvent]?

  init(
    _ source: ImportSource, _ file: InputFile, encoding: TextEncoding, kind: ImportKind, context: StreamContext
  ) {
    self.source = source
    self.file = file
    self.encoding = encoding
    self.kind = kind
    self.context = context
    lines = LineReader(file, encoding: encoding, maximumLength: context.options.maximumLineLength)
    builder = RecordBuilder(kind: kind, context)
    tally = FieldTally(file: source.name)
    origin = RowOrigin(kind: kind, format: .csv)
    dates = DateReader(timeZone: context.options.timeZone, acceptsLocalForms: true)
    dates.today = context.options.today
  }

  var bytesRead: Int64 { lines.bytesRead }

  func next() throws(InterchangeError) -> ImportEvent? {
    if pending != nil { return nextPending() }
    if table == nil {
      switch try CSVOpening.read(lines, kind: kind, vocabulary: context.options.vocabulary) {
      case .header(let header, let line):
        if let problem = try surveyDates(header, line: line) {
          pending = []
          return .problem(problem)
        }
        table = (header, CSVReader(lines: lines, delimiter: header.delimiter))
        origin.delimiter = header.delimiter
        origin.columns = header.names
        tally.line = line
      case .problem(let code, let line, let message, let hint):
        pending = []
        return .problem(ImportFileProblem(code, file: source.name, line: line, message: message, hint: hint))
      }
    }
    guard let (header, reader) = table, let item = try reader.next() else { return finish() }
    sawRow = true
    switch item {
    case .record(let record): return event(for: record, header: header)
    case .malformed(let line, let reason, let raw):
      let hint = "double the quotes inside a quoted cell and close each cell that opens with one"
      return .reject(ImportReject(at: location(line), reason: reason, hint: hint, raw: self.raw(raw, line)))
    case .invalidUTF8(let line, let place, let offset, let raw):
      return .reject(.invalidUTF8(at: location(line), line: place, offset: offset, raw: self.raw(raw, line)))
    case .tooLong(let line, let length):
      return .reject(.tooLong(at: location(line), length: length, maximum: lines.maximumLength))
    }
  }

  private func finish() -> ImportEvent? {
    var problems: [ImportFileProblem] = []
    if !sawRow {
      problems = [ImportFileProblem(.noRows, file: source.name, message: "the table has a head line and no rows")]
    } else if let table {
      for (name, field) in zip(table.header.names, table.header.fields) where field == nil && !name.isEmpty {
        tally.addUnknownField(name, known: kind.fields, isHeading: true)
      }
      problems = tally.problems()
    }
    pending = problems.map(ImportEvent.problem)
    return nextPending()
  }

  private func nextPending() -> ImportEvent? {
    pending?.isEmpty == false ? pending?.removeFirst() : nil
  }

  private func location(_ line: Int) -> SourceLocation { SourceLocation(file: source.name, line: line) }

  /// A row that could not be taken apart.
  private func raw(_ bytes: [UInt8], _ line: Int) -> RawRow {
    let row = Row(
      values: [:], format: .csv, dates: dates, vocabulary: context.options.vocabulary, tally: tally, report: RowReport()
    )
    return row.raw(bytes, origin: origin, at: location(line))
  }

  private func event(for record: CSVReader.Record, header: CSVHeader) -> ImportEvent {
    guard let values = header.values(of: record.cells) else {
      return .reject(
        ImportReject(
          at: location(record.line), reason: "\(record.cells.count) cells, but the head line has \(header.names.count)",
          hint: "put quotes around cells that hold the delimiter or a line break", raw: raw(record.raw, record.line)))
    }
    tally.line = record.line
    let row = Row(
      values: values, format: .csv, dates: dates, vocabulary: context.options.vocabulary, tally: tally,
      report: RowReport())
    let event = builder.event(from: row, columns: header.statedFields, raw: record.raw, origin: origin) { _ in
      location(record.line)
    }
    let named = header.namingEmptyPhones(of: record.cells, in: event)
    return record.isUnterminated ? named.editing { $0.lastCell = header.lastCell(of: record.cells) } : named
  }

  /// The whole file is read for what its dates prove before a row of it is imported: the last one may be the only proof.
  ///
  /// - Returns: why nothing of the file can be imported, nil where all can.
  private func surveyDates(_ header: CSVHeader, line: Int) throws(InterchangeError) -> ImportFileProblem? {
    let declared = context.options.dateOrder
    let columns = kind.dateFields.compactMap(header.column(of:))
    var evidence = DateEvidence()
    if !columns.isEmpty {
      evidence = try DateSurvey.evidence(
        file, encoding: encoding, header: header, headerLine: line, columns: columns,
        maximumLength: lines.maximumLength)
    }
    if let problem = evidence.refusal(file: source.name, declared: declared) { return problem }
    dates.order = declared.map(DateReader.Order.known) ?? evidence.order(usually: context.options.usualDateOrder)
    if case .known(let order) = dates.order { origin.dateOrder = order }
    return nil
  }
}
