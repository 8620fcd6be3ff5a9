/// Whether a clause tells a past event, by its finite verb: "my friend's cat was poorly on it" and not "the housemate is fine".
enum ClauseTense {
  /// People's illnesses go on though they are told in the past: "O was coughing all through the consult".
  private static var people: WordClassSet { .somebody.union(.people).union(.first) }
  private static var creatures: WordClassSet { .creature.union(.relative).union(.group) }

  /// Whether what is said of another animal is over: its last finite verb before the target's end is one of the past, or it died.
  ///
  /// "Has been coughing" goes on, and behind "may" or "to" nothing has happened at all.
  ///
  /// - Parameters:
  ///   - subject: the words that name whose story it is; the verb may be among them ("brother had").
  ///   - target: what is asked about; it may hold the verb ("was [run over]", "they [cleared]").
  ///   - text: the words.
  /// - Returns: false for people, and where no verb tells.
  static func isPast(from subject: Range<Int>, to target: Range<Int>, in text: ScannedText) -> Bool {
    guard subject.lowerBound < target.upperBound, !isPerson(subject, text) else { return false }
    var isPast = false
    var index = subject.lowerBound
    while index < target.upperBound {
      let word = text.words[index]
      let before = index > 0 ? text.words[index - 1].classes : []
      index += 1
      guard word.kind == .word else { continue }
      if word.isOne(of: .ongoing) || unreal.contains(word.hash) {
        isPast = false
        // The participle belongs to its helping verb: "is treated", "has died", "may have had".
        while index < target.upperBound, text.words[index].classes.isSuperset(of: .past) { index += 1 }
      } else if word.classes.isSuperset(of: .past) {
        // Within the target a participle is no verb ("a [fractured pelvis]"), unless a pronoun or the animal itself stands before
        // it: "his brother [died under GA]", "our old dog [ruptured her spleen]".
        let isVerb = !before.isDisjoint(with: .pronoun) || index - 1 == verb(of: target, text)
        if index <= target.lowerBound || isVerb { isPast = true }
      }
    }
    return isPast
  }

  /// "Dam was Johne's positive", "the neighbour's cat tested rabies +": what a test found of an animal is so of it still.
  static func isResult(_ target: Range<Int>, _ text: ScannedText) -> Bool {
    let behind = target.upperBound < text.words.count && results.contains(text.words[target.upperBound].hash)
    // "Companion tested neg for E. cuniculi"
    let before = target.lowerBound - 2
    return behind
      || before >= 0 && text.words[before + 1].hash == Self.for && results.contains(text.words[before].hash)
  }

  private static let `for` = Spelling.hash("for")
  private static let results = Set(["positive", "pos", "negative", "neg"].map { Spelling.hash($0) } + [Sign.plus])

  /// Whether between a subject and the target it says that the subject died: nothing about it is of today.
  static func isDead(from subject: Range<Int>, to target: Range<Int>, in text: ScannedText) -> Bool {
    guard subject.lowerBound < target.lowerBound else { return false }
    // "Her brother [died]" tells what happened, "one pup [dead]" what is found.
    if let verb = verb(of: target, text), text.words[verb].isOne(of: .dead) {
      return text.words[verb].hash != found
    }
    return (subject.lowerBound..<target.lowerBound).contains { text.words[$0].isOne(of: .dead) }
  }

  /// The first word of what an animal did or what befell it, where the target is that and the animal stands right before it: with an
  /// object or a circumstance ("dog [ruptured her spleen]"), or a word of dying. A lone participle may be a state ("littermates
  /// [infected]").
  private static func verb(of target: Range<Int>, _ text: ScannedText) -> Int? {
    var before = target.lowerBound - 1
    while before >= 0, text.words[before].isOne(of: .adverb) { before -= 1 }
    var verb = target.lowerBound
    while verb + 1 < target.upperBound, text.words[verb].isOne(of: .adverb) { verb += 1 }
    guard before >= 0, !text.words[before].classes.isDisjoint(with: creatures), !text.isPossessive(before),
      target.upperBound > verb + 1 || text.words[verb].isOne(of: .dead)
    else { return nil }
    return verb
  }

  /// "My friend's cat" is no person: the last noun that owns nothing tells whose story it is.
  private static func isPerson(_ subject: Range<Int>, _ text: ScannedText) -> Bool {
    let nouns = subject.filter { !text.words[$0].classes.isDisjoint(with: people.union(creatures)) }
    guard let noun = nouns.last(where: { !text.isPossessive($0) }) ?? nouns.last else { return false }
    return text.words[noun].classes.isDisjoint(with: creatures)
  }

  private static let unreal = Set(
    ["may", "might", "can", "could", "will", "would", "should", "to", "must"].map { Spelling.hash($0) })
  private static let found = Spelling.hash("dead")
}
