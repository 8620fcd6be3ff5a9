import Clinical

/// A file that is one note: front matter, then the text as it is.
final class TextStream: RowStream {
  private let source: ImportSource
  private let context: StreamContext
  private let builder: RecordBuilder
  private let tally: FieldTally
  private let reader: WholeFile
  private var origin = RowOrigin(kind: .notes, format: .text)
  private var isDone = false

  /// - Parameters:
  ///   - source: the file's names.
  ///   - file: its bytes.
  ///   - encoding: what they mean.
  ///   - context: what the files of an import share.
  ///   - tally: shared by all text files of an import, so that a common extra key is reported once.
  init(
    _ source: ImportSource, _ file: InputFile, encoding: TextEncoding, context: StreamContext, tally: FieldTally
  ) {
    self.source = source
    self.context = context
    self.tally = tally
    builder = RecordBuilder(kind: .notes, context)
    reader = WholeFile(file: file, encoding: encoding)
  }

  private(set) var bytesRead: Int64 = 0

  func next() throws(InterchangeError) -> ImportEvent? {
    guard !isDone else { return nil }
    isDone = true
    let maximum = context.options.maximumLineLength
    guard let contents = try reader.contents(upTo: maximum) else {
      return .reject(
        ImportReject(
          at: location(1), reason: "the file has more than \(maximum) bytes", hint: "one text file is one note"))
    }
    bytesRead = Int64(contents.count)
    if contents.isEmpty {
      return .problem(ImportFileProblem(.empty, file: source.name, message: "the file is empty"))
    }
    let bytes = contents.starts(with: byteOrderMark) ? Array(contents.dropFirst(byteOrderMark.count)) : contents
    do throws(FrontMatter.Failure) {
      return event(for: try FrontMatter(bytes), bytes)
    } catch {
      return .reject(reject(for: error, raw: bytes))
    }
  }

  private func event(for matter: FrontMatter, _ bytes: [UInt8]) -> ImportEvent {
    var values: [String: FieldValue] = [:]
    var lines: [String: Int] = [:]
    let vocabulary = context.options.vocabulary
    let meanings = matter.entries.map { vocabulary.meaning(ofHeading: $0.key, in: .notes) }
    let order = matter.entries.indices.sorted { (meanings[$0]?.rank ?? .max, $0) < (meanings[$1]?.rank ?? .max, $1) }
    for index in order {
      let entry = matter.entries[index]
      guard let field = meanings[index]?.field, field != "text", values[field] == nil else {
        tally.line = entry.line
        tally.addUnknownField(entry.key, known: ImportKind.notes.fields)
        continue
      }
      values[field] = .cell(entry.value)
      lines[field] = entry.line
    }
    values["text"] = .text(String(decoding: bytes[matter.bodyStart...], as: UTF8.self))
    // The file's name is an id that nobody gave.
    let stated = values.filter { $0.key != "id" || $0.value != .cell("") }.keys
    if values["id"] == nil || values["id"] == .cell(""), let id = source.defaultID { values["id"] = .text(id) }
    var dates = DateReader(timeZone: context.options.timeZone, acceptsLocalForms: true)
    dates.today = context.options.today
    // One letter, one date as a rule: what only one order can read is read in it, unless another is declared.
    var evidence = DateEvidence()
    for field in ImportKind.notes.dateFields {
      if case .cell(let text) = values[field] { evidence.add(text, line: lines[field] ?? 1) }
    }
    dates.order =
      context.options.dateOrder.map(DateReader.Order.known)
      ?? evidence.order(usually: context.options.usualDateOrder)
    if case .known(let order) = dates.order { origin.dateOrder = order }
    let row = Row(
      values: values, format: .text, dates: dates, vocabulary: vocabulary, tally: tally, report: RowReport())
    let raw = matter.asJSON(text: bytes[matter.bodyStart...])
    return builder.event(from: row, columns: stated, raw: raw, origin: origin) { error in
      // A field's own line is where to look.
      location(error.flatMap { lines[$0.field] } ?? 1)
    }.with(id: source.defaultID ?? source.name)
  }

  private func raw(_ bytes: [UInt8]) -> RawRow {
    RawRow(bytes, origin: origin, id: source.defaultID ?? source.name)
  }

  private func location(_ line: Int) -> SourceLocation { SourceLocation(file: source.name, line: line) }

  private func reject(for failure: FrontMatter.Failure, raw bytes: [UInt8]) -> ImportReject {
    let raw = raw(bytes)
    let hint = "begin the file with a line '---', lines like 'patient_id: P001', and another '---'"
    return switch failure {
    case .none: ImportReject(at: location(1), reason: "no front matter", hint: hint, raw: raw)
    case .unclosed: ImportReject(at: location(1), reason: "the front matter never ends", hint: hint, raw: raw)
    case .notAnEntry(let line): ImportReject(at: location(line), reason: "not 'key: value'", hint: hint, raw: raw)
    case .tooManyEntries(let line):
      ImportReject(
        at: location(line), reason: "the front matter has more than \(FrontMatter.maximumEntries) lines", hint: hint,
        raw: raw)
    case .repeatedKey(let line):
      ImportReject(
        at: location(line), reason: "the key stands there twice", hint: "keep one of the two lines", raw: raw)
    }
  }
}
