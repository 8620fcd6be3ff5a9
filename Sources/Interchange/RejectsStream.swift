import Clinical

/// What an import rejected, after somebody has corrected it: each row is read as its own file would have been.
final class RejectsStream: RowStream {
  private let source: ImportSource
  private let context: StreamContext
  private let file: InputFile
  private let lines: LineReader
  private let tally: FieldTally
  private(set) var sourceName: String?
  private var pending: [ImportEvent]?

  init(_ source: ImportSource, _ file: InputFile, context: StreamContext) {
    self.source = source
    self.context = context
    self.file = file
    // A row that was as long as rows may be has escapes here, and the reason beside it.
    lines = LineReader(file, maximumLength: context.options.maximumLineLength * 2 + (1 << 16))
    tally = FieldTally(file: source.name)
  }

  var bytesRead: Int64 { lines.bytesRead }

  func next() throws(InterchangeError) -> ImportEvent? {
    while pending == nil, let item = try lines.next() {
      switch item {
      case .tooLong(let number, let length):
        let location = SourceLocation(file: source.name, line: number)
        return .reject(.tooLong(at: location, length: length, maximum: lines.maximumLength))
      case .line(let line):
        if line.bytes.allSatisfy(isJSONSpace) { continue }
        return event(for: line)
      }
    }
    if pending == nil { pending = tally.problems().map(ImportEvent.problem) }
    return pending?.isEmpty == false ? pending?.removeFirst() : nil
  }

  private func event(for line: LineReader.Line) -> ImportEvent {
    let location = SourceLocation(file: source.name, line: line.number)
    sourceName = nil
    tally.line = line.number
    do throws(RejectsLine.Failure) {
      let rejected = try RejectsLine(line.bytes)
      sourceName = rejected.origin.source
      return try event(for: rejected, at: location)
    } catch {
      return .reject(ImportReject(at: location, reason: error.reason, hint: error.hint, raw: RawRow(line.bytes)))
    }
  }

  private func event(
    for rejected: RejectsLine, at location: SourceLocation
  ) throws(RejectsLine.Failure) -> ImportEvent {
    var origin = rejected.origin
    if origin.format == .calendar {
      guard case .text(let text) = rejected.row,
        let event = CalendarStream(source, file, encoding: .utf8, context: context)
          .event(inRow: Array(text.utf8), at: location)
      else { throw RejectsLine.Failure(reason: "holds no event of a calendar", hint: "correct the calendar itself") }
      return event
    }
    let read = try fields(of: rejected)
    var values = read.values
    if let taken = rejected.takenID, values["id"]?.cellText?.trimmingSpaces() == taken {
      var raw = RawRow(read.bytes, origin: origin, id: rejected.id)
      raw.takenID = taken
      return .reject(
        ImportReject(
          at: location, field: "id", value: Harmless.word(taken), reason: "is still the id of another record",
          hint: "give the row an id of its own", raw: raw))
    }
    if let id = rejected.id, values["id"] == nil || values["id"] == .cell("") { values["id"] = .text(id) }
    var dates = DateReader(timeZone: context.options.timeZone, acceptsLocalForms: origin.format != .jsonLines)
    dates.today = context.options.today
    // A person may have written the date otherwise than the file did: what only one order can read is read in it.
    var evidence = DateEvidence()
    for field in origin.kind.dateFields {
      if case .cell(let text) = values[field] { evidence.add(text, line: location.line) }
    }
    if origin.dateOrder == nil { origin.dateOrder = context.options.dateOrder }
    dates.order = evidence.order == .unknown ? origin.dateOrder.map(DateReader.Order.known) ?? .unknown : evidence.order
    let row = Row(
      values: values, format: origin.format, dates: dates, vocabulary: context.options.vocabulary, tally: tally,
      report: RowReport())
    // What is rejected once more is kept as it is now, under the id it has.
    let builder = RecordBuilder(kind: origin.kind, context)
    // The rest of a row that was kept is on file, and may have been changed there since.
    let columns = rejected.lost.map(read.columns.intersection) ?? read.columns
    var event = builder.event(from: row, columns: columns, raw: read.bytes, origin: origin) { _ in location }
    if let (header, cells) = read.table, rejected.lost == nil { event = header.namingEmptyPhones(of: cells, in: event) }
    return rejected.lost == nil ? event.with(id: rejected.id) : ofKept(event.with(id: rejected.id), at: location)
  }

  /// The event as one that can only change the record that is on file.
  private func ofKept(_ event: ImportEvent, at location: SourceLocation) -> ImportEvent {
    switch event.editing({ $0.isOfKept = true }) {
    case .record(let record, _, let raw, let stated), .amendment(let record, let raw, let stated, _):
      let gone = ImportReject(
        at: location, field: "id", reason: "names a record that is no longer on file",
        hint: "import the row from its own file", raw: raw)
      return .amendment(record, raw: raw, stated: stated, otherwise: gone)
    case let other: return other
    }
  }

