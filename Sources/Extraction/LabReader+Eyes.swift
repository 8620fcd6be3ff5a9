/// Tests that have a value for each eye.
extension LabReader {
  /// "IOP 16 / 17", "STT 13/10": both eyes, which first is not written.
  private func pairedValues(
    of analyte: Analyte, at name: Range<Int>, line: Range<Int>, _ context: FactContext
  ) -> [Fact]? {
    let text = context.text
    var position = name.upperBound
    while position < line.upperBound, text.words[position].kind == .symbol { position += 1 }
    guard position + 2 < line.upperBound, context.byte(position + 1) == 0x2F,
      let (first, _) = parser.number(at: position, in: text),
      let (second, end) = parser.number(at: position + 2, in: text),
      analyte.possible.contains(first), analyte.possible.contains(second), context.byte(end) != 0x2F
    else { return nil }
    let facts = [(first, position), (second, position + 2)].enumerated().compactMap { column, value -> Fact? in
      let words = value.1..<(value.1 + 1)
      let quantity = Quantity(value: value.0, unit: "", dimension: "", range: text.byteRange(of: words))
      let cell = Cell(quantity: quantity, words: words)
      guard let amount = amount(of: analyte, cell, unit: "", context) else { return nil }
      var result = LabResult(amount: amount)
      result.column = column + 1
      return fact(of: analyte, result, cell, name: name, context)
    }
    return facts.count == 2 ? facts : nil
  }

  /// "STT OD 13, OS 16", "IOP R 14 L 15": a value for each eye.
  ///
  /// - Returns: nil when fewer than two sides have one; then the ordinary reading applies.
  func sidedValues(
    of analyte: Analyte, at name: Range<Int>, line: Range<Int>, _ context: FactContext
  ) -> [Fact]? {
    guard ["mm", "mmHg"].contains(analyte.unit) else { return nil }
    let text = context.text
    if let pair = pairedValues(of: analyte, at: name, line: line, context) { return pair }
    var facts: [Fact] = []
    var side: Laterality?
    var position = name.upperBound
    while position < min(line.upperBound, name.upperBound + 16) {
      if let hit = phrases.hits(in: position..<min(line.upperBound, position + 2), of: text, axes: .side).first,
        hit.words.lowerBound == position
      {
        side = hit.side
        position = hit.words.upperBound
      } else if let named = side, let (value, afterNumber) = parser.number(at: position, in: text) {
        // "R 14 L 15": the L is a side, no litre.
        let written = parser.units.unit(at: afterNumber, in: text).flatMap { $0.unit.name == analyte.unit ? $0 : nil }
        let end = written?.end ?? afterNumber
        let quantity = Quantity(
          value: value, unit: written?.unit.name ?? "", dimension: written?.unit.dimension ?? "",
          range: text.byteRange(of: position..<end))
        let cell = Cell(quantity: quantity, words: position..<end)
        if let amount = amount(of: analyte, cell, unit: quantity.unit, context) {
          var result = LabResult(amount: amount)
          result.side = named
          facts.append(fact(of: analyte, result, cell, name: name, context))
        }
        side = nil
        position = end
      } else if text.words[position].kind == .symbol || text.words[position].isFiller(.labfiller) {
        position += 1
      } else {
        break
      }
    }
    return facts.count > 1 ? facts : nil
  }
}
