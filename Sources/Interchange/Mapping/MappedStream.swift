import Clinical

/// A table of another program's export, read by a mapping.
///
/// Its rejects keep their rows as the file has them, and the mapping beside them. What a member of staff has in several rows
/// is one row of the import format there.
final class MappedStream: RowStream {
  private let source: ImportSource
  private let file: InputFile
  private let encoding: TextEncoding
  private let table: MappedTable
  private let context: StreamContext
  private let tally: FieldTally
  private let lines: LineReader
  private var reading: (mapping: RowMapping, reader: CSVReader, width: Int)?
  private var dates: DateReader
  private var origin: RowOrigin
  private var pending: [ImportEvent]?
  private var sawRow = false
  /// Rows of owners, staff and rooms that came already: tables of animals repeat their owners.
  private var seen: Set<UInt64> = []

  init(_ source: ImportSource, _ file: InputFile, encoding: TextEncoding, table: MappedTable, context: StreamContext) {
    self.source = source
    self.file = file
    self.encoding = encoding
    self.table = table
    self.context = context
    tally = FieldTally(file: source.name)
    origin = RowOrigin(kind: table.kind.importKind, format: .csv)
    origin.table = table
    lines = LineReader(file, encoding: encoding, maximumLength: context.options.maximumLineLength)
    dates = DateReader(timeZone: context.options.timeZone, acceptsLocalForms: true)
    dates.today = context.options.today
  }

  var bytesRead: Int64 { lines.bytesRead }

  func next() throws(InterchangeError) -> ImportEvent? {
    if reading == nil, pending == nil, let problem = try open() {
      pending = []
      return .problem(problem)
    }
    while pending == nil, let (mapping, reader, width) = reading {
      guard let item = try reader.next() else {
        finish()
        break
      }
      sawRow = true
      switch item {
      case .record(let record):
        tally.line = record.line
        if record.cells.count > width, record.cells[width...].contains(where: { !$0.isEmpty }) {
          return .reject(
            ImportReject(
              at: location(record.line), reason: "\(record.cells.count) cells, but the head line has \(width)",
              hint: "put quotes around cells that hold the delimiter or a line break", raw: raw(record.raw)))
        }
        if let event = event(for: record, mapping) { return event }
      case .malformed(let line, let reason, let bytes):
        let hint = "double the quotes inside a quoted cell and close each cell that opens with one"
        return .reject(ImportReject(at: location(line), reason: reason, hint: hint, raw: raw(bytes)))
      case .invalidUTF8(let line, let place, let offset, let bytes):
        return .reject(.invalidUTF8(at: location(line), line: place, offset: offset, raw: raw(bytes)))
      case .tooLong(let line, let length):
        return .reject(.tooLong(at: location(line), length: length, maximum: lines.maximumLength))
      }
    }
    return pending?.isEmpty == false ? pending?.removeFirst() : nil
  }

  /// - Returns: why nothing of the file can be imported, nil where all can.
  private func open() throws(InterchangeError) -> ImportFileProblem? {
    let found = try TableHead.find(lines, table)
    guard let head = found.head else {
      let missing = found.missing.first ?? "the mapped columns"
      let near = nearest(to: missing.lowercased(), among: found.near).flatMap(Harmless.heading)
      return ImportFileProblem(
        .wrongFormat, file: source.name, line: 1,
        message: "no line has the mapping's column '\(Harmless.heading(missing) ?? "(not shown)")'",
        hint: near.map { "did the export rename it to '\($0)'? Correct the mapping" }
          ?? "correct the mapping, or make it anew with import --guess")
    }
    var mapping = RowMapping(table, head: head, vocabulary: context.options.vocabulary, dates: dates)
    if let problem = try surveyDates(mapping, head) { return problem }
    mapping.dates = dates
    origin.delimiter = head.delimiter
    origin.columns = head.names
    if case .known(let order) = dates.order { origin.dateOrder = order }
    reading = (mapping, CSVReader(lines: lines, delimiter: head.delimiter), head.names.count)
    return nil
  }

