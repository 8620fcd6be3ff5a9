/// Tests that answer positive or negative.
extension LabReader {
  func result(of analyte: Analyte, at name: Range<Int>, _ context: FactContext) -> [Fact] {
    let text = context.text
    let sentence = text.sentence(ofWord: name.lowerBound)
    let limit = min(sentence.upperBound, name.upperBound + 12)
    var end = name.upperBound
    while end < limit, ![0x3B, 0x2E].contains(context.byte(end)) { end += 1 }
    let assertion = context.assertion(of: name)
    // "Positive for FIV, negative for FeLV": what is told *for* a name is told of no name before it.
    let hit = phrases.hits(in: name.upperBound..<end, of: text, axes: .result).first.flatMap {
      text.words.indices.contains($0.words.upperBound) && text.words[$0.words.upperBound].hash == Self.toward ? nil : $0
    }
    var value = hit?.result
    // "negative for FIV" says it before the name.
    if value == nil, assertion.cues.contains(where: { $0.rule == "negative-for" }) { value = .negative }
    if value == nil, assertion.cues.contains(where: { $0.rule == "confirmed" }) { value = .positive }
    guard let value else { return [] }
    return [
      Fact(
        .lab(LabResult(result: value)), name: analyte.name, range: text.byteRange(of: name),
        valueRange: hit.map { text.byteRange(of: $0.words) }, assertion: assertion)
    ]
  }
}

extension LabReader {
  private static let toward = Spelling.hash("for")
}
