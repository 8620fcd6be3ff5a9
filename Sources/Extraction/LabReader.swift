import Clinical

/// Reads laboratory values: "creat 182 umol/L", table rows with a reference range, serial columns, and tests that
/// answer positive or negative.
struct LabReader: Sendable {
  struct Analyte: Sendable {
    let name: String
    let isResult: Bool
    let unit: String
    let possible: ClosedRange<Double>
    /// Factors from other units.
    let conversions: [String: Double]
    /// The name is also a drug's; only a value with one of the test's units is a result.
    let needsUnit: Bool
  }

  private var analytes: [Analyte] = []
  private var matcher = PhraseMatcher(allowsPlural: false)
  let phrases: ContextPhrases
  let parser: QuantityParser
  private let months: WordClassSet

  init(
    table: DataTable, phrases: ContextPhrases, parser: QuantityParser, months: WordClassSet
  ) throws(DataTableError) {
    self.phrases = phrases
    self.parser = parser
    self.months = months
    for row in table.rows {
      for form in row.list("forms") where !matcher.add(form, payload: analytes.count, classes: nil) {
        throw row.error("forms", "has '\(form)', which has no words")
      }
      let isResult = row["kind"] == "result"
      let low = isResult ? 0 : try row.number("low")
      let high = isResult ? 0 : try row.number("high")
      guard low <= high else { throw row.error("high", "is below low") }
      var conversions: [String: Double] = [:]
      for conversion in row.list("conversions") {
        let parts = conversion.split(separator: "=")
        guard parts.count == 2, let factor = Double(parts[1]) else {
          throw row.error("conversions", "is not unit=factor")
        }
        conversions[String(parts[0])] = factor
      }
      analytes.append(
        Analyte(
          name: row["name"], isResult: isResult, unit: row["unit"], possible: low...high, conversions: conversions,
          needsUnit: row["needs"] == "unit"))
    }
  }

  func facts(in context: FactContext) -> [Fact] {
    let text = context.text
    var result: [Fact] = []
    var index = 0
    while index < text.words.count {
      let found = matcher.matches(at: index, in: text)
      guard let end = found.map(\.end).max(), isName(index..<end, text) else {
        index += 1
        continue
      }
      var facts: [Fact] = []
      for match in found where match.end == end && facts.isEmpty {
        let analyte = analytes[match.payload]
        facts =
          analyte.isResult
          ? self.result(of: analyte, at: index..<end, context) : values(of: analyte, at: index..<end, context)
      }
      result.append(contentsOf: facts)
      index = end
    }
    return result
  }

  /// Whether words name a test by which something is measured.
  func isAnalyte(_ words: Range<Int>, _ text: ScannedText) -> Bool {
    matcher.matches(at: words.lowerBound, in: text).contains {
      $0.end == words.upperBound && !analytes[$0.payload].needsUnit && !analytes[$0.payload].isResult
    }
  }

  /// Symbols of one or two letters (K, Ca, TP) are names only when written as such.
  private func isName(_ words: Range<Int>, _ text: ScannedText) -> Bool {
    let word = text.words[words.lowerBound]
    guard words.count == 1, word.byteCount <= 2, word.kind == .word else { return true }
    let last = text.bytes[Int(word.end) - 1]
    return word.flags.contains(.capitalised) || (last >= 0x30 && last <= 0x39) || word.hash == Self.acidity
  }

  private static let acidity = Spelling.hash("ph")

  // MARK: - Values

  struct Cell {
    let quantity: Quantity
    let words: Range<Int>
  }

  /// What a line gives behind a test's name: values of one or several days, their unit and what is normal.
  private struct Row {
    var cells: [Cell] = []
    var reference: (low: Double?, high: Double?, end: Int)?
    var unit = ""
    /// The word behind it all.
    var end: Int
  }

