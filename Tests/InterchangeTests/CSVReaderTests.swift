import Clinical
import Testing

@testable import Interchange

/// The slow twin: the whole file at once, character by character, as RFC 4180 tells it.
private func naiveCSV(_ text: String, delimiter: Unicode.Scalar) -> [[String]] {
  let scalars = Array(text.unicodeScalars)
  var records: [[String]] = []
  var record: [String] = []
  var cell = ""
  var position = 0
  var isFresh = true
  var wasQuoted = false
  func at(_ index: Int) -> Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
  func endRecord() {
    record.append(cell)
    // A line of nothing, or of spaces, is no record; one with a quoted empty cell is.
    if record.count > 1 || wasQuoted || !cell.unicodeScalars.allSatisfy({ $0 == " " }) { records.append(record) }
    wasQuoted = false
    record = []
    cell = ""
    isFresh = true
  }
  while let scalar = at(position) {
    if isFresh, scalar == "\"" {
      position += 1
      while let inner = at(position) {
        if inner == "\"", at(position + 1) == "\"" {
          cell.unicodeScalars.append("\"")
          position += 2
        } else if inner == "\"" {
          position += 1
          break
        } else {
          cell.unicodeScalars.append(inner)
          position += 1
        }
      }
      isFresh = false
      wasQuoted = true
    } else if scalar == delimiter {
      record.append(cell)
      cell = ""
      isFresh = true
      position += 1
    } else if scalar == "\n" || (scalar == "\r" && at(position + 1) == "\n") {
      endRecord()
      position += scalar == "\n" ? 1 : 2
    } else {
      cell.unicodeScalars.append(scalar)
      isFresh = false
      position += 1
    }
  }
  if !record.isEmpty || !cell.isEmpty || !isFresh { endRecord() }
  return records
}

@Suite struct CSVReaderTests {
  private func items(
    _ bytes: [UInt8], delimiter: UInt8 = 0x2C, maximumLength: Int = 100_000
  ) throws -> [CSVReader.Item] {
    let folder = try TemporaryFolder()
    let path = try folder.write("table.csv", bytes)
    let lines = try LineReader(path: path, maximumLength: maximumLength, bufferSize: 17)
    let reader = CSVReader(lines: lines, delimiter: delimiter)
    var items: [CSVReader.Item] = []
    while let item = try reader.next() { items.append(item) }
    return items
  }

  private func quoted(_ cell: String, delimiter: Unicode.Scalar, force: Bool) -> String {
    let isSpecial: (Unicode.Scalar) -> Bool = { $0 == delimiter || $0 == "\"" || $0 == "\n" || $0 == "\r" }
    guard force || cell.unicodeScalars.contains(where: isSpecial) else { return cell }
    let doubled = cell.unicodeScalars.reduce(into: "") { text, scalar in
      text.unicodeScalars.append(scalar)
      if scalar == "\"" { text.unicodeScalars.append(scalar) }
    }
    return "\"" + doubled + "\""
  }