  /// A row's fields.
  private struct Fields {
    var values: [String: FieldValue]
    /// The row as it stands here.
    let bytes: [UInt8]
    /// The fields that it has a column or key for. The id that was made for it is none.
    let columns: Set<String>
    var table: (header: CSVHeader, cells: [String])?

    init(_ values: [String: FieldValue], nulls: Set<String> = [], _ bytes: [UInt8], kind: ImportKind) {
      self.values = values
      self.bytes = bytes
      columns = Set(kind.fields + kind.extraFields).intersection(nulls.union(values.keys))
    }

    init(_ values: [String: FieldValue], _ bytes: [UInt8], stated: Set<String>) {
      self.values = values
      self.bytes = bytes
      columns = stated
    }

    init?(_ header: CSVHeader, _ cells: [String], _ bytes: [UInt8]) {
      guard let values = header.values(of: cells) else { return nil }
      self.values = values
      self.bytes = bytes
      columns = header.statedFields
      table = (header, cells)
    }
  }

  /// A row of another program's table, read by its mapping.
  private func mapped(_ names: [String], _ cells: [String], _ bytes: [UInt8], _ origin: RowOrigin) -> Fields {
    guard let table = origin.table else { preconditionFailure("the row has no mapping") }
    var dates = DateReader(timeZone: context.options.timeZone, acceptsLocalForms: true)
    dates.order =
      (origin.dateOrder ?? table.form.dateOrder ?? context.options.dateOrder).map(DateReader.Order.known) ?? .unknown
    let head = TableHead(delimiter: origin.delimiter ?? CSVHeader.delimiters[0], names: names, line: 0)
    let mapping = RowMapping(table, head: head, vocabulary: context.options.vocabulary, dates: dates)
    return Fields(mapping.fields(of: cells), bytes, stated: mapping.stated)
  }

  private func fields(of rejected: RejectsLine) throws(RejectsLine.Failure) -> Fields {
    let origin = rejected.origin
    let vocabulary = context.options.vocabulary
    switch (origin.format, rejected.row) {
    case (_, nil): throw RejectsLine.Failure(reason: "holds no row", hint: "correct the row in its own file")
    case (.jsonLines, .object(let object)): return Fields(object, object.asJSON, kind: origin.kind)
    case (.jsonLines, .text(let text)):
      do throws(JSONLineError) {
        let (values, nulls) = try parseJSONObject(Array(text.utf8))
        return Fields(values, nulls: nulls, Array(text.utf8), kind: origin.kind)
      } catch {
        throw RejectsLine.Failure(reason: error.reason, hint: "write 'row' as an object")
      }
    case (.csv, .object(let object)) where origin.table != nil:
      let names = object.keys.sorted()
      return mapped(names, names.map { object[$0]?.cellText ?? "" }, object.asJSON, origin)
    case (.csv, .object(let object)):
      let names = object.keys.sorted()
      let header = CSVHeader(
        names: names, delimiter: origin.delimiter ?? CSVHeader.delimiters[0], kind: origin.kind, vocabulary: vocabulary)
      // It stays an object: a program that reads it again finds its keys.
      guard let fields = Fields(header, names.map { object[$0]?.cellText ?? "" }, object.asJSON) else { break }
      return fields
    case (.csv, .text(let text)):
      let delimiter = origin.delimiter ?? CSVHeader.delimiters[0]
      let header = CSVHeader(
        names: origin.columns, delimiter: delimiter, kind: origin.kind, vocabulary: vocabulary)
      let record = CSVRecordParser.cells(of: Array(text.utf8), delimiter: delimiter)
      if origin.table != nil, let record, record.count == origin.columns.count {
        return mapped(origin.columns, record.map { String(decoding: $0, as: UTF8.self) }, Array(text.utf8), origin)
      }
      guard origin.table == nil, let cells = record,
        let fields = Fields(header, cells.map { String(decoding: $0, as: UTF8.self) }, Array(text.utf8))
      else {
        throw RejectsLine.Failure(
          reason: "does not have a cell for each of the \(origin.columns.count) columns",
          hint: "put quotes around cells that hold the delimiter or a line break")
      }
      return fields
    case (.text, .object(let object)):
      var values: [String: FieldValue] = [:]
      for key in object.keys.sorted() where key != "text" {
        guard let field = vocabulary.meaning(ofHeading: key, in: .notes)?.field, field != "text", values[field] == nil
        else { continue }
        values[field] = object[key]?.cellText.map(FieldValue.cell)
      }
      values["text"] = object["text"]
      return Fields(values, object.asJSON, kind: origin.kind)
    case (.text, .text(let text)):
      let bytes = Array(text.utf8)
      guard let matter = try? FrontMatter(bytes),
        let object = try? parseJSONObject(matter.asJSON(text: bytes[matter.bodyStart...])).values
      else {
        throw RejectsLine.Failure(
          reason: "has no front matter", hint: "begin it with a line '---', lines like 'patient_id: P001', and '---'")
      }
      var mended = rejected
      mended.row = .object(object)
      return try fields(of: mended)
    default: break
    }
    throw RejectsLine.Failure(reason: "holds a row of another form than it was written in", hint: "write it as it was")
  }
}
