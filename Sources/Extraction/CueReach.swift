/// Whether cues reach one target, walking over the words between them. One value serves all cues of a sentence: the texts and
/// tables it holds are not copied for each.
struct CueReach {
  let text: ScannedText
  let context: AssertionContext
  let rules: [AssertionRule]
  let target: Range<Int>
  let sentence: Range<Int>
  /// The cue that is asked about.
  private(set) var cueIndex = 0
  private(set) var cue: CueMatch
  private(set) var rule: AssertionRule

  /// - Returns: nil where the text has no cue at all.
  init?(context: AssertionContext, rules: [AssertionRule], target: Range<Int>, sentence: Range<Int>) {
    guard let first = context.cues.first else { return nil }
    self.context = context
    self.rules = rules
    text = context.text
    cue = first
    rule = rules[first.rule]
    self.target = target
    self.sentence = sentence
  }

  /// The words between the cue and the target; nil when the cue does not reach it.
  mutating func distance(ofCue index: Int) -> Int? {
    cueIndex = index
    cue = context.cues[index]
    rule = rules[cue.rule]
    return distance
  }

  private var distance: Int? {
    if rule.direction == .block || rule.direction == .heading { return nil }
    let words = cue.words
    if rule.temporality == .historical, isToCome { return nil }
    if let end = cue.hiddenUntil, !target.overlaps(words.upperBound..<end) { return nil }
    if words.overlaps(target) {
      // Cues are part of what the target is ("not eating"), unless they are signs at its border ("?pancreatitis", "V-").
      let isSign = text.words[words.lowerBound].kind == .symbol
      let atBorder = words.upperBound == target.upperBound || words.lowerBound == target.lowerBound
      return isSign && atBorder && words.count < target.count && !isDeniedSign ? 0 : nil
    }
    if words.upperBound <= target.lowerBound {
      guard !cue.looksBack, reachesForward() else { return nil }
      return target.lowerBound - words.upperBound
    }
    guard cue.looksBack, reachesBackward() else { return nil }
    return words.lowerBound - target.upperBound
  }

  /// "No [V+]", "no V+/[D+]": the sign belongs to the name of what is denied.
  private var isDeniedSign: Bool {
    guard rule.polarity == .present else { return false }
    var first = target.lowerBound
    while first > sentence.lowerBound, !text.words[first].isSpaced { first -= 1 }
    return first > sentence.lowerBound
      && text.words[first - 1].classes.isSuperset(of: .refusing)
  }

  /// "Due 12 Oct 2027", "until March": the date is not past.
  private var isToCome: Bool {
    var index = cue.words.lowerBound - 1
    while index >= sentence.lowerBound, text.words[index].kind == .number { index -= 1 }
    return index >= sentence.lowerBound && text.words[index].isOne(of: .upcoming)
  }

  var stopWords: WordClassSet { .stop }
  var subjects: WordClassSet { .subject }
  var predicates: WordClassSet { .predicate }
  var modifiers: WordClassSet { .modifier }
  var adjectives: WordClassSet { .adjective }
  var details: WordClassSet { .detail }

  func isAnd(_ word: Word) -> Bool { word.classes.isSuperset(of: .and) }
  func isOr(_ word: Word) -> Bool { word.classes.isSuperset(of: .or) }
  func isPartOfCue(_ index: Int) -> Bool { cue.words.contains(index) }

  /// Whether another cue, which says something else on this cue's axis, covers the word.
  func isContradicted(at index: Int) -> Bool { contradicts(cueStartingAt: index) }

  func contradicts(cueStartingAt index: Int) -> Bool {
    context.cues(in: index..<(index + 1)).contains { other in
      let theirs = rules[context.cues[other].rule]
      return other != cueIndex && context.cues[other].hiddenUntil == nil && context.cues[other].axis == cue.axis
        && theirs.direction != .block
        && theirs.reach.scope != .adjacent && theirs.priority >= rule.priority && theirs.contradicts(rule, on: cue.axis)
    }
  }

  /// "If temp >39.5", "> 10%": no arrow to what follows.
  private func isComparison(_ word: Word) -> Bool {
    var next = Int(word.end)
    while next < text.bytes.count, [0x20, 0x3D].contains(text.bytes[next]) { next += 1 }
    return next < text.bytes.count && (0x30...0x39).contains(text.bytes[next])
  }

  enum Mark { case comma, semicolon, colon, dash, opening, closing, other }

  func mark(_ word: Word) -> Mark {
    if word.hash == Sign.dash { return .dash }
    switch text.bytes[Int(word.start)] {
    case 0x2C: return .comma
    case 0x3E where isComparison(word): return .other
    case 0x3B, 0x3E, 0x7C: return .semicolon
    case 0x3A: return .colon
    case 0x28, 0x5B: return .opening
    case 0x29, 0x5D: return .closing
    default: return .other
    }
  }
}