  private func surveyDates(_ mapping: RowMapping, _ head: TableHead) throws(InterchangeError) -> ImportFileProblem? {
    let declared = context.options.dateOrder ?? table.form.dateOrder
    let header = CSVHeader(
      names: head.names, delimiter: head.delimiter, kind: table.kind.importKind, vocabulary: context.options.vocabulary)
    let evidence = try DateSurvey.evidence(
      file, encoding: encoding, header: header, headerLine: head.line, columns: mapping.dateColumns,
      maximumLength: lines.maximumLength)
    if let problem = evidence.refusal(file: source.name, declared: declared) { return problem }
    dates.order = declared.map(DateReader.Order.known) ?? evidence.order
    if case .unknown = dates.order, let usual = context.options.usualDateOrder { dates.order = .known(usual) }
    return nil
  }

  private func location(_ line: Int) -> SourceLocation { SourceLocation(file: source.name, line: line) }

  /// A row as it stands in the file; of a part of a member of staff none, since one row alone would replace them all.
  private func raw(_ bytes: [UInt8]) -> RawRow {
    table.kind.isPartOfStaff ? RawRow() : RawRow(bytes, origin: origin)
  }

  private func event(for record: CSVReader.Record, _ mapping: RowMapping) -> ImportEvent? {
    if table.kind.isPartOfStaff { return gather(record, mapping) }
    let fields = mapping.fields(of: record.cells)
    guard !fields.isEmpty else { return nil }
    if [.clients, .staff, .resources].contains(table.kind) {
      // A table of animals without an owner in some rows has nothing to say of owners there.
      if fields["id"] == nil, fields["name"] == nil { return nil }
      guard seen.insert(FNV1a.hash(fields.asJSON)).inserted else { return nil }
    }
    return event(fields, raw: record.raw, origin: origin, stated: mapping.stated, at: record.line)
  }

  private func event(
    _ fields: [String: FieldValue], raw: [UInt8], origin: RowOrigin, stated: Set<String>, at line: Int
  ) -> ImportEvent {
    let row = Row(
      values: fields, format: .csv, dates: dates, vocabulary: context.options.vocabulary, tally: tally,
      report: RowReport())
    return RecordBuilder(kind: origin.kind, context).event(from: row, columns: stated, raw: raw, origin: origin) { _ in
      location(line)
    }
  }

  // MARK: Parts of a member of staff

  /// What the rows said of each member of staff, in the order in which they came.
  private var members: [(id: String, line: Int, entries: [FieldValue])] = []
  private var places: [String: Int] = [:]

  /// - Returns: why the row can't be anybody's; nil for one that was kept, or is empty.
  private func gather(_ record: CSVReader.Record, _ mapping: RowMapping) -> ImportEvent? {
    guard let id = mapping.fields(of: record.cells)["id"]?.cellText else {
      guard record.cells.contains(where: { !$0.trimmingSpaces().isEmpty }) else { return nil }
      return .reject(
        ImportReject(
          at: location(record.line), field: "id", reason: "missing",
          hint: "say in the row whose \(table.kind.rawValue) it has"))
    }
    let entries = mapping.entries(of: record.cells).map(FieldValue.object)
    if let place = places[id] {
      members[place].entries += entries
    } else {
      places[id] = members.count
      members.append((id, record.line, entries))
    }
    return nil
  }

  private func gathered() -> [ImportEvent] {
    let list =
      switch table.kind {
      case .hours: "working_hours"
      case .breaks: "breaks"
      default: "leave"
      }
    return members.map { member in
      let fields: [String: FieldValue] = ["id": .cell(member.id), list: .list(member.entries)]
      let event = event(
        fields, raw: fields.asJSON, origin: RowOrigin(kind: .staff, format: .jsonLines), stated: ["id", list],
        at: member.line)
      guard case .amendment(let record, let raw, let stated, _) = event else { return event }
      return .amendment(
        record, raw: raw, stated: stated,
        otherwise: ImportReject(
          at: location(member.line), field: "id", value: Harmless.word(member.id), reason: "names nobody on file",
          hint: "import the staff first, or map the table's words for them to their ids", raw: raw))
    }
  }

  private func finish() {
    let events = gathered()
    members = []
    let problems =
      sawRow
      ? tally.problems() : [ImportFileProblem(.noRows, file: source.name, message: "the table has no rows")]
    pending = events + problems.map(ImportEvent.problem)
  }
}
