import Clinical

/// A table of unknown meaning: how it is spelt, its headings and what stands below them.
struct SampledTable {
  let path: String
  let name: String
  let encoding: TextEncoding
  let head: TableHead
  let dates: DateEvidence
  let columns: [ColumnProfile]
  let rowCount: Int

  /// Rows whose cells are looked at one by one.
  private static let sampleSize = 2000
  /// Different values that are remembered of a column: more are taken for all different.
  private static let rememberedValues = 100_000

  /// Why a file can't be guessed at.
  struct Refusal: Error {
    let reason: String
  }

  static func read(_ file: ImportDiscovery.TableFile) throws(InterchangeError) -> Result<SampledTable, Refusal> {
    let input = try InputFile(file.path)
    if let format = foreignFormat(of: try input.start(count: 8)) {
      return .failure(Refusal(reason: "the file is \(format), not text"))
    }
    let encoding: TextEncoding
    switch try EncodingSurvey.survey(input, declared: nil) {
    case .encoding(let found): encoding = found
    case .undecidable(let line, let column, let reason):
      return .failure(Refusal(reason: "line \(line), column \(column): \(reason); say --encoding"))
    }
    guard let head = try findHead(input, encoding) else {
      return .failure(Refusal(reason: "no line names the columns"))
    }
    let lines = LineReader(input, encoding: encoding, maximumLength: 8 << 20)
    let reader = CSVReader(lines: lines, delimiter: head.delimiter)
    var sums = head.names.map { _ in ColumnSum() }
    var dates = DateEvidence()
    var rows = 0
    while let item = try reader.next() {
      guard case .record(let record) = item, record.line > head.line else { continue }
      rows += 1
      for index in sums.indices where index < record.cells.count {
        let cell = record.cells[index].trimmingSpaces()
        guard !cell.isEmpty else { continue }
        sums[index].add(cell, isSampled: rows <= sampleSize, remembering: rememberedValues)
        dates.add(cell, line: record.line)
      }
    }
    guard rows > 0 else { return .failure(Refusal(reason: "the table has no rows")) }
    let columns = zip(head.names, sums).map { $1.profile(heading: $0, rows: rows) }
    return .success(
      SampledTable(
        path: file.path, name: file.name, encoding: encoding, head: head, dates: dates, columns: columns,
        rowCount: rows))
  }

  private struct ColumnSum {
    var cells: [String] = []
    var filled = 0
    var hashes: Set<UInt64> = []
    var isFull = false

    mutating func add(_ cell: String, isSampled: Bool, remembering limit: Int) {
      filled += 1
      if isSampled { cells.append(cell) }
      if hashes.count < limit { hashes.insert(FNV1a.hash(Array(cell.lowercased().utf8))) } else { isFull = true }
    }

    func profile(heading: String, rows: Int) -> ColumnProfile {
      let distinct = filled == 0 ? 0 : isFull ? 1 : Double(hashes.count) / Double(filled)
      return ColumnProfile(
        heading: heading, cells: cells, filled: Double(filled) / Double(max(1, rows)), distinct: distinct,
        hashes: hashes)
    }
  }

  /// The head is the first line that has as many cells as most lines below it, none of them a number, a date or empty for the
  /// better part, under the delimiter that gives the most cells in a steady number.
  private static func findHead(_ file: InputFile, _ encoding: TextEncoding) throws(InterchangeError) -> TableHead? {
    let lines = LineReader(file, encoding: encoding, maximumLength: 1 << 20)
    var opening: [(number: Int, bytes: [UInt8])] = []
    var declared: UInt8?
    while opening.count < 60, case .line(let line)? = try lines.next() {
      if let delimiter = CSVHeader.declaredDelimiter(line.bytes) {
        declared = delimiter
      } else {
        opening.append((line.number, line.bytes))
      }
    }
    var best: (head: TableHead, score: Int)?
    for delimiter in declared.map({ [$0] }) ?? CSVHeader.delimiters {
      let rows = opening.map { (number: $0.number, cells: TableHead.cells(of: $0.bytes, delimiter: delimiter)) }
      var widths: [Int: Int] = [:]
      for row in rows { if let count = row.cells?.count, count > 1 { widths[count, default: 0] += 1 } }
      guard let width = widths.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { continue }
      guard let first = rows.first(where: { $0.cells?.count == width.key }), let names = first.cells else { continue }
      let isHead =
        names.allSatisfy { name in !name.contains { $0 == "@" } && Double(name) == nil && name.count <= 60 }
        && names.count { !$0.isEmpty } * 2 > names.count && names.allSatisfy { DateReader.onlyOrder(of: $0) == nil }
      let score = width.key * width.value
      guard isHead, score > best?.score ?? 0 else { continue }
      best = (TableHead(delimiter: delimiter, names: names, line: first.number), score)
    }
    return best?.head
  }
}
