public import Clinical

/// Reads temperature, heart and respiratory rate, weight, refill time, body condition and pressures.
///
///     reader.vitals(in: "T 101.5 HR 120, RR 24. Wt 27lb")   // 38.6 °C, 120 /min, 24 /min, 12.2 kg
///
/// A temperature of 86 to 113 without a unit is in °F. Values no animal can have are kept and marked.
public struct VitalsReader: Sendable {
  /// Words beside which a number is no value of this vital sign, by hash.
  struct Strangers: Sendable {
    let before: Set<UInt64>
    let behind: Set<UInt64>
    let near: Set<UInt64>
    let money: Set<UInt64>
  }

  struct Row: Sendable {
    let measure: VitalMeasure
    let unit: String
    let dimension: String
    let plausible: ClosedRange<Double>
    let inferred: (unit: String, range: ClosedRange<Double>)?
    let strangers: Strangers
  }

  private let rows: [Row]
  private let matcher: PhraseMatcher
  let parser: QuantityParser
  let classes: WordClasses

  /// - Parameters:
  ///   - table: `vitals.tsv`.
  ///   - parser: reads the numbers.
  ///   - wordClasses: the classes texts are scanned with.
  /// - Throws: ``DataTableError`` for an unknown measure or a limit that is no number.
  public init(table: DataTable, parser: QuantityParser, wordClasses: WordClasses) throws(DataTableError) {
    var rows: [Row] = []
    var matcher = PhraseMatcher(allowsPlural: true)
    for row in table.rows {
      guard let measure = VitalMeasure(rawValue: row["id"]) else { throw row.error("id", "is no vital sign") }
      for cue in row.list("cues") where !matcher.add(cue, payload: rows.count, classes: nil) {
        throw row.error("cues", "has '\(cue)', which has no words")
      }
      let low = try row.number("low")
      let high = try row.number("high")
      guard low < high else { throw row.error("high", "is not above low") }
      var inferred: (String, ClosedRange<Double>)?
      if !row["inferred_unit"].isEmpty {
        let from = try row.number("inferred_low")
        inferred = (row["inferred_unit"], from...max(from, try row.number("inferred_high")))
      }
      rows.append(
        Row(
          measure: measure, unit: row["unit"], dimension: row["dimension"], plausible: low...high, inferred: inferred,
          strangers: Strangers(
            before: Set(row.list("not_after").map { Spelling.hash($0) }),
            behind: Set(row.list("not_before").map { Spelling.hash($0) }),
            near: Set(row.list("not_near").map { Spelling.hash($0) }),
            money: Set(row.list("money").map { Spelling.hash($0) }))))
    }
    self.rows = rows
    self.matcher = matcher
    self.parser = parser
    classes = wordClasses
  }

  /// The vital signs of a text, in order.
  ///
  /// - Complexity: O(bytes).
  public func vitals(in text: String) -> [VitalSign] {
    vitals(in: ScannedText(text, classes: classes))
  }

  /// The vital signs of a text that was scanned before.
  public func vitals(in text: ScannedText) -> [VitalSign] {
    var result: [VitalSign] = []
    var index = 0
    while index < text.words.count {
      switch text.words[index].kind {
      case .word:
        if let (signs, end) = tpr(at: index, in: text) {
          result.append(contentsOf: signs)
          index = end
        } else if let (sign, end) = announced(at: index, in: text)
          ?? pulseOrRespiration(at: index, after: result.last, in: text)
        {
          result.append(sign)
          index = end
        } else {
          index += 1
        }
      case .number:
        if let (sign, end) = bare(at: index, after: result.last, in: text) {
          result.append(sign)
          index = end
        } else {
          // "Target 31-32 kg" is no weight, and its second half neither.
          index = parser.quantity(at: index, in: text)?.end ?? index + 1
        }
      default: index += 1
      }
    }
    return result
  }

  // MARK: - Ways to write them

