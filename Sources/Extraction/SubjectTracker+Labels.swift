import Clinical

/// Animals that a note tells apart by a letter, a number or a name: "Dog A fitting. Dog B = this pt", "Bertha is diabetic. Blodwen
/// (here today) is not".
extension SubjectTracker {
  struct Labels: Sendable {
    /// The letter or number of the patient; nil where no animal with one is said to be the patient.
    var own: UInt64?
    /// The names that brackets say to be the patient's.
    var names: Set<UInt64> = []
    /// All letters and numbers of animals that the note has.
    var keys: Set<UInt64> = []
    /// The one that the first sentence names, if it names one.
    var first: UInt64?
  }

  /// Whether the note points at its patient among several: "this one", "this pup", "this pt".
  var namesThis: Bool {
    text.words.indices.dropLast().contains { index in
      guard text.words[index].hash == Self.this else { return false }
      let next = text.words[index + 1]
      return next.hash == Self.one || !next.classes.isDisjoint(with: .creature.union(.this))
    }
  }

  func readLabels() -> Labels {
    var labels = Labels()
    for index in text.words.indices {
      if let (range, key) = label(at: index) {
        if labels.keys.isEmpty, text.sentences.first?.contains(index) ?? false { labels.first = key }
        labels.keys.insert(key)
        if isMarked(behind: range.upperBound) { labels.own = key }
      } else if isName(index), !endsLabel(index), isMarked(behind: index + 1, inBrackets: true) {
        labels.names.insert(text.words[index].hash)
      }
    }
    return labels
  }

  /// The animal with a letter, number or name of its own that begins at a word, and whether it is another than the patient; nil
  /// where there is none or nothing tells.
  func labelled(at index: Int, _ sentence: Range<Int>) -> (Range<Int>, isOther: Bool)? {
    if let (range, key) = label(at: index) {
      if let own = labels.own { return (range, key != own) }
      // "Dog B" beside "this pup" is another; one letter alone in a note is no label that tells animals apart.
      if !labels.names.isEmpty || hasThis && labels.keys.count > 1 { return (range, true) }
      // "Cow 112 down. Cow 98 had milk fever on Monday and is well".
      if labels.keys.count == 2, let first = labels.first, key != first, range.upperBound < sentence.upperBound,
        text.words[range.upperBound].classes.isSuperset(of: .past)
      {
        return (range, true)
      }
      // "Dog #2 licked it too": who is counted second in a note is not its patient.
      let isCounted = text.words[range.upperBound - 2].kind == .symbol && key != Self.number1
      // "Foster here, kitten #3 has goopy eyes": nobody was counted before it.
      let isFirst = sentence == text.sentences.first && labels.keys.count == 1
      let isToo = sentence.contains { text.words[$0].isOne(of: .addition) }
      return isCounted && (isToo || !isFirst) ? (range, true) : nil
    }
    guard !labels.names.isEmpty, isName(index) else { return nil }
    if labels.names.contains(text.words[index].hash) { return (index..<(index + 1), false) }
    guard index + 1 < sentence.upperBound, !text.words[index + 1].classes.isDisjoint(with: .state) else {
      return nil
    }
    return (index..<(index + 1), true)
  }

  /// "Dog A", "kitten 3", "dog #2".
  private func label(at index: Int) -> (Range<Int>, key: UInt64)? {
    guard index + 1 < text.words.count, !text.words[index].classes.isDisjoint(with: .creature) else {
      return nil
    }
    var place = index + 1
    let isCounted = text.words[place].kind == .symbol && text.bytes[Int(text.words[place].start)] == UInt8(ascii: "#")
    if isCounted { place += 1 }
    guard place < text.words.count else { return nil }
    let word = text.words[place]
    let isAge = place + 1 < text.words.count && text.words[place + 1].isOne(of: .counted)
    if word.kind == .number, word.byteCount <= 2, isCounted || isLabelEnd(place + 1) || isLongWord(place + 1) && !isAge
    {
      return (index..<(place + 1), word.hash)
    }
    let isLetter =
      word.kind == .word && word.byteCount == 1 && word.flags.contains(.upperCase) && !word.isOne(of: .letter)
    let isLabel = isLabelEnd(place + 1) || isLongWord(place + 1) && !isSided(place)
    return isLetter && isLabel ? (index..<(place + 1), word.hash) : nil
  }

  /// A border, a bracket, an equals sign or a state follows: no age or unit ("dog 9 years", "cat 5 kg"), and no "V+".
  private func isLabelEnd(_ index: Int) -> Bool {
    guard index < text.words.count else { return true }
    let word = text.words[index]
    let sign = text.bytes[Int(word.start)]
    return ScannedText.isBorder(word) || sign == UInt8(ascii: "(") || sign == UInt8(ascii: ")")
      || sign == UInt8(ascii: "=") || !word.classes.isDisjoint(with: .state)
  }

  private func isLongWord(_ index: Int) -> Bool {
    index < text.words.count && text.words[index].kind == .word && text.words[index].byteCount > 3
  }

  /// A subject with the brackets right behind it, where those are short: "Dog A (beagle)", "housemate (Westie)".
  func withBrackets(_ subject: Range<Int>, _ sentence: Range<Int>) -> Range<Int> {
    guard subject.upperBound < sentence.upperBound,
      text.bytes[Int(text.words[subject.upperBound].start)] == UInt8(ascii: "(")
    else { return subject }
    for place
      in (subject.upperBound + 1)..<max(subject.upperBound + 1, min(sentence.upperBound, subject.upperBound + 5))
    {
      if text.bytes[Int(text.words[place].start)] == UInt8(ascii: ")") { return subject.lowerBound..<(place + 1) }
    }
    return subject
  }

  private func isSided(_ index: Int) -> Bool { Self.sides.contains(text.words[index].hash) }

  /// "(this one)", "= this pt", "(here today)" right behind a label.
  func isMarked(behind index: Int, inBrackets: Bool = false) -> Bool {
    guard index + 1 < text.words.count else { return false }
    let sign = text.bytes[Int(text.words[index].start)]
    guard sign == UInt8(ascii: "(") || !inBrackets && sign == UInt8(ascii: "=") else { return false }
    for place in (index + 1)..<min(text.words.count, index + 5) {
      let word = text.words[place]
      if ScannedText.isBorder(word) { return false }
      if word.classes.isSuperset(of: .this) || word.hash == Self.here { return true }
    }
    return false
  }

  /// The "B" of "dog B" is no name.
  private func endsLabel(_ index: Int) -> Bool { index > 0 && label(at: index - 1) != nil }

  private static let this = Spelling.hash("this")
  private static let one = Spelling.hash("one")
  private static let here = Spelling.hash("here")
  private static let number1 = FNV1a.hash([0x31])
  private static let sides = Set(["l", "r"].map { Spelling.hash($0) })
}
