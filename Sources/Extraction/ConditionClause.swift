/// Where a condition ends: "if you have a slot today, he collapsed" supposes a slot and no collapse.
///
/// What makes something hypothetical reaches to the end of its sentence. It ends before a main clause that tells what is so: one
/// with a subject of its own and a verb that is neither "would" or "may" nor an order. A condition about the writer, the reader or a
/// slot is a courtesy, and nothing in the main clause hangs on it; where it is about the patient ("if excited, he coughs"), or names
/// nobody, only what has happened or is happening is told as so.
enum ConditionClause {
  /// Verbs whose object may be a clause: "if you notice he limps".
  private static var perceiving: WordClassSet { .see.union(.thinks).union(.says) }

  /// Whether the words at `target` are told as so in a main clause behind the condition that `cue` opens.
  ///
  /// - Complexity: O(words between the two).
  static func ends(_ cue: Range<Int>, before target: Range<Int>, in text: ScannedText) -> Bool {
    let opening = text.words[cue.lowerBound]
    guard opening.isOne(of: .conditional) || opening.isOne(of: .cuestart) else { return false }
    var condition: Party?
    for index in cue where condition == nil { condition = pronoun(at: index, text) }
    // Behind "if he" the condition's verb is still to come.
    if isCourtesy(cue, before: target, text) || isComparison(cue, text) { return true }
    var words = 0
    var main: Int?
    for index in cue.upperBound..<target.upperBound {
      let word = text.words[index]
      if word.kind == .symbol { continue }
      let isMarked = isBehindMark(index, text)
      if isMarked || words > 0 && !isObject(at: index, text) {
        if beginsMain(at: index, isMarked: isMarked, condition, to: target, text) {
          main = index
          if isMarked { break }
        }
      }
      if main == nil, condition == nil {
        condition = pronoun(at: index, text) ?? (word.kind == .word ? Party.nobody : nil)
      }
      words += 1
    }
    guard let main else { return false }
    return isTold(from: main, to: target, under: condition ?? .nobody, text)
  }

  /// "If somebody could see us, breath smells of pear drops", "whenever suits, stiff and shaking": whoever is free or has a slot, what
  /// stands behind the comma is told.
  private static func isCourtesy(_ cue: Range<Int>, before target: Range<Int>, _ text: ScannedText) -> Bool {
    guard
      let end = (cue.lowerBound...target.lowerBound).first(where: { $0 >= cue.upperBound && text.isPhraseStart($0) })
    else { return false }
    let clause = Array(cue.lowerBound..<end)
    guard
      !clause.contains(where: { text.words[$0].isOne(of: .thirdperson) && !it.contains(text.words[$0].hash) })
    else { return false }
    return clause.contains { index in
      let word = text.words[index]
      if word.isOne(of: .suiting) { return clause.count <= shortClause }
      guard word.isOne(of: .anybody), !word.isOne(of: .existing) else { return false }
      return word.isOne(of: .youhave) || index + 1 < end && text.words[index + 1].isOne(of: .available)
    }
  }

  /// Words of a condition of nobody, with its mark: "if at all possible,".
  private static let shortClause = 5

  /// "About as long as my finger": how long something is, and no condition.
  private static func isComparison(_ cue: Range<Int>, _ text: ScannedText) -> Bool {
    guard cue.count == 3, text.words[cue.lowerBound].hash == Self.as, text.words[cue.upperBound - 1].hash == Self.as,
      cue.upperBound < text.words.count
    else { return false }
    if cue.lowerBound > 0, text.words[cue.lowerBound - 1].isOne(of: .roughly) { return true }
    let end = (cue.upperBound..<text.words.count).first { index in
      text.words[index].kind != .word || text.words[index].classes.isSuperset(of: .joint)
    }
    // "As long as a pencil": a thing, and nothing that it does.
    return (end ?? text.words.count) - cue.upperBound == 2
      && (text.words[cue.upperBound].isOne(of: .determiner) || text.words[cue.upperBound].hash == a)
  }