  /// "HR: 120", "temp was 38.6", "BCS 4-5/9".
  private func announced(at index: Int, in text: ScannedText) -> (VitalSign, Int)? {
    guard let cue = matcher.matches(at: index, in: text).last else { return nil }
    let row = rows[cue.payload]
    var position =
      directionEnd(at: cue.end, of: row, from: index, text) ?? scalesEnd(at: cue.end, of: row, text) ?? cue.end
    var skipped = 0
    while skipped < 4, position < text.words.count, text.words[position].isFiller(.vitalfiller) {
      position += 1
      skipped += 1
    }
    guard let (quantity, end) = parser.quantity(at: position, in: text) else { return nil }
    if row.measure == .bodyCondition { return score(row, quantity, from: index, at: position, in: text) }
    if row.measure == .temperature, isNear(row.strangers.near, index..<end, text) { return nil }
    guard let (sign, signEnd) = sign(row, quantity, from: index, at: position, to: end, in: text) else { return nil }
    if !sign.isPlausible, isCode(letters: index..<cue.end, number: position, end: signEnd, text) { return nil }
    // "Weight 0.2 kg less", "weigh 1x a month", "Heart 7.6 vertebral units" measure something else.
    if let next = word(signEnd, text), row.strangers.behind.contains(next.hash) || Self.times.contains(next.hash) {
      return nil
    }
    let isRate = row.dimension == "rate"
    if isRate, sign.value != sign.value.rounded() { return nil }
    return (sign, signEnd)
  }

  /// "38.6C", "12.4 kg", "120 bpm" without a word before them.
  private func bare(at index: Int, after last: VitalSign?, in text: ScannedText) -> (VitalSign, Int)? {
    guard let (quantity, end) = parser.quantity(at: index, in: text),
      !quantity.unit.isEmpty
    else { return nil }
    let written = text.words[max(index, end - 1)]
    for row in rows where row.dimension == quantity.dimension {
      switch row.measure {
      case .temperature:
        guard quantity.unit == "°F" || text.bytes[Int(written.start)] != 0x60 || quantity.value > 30 else { continue }
        let celsius = parser.units.converted(quantity.value, from: quantity.unit)?.value ?? 0
        // "30 deg" may be an angle; a body's warmth in words is written where it can't be one.
        let lowest = Self.degrees.contains(written.hash) ? 35.0 : 30.0
        guard (lowest...44).contains(celsius), !isNear(row.strangers.near, index..<end, text) else { continue }
      case .weight:
        guard isBodyWeight(row, index, end, text), !isNear(row.strangers.near, index..<end, text) else { continue }
        guard
          quantity.unit == "kg" || (quantity.unit == "lb" && !isMoney(row, index..<end, text))
            || isOpening(index..<end, quantity, after: last, text)
        else { continue }
      case .heartRate:
        guard Self.beats.contains(written.hash) else { continue }
      case .respiratoryRate:
        guard !Self.beats.contains(written.hash), mentionsBreaths(index..<end, text) else { continue }
      default: continue
      }
      return sign(row, quantity, from: index, at: index, to: end, in: text)
    }
    return nil
  }

  /// "TPR 38.5/120/24".
  private func tpr(at index: Int, in text: ScannedText) -> ([VitalSign], Int)? {
    guard text.words[index].hash == Self.tprWord else { return nil }
    var position = index + 1
    var signs: [VitalSign] = []
    for measure in [VitalMeasure.temperature, .heartRate, .respiratoryRate] {
      while position < text.words.count, text.words[position].kind == .symbol { position += 1 }
      guard let (quantity, end) = parser.quantity(at: position, in: text),
        let row = rows.first(where: { $0.measure == measure }),
        let (sign, _) = sign(row, quantity, from: position, at: position, to: end, in: text, isInRow: true)
      else { break }
      signs.append(sign)
      position = end
    }
    return signs.isEmpty ? nil : (signs, position)
  }

  /// "P 120 R 24" right behind a temperature or each other: alone, P is a plan and R a side.
  private func pulseOrRespiration(
    at index: Int, after last: VitalSign?, in text: ScannedText
  ) -> (VitalSign, Int)? {
    let word = text.words[index]
    let measure: VitalMeasure
    if word.hash == Self.pulseLetter {
      measure = .heartRate
    } else if word.hash == Self.respirationLetter {
      measure = .respiratoryRate
    } else {
      return nil
    }
    guard let last, Int(word.start) - last.range.upperBound <= 6, word.flags.contains(.upperCase),
      let row = rows.first(where: { $0.measure == measure })
    else { return nil }
    var position = index + 1
    while position < text.words.count, text.words[position].isFiller(.vitalfiller) { position += 1 }
    guard let (quantity, end) = parser.quantity(at: position, in: text) else { return nil }
    return sign(row, quantity, from: index, at: position, to: end, in: text)
  }