  private func values(of analyte: Analyte, at name: Range<Int>, _ context: FactContext) -> [Fact] {
    let line = context.line(of: name.lowerBound)
    if let sided = sidedValues(of: analyte, at: name, line: line, context) { return sided }
    guard let (start, unitBefore) = firstValue(behind: name, in: line, context) else { return [] }
    let row = row(at: start, in: line, unitBefore: unitBefore, context)
    let dates = row.cells.count > 1 ? columnDates(above: line, count: row.cells.count, context) : []
    return row.cells.enumerated().compactMap { column, cell in
      guard let amount = amount(of: analyte, cell, unit: row.unit, context) else { return nil }
      var result = LabResult(amount: amount)
      if row.cells.count > 1 { result.column = column + 1 }
      result.reference = ReferenceRange(low: row.reference?.low, high: row.reference?.high)
      result.flag = flag(cell, row.reference, line, context)
      if row.cells.count == 1 {
        let earlier = EarlierValue.find(behind: row.end, of: context.text, parser: parser)
        result.previous = earlier.map { context.string($0.number) }
      }
      var fact = fact(of: analyte, result, cell, name: name, context)
      if column < dates.count { fact.writtenDate = dates[column] }
      return fact
    }
  }

  /// Where the values behind a name begin, and the unit that stands before them; nil where none does.
  private func firstValue(
    behind name: Range<Int>, in line: Range<Int>, _ context: FactContext
  ) -> (start: Int, unit: String)? {
    let text = context.text
    var position = name.upperBound
    var unitBefore = ""
    var skipped = 0
    while position < line.upperBound, text.words[position].kind != .number, skipped < 6 {
      if unitBefore.isEmpty, let (unit, end) = parser.units.unit(at: position, in: text) {
        unitBefore = unit.name
        position = end
      } else if text.words[position].isFiller(.labfiller)
        || (text.words[position].kind == .symbol && context.byte(position) == 0x25)
      {
        position += 1
      } else {
        let end = timeEnd(at: position, in: line, context)
        guard end > position else { return nil }
        position = end
      }
      skipped += 1
    }
    position = timeEnd(at: position, in: line, context)
    // "Urine gluc 4+": a test strip's crosses.
    if position + 1 < line.upperBound, context.byte(position + 1) == 0x2B, !text.words[position + 1].isSpaced {
      return nil
    }
    return position < line.upperBound && !isDate(at: position, context) ? (position, unitBefore) : nil
  }

  private func row(at start: Int, in line: Range<Int>, unitBefore: String, _ context: FactContext) -> Row {
    let text = context.text
    var row = Row(end: start)
    while row.end < line.upperBound {
      if let found = reference(at: row.end, isFirst: row.cells.isEmpty, in: line, context) {
        row.reference = found
        row.end = found.end
        break
      }
      guard text.words[row.end].kind == .number else {
        // "-" holds the place of a value that was not measured.
        guard !row.cells.isEmpty, text.words[row.end].hash == Sign.dash, isColumn(row.end + 1, line, text) else {
          break
        }
        row.end += 1
        continue
      }
      guard row.cells.isEmpty || isColumn(row.end, line, text),
        let (quantity, end) = flagged(at: row.end, text) ?? parser.quantity(at: row.end, in: text)
      else { break }
      row.cells.append(Cell(quantity: quantity, words: row.end..<end))
      row.end = flagEnd(at: end, line, text) ?? end
      if !quantity.unit.isEmpty, row.cells.count == 1, !isColumn(row.end, line, text) {
        row.reference = reference(at: row.end, isFirst: false, in: line, context)
        row.end = row.reference?.end ?? row.end
        break
      }
    }
    // Units behind the last value or the range count for all.
    row.unit = row.cells.first { !$0.quantity.unit.isEmpty }?.quantity.unit ?? unitBefore
    if row.unit.isEmpty, let (after, end) = parser.units.unit(at: row.end, in: text), end <= line.upperBound {
      row.unit = after.name
    }
    return row
  }

  /// "CREA 182 H": high, not hours; "ALB 18 L": low, not litres.
  private func flagged(at index: Int, _ text: ScannedText) -> (quantity: Quantity, end: Int)? {
    guard let (value, end) = parser.number(at: index, in: text), end < text.words.count else { return nil }
    let letter = text.words[end]
    guard letter.byteCount == 1, letter.isSpaced, [0x48, 0x4C].contains(text.bytes[Int(letter.start)]),
      end + 1 >= text.words.count || text.bytes[Int(text.words[end + 1].start)] != 0x2F
    else { return nil }
    return (Quantity(value: value, unit: "", dimension: "", range: text.byteRange(of: index..<end)), end)
  }

  func fact(
    of analyte: Analyte, _ result: LabResult, _ cell: Cell, name: Range<Int>, _ context: FactContext
  ) -> Fact {
    Fact(
      .lab(result), name: analyte.name, range: context.text.byteRange(of: name), valueRange: cell.quantity.range,
      assertion: context.assertion(of: name))
  }

