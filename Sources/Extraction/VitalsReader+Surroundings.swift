/// What stands around a number and makes it another thing's: a ration, an enclosure, a change.
extension VitalsReader {
  func word(_ index: Int, _ text: ScannedText) -> Word? {
    text.words.indices.contains(index) ? text.words[index] : nil
  }

  /// "Reg no. T2130328L": digits between letters, without a space on either side, are the middle of a code.
  func isCode(letters: Range<Int>, number: Int, end: Int, _ text: ScannedText) -> Bool {
    guard letters.count == 1, number == letters.upperBound, end < text.words.count else { return false }
    return text.words[letters.lowerBound].byteCount == 1 && !text.words[number].isSpaced
      && text.words[end].kind == .word && !text.words[end].isSpaced
  }

  private static let moments = Set(["today", "now", "only", "again"].map { Spelling.hash($0) })

  /// Whether one of `words` stands within a few words of the number, in its sentence.
  func isNear(_ words: Set<UInt64>, _ range: Range<Int>, _ text: ScannedText) -> Bool {
    if words.isEmpty { return false }
    let sentence = text.sentence(ofWord: range.lowerBound)
    let lower = max(sentence.lowerBound, range.lowerBound - 6)
    let upper = min(sentence.upperBound, range.upperBound + 5)
    return (lower..<range.lowerBound).contains { words.contains(text.words[$0].hash) }
      || (range.upperBound..<max(range.upperBound, upper)).contains { words.contains(text.words[$0].hash) }
  }

  /// "Weight down to 0.98 kg": where the words for the way to a value end; nil where they tell of a change, or of what is hoped for.
  func directionEnd(at index: Int, of row: Row, from cue: Int, _ text: ScannedText) -> Int? {
    guard row.measure == .weight, let way = word(index, text), way.isOne(of: .course),
      let to = word(index + 1, text), to.hash == Self.to,
      !(max(0, cue - 3)..<cue).contains(where: {
        row.strangers.before.contains(text.words[$0].hash) || text.words[$0].isOne(of: .aim)
      })
    else { return nil }
    return index + 2
  }

  private static let to = Spelling.hash("to")

  /// "Wt on the table scale 6.35": where the words for what it was weighed on end.
  func scalesEnd(at index: Int, of row: Row, _ text: ScannedText) -> Int? {
    guard row.measure == .weight, let first = word(index, text), first.isOne(of: .weighedon) else { return nil }
    let near = index + 1..<max(index + 1, min(index + 5, text.words.count))
    let scale = near.first { text.words[$0].isOne(of: .scale) || text.words[$0].kind != .word }
    return scale.flatMap { text.words[$0].isOne(of: .scale) ? $0 + 1 : nil }
  }

  /// "A budget of 300 pounds", "£40": pounds in full beside a word for money are none of weight.
  func isMoney(_ row: Row, _ range: Range<Int>, _ text: ScannedText) -> Bool {
    Self.pounds.contains(text.words[range.upperBound - 1].hash) && isNear(row.strangers.money, range, text)
  }

  private static let pounds = Set(["pound", "pounds"].map { Spelling.hash($0) })

  /// Grams and ounces without a word of weight are the animal's only where they open a sentence and stand alone, or
  /// follow another measured value: "106 g, was 92 last May", "BCS 3/5, 441 g."
  func isOpening(_ range: Range<Int>, _ quantity: Quantity, after last: VitalSign?, _ text: ScannedText) -> Bool {
    guard (quantity.unit == "g" && quantity.value >= 5) || (quantity.unit == "oz" && quantity.value >= 1) else {
      return false
    }
    if let last, last.measure != .weight, text.isPhraseEnd(range.upperBound),
      (0...2).contains(Int(text.words[range.lowerBound].start) - last.range.upperBound)
    {
      return true
    }
    var first = text.sentence(ofWord: range.lowerBound).lowerBound
    while first < range.lowerBound, text.words[first].kind != .word, text.words[first].kind != .number { first += 1 }
    // "Hamster 92 g": named, not told of.
    if first < range.lowerBound, text.words[first].classes.isSuperset(of: .animal) { first += 1 }
    var end = range.upperBound
    if end < text.words.count, Self.moments.contains(text.words[end].hash) { end += 1 }
    return first == range.lowerBound && text.isPhraseEnd(end)
  }

  func isBodyWeight(_ row: Row, _ start: Int, _ end: Int, _ text: ScannedText) -> Bool {
    for index in max(0, start - 2)..<start where row.strangers.before.contains(text.words[index].hash) { return false }
    if start > 0, [0x2F, 0x78, 0x2B].contains(text.bytes[Int(text.words[start - 1].start)]),
      text.words[start - 1].byteCount == 1
    {
      return false
    }
    guard end < text.words.count else { return true }
    return !row.strangers.behind.contains(text.words[end].hash) && text.bytes[Int(text.words[end].start)] != 0x2F
  }
}
