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

  /// Grams and ounces without a word of weight are the animal's only where they open a sentence and stand alone:
  /// "106 g, was 92 last May".
  func isOpening(_ range: Range<Int>, _ quantity: Quantity, _ text: ScannedText) -> Bool {
    guard (quantity.unit == "g" && quantity.value >= 5) || (quantity.unit == "oz" && quantity.value >= 1) else {
      return false
    }
    var first = text.sentence(ofWord: range.lowerBound).lowerBound
    while first < range.lowerBound, text.words[first].kind != .word, text.words[first].kind != .number { first += 1 }
    // "Hamster 92 g": named, not told of.
    if first < range.lowerBound, text.words[first].classes.isSuperset(of: classes.animal) { first += 1 }
    var end = range.upperBound
    if end < text.words.count, Self.moments.contains(text.words[end].hash) { end += 1 }
    return first == range.lowerBound && text.isPhraseEnd(end)
  }

  func isBodyWeight(_ row: Row, _ start: Int, _ end: Int, _ text: ScannedText) -> Bool {
    for index in max(0, start - 2)..<start where row.notAfter.contains(text.words[index].hash) { return false }
    if start > 0, [0x2F, 0x78, 0x2B].contains(text.bytes[Int(text.words[start - 1].start)]),
      text.words[start - 1].byteCount == 1
    {
      return false
    }
    guard end < text.words.count else { return true }
    return !row.notBefore.contains(text.words[end].hash) && text.bytes[Int(text.words[end].start)] != 0x2F
  }
}
