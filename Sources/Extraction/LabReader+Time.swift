import TextAnalysis

/// When a sample was taken, where a note says so between the name of a test and its value.
extension LabReader {
  /// Where such words end: "PCV at 13:00 38 %", "glucose at 10 am four hours fasted 2.3"; `index` where there are none.
  func timeEnd(at index: Int, in line: Range<Int>, _ context: FactContext) -> Int {
    var position = index
    while let end = hourEnd(at: position, in: line, context) ?? lengthEnd(at: position, in: line, context) {
      position = end
      while position < line.upperBound, context.text.words[position].isFiller(.labfiller) { position += 1 }
    }
    return position
  }

  /// "13:00" before a value, "10 am".
  private func hourEnd(at index: Int, in line: Range<Int>, _ context: FactContext) -> Int? {
    let words = context.text.words
    guard index + 1 < line.upperBound, words[index].kind == .number else { return nil }
    if Self.halves.contains(words[index + 1].hash) { return index + 2 }
    guard index + 3 < line.upperBound, context.byte(index + 1) == 0x3A, !words[index + 1].isSpaced,
      words[index + 2].kind == .number,
      words[index + 3].kind == .number || words[index + 3].isFiller(.labfiller)
    else { return nil }
    return index + 3
  }

  /// "Four hours fasted", "4 h post pill", "12h post dose": a length of time and what it is counted from.
  private func lengthEnd(at index: Int, in line: Range<Int>, _ context: FactContext) -> Int? {
    let words = context.text.words
    guard index + 2 < line.upperBound,
      words[index].kind == .number || Self.numerals.contains(words[index].hash),
      words[index + 1].isOne(of: .hour)
    else { return nil }
    var end = index + 2
    while end < line.upperBound, end < index + 5, words[end].isOne(of: .timed) { end += 1 }
    return end > index + 2 ? end : nil
  }

  private static func hashes(_ words: [String]) -> Set<UInt64> { Set(words.map { Spelling.hash($0) }) }

  private static let halves = hashes(["am", "pm", "a.m", "p.m"])
  private static let numerals = hashes(NumberWord.all + ["overnight"])
}
