extension CueReach {
  /// "DDx PU/PD: diabetes, CKD": what a list of suspicions is about stands before its colon and is no suspicion.
  private var isExplained: Bool {
    rule.reach.scope == .sentence && rule.polarity == .uncertain && target.upperBound < sentence.upperBound
      && mark(text.words[target.upperBound]) == .colon
      && !(cue.words.upperBound..<target.lowerBound).contains { mark(text.words[$0]) == .colon }
      && mark(text.words[cue.words.upperBound - 1]) != .colon
  }

  /// "Glucose nil, tail slip", "culture pending, empirical cefalexin": a lone word before a comma is said of what stands before it.
  private var isSaid: Bool {
    guard cue.axis == .polarity, rule.polarity != .present, cue.words.count == 1,
      cue.words.upperBound < target.lowerBound, cue.words.lowerBound > sentence.lowerBound
    else { return false }
    let next = mark(text.words[cue.words.upperBound])
    if answersQuestion { return next == .comma || next == .dash }
    if text.isPhraseStart(cue.words.lowerBound) { return false }
    return next == .comma || next == .colon && isDoubtBehind
  }

  func reachesForward() -> Bool {
    var depth = 0
    var index = cue.words.upperBound
    if rule.reach.scope == .adjacent { return index == target.lowerBound }
    if isExplained || isSaid { return false }
    while index < target.lowerBound {
      let word = text.words[index]
      let isFirst = index == cue.words.upperBound
      if isResult(word) { return false }
      if !word.classes.isDisjoint(with: rule.reach.stops), !isPartOfCue(index), !isAnother(index), !isException(word),
        !isTime(index)
      {
        return false
      }
      if isContradicted(at: index) { return false }
      if word.kind == .symbol {
        switch mark(word) {
        case .semicolon: return false
        case .dash: if !isFirst && rule.reach.scope != .sentence { return false }
        // "Companions: no mites", "watch for: vomiting": what a clause announces stands behind its colon.
        case .colon:
          if !isFirst && rule.reach.scope != .sentence && rule.reach.scope != .clause && !isTitre(index) {
            return false
          }
        case .opening: depth += 1
        case .closing:
          if depth == 0 { return false }
          depth -= 1
        case .comma:
          if depth == 0,
            !continues(after: index, isComma: true) || isSpent(at: index) || isRepeated(behind: index)
          {
            return false
          }
        case .other: if isAnd(word) && !continues(after: index, isComma: false) { return false }
        }
      } else if isAnd(word) || isOr(word) {
        if !continues(after: index, isComma: false) || isSpent(at: index) { return false }
      } else if !isFirst, word.classes.isSuperset(of: subjects), rule.reach.scope != .sentence,
        rule.reach.scope != .clause
      {
        return false
      }
      index += 1
    }
    return true
  }

  /// Whether the reach goes on behind a comma or conjunction at `index`.
  func continues(after index: Int, isComma: Bool) -> Bool {
    switch rule.reach.scope {
    case .sentence: return true
    case .adjacent: return false
    case .phrase: return !isComma && segment(after: index, isOr: isOr(text.words[index])).goesOn(rule.reach.scope)
    case .clause: return !startsClause(at: index + 1)
    default:
      let next = segment(after: index, isOr: isOr(text.words[index]))
      return next.goesOn(rule.reach.scope) && !breaksOff(at: index, next)
    }
  }

  /// Whether a word of time is spent at the comma or conjunction at `index`: it stood at the end of what it is about ("diagnosed
  /// in 2022, well regulated on insulin", and not "in 2022, had a fit"), or the present tense follows ("had it in May and is dull").
  private func isSpent(at index: Int) -> Bool {
    guard cue.axis == .temporality, rule.temporality == .historical, rule.reach.scope == .clause else { return false }
    if index + 1 < target.lowerBound, text.words[index + 1].isOne(of: .ongoing) { return true }
    guard rule.direction == .both, !isAnd(text.words[index]) else { return false }
    if index + 1 < target.lowerBound, isException(text.words[index + 1]) { return false }
    return !text.isPhraseStart(cue.words.lowerBound)
      && text.words[cue.words.lowerBound - 1].classes.isDisjoint(with: .and.union(subjects))
  }

  /// "Not lame at walk, lame at trot": what is named again is not denied twice.
  private func isRepeated(behind comma: Int) -> Bool {
    rule.polarity == .absent
      && (cue.words.upperBound..<comma).contains { text.words[$0].hash == text.words[target.lowerBound].hash }
  }

  /// "FNA last month said lipoma": an examination is past, what it found lasts.
  private func isResult(_ word: Word) -> Bool {
    cue.axis == .temporality && rule.temporality == .historical && rule.direction == .both
      && rule.reach.scope == .clause
      && word.isOne(of: .reveals)
  }

  func startsClause(at index: Int) -> Bool {
    var index = index
    while index < sentence.upperBound, isAnd(text.words[index]) { index += 1 }
    guard index < sentence.upperBound else { return true }
    return text.words[index].classes.isSuperset(of: subjects)
  }

  // MARK: - Words

  /// "TECA in 2018 with no complications, apart from facial paralysis": an exception belongs to the same time.
  private func isException(_ word: Word) -> Bool {
    cue.axis == .temporality && word.isOne(of: .exception)
  }

  /// "Her sister is a cat with CKD": an animal with an article or an adjective is the one spoken of, not the patient again.
  private func isAnother(_ index: Int) -> Bool {
    guard rule.experiencer == .other, index > cue.words.lowerBound,
      text.words[index].classes.isSuperset(of: .animal)
    else { return false }
    let before = text.words[index - 1]
    return before.kind != .symbol && before.kind != .lineBreak && !before.isOne(of: .returning)
      && !isAnd(before)
  }

  /// "The other dog vomited this morning": a time, and no word for the patient.
  private func isTime(_ index: Int) -> Bool {
    rule.experiencer == .other && text.words[index].hash == Self.this && index + 1 < target.lowerBound
      && text.words[index + 1].isOne(of: .timeunit)
  }

  private static let this = Spelling.hash("this")
}
