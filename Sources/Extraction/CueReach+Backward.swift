extension CueReach {
  func reachesBackward() -> Bool {
    var depth = 0
    var index = cue.words.lowerBound - 1
    if rule.reach.scope == .adjacent { return index == target.upperBound - 1 || reachesOverSlashes() }
    while index >= target.upperBound {
      let word = text.words[index]
      let isFirst = index == cue.words.lowerBound - 1
      if !word.classes.isDisjoint(with: rule.direction == .post ? rule.reach.stops : stopWords) { return false }
      if isContradicted(at: index) || isConclusion(index) || isOwnSentence(behind: index) { return false }
      if word.kind == .symbol {
        switch mark(word) {
        case .semicolon: return false
        case .colon where isTitre(index): break
        case .colon, .dash: if !isFirst && rule.reach.scope != .sentence { return false }
        case .closing: depth += 1
        case .opening:
          if depth == 0 && !isFirst && rule.reach.scope != .sentence { return false }
          depth -= 1
        case .comma:
          if depth <= 0, isFirst, let opening = parenthesisStart(endingAt: index) {
            index = opening
          } else if depth <= 0, !continuesBackward(over: index, isFirst: isFirst, isComma: true) {
            return false
          }
        case .other: break
        }
      } else if isAnd(word) || isOr(word) {
        if !continuesBackward(over: index, isFirst: isFirst, isComma: false) { return false }
      }
      index -= 1
    }
    return true
  }

  /// "Effusion, drained on the 3rd, has not recurred": the comma that opens what a second one closes, right behind the target.
  private func parenthesisStart(endingAt closing: Int) -> Int? {
    let opening = target.upperBound
    guard rule.reach.scope != .adjacent, rule.reach.scope != .phrase, opening + 1 < closing, closing - opening <= 12,
      text.words[opening].kind == .symbol, mark(text.words[opening]) == .comma,
      text.words[opening + 1].classes.isSuperset(of: .inserted),
      !((opening + 1)..<closing).contains(where: {
        text.words[$0].kind == .symbol && mark(text.words[$0]) != .other
      })
    else { return nil }
    return opening
  }

  func continuesBackward(over index: Int, isFirst: Bool, isComma: Bool) -> Bool {
    if asksAnew(behind: index) { return false }
    switch rule.reach.scope {
    case .sentence: return true
    case .adjacent: return false
    case .phrase:
      if isComma { return false }
    case .clause:
      // "2.55 kg, was 2.42 in June", "murmur, II last Nov": what follows the comma says its own thing.
      return !startsClause(at: index + 1)
        && !(isComma
          && ((index + 1)..<cue.words.lowerBound).contains {
            text.words[$0].classes.isSuperset(of: .telling) || isGrade(text.words[$0])
          })
    default:
      if isComma, !closesEnumeration(behind: index) { return false }
    }
    // The segment on the left must be a bare item of the enumeration.
    var position = index - 1
    var words = 0
    while position >= sentence.lowerBound {
      let word = text.words[position]
      if word.kind == .symbol, mark(word) != .other { break }
      if isAnd(word) || isOr(word) { break }
      if word.kind == .word {
        words += 1
        if word.classes.isSuperset(of: predicates) || word.classes.isSuperset(of: subjects) { return false }
      }
      if word.kind == .number { return false }
      if isContradicted(at: position) { return false }
      position -= 1
    }
    return words <= 4 && (!isComma || isFirst == false || rule.reach.scope != .phrase)
  }

  /// "Penicillin allergy on file, any others? No", "vomiting since Monday, has he eaten anything odd? No": what stands before is
  /// stated, and only what stands behind is asked and answered.
  private func asksAnew(behind index: Int) -> Bool {
    guard index + 1 < cue.words.lowerBound, text.words[cue.words.lowerBound].hash == Sign.question else { return false }
    return text.words[index + 1].classes.isSuperset(of: .asking)
      || ((index + 1)..<cue.words.lowerBound).contains {
        text.words[$0].classes.isSuperset(of: .further)
      }
  }

  /// A comma before the cue joins two items only when something closes the enumeration: "and", "all", or an answer
  /// ("vomiting, diarrhoea: none"). "Scar, fluorescein negative" are two things.
  func closesEnumeration(behind index: Int) -> Bool {
    let first = text.words[cue.words.lowerBound]
    if first.kind == .symbol || first.hash == Self.all || first.hash == Self.both { return true }
    return ((index + 1)..<cue.words.lowerBound).contains { isAnd(text.words[$0]) || isOr(text.words[$0]) }
  }

  private static let all = Spelling.hash("all")
  private static let both = Spelling.hash("both")

  /// "V/D-": a sign behind the last of letters joined by slashes counts for all that have no sign of their own.
  func reachesOverSlashes() -> Bool {
    var index = target.upperBound
    while index < cue.words.lowerBound {
      let word = text.words[index]
      let isSlash = word.kind == .symbol && text.bytes[Int(word.start)] == 0x2F
      guard isSlash || word.kind == .word else { return false }
      guard !word.isSpaced else { return false }
      index += 1
    }
    return true
  }

  /// "II", "IV": a grade in capitals.
  private func isGrade(_ word: Word) -> Bool {
    word.kind == .word && word.byteCount <= 3 && word.flags.contains(.upperCase)
      && text.bytes[word.range].allSatisfy { $0 == UInt8(ascii: "I") || $0 == UInt8(ascii: "V") }
  }
}