  @Test(arguments: [",", ";", "\t", "|"] as [Unicode.Scalar])
  func `cells come back whatever is in them`(delimiter: Unicode.Scalar) throws {
    var generator = SplitMix64(seed: 11 + UInt64(delimiter.value))
    let pool: [String] = ["a", "é", "\"", "\n", "\r\n", ",", ";", "\t", "|", " ", "5\"", "🐈", "x y"]
    for _ in 0..<60 {
      let width = Int.random(in: 2...4, using: &generator)
      let rows = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        (0..<width).map { _ in
          (0..<Int.random(in: 0...5, using: &generator)).map { _ in pool.randomElement(using: &generator) ?? "" }
            .joined()
        }
      }
      let ending = Bool.random(using: &generator) ? "\n" : "\r\n"
      var text = rows.map { row in
        row.map { quoted($0, delimiter: delimiter, force: Bool.random(using: &generator)) }
          .joined(separator: String(delimiter))
      }.joined(separator: ending)
      if Bool.random(using: &generator) { text += ending }
      let got = try items(Array(text.utf8), delimiter: UInt8(delimiter.value)).map { item -> [String] in
        if case .record(let record) = item { record.cells } else { ["broken"] }
      }
      #expect(got == rows, "\(text.debugDescription)")
      #expect(got == naiveCSV(text, delimiter: delimiter), "\(text.debugDescription)")
    }
  }

  @Test func `random text is read as the oracle reads it, or refused`() throws {
    var generator = SplitMix64(seed: 3)
    var compared = 0
    for _ in 0..<600 {
      let text = (0..<Int.random(in: 0...14, using: &generator)).map { _ in
        ["a", ",", "\"", "\n", "\"\"", " "].randomElement(using: &generator) ?? ""
      }.joined()
      let items = try items(Array(text.utf8))
      let records = items.compactMap { if case .record(let record) = $0 { record.cells } else { nil } }
      guard records.count == items.count else { continue }
      compared += 1
      #expect(records == naiveCSV(text, delimiter: ","), "\(text.debugDescription)")
    }
    #expect(compared > 200)
  }

  @Test func `a record has the line on which it starts and its own bytes`() throws {
    let items = try items(Array("a,\"b\nc\n\"\n\nd,e\r\nf,g".utf8))
    let records = items.compactMap { if case .record(let record) = $0 { record } else { nil } }
    #expect(records.map(\.line) == [1, 5, 6])
    #expect(records.map { String(decoding: $0.raw, as: UTF8.self) } == ["a,\"b\nc\n\"", "d,e", "f,g"])
  }

  struct Broken: CustomTestStringConvertible {
    let text: String
    /// Lines of refused records, and those of sound ones.
    let refused: [Int]
    let sound: [Int]
    var testDescription: String { text.debugDescription }
  }

  @Test(arguments: [
    Broken(text: "a,\"b\nc,d\ne,f\n", refused: [1], sound: [2, 3]),
    Broken(text: "a,\"b\"x\nc,d\n", refused: [1], sound: [2]),
    Broken(text: "a,\"b\nc,\"d\"\ne,f\n", refused: [1], sound: [2, 3]),
    Broken(text: "a,\"he said \"no\" to it\nand left\"\ne,f\n", refused: [1], sound: [2, 3]),
    Broken(text: "a,b\nc,\"", refused: [2], sound: [1]),
  ])
  func `a broken row costs no row after it`(example: Broken) throws {
    var refused: [Int] = []
    var sound: [Int] = []
    for item in try items(Array(example.text.utf8)) {
      switch item {
      case .record(let record): sound.append(record.line)
      case .malformed(let line, _, _): refused.append(line)
      default: Issue.record("unexpected \(item)")
      }
    }
    #expect(refused == example.refused)
    #expect(sound == example.sound)
  }

  @Test func `an open quote ends at the limit, and the rows behind it are read`() throws {
    let rows = (0..<50).map { "row,\($0)" }
    let text = "a,\"open\n" + rows.joined(separator: "\n")
    let items = try items(Array(text.utf8), maximumLength: 100)
    guard case .malformed(1, _, _)? = items.first else {
      Issue.record("the first row is not refused")
      return
    }
    #expect(items.count == 51)
  }

  @Test func `a line past the limit inside an open quote is named after the row that opened it`() throws {
    let text = "a,\"open\nb,c\n" + String(repeating: "x", count: 500) + "\nd,e\n"
    let items = try items(Array(text.utf8), maximumLength: 100)
    let lines = items.map { item -> String in
      switch item {
      case .record(let record): "record \(record.line)"
      case .malformed(let line, _, _): "malformed \(line)"
      case .tooLong(let line, let length): "long \(line) \(length)"
      case .invalidUTF8(let line, _, _, _): "invalid \(line)"
      }
    }
    #expect(lines == ["malformed 1", "record 2", "long 3 500", "record 4"])
  }

  @Test func `bytes that are no UTF-8 refuse the whole record and name the place`() throws {
    let items = try items(Array("a,\"b\nc".utf8) + [0xE9] + Array("d\nmore\"\ne,f".utf8))
    guard items.count == 2, case .invalidUTF8(1, at: 2, offset: 1, _) = items[0], case .record = items[1] else {
      Issue.record("got \(items)")
      return
    }
  }
}
