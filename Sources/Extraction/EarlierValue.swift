/// A value that a note compares its own with: "106 g, was 92 last May", "crea 212 (prev 188)".
enum EarlierValue {
  /// Looks right behind a measurement.
  ///
  /// - Parameters:
  ///   - index: the word after the measurement and its unit.
  ///   - text: the note.
  ///   - parser: reads the number.
  /// - Returns: the words of the announcement with its number, those of the number alone, and the number.
  static func find(
    behind index: Int, of text: ScannedText, parser: QuantityParser
  ) -> (words: Range<Int>, number: Range<Int>, quantity: Quantity)? {
    var position = index
    let limit = min(text.words.count, index + 4)
    while position < limit, text.words[position].kind == .symbol, text.words[position].hash != Sign.lineBreak {
      position += 1
    }
    guard position > index, position < text.words.count else { return nil }
    let start = position
    if let bracketed = bracketed(at: position, of: text, parser: parser) { return bracketed }
    guard text.words[position].isOne(of: .announcing) else { return nil }
    position += 1
    while position < min(text.words.count, start + 4), fillers.contains(text.words[position].hash) { position += 1 }
    guard position < text.words.count, let (quantity, end) = parser.quantity(at: position, in: text),
      text.words[position].kind == .number, !isDate(end, text)
    else { return nil }
    return (start..<end, position..<end, quantity)
  }

  /// "241 g (168 in March)"
  private static func bracketed(
    at index: Int, of text: ScannedText, parser: QuantityParser
  ) -> (words: Range<Int>, number: Range<Int>, quantity: Quantity)? {
    guard text.bytes[Int(text.words[index - 1].start)] == 0x28, text.words[index].kind == .number,
      let (quantity, end) = parser.quantity(at: index, in: text), end < text.words.count,
      text.words[end].isOne(of: .dating)
    else { return nil }
    return (index..<end, index..<end, quantity)
  }

  /// "from 12/3": a date, not a value.
  private static func isDate(_ end: Int, _ text: ScannedText) -> Bool {
    end < text.words.count && text.bytes[Int(text.words[end].start)] == 0x2F && !text.words[end].isSpaced
  }

  private static let fillers = Set([".", ":", "from", "was", "at", "visit", "time", "wt"].map { Spelling.hash($0) })
}
