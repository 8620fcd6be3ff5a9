/// Takes the lines of a CSV file and gives the cells of its records; a quoted cell may span lines.
///
/// - Source: RFC 4180. Beyond it, a quote inside an unquoted cell is a character like others, as spreadsheets write
///   `5" wound`.
struct CSVRecordParser {
  enum Outcome: Equatable {
    case record([[UInt8]])
    /// A quoted cell goes on in the next line.
    case needsMore
    case malformed(String)
  }

  /// A row with more cells is none: the rest of it is not taken apart.
  static let maximumCells = 4096

  private enum State { case cellStart, unquoted, quoted, quoteInQuoted }

  let delimiter: UInt8
  private var state = State.cellStart
  private var cell: [UInt8] = []
  private var cells: [[UInt8]] = []
  private var isTooWide = false

  init(delimiter: UInt8) {
    self.delimiter = delimiter
  }

  /// Whether a record is under way.
  var isOpen: Bool { state == .quoted }

  /// - Parameters:
  ///   - line: without its end.
  ///   - ending: kept inside a quoted cell.
  /// - Returns: the record that ends with the line, if one does.
  mutating func feed(_ line: [UInt8], ending: LineReader.Ending) -> Outcome {
    let quote = UInt8(ascii: "\"")
    for byte in line {
      switch state {
      case .cellStart:
        if byte == quote {
          state = .quoted
        } else if byte == delimiter {
          endCell()
        } else {
          cell.append(byte)
          state = .unquoted
        }
      case .unquoted:
        if byte == delimiter { endCell() } else { cell.append(byte) }
      case .quoted:
        if byte == quote { state = .quoteInQuoted } else { cell.append(byte) }
      case .quoteInQuoted:
        if byte == quote {
          cell.append(quote)
          state = .quoted
        } else if byte == delimiter {
          endCell()
        } else {
          reset()
          return .malformed("text after a closing quote")
        }
      }
    }
    if state == .quoted {
      if ending == .none {
        reset()
        return .malformed("a quote is never closed")
      }
      cell.append(contentsOf: ending.bytes)
      return .needsMore
    }
    endCell()
    let record = cells
    let isTooWide = isTooWide
    reset()
    return isTooWide ? .malformed("more than \(Self.maximumCells) cells") : .record(record)
  }

  mutating func reset() {
    state = .cellStart
    cell = []
    cells = []
    isTooWide = false
  }

  private mutating func endCell() {
    if cells.count < Self.maximumCells { cells.append(cell) } else { isTooWide = true }
    cell.removeAll(keepingCapacity: isTooWide)
    state = .cellStart
  }
}