  // MARK: - Values

  private func sign(
    _ row: Row, _ quantity: Quantity, from start: Int, at number: Int, to end: Int, in text: ScannedText,
    isInRow: Bool = false
  ) -> (VitalSign, Int)? {
    var quantity = quantity
    var end = end
    if !quantity.unit.isEmpty, quantity.dimension != row.dimension {
      // "HR 140s", "T 38.5 d": the number counts, what follows is no unit of it.
      let plainEnd = plainNumberEnd(number, quantity, text)
      guard row.measure != .weight, plainEnd < end else { return nil }
      end = plainEnd
      quantity = Quantity(
        value: quantity.value, upper: quantity.upper, unit: "", dimension: "", comparison: quantity.comparison,
        range: text.byteRange(of: number..<end))
    }
    if quantity.unit.isEmpty {
      var unit = row.unit
      if let inferred = row.inferred, inferred.range.contains(quantity.value) { unit = inferred.unit }
      // A date or score is no value: "wt 12/03".
      if !isInRow, end < text.words.count, text.bytes[Int(text.words[end].start)] == 0x2F, !text.words[end].isSpaced,
        row.measure != .systolicPressure, row.measure != .heartRate, row.measure != .respiratoryRate
      {
        return nil
      }
      quantity = Quantity(
        value: quantity.value, upper: quantity.upper, unit: unit, dimension: row.dimension,
        comparison: quantity.comparison, range: quantity.range, isUnitInferred: true)
    }
    guard let value = parser.units.converted(quantity.value, from: quantity.unit) else { return nil }
    let upper = quantity.upper.flatMap { parser.units.converted($0, from: quantity.unit)?.value }
    return (
      VitalSign(
        measure: row.measure, value: value.value, upper: upper, unit: value.unit, original: quantity,
        range: text.byteRange(of: start..<end), isPlausible: row.plausible.contains(value.value)), end
    )
  }

  private func plainNumberEnd(_ start: Int, _ quantity: Quantity, _ text: ScannedText) -> Int {
    var end = parser.number(at: start, in: text)?.end ?? start + 1
    if quantity.upper != nil { end = parser.number(at: end + 1, in: text)?.end ?? end }
    return end
  }

  /// "5/9", "4-5/9", "3/5", "6" (of nine).
  private func score(
    _ row: Row, _ quantity: Quantity, from start: Int, at number: Int, in text: ScannedText
  ) -> (VitalSign, Int)? {
    var end = plainNumberEnd(number, quantity, text)
    var scale = 9.0
    if end + 1 < text.words.count, [0x2F, 0x6F].contains(text.bytes[Int(text.words[end].start)]),
      let below = parser.number(at: end + 1, in: text)
    {
      scale = below.value
      end = below.end
    }
    guard scale == 5 || scale == 9, quantity.value <= scale else { return nil }
    let unit = scale == 5 ? "/5" : "/9"
    let original = Quantity(
      value: quantity.value, upper: quantity.upper, unit: unit, dimension: "score",
      range: text.byteRange(of: number..<end))
    return (
      VitalSign(
        measure: .bodyCondition, value: quantity.value, upper: quantity.upper, unit: unit, original: original,
        range: text.byteRange(of: start..<end), isPlausible: quantity.value >= 1), end
    )
  }

  private func mentionsBreaths(_ range: Range<Int>, _ text: ScannedText) -> Bool {
    range.contains { Self.breaths.contains(text.words[$0].hash) }
  }

  private static let beats = Set(["bpm", "beats"].map { Spelling.hash($0) })
  private static let breaths = Set(["brpm", "breaths", "br"].map { Spelling.hash($0) })
  private static let times = Set(["x"].map { Spelling.hash($0) })
  private static let degrees = Set(["deg", "degrees"].map { Spelling.hash($0) })
  private static let tprWord = Spelling.hash("tpr")
  private static let pulseLetter = Spelling.hash("p")
  private static let respirationLetter = Spelling.hash("r")
}
