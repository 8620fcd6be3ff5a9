import Clinical

/// Reference ranges beside a value.
extension LabReader {
  /// "(10-125)", "10 - 125", "[<350]", "(normal < 5.5)".
  func reference(
    at index: Int, isFirst: Bool, in line: Range<Int>, _ context: FactContext
  ) -> (low: Double?, high: Double?, end: Int)? {
    let text = context.text
    guard !isFirst else { return nil }
    var position = index
    let opens = [0x28, 0x5B].contains(context.byte(position))
    if opens { position += 1 }
    while position < line.upperBound, text.words[position].isOne(of: .reference) { position += 1 }
    guard position < line.upperBound else { return nil }
    let sign = context.byte(position)
    if sign == 0x3C || sign == 0x3E, let (value, end) = parser.number(at: position + 1, in: text) {
      let close = closing(from: end, opens, line, context)
      return sign == 0x3C ? (nil, value, close) : (value, nil, close)
    }
    guard let (low, afterLow) = parser.number(at: position, in: text), afterLow + 1 < line.upperBound,
      Self.dashes.contains(text.words[afterLow].hash), let (high, end) = parser.number(at: afterLow + 1, in: text),
      high >= low
    else { return nil }
    return (low, high, closing(from: end, opens, line, context))
  }

  private func closing(from index: Int, _ opens: Bool, _ line: Range<Int>, _ context: FactContext) -> Int {
    guard opens else { return index }
    var position = index
    while position < min(line.upperBound, index + 8) {
      if [0x29, 0x5D].contains(context.byte(position)) { return position + 1 }
      position += 1
    }
    return index
  }

  private static let dashes: Set<UInt64> = [Sign.dash, FNV1a.hash([0x2D]), Spelling.hash("to")]
}
