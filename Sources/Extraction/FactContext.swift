package import Clinical

/// What every reader of facts needs of a note.
package struct FactContext {
  package let assertions: AssertionContext
  let classifier: AssertionClassifier
  let kind: NoteKind

  package init(assertions: AssertionContext, classifier: AssertionClassifier, kind: NoteKind) {
    self.assertions = assertions
    self.classifier = classifier
    self.kind = kind
  }
  package var text: ScannedText { assertions.text }

  func assertion(of words: Range<Int>) -> Assertion { classifier.assertion(ofWords: words, in: assertions) }

  func string(_ words: Range<Int>) -> String {
    String(decoding: text.bytes[text.byteRange(of: words)], as: UTF8.self)
  }

  func string(bytes range: Range<Int>) -> String { String(decoding: text.bytes[range], as: UTF8.self) }

  func byte(_ index: Int) -> UInt8 {
    text.words.indices.contains(index) ? text.bytes[Int(text.words[index].start)] : 0
  }

  /// The phrase around a word: to the next comma, full stop, bracket or line end on both sides.
  func phrase(around words: Range<Int>) -> Range<Int> {
    let sentence = text.sentence(ofWord: words.lowerBound)
    var lower = words.lowerBound
    while lower > sentence.lowerBound, !ScannedText.isBorder(text.words[lower - 1]) { lower -= 1 }
    var upper = words.upperBound
    while upper < sentence.upperBound, !ScannedText.isBorder(text.words[upper]) { upper += 1 }
    return lower..<upper
  }

  /// The words of one line.
  func line(of word: Int) -> Range<Int> {
    var lower = word
    while lower > 0, text.words[lower - 1].kind != .lineBreak { lower -= 1 }
    var upper = word
    while upper < text.words.count, text.words[upper].kind != .lineBreak { upper += 1 }
    return lower..<max(lower, upper)
  }

  /// The date that begins at word `index`, and the word after it: "12/03/24", "8/3", "14 Feb 24", "Mar 2023", "2019".
  func date(at index: Int, months: WordClassSet) -> (words: Range<Int>, end: Int)? {
    let words = text.words
    guard index < words.count else { return nil }
    func isNumber(_ at: Int) -> Bool { at < words.count && words[at].kind == .number && words[at].byteCount <= 4 }
    func isMonth(_ at: Int) -> Bool {
      at < words.count && words[at].kind == .word && words[at].classes.isSuperset(of: months)
    }
    if isNumber(index) {
      if [0x2F, 0x2E].contains(byte(index + 1)), isNumber(index + 2), !words[index + 1].isSpaced {
        var end = index + 3
        if byte(end) == byte(index + 1), isNumber(end + 1), !words[end].isSpaced { end += 2 }
        return (index..<end, end)
      }
      var month = index + 1
      if month < words.count, ["st", "nd", "rd", "th"].contains(string(month..<(month + 1)).lowercased()) {
        month += 1
      }
      if isMonth(month) {
        let end = isNumber(month + 1) && !words[month + 1].flags.contains(.lineStart) ? month + 2 : month + 1
        return (index..<end, end)
      }
      if words[index].flags.contains(.year) { return (index..<(index + 1), index + 1) }
      return nil
    }
    guard isMonth(index) else { return nil }
    if isNumber(index + 1), !words[index + 1].flags.contains(.lineStart) { return (index..<(index + 2), index + 2) }
    return nil
  }
}