  /// The value of a cell in the test's unit; nil where it is none of this test.
  func amount(of analyte: Analyte, _ cell: Cell, unit: String, _ context: FactContext) -> Amount? {
    let written = cell.quantity
    var used = unit
    if used.isEmpty || (used != analyte.unit && analyte.conversions[used] == nil) {
      // A foreign unit ("T4 3 d", "glucose 5 ml") is none of the value's; a missing one follows from what is possible.
      if !used.isEmpty, !written.unit.isEmpty, !Self.concentrations.contains(written.dimension) { return nil }
      if used.isEmpty, analyte.needsUnit || isDose(cell, context) { return nil }
      if analyte.possible.contains(written.value) {
        used = analyte.unit
      } else if let other = analyte.conversions.sorted(by: { $0.key < $1.key }).first(where: {
        analyte.possible.contains(written.value * $0.value)
      }) {
        used = other.key
      } else {
        return nil
      }
    }
    let factor = used == analyte.unit ? 1 : analyte.conversions[used] ?? 1
    let value = written.value * factor
    let quantity = Quantity(
      value: written.value, upper: written.upper, unit: used, dimension: written.dimension,
      comparison: written.comparison, range: written.range, isUnitInferred: unit.isEmpty)
    return Amount(
      value: value, unit: analyte.unit, comparison: written.comparison,
      isImplausible: !analyte.possible.contains(value), original: quantity)
  }

  private static let concentrations: Set<String> = [
    "molar concentration", "mass concentration", "enzyme activity", "cells", "pressure",
  ]

  /// "Insulin 3 BID": a number before a frequency is given, not measured.
  private func isDose(_ cell: Cell, _ context: FactContext) -> Bool {
    let next = cell.words.upperBound
    let end = min(next + 3, context.text.sentence(ofWord: cell.words.lowerBound).upperBound)
    guard next < end else { return false }
    return phrases.hits(in: next..<end, of: context.text, axes: .frequency).contains { $0.words.lowerBound == next }
  }

  private func isColumn(_ index: Int, _ line: Range<Int>, _ text: ScannedText) -> Bool {
    guard index < line.upperBound, index > 0 else { return false }
    let gap = text.words[index].start - text.words[index - 1].end
    let isTab = gap > 0 && text.bytes[Int(text.words[index - 1].end)] == 0x09
    return (text.words[index].kind == .number || text.words[index].hash == Sign.dash) && (gap >= 2 || isTab)
  }

  private func flagEnd(at index: Int, _ line: Range<Int>, _ text: ScannedText) -> Int? {
    guard index < line.upperBound else { return nil }
    let hit = phrases.hits(in: index..<min(line.upperBound, index + 1), of: text, axes: .flag).first
    return hit?.words.upperBound
  }

  private func flag(
    _ cell: Cell, _ reference: (low: Double?, high: Double?, end: Int)?, _ line: Range<Int>, _ context: FactContext
  ) -> LabFlag? {
    if let high = reference?.high, cell.quantity.value > high { return .high }
    if let low = reference?.low, cell.quantity.value < low { return .low }
    if reference != nil { return nil }
    let after = cell.words.upperBound..<min(line.upperBound, cell.words.upperBound + 2)
    return phrases.hits(in: after, of: context.text, axes: .flag).first?.flag
  }

  /// The dates of a serial table's head, when there are as many as values.
  private func columnDates(above line: Range<Int>, count: Int, _ context: FactContext) -> [String] {
    var end = line.lowerBound - 1
    var looked = 0
    while end > 0, looked < 20 {
      let above = context.line(of: end - 1)
      var dates: [String] = []
      var index = above.lowerBound
      while index < above.upperBound {
        if let (words, next) = context.date(at: index, months: months), next <= above.upperBound {
          dates.append(context.string(words))
          index = next
        } else {
          index += 1
        }
      }
      if dates.count == count { return dates }
      if dates.count > 1 || above.isEmpty { return [] }
      end = above.lowerBound - 1
      looked += 1
    }
    return []
  }

  private func isDate(at index: Int, _ context: FactContext) -> Bool {
    context.date(at: index, months: months).map { $0.words.count > 1 } ?? false
  }

}
