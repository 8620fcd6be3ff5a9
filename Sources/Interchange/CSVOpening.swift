/// The first lines of a table, up to and with its head line.
enum CSVOpening {
  case header(CSVHeader, line: Int)
  case problem(ImportFileProblem.Code, line: Int?, message: String, hint: String)

  /// Reads as far as the head line.
  static func read(
    _ lines: LineReader, kind: ImportKind, vocabulary: ImportVocabulary
  ) throws(InterchangeError) -> CSVOpening {
    var delimiter: UInt8?
    while let item = try lines.next() {
      guard case .line(let line) = item else {
        return .problem(.wrongFormat, line: 1, message: "the head line is too long", hint: "")
      }
      if line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      if delimiter == nil, let declared = CSVHeader.declaredDelimiter(line.bytes) {
        delimiter = declared
        continue
      }
      if line.bytes.contains(0x0D) {
        return .problem(
          .wrongFormat, line: line.number, message: "lines end in carriage returns alone",
          hint: "save it as CSV in UTF-8 with ordinary line ends")
      }
      let header = CSVHeader(line: line.bytes, kind: kind, vocabulary: vocabulary, delimiter: delimiter)
      guard header.suits(kind) || header.amends else {
        let missing = kind.telltales.first { $0.allSatisfy { header.column(of: $0) == nil } } ?? []
        return .problem(
          .wrongFormat, line: line.number,
          message: "the head line names no column for \(missing.joined(separator: " or "))",
          hint: "the first line must name the columns, such as \(kind.fields.prefix(4).joined(separator: ", "))")
      }
      return .header(header, line: line.number)
    }
    return .problem(.empty, line: nil, message: "the file is empty", hint: "")
  }
}