  /// Whether something of its own is joined on between the words at `target` and the cue behind them: "pale gums, plus Thursday
  /// would be ideal", "maggots and she's due in so maybe someone could".
  ///
  /// - Complexity: O(words between the two).
  static func isPartedByJoint(_ target: Range<Int>, from cue: Range<Int>, in text: ScannedText) -> Bool {
    (target.upperBound..<max(target.upperBound, cue.lowerBound)).contains { index in
      let word = text.words[index]
      if word.hash == plus { return text.words[index - 1].kind != .number }
      guard word.classes.isSuperset(of: .joint), index + 1 < cue.lowerBound else { return false }
      let next = text.words[index + 1]
      return next.isOne(of: .anybody) || next.isOne(of: .thirdperson) && !it.contains(next.hash)
    }
  }

  /// Whom a condition is about.
  private enum Party { case patient, other, nobody }

  private static func pronoun(at index: Int, _ text: ScannedText) -> Party? {
    let word = text.words[index]
    if word.isOne(of: .thirdperson) { return .patient }
    if word.isOne(of: .anybody) { return .other }
    return word.isOne(of: .suiting) ? .nobody : nil
  }

  /// Whether a clause of its own can begin here: with "he", "the dog", "my cat", "his gums", or behind a mark with a verb of the
  /// past ("collapsed") or the animal ("dog fitting").
  private static func beginsMain(
    at index: Int, isMarked: Bool, _ condition: Party?, to target: Range<Int>, _ text: ScannedText
  ) -> Bool {
    let word = text.words[index]
    if word.isOne(of: .thirdperson) { return !it.contains(word.hash) || isMarked }
    if index + 1 < text.words.count, word.isOne(of: .determiner) {
      let next = text.words[index + 1]
      if next.classes.isSuperset(of: .animal) { return true }
      if isMarked { return next.kind == .word }
    }
    return isMarked && condition == .other
      && (word.classes.isSuperset(of: .past) || word.classes.isSuperset(of: .animal))
  }

  private static func isBehindMark(_ index: Int, _ text: ScannedText) -> Bool {
    guard index > 0 else { return false }
    // "Should I be worried that her gums are white": what one is worried about is so.
    if index > 1, text.words[index - 1].hash == that, text.words[index - 2].isOne(of: .concern) {
      return true
    }
    return text.isPhraseStart(index)
      || text.words[index - 1].classes.isSuperset(of: .joint)
        && text.words[index - 1].hash != because && index > 1 && text.isPhraseStart(index - 1)
  }

  /// "If you notice he limps", "if I find that she has": the clause is what is noticed.
  private static func isObject(at index: Int, _ text: ScannedText) -> Bool {
    guard index > 0 else { return false }
    let before = text.words[index - 1]
    return !before.classes.isDisjoint(with: perceiving) || before.isOne(of: .subordinating)
      || !before.classes.isDisjoint(with: .joint)
  }

  private static func isTold(from main: Int, to target: Range<Int>, under condition: Party, _ text: ScannedText) -> Bool
  {
    if (main..<max(main, target.lowerBound)).contains(where: {
      text.words[$0].isOne(of: .unreal) && !isDenied($0, text)
    }) {
      return false
    }
    if condition == .other { return true }
    let end = text.phraseEnd(from: target.upperBound, before: text.sentence(ofWord: main).upperBound)
    return (main..<end).contains { index in
      let word = text.words[index]
      return word.isOne(of: .ongoing) || word.isOne(of: .able) && isDenied(index, text)
        || word.classes.isSuperset(of: .past)
        || endings.contains { text.bytes[word.range].suffix($0.count).elementsEqual($0) }
    }
  }

  /// "Won't stop", "can't stand".
  private static func isDenied(_ index: Int, _ text: ScannedText) -> Bool {
    index + 1 < text.words.count && text.words[index + 1].hash == Spelling.not
  }

  private static func hashes(_ words: [String]) -> Set<UInt64> { Set(words.map { Spelling.hash($0) }) }

  /// "He collapsed", "she keeps retching".
  private static let endings = [Array("ed".utf8), Array("ing".utf8)]
  private static let `as` = Spelling.hash("as")
  private static let a = Spelling.hash("a")
  private static let plus = Spelling.hash("plus")
  private static let that = Spelling.hash("that")
  private static let because = Spelling.hash("because")
  private static let it = hashes(["it", "its"])
}
