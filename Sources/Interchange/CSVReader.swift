/// The records of a CSV file with the physical line on which each starts.
///
/// After a record that is broken, reading goes on with the line after its first: what an unclosed quote has swallowed
/// is given back, so that one bad row costs no good ones.
final class CSVReader {
  struct Record: Equatable {
    let line: Int
    let cells: [String]
    /// The record as the file spells it, without the last line's end.
    let raw: [UInt8]
    /// Whether the file ends in it, without a line's end: there may have been more.
    var isUnterminated = false
  }

  enum Item: Equatable {
    case record(Record)
    case malformed(line: Int, reason: String, raw: [UInt8])
    /// The byte at `offset` of the line `at`, which need not be the record's first.
    case invalidUTF8(line: Int, at: Int, offset: Int, raw: [UInt8])
    case tooLong(line: Int, length: Int)
  }

  /// Of a row: the cells of a long note have some hundreds, and each line is held until the row ends.
  static let maximumLines = 20_000

  let lines: LineReader
  private var parser: CSVRecordParser
  /// Lines given back, the next one last.
  private var returned: [LineReader.Line] = []

  init(lines: LineReader, delimiter: UInt8) {
    self.lines = lines
    parser = CSVRecordParser(delimiter: delimiter)
  }

  /// The next record that isn't a blank line, nil at the end of the file.
  func next() throws(InterchangeError) -> Item? {
    var held: [LineReader.Line] = []
    var length = 0
    var invalid: (line: Int, offset: Int)?
    while let item = try nextLine() {
      guard case .line(let line) = item else {
        parser.reset()
        if held.isEmpty, case .tooLong(let number, let length) = item { return .tooLong(line: number, length: length) }
        // The long line is already walked over: what stood before it is judged first.
        if case .tooLong(let number, let length) = item { overlong = (number, length) }
        return giveBack(held, reason: "a quote is never closed")
      }
      if held.isEmpty, line.bytes.allSatisfy({ $0 == 0x20 }) { continue }
      held.append(line)
      length += line.bytes.count + line.ending.bytes.count
      if length > lines.maximumLength + 2 {
        parser.reset()
        return giveBack(held, reason: "a quote is never closed, or the row has more than \(lines.maximumLength) bytes")
      }
      if held.count > Self.maximumLines {
        parser.reset()
        return giveBack(held, reason: "a quote is never closed, or the row has more than \(Self.maximumLines) lines")
      }
      if invalid == nil, let offset = firstInvalidUTF8Offset(in: line.bytes) { invalid = (line.number, offset) }
      switch parser.feed(line.bytes, ending: line.ending) {
      case .needsMore: continue
      case .malformed(let reason): return giveBack(held, reason: reason)
      case .record(let cells):
        if let invalid {
          return .invalidUTF8(line: held[0].number, at: invalid.line, offset: invalid.offset, raw: Self.raw(held))
        }
        let texts = cells.map { String(decoding: $0, as: UTF8.self) }
        return .record(
          Record(line: held[0].number, cells: texts, raw: Self.raw(held), isUnterminated: line.ending == .none))
      }
    }
    parser.reset()
    return held.isEmpty ? nil : giveBack(held, reason: "a quote is never closed")
  }

  /// A line too long that was met inside an open quote.
  private var overlong: (number: Int, length: Int)?

  private func nextLine() throws(InterchangeError) -> LineReader.Item? {
    if let line = returned.popLast() { return .line(line) }
    if let (number, length) = overlong {
      overlong = nil
      return .tooLong(number: number, length: length)
    }
    return try lines.next()
  }

  private func giveBack(_ held: [LineReader.Line], reason: String) -> Item {
    returned.append(contentsOf: held.dropFirst().reversed())
    return .malformed(line: held[0].number, reason: reason, raw: held[0].bytes)
  }

  private static func raw(_ lines: [LineReader.Line]) -> [UInt8] {
    guard lines.count > 1 else { return lines.first?.bytes ?? [] }
    var raw: [UInt8] = []
    for (index, line) in lines.enumerated() {
      raw += line.bytes
      if index < lines.count - 1 { raw += line.ending.bytes }
    }
    return raw
  }
}
