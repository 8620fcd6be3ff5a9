/// Reads a whole table for what its dates say about the order of day and month.
enum DateSurvey {
  static func evidence(
    _ file: InputFile, encoding: TextEncoding, header: CSVHeader, headerLine: Int, columns: [Int], maximumLength: Int
  ) throws(InterchangeError) -> DateEvidence {
    let lines = LineReader(file, encoding: encoding, maximumLength: maximumLength)
    let reader = CSVReader(lines: lines, delimiter: header.delimiter)
    var evidence = DateEvidence()
    while !evidence.isComplete, let item = try reader.next() {
      guard case .record(let record) = item, record.line > headerLine else { continue }
      for column in columns where column < record.cells.count {
        evidence.add(record.cells[column], line: record.line)
      }
    }
    return evidence
  }
}
