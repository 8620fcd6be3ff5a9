/// Reads a whole table for what its dates say about the order of day and month.
enum DateSurvey {
  static func order(
    path: String, header: CSVHeader, columns: [Int], maximumLength: Int
  ) throws(InterchangeError) -> DateReader.Order {
    let reader = CSVReader(
      lines: try LineReader(path: path, maximumLength: maximumLength), delimiter: header.delimiter)
    var sawDayFirst = false
    var sawMonthFirst = false
    while let item = try reader.next() {
      guard case .record(let record) = item else { continue }
      for column in columns where column < record.cells.count {
        guard let (first, second) = DateReader.undecidedNumbers(in: record.cells[column]) else { continue }
        if (13...31).contains(first), (1...12).contains(second) { sawDayFirst = true }
        if (13...31).contains(second), (1...12).contains(first) { sawMonthFirst = true }
      }
      if sawDayFirst && sawMonthFirst { return .conflicting }
    }
    if sawDayFirst { return .known(.dayFirst) }
    return sawMonthFirst ? .known(.monthFirst) : .unknown
  }
}
