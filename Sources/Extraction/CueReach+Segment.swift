extension CueReach {
  /// What stands between two commas or conjunctions.
  struct Segment {
    var words = 0
    var coordination = Coordination()
    /// A subject or another cue: what follows is said of something else.
    var beginsAnew = false
    var hasPredicate = false
    /// A modifier or a number: it is said of what is there.
    var isModified = false
    var isAdjective = false
    /// What stands before the comma ends as a statement does: "no fracture palpable, keel prominent".
    var isBehindStatement = false

    func goesOn(_ scope: AssertionRule.Scope) -> Bool {
      if beginsAnew { return false }
      if isBehindStatement && !coordination.hasOr { return false }
      if coordination.isOr { return words <= 8 }
      if hasPredicate { return false }
      if coordination.orFollows { return words <= 6 }
      if scope == .choice && !coordination.andFollows { return false }
      if isModified || words > 4 { return false }
      return scope == .adjectives || scope == .choice || !isAdjective
    }
  }

  /// The conjunctions of the enumeration that a segment stands in.
  struct Coordination {
    /// The segment itself begins with an "or".
    var isOr = false
    /// An "or" (for a choice also "and", "versus") comes later.
    var orFollows = false
    var andFollows = false

    var hasOr: Bool { isOr || orFollows }
  }

  func segment(after index: Int, isOr startsWithOr: Bool) -> Segment {
    var result = Segment()
    result.coordination.isOr = startsWithOr
    var position = index + 1
    if position < sentence.upperBound, isOr(text.words[position]) {
      result.coordination.isOr = true
      position += 1
    } else if position < sentence.upperBound, isAnd(text.words[position]) {
      result.coordination.andFollows = true
      position += 1
    }
    if isAnd(text.words[index]) { result.coordination.andFollows = true }
    result.isBehindStatement =
      index > cue.words.upperBound && text.words[index - 1].classes.isSuperset(of: .finding)
    result.beginsAnew = contradicts(cueStartingAt: position)
    var lastWord: Word?
    let start = position
    while position < sentence.upperBound {
      let word = text.words[position]
      if word.kind == .symbol, word.hash != Sign.question, mark(word) != .other { break }
      if isAnd(word) || isOr(word) { break }
      if !word.classes.isDisjoint(with: rule.reach.stops) && position > start { break }
      if word.kind == .word {
        result.words += 1
        lastWord = word
        if word.classes.isSuperset(of: subjects) { result.beginsAnew = true }
        if word.classes.isSuperset(of: predicates) { result.hasPredicate = true }
        if word.classes.isSuperset(of: modifiers) { result.isModified = true }
      } else if word.kind == .number {
        result.isModified = true
      }
      position += 1
    }
    // "mild" and "since Monday" are said of what is there; so is a lone adjective in a list of nouns.
    if let lastWord, lastWord.classes.isSuperset(of: adjectives) { result.isAdjective = true }
    if start < sentence.upperBound, text.words[start].classes.isSuperset(of: adjectives), result.words == 1 {
      result.isAdjective = true
    }
    if position < sentence.upperBound, !text.words[position].classes.isDisjoint(with: details) {
      result.isModified = true
    }
    lookAhead(from: position, &result.coordination)
    return result
  }

  /// Looks for the conjunction that closes the enumeration.
  func lookAhead(from start: Int, _ coordination: inout Coordination) {
    var position = start
    var words = 0
    while position < sentence.upperBound, words < 16 {
      let word = text.words[position]
      if isOr(word) {
        coordination.orFollows = true
        return
      }
      if isAnd(word) { coordination.andFollows = true }
      if word.kind == .symbol, word.hash != Sign.question {
        let mark = mark(word)
        if mark == .semicolon || mark == .dash || mark == .colon || mark == .opening { return }
      }
      if !word.classes.isDisjoint(with: rule.reach.stops) || word.classes.isSuperset(of: predicates) { return }
      if contradicts(cueStartingAt: position) { return }
      words += 1
      position += 1
    }
  }
}
