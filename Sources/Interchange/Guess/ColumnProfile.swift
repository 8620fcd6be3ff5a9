import Clinical

/// What the cells of one column look like, in shares of those that are not empty.
struct ColumnProfile {
  let heading: String
  /// Of the sample, empty ones left out.
  let cells: [String]
  /// Share of rows with something in it, over the whole table.
  let filled: Double
  /// Different values over filled rows, of the whole table; 1 where each is another.
  let distinct: Double
  /// What stands in it anywhere, as hashes.
  let hashes: Set<UInt64>
  private let shares: [Sign: Double]
  let meanLength: Double
  /// Of the numbers.
  let median: Double?
  /// What the sample writes and how often, the most frequent first; nil where there are too many for a list of codes.
  let codes: [(word: String, count: Int)]?

  enum Sign: CaseIterable, Hashable {
    case date, dateTime, time, number, whole, weight, weightWithUnit, unit, email, phone, chip, name, word, hours, flag
  }

  init(heading: String, cells: [String], filled: Double, distinct: Double, hashes: Set<UInt64>) {
    self.heading = heading
    self.cells = cells
    self.filled = filled
    self.distinct = distinct
    self.hashes = hashes
    var counts: [Sign: Int] = [:]
    var numbers: [Double] = []
    var words: [String: Int] = [:]
    for cell in cells {
      for sign in Self.signs(of: cell) { counts[sign, default: 0] += 1 }
      if let number = Double(cell.replacing(",", with: ".")) { numbers.append(number) }
      words[cell, default: 0] += 1
    }
    let count = Double(max(1, cells.count))
    shares = counts.mapValues { Double($0) / count }
    meanLength = Double(cells.reduce(0) { $0 + $1.count }) / count
    numbers.sort()
    median = numbers.isEmpty ? nil : numbers[numbers.count / 2]
    let isList = words.count <= 60 && words.keys.allSatisfy { $0.count <= 40 }
    codes = isList ? words.map { ($0.key, $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) } : nil
  }

  subscript(sign: Sign) -> Double { shares[sign] ?? 0 }

  private static let reader: DateReader = {
    var reader = DateReader(timeZone: .utc, acceptsLocalForms: true)
    reader.order = .unknown
    return reader
  }()

  private static func signs(of cell: String) -> Set<Sign> {
    var signs: Set<Sign> = []
    let isDate: Bool
    switch reader.read(cell) {
    case .success, .failure(.ambiguous), .failure(.twoDigitYear): isDate = cell.contains(where: \.isNumber)
    default: isDate = DateReader.onlyOrder(of: cell) != nil
    }
    if isDate {
      signs.insert(.date)
      if cell.contains(":") { signs.insert(.dateTime) }
      return signs
    }
    let lower = cell.lowercased()
    if cell.contains(":") || lower.hasSuffix("am") || lower.hasSuffix("pm"), RowMapping.clockTime(cell) != nil {
      return [.time]
    }
    let ranges = RowMapping.ranges(cell)
    if !ranges.isEmpty, ranges.allSatisfy({ !$0.end.isEmpty && $0.start.contains(":") && $0.end.contains(":") }) {
      return [.hours]
    }
    let digits = cell.count { ("0"..."9").contains($0) }
    let letters = cell.count(where: \.isLetter)
    if Double(cell.replacing(",", with: ".")) != nil {
      signs.formUnion([.number, .weight])
      if digits == cell.count { signs.insert(.whole) }
    } else if let parts = WeightText.parts(cell), parts[0].unit != nil {
      signs.formUnion([.weight, .weightWithUnit])
    }
    if digits == 15 || (letters == 0 && digits == 15) { signs.insert(.chip) }
    if WeightText.unit(named: cell) != nil { signs.insert(.unit) }
    if cell.contains("@"), !cell.contains(" "), cell.contains(".") { signs.insert(.email) }
    if letters <= 3, (6...14).contains(digits), digits < 15, !signs.contains(.whole) || cell.hasPrefix("0") {
      signs.insert(.phone)
    }
    if letters > 0, digits == 0, cell.count <= 40, cell.split(separator: " ").count <= 4 { signs.insert(.name) }
    if letters > 0, !cell.contains(" ") { signs.insert(.word) }
    if ["y", "n", "yes", "no", "true", "false", "0", "1", "j", "ja", "nein"].contains(lower) { signs.insert(.flag) }
    return signs
  }
}
