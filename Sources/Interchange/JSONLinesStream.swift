import Clinical

/// A file of one JSON object a line.
final class JSONLinesStream: RowStream {
  private let source: ImportSource
  private let lines: LineReader
  private let context: StreamContext
  private let builder: RecordBuilder
  private let tally: FieldTally
  private let origin: RowOrigin
  private let knownFields: Set<String>
  /// Keys of what is kept beside a record; see ``RowAdditions``.
  private let additionKeys: Set<String>
  private(set) var sourceName: String?
  private var sawLine = false
  private var pending: [ImportEvent]?

  init(
    _ source: ImportSource, _ file: InputFile, encoding: TextEncoding, kind: ImportKind, context: StreamContext
  ) {
    self.source = source
    self.context = context
    origin = RowOrigin(kind: kind, format: .jsonLines)
    lines = LineReader(file, encoding: encoding, maximumLength: context.options.maximumLineLength)
    builder = RecordBuilder(kind: kind, context)
    tally = FieldTally(file: source.name)
    knownFields = Set(kind.fields + kind.extraFields)
    additionKeys = Set(RowAdditions.keys(for: kind) + [RowAdditions.sourceKey])
  }

  var bytesRead: Int64 { lines.bytesRead }

  func next() throws(InterchangeError) -> ImportEvent? {
    if pending != nil { return nextPending() }
    while let item = try lines.next() {
      switch item {
      case .tooLong(let number, let length):
        sawLine = true
        let location = SourceLocation(file: source.name, line: number)
        return .reject(.tooLong(at: location, length: length, maximum: lines.maximumLength))
      case .line(let line):
        guard let first = line.bytes.first(where: { !isJSONSpace($0) }) else { continue }
        if !sawLine, let problem = wrongFormat(line, first: first) {
          pending = []
          return .problem(problem)
        }
        sawLine = true
        return event(for: line)
      }
    }
    pending = tally.problems().map(ImportEvent.problem)
    if !sawLine {
      pending = [.problem(ImportFileProblem(.empty, file: source.name, message: "the file is empty"))]
    }
    return nextPending()
  }

  private func nextPending() -> ImportEvent? {
    pending?.isEmpty == false ? pending?.removeFirst() : nil
  }

  /// The whole file is something else: said once, not once a line.
  private func wrongFormat(_ line: LineReader.Line, first: UInt8) -> ImportFileProblem? {
    let isSplitObject = first == UInt8(ascii: "{") && line.bytes.filter { !isJSONSpace($0) }.count == 1
    guard first == UInt8(ascii: "[") || isSplitObject else { return nil }
    return ImportFileProblem(
      .wrongFormat, file: source.name, line: line.number, message: "JSON, but not one object a line",
      hint: "write each object on a line of its own, without a list around them")
  }

  private func event(for line: LineReader.Line) -> ImportEvent {
    let location = SourceLocation(file: source.name, line: line.number)
    if let offset = firstInvalidUTF8Offset(in: line.bytes) {
      return .reject(.invalidUTF8(at: location, line: line.number, offset: offset, raw: raw(line.bytes)))
    }
    tally.line = line.number
    sourceName = nil
    do throws(JSONLineError) {
      let (values, nulls) = try parseJSONObject(line.bytes)
      if !values.keys.allSatisfy(knownFields.contains) {
        for key in values.keys.sorted() where !knownFields.contains(key) && !additionKeys.contains(key) {
          tally.addUnknownField(key, known: builder.kind.fields)
        }
      }
      var dates = DateReader(timeZone: context.options.timeZone)
      dates.today = context.options.today
      let row = Row(
        values: values, format: .jsonLines, dates: dates, vocabulary: context.options.vocabulary, tally: tally,
        report: RowReport())
      let keys = knownFields.intersection(nulls.union(values.keys))
      var origin = origin
      origin.source = row.optional(try row.identifier(RowAdditions.sourceKey))
      sourceName = origin.source
      return builder.event(from: row, columns: keys, raw: line.bytes, origin: origin) { _ in location }
    } catch {
      if line.ending == .none {
        return .reject(
          ImportReject(
            at: location, reason: "truncated line: the file ends in the middle of a row",
            hint: "the file was not copied or written to its end", raw: raw(line.bytes)))
      }
      return .reject(ImportReject(at: location, reason: error.reason, hint: error.hint, raw: raw(line.bytes)))
    }
  }

  /// A row that could not be taken apart, with its own id in it somewhere.
  private func raw(_ bytes: [UInt8]) -> RawRow { RawRow(bytes, origin: origin) }
}

func isJSONSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
