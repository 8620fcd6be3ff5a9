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
    guard openings.contains(text.words[cue.lowerBound].hash) else { return false }
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
      !clause.contains(where: { patients.contains(text.words[$0].hash) && !it.contains(text.words[$0].hash) })
    else { return false }
    return clause.contains { index in
      let word = text.words[index].hash
      if bare.contains(word) { return clause.count <= shortClause }
      guard others.contains(word), !things.contains(word) else { return false }
      return joined.contains(word) || index + 1 < end && available.contains(text.words[index + 1].hash)
    }
  }

  /// Words of a condition of nobody, with its mark: "if at all possible,".
  private static let shortClause = 5

  /// "About as long as my finger": how long something is, and no condition.
  private static func isComparison(_ cue: Range<Int>, _ text: ScannedText) -> Bool {
    guard cue.count == 3, text.words[cue.lowerBound].hash == Self.as, text.words[cue.upperBound - 1].hash == Self.as,
      cue.upperBound < text.words.count
    else { return false }
    if cue.lowerBound > 0, roughly.contains(text.words[cue.lowerBound - 1].hash) { return true }
    let end = (cue.upperBound..<text.words.count).first { index in
      text.words[index].kind != .word || text.words[index].classes.isSuperset(of: .joint)
    }
    // "As long as a pencil": a thing, and nothing that it does.
    return (end ?? text.words.count) - cue.upperBound == 2
      && (owning.contains(text.words[cue.upperBound].hash) || text.words[cue.upperBound].hash == a)
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
      let next = text.words[index + 1].hash
      return others.contains(next) || patients.contains(next) && !it.contains(next)
    }
  }

  /// Whom a condition is about.
  private enum Party { case patient, other, nobody }

  private static func pronoun(at index: Int, _ text: ScannedText) -> Party? {
    let word = text.words[index]
    if patients.contains(word.hash) { return .patient }
    if others.contains(word.hash) { return .other }
    return bare.contains(word.hash) ? .nobody : nil
  }

  /// Whether a clause of its own can begin here: with "he", "the dog", "my cat", "his gums", or behind a mark with a verb of the
  /// past ("collapsed") or the animal ("dog fitting").
  private static func beginsMain(
    at index: Int, isMarked: Bool, _ condition: Party?, to target: Range<Int>, _ text: ScannedText
  ) -> Bool {
    let word = text.words[index]
    if patients.contains(word.hash) { return !it.contains(word.hash) || isMarked }
    if index + 1 < text.words.count, owning.contains(word.hash) {
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
    if index > 1, text.words[index - 1].hash == that, concerned.contains(text.words[index - 2].hash) {
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
    return !before.classes.isDisjoint(with: perceiving) || subordinating.contains(before.hash)
      || !before.classes.isDisjoint(with: .joint)
  }

  private static func isTold(from main: Int, to target: Range<Int>, under condition: Party, _ text: ScannedText) -> Bool
  {
    if (main..<max(main, target.lowerBound)).contains(where: {
      unreal.contains(text.words[$0].hash) && !isDenied($0, text)
    }) {
      return false
    }
    if condition == .other { return true }
    let end = text.phraseEnd(from: target.upperBound, before: text.sentence(ofWord: main).upperBound)
    return (main..<end).contains { index in
      let word = text.words[index]
      return happening.contains(word.hash) || failing.contains(word.hash) && isDenied(index, text)
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
  private static let roughly = hashes(["about", "almost", "nearly", "roughly", "maybe", "probably", "easily"])
  private static let plus = Spelling.hash("plus")
  private static let that = Spelling.hash("that")
  private static let concerned = hashes([
    "worried", "concerned", "normal", "ok", "okay", "bad", "serious", "usual", "dangerous",
  ])
  private static let because = Spelling.hash("because")
  /// What opens a condition.
  private static let openings = hashes([
    "if", "unless", "whenever", "when", "should", "provided", "in", "as", "just", "only", "and", "or", "but", "once",
  ])
  private static let it = hashes(["it", "its"])
  private static let patients = hashes(["he", "she", "it", "they", "hes", "shes", "theyre", "theyve"])
  private static let others = hashes([
    "you", "we", "i", "youre", "youve", "weve", "im", "ive", "there", "theres", "anyone", "anybody", "someone",
    "somebody", "anything", "something", "everyone", "nobody", "your",
  ])
  /// With their verb in one word: "if you've a gap".
  private static let joined = hashes(["youre", "youve", "weve"])
  /// "Should there be vomiting": of no person.
  private static let things = hashes(["there", "theres", "anything", "something", "your"])
  /// Whoever is, has or can: not what they see, give or forget.
  private static let available = hashes([
    "have", "has", "had", "are", "is", "be", "can", "could", "might", "get", "got",
  ])
  /// "If possible", "whenever suits": of nobody.
  private static let bare = hashes([
    "possible", "poss", "convenient", "suits", "ok", "okay", "alright", "available", "free",
  ])
  private static let owning = hashes(["the", "my", "our", "his", "her", "their", "its"])
  private static let subordinating = hashes([
    "if", "that", "whether", "when", "while", "since", "after", "before", "until", "where", "who", "why", "how", "what",
    "know", "read", "heard", "sure", "hope", "afraid", "case", "is", "was", "than", "to", "for", "of",
    "at", "on", "with", "from", "by", "and", "or", "do", "does", "did", "has", "had", "have", "can", "could", "would",
  ])
  private static let unreal = hashes([
    "may", "might", "could", "will", "would", "should", "must", "shall", "hell", "shell", "itll", "theyll", "to",
    "needs",
    "likely",
  ])
  /// With these a verb tells what is going on or has happened, not what does whenever something else does.
  private static let happening = hashes([
    "is", "are", "has", "have", "hes", "shes", "theyre", "theyve", "keeps", "now", "been",
  ])
  private static let failing = hashes(["can", "will"])
}
