import Clinical

/// A table with a head line.
final class CSVStream: RowStream {
  private let source: ImportSource
  private let kind: ImportKind
  private let context: StreamContext
  private let builder: RecordBuilder
  private let tally: FieldTally
  private let lines: LineReader
  private var table: (header: CSVHeader, reader: CSVReader)?
  private var dates: DateReader
  private var hasSurveyedDates = false
  private var sawRow = false
  private var pending: [ImportEvent]?

  init(_ source: ImportSource, kind: ImportKind, context: StreamContext) throws(InterchangeError) {
    self.source = source
    self.kind = kind
    self.context = context
    lines = try LineReader(path: source.path, maximumLength: context.options.maximumLineLength)
    builder = RecordBuilder(kind: kind, derivedIDs: context.derivedIDs)
    tally = FieldTally(file: source.name)
    dates = DateReader(timeZone: context.options.timeZone, acceptsLocalForms: true)
    if let order = context.options.dateOrder { dates.order = .known(order) }
  }

  var bytesRead: Int64 { lines.bytesRead }

  func next() throws(InterchangeError) -> ImportEvent? {
    if pending != nil { return nextPending() }
    if table == nil {
      switch try CSVOpening.read(lines, kind: kind, vocabulary: context.options.vocabulary) {
      case .header(let header, let line):
        table = (header, CSVReader(lines: lines, delimiter: header.delimiter))
        tally.line = line
      case .problem(let code, let line, let message, let hint):
        pending = []
        return .problem(ImportFileProblem(code, file: source.name, line: line, message: message, hint: hint))
      }
    }
    guard let (header, reader) = table, let item = try reader.next() else { return finish() }
    sawRow = true
    switch item {
    case .record(let record): return try event(for: record, header: header)
    case .malformed(let line, let reason, let raw):
      let hint = "double the quotes inside a quoted cell and close each cell that opens with one"
      return .reject(ImportReject(at: location(line), reason: reason, hint: hint, raw: raw))
    case .invalidUTF8(let line, let place, let offset, let raw):
      return .reject(.invalidUTF8(at: location(line), line: place, offset: offset, raw: raw))
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

  private func event(for record: CSVReader.Record, header: CSVHeader) throws(InterchangeError) -> ImportEvent {
    let count = header.names.count
    guard record.cells.count >= count, record.cells.dropFirst(count).allSatisfy(\.isEmpty) else {
      return .reject(
        ImportReject(
          at: location(record.line), reason: "\(record.cells.count) cells, but the head line has \(count)",
          hint: "put quotes around cells that hold the delimiter or a line break", raw: record.raw))
    }
    tally.line = record.line
    var values: [String: FieldValue] = [:]
    for (field, cell) in zip(header.fields, record.cells) {
      if let field, !cell.isEmpty { values[field] = .cell(cell) }
    }
    values["phone"] = header.phones(in: record.cells)
    try surveyDatesIfNeeded(values, header: header)
    let row = Row(
      values: values, format: .csv, dates: dates, vocabulary: context.options.vocabulary, tally: tally)
    let event = builder.event(from: row, columns: header.statedFields, raw: record.raw) { _ in location(record.line) }
    return header.namingEmptyPhones(of: record.cells, in: event)
  }

  /// At the first date like `03/05/2024` the whole file is read for days past 12; a stream can't be read twice, and
  /// there the order has to be given.
  private func surveyDatesIfNeeded(
    _ values: [String: FieldValue], header: CSVHeader
  ) throws(InterchangeError) {
    guard !hasSurveyedDates, dates.order == .unknown, lines.totalBytes != nil else { return }
    let isNeeded = kind.dateFields.contains { field in
      guard case .cell(let text) = values[field] else { return false }
      return DateReader.undecidedNumbers(in: text) != nil
    }
    guard isNeeded else { return }
    hasSurveyedDates = true
    dates.order = try DateSurvey.order(
      path: source.path, header: header, columns: kind.dateFields.compactMap(header.column(of:)),
      maximumLength: lines.maximumLength)
  }
}
