import Clinical
import TextAnalysis

/// Whose a sign is, said beside it: behind it in brackets or behind a dash ("dementia (owner, not bird)", "diabetic - that's the
/// other dog"), or before it by the name of a person ("Gordon's dementia" where the note has a Mr Gordon).
extension SubjectTracker {
  /// What a tag says of the words before it; a longer one explains something else.
  private static let longestTag = 8
  /// A sign stands so near behind the name of the person who has it: "Gordon's advanced heart failure".
  private static let longestSign = 3

  /// The words of a sentence that a tag or a name gives to another.
  func tagged(_ sentence: Range<Int>) -> [Span] {
    var spans: [Span] = []
    for index in sentence {
      if let tag = tag(at: index, sentence), saysOther(tag) {
        let words = phrase(before: index, sentence)
        if !words.isEmpty, !text.isPossessive(tag.upperBound - 1) || !isNamed(by: index - 1, sentence) {
          spans.append(Span(words: words, subject: tag, isOther: true))
        }
      }
      if isPersonsName(index) {
        let words = sign(behind: index, sentence)
        if !words.isEmpty { spans.append(Span(words: words, subject: index..<(index + 1), isOther: true)) }
      }
    }
    return spans
  }

  /// The names that the note gives to people: "Mr Rattray", "son Euan", "owner: Gordon", "Grace (daughter)".
  var namesOfPeople: Set<UInt64> {
    var names: Set<UInt64> = []
    let people: WordClassSet = .somebody
    for index in text.words.indices where !text.words[index].classes.isDisjoint(with: people) {
      let word = text.words[index]
      var place = index + 1
      if place < text.words.count, isSign(0x3A, place) { place += 1 }
      // "O Rex lame": a letter has no name.
      while place < text.words.count, place <= index + 3, word.byteCount > 1, isName(place),
        !text.isSentenceEnd(place - 1)
      {
        names.insert(name(at: place))
        place += 1
      }
      guard index > 1, isSign(0x28, index - 1), isName(index - 2), index + 1 < text.words.count,
        isSign(0x29, index + 1) || isSign(0x2C, index + 1)
      else { continue }
      names.insert(text.words[index - 2].hash)
    }
    return names
  }

  // MARK: - Tags

  /// What stands in brackets, or behind a dash or comma, from a word on; nil where nothing does.
  private func tag(at index: Int, _ sentence: Range<Int>) -> Range<Int>? {
    let start = index + 1
    guard start < sentence.upperBound else { return nil }
    let limit = min(sentence.upperBound, start + Self.longestTag + 1)
    if isSign(0x28, index) || isSign(0x5B, index) {
      guard let end = (start..<limit).first(where: { isSign(0x29, $0) || isSign(0x5D, $0) }) else { return nil }
      return start < end ? start..<end : nil
    }
    guard text.words[index].hash == Sign.dash || isSign(0x2C, index) && text.words[start].isOne(of: .pointing)
    else { return nil }
    let end = text.phraseEnd(from: start, before: limit)
    // "- owner, not the dog".
    if end + 1 < limit, isSign(0x2C, end), text.words[end + 1].hash == Spelling.not {
      return start..<text.phraseEnd(from: end + 1, before: limit)
    }
    return start < end ? start..<end : nil
  }

  /// Whether a tag says whose: "owner, not bird", "not this cat", "mum's", "that's the other dog". A person or another animal alone
  /// says it not: they may be who saw it, or whom it comes from.
  private func saysOther(_ tag: Range<Int>) -> Bool {
    var isContrast = false
    var isSubject = false
    var start = tag.lowerBound
    while start < tag.upperBound {
      let end = text.phraseEnd(from: start, before: tag.upperBound)
      let part = start..<end
      start = end + 1
      if text.words[part.lowerBound].hash == Spelling.not {
        // "Not dog" alone may tell a product's kind.
        guard isPatient((part.lowerBound + 1)..<part.upperBound, isBareEnough: isSubject) else { return false }
        isContrast = true
      } else {
        let isPointed = text.words[part.lowerBound].isOne(of: .pointing)
        guard !isSubject, !part.isEmpty, let isOwned = isOther(part, isPointed: isPointed) else { return false }
        isSubject = true
        isContrast = isContrast || isPointed || isOwned
      }
    }
    return isContrast
  }

  /// The patient, as a denial names it: "this cat", "the bird", "him"; "bird" where somebody else was named before it.
  private func isPatient(_ words: Range<Int>, isBareEnough: Bool) -> Bool {
    guard let last = words.last, words.count <= 3 else { return false }
    let isCreature =
      !text.words[last].classes.isDisjoint(with: .creature.union(.this))
      || text.words[last].hash == Self.one
    if words.count == 1, !isCreature { return text.words[last].classes.isSuperset(of: .third) }
    let openers = words.dropLast()
    let arePointing = openers.allSatisfy {
      text.words[$0].classes.isSuperset(of: .this)
        || !text.words[$0].classes.isDisjoint(with: .det)
          && text.words[$0].classes.isDisjoint(with: .otherness)
    }
    return isCreature && arePointing
      && (!openers.isEmpty || isBareEnough || text.words[last].classes.isSuperset(of: .this))
  }

  /// Whether words are a person or another animal and nothing else, and if so, whether they end in a possessive; nil for others.
  private func isOther(_ words: Range<Int>, isPointed: Bool) -> Bool? {
    var words = words
    if isPointed {
      words = (words.lowerBound + 1)..<words.upperBound
      if let first = words.first, text.words[first].classes.isSuperset(of: .state) {
        words = (first + 1)..<words.upperBound
      }
    }
    guard let last = words.last else { return nil }
    let seen = words.reduce(into: WordClassSet()) { $0.formUnion(text.words[$1].classes) }
    let known: WordClassSet = .heads.union(.openers)
    // "Old cat's", "Mrs Okafor's".
    let areKnown = words.allSatisfy {
      text.words[$0].kind == .word
        && (!text.words[$0].classes.isDisjoint(with: known) || isName($0) && $0 > words.lowerBound)
    }
    let isPerson = !seen.isDisjoint(
      with: .somebody.union(.relative))
    let isOtherAnimal = !seen.isDisjoint(with: .otherness) && !seen.isDisjoint(with: .creature)
    guard areKnown, isPerson || isOtherAnimal, !seen.isSuperset(of: .this) else { return nil }
    return text.isPossessive(last)
  }

  // MARK: - What they are said of

  /// The words between the last border or conjunction and a tag.
  private func phrase(before index: Int, _ sentence: Range<Int>) -> Range<Int> {
    var end = index
    // "Dementia (mild) (owner, not bird)".
    while end > sentence.lowerBound, isSign(0x29, end - 1),
      let opening = (sentence.lowerBound..<(end - 1)).last(where: { isSign(0x28, $0) })
    {
      end = opening
    }
    var start = end
    while start > sentence.lowerBound, !ScannedText.isBorder(text.words[start - 1]),
      text.words[start - 1].classes.isDisjoint(with: .joint)
    {
      start -= 1
    }
    return start..<end
  }

  /// Whether a word names somebody, whom a possessive behind it explains: "bitten by a dog (neighbour's)".
  private func isNamed(by index: Int, _ sentence: Range<Int>) -> Bool {
    index > sentence.lowerBound && isName(index)
      || index >= sentence.lowerBound && !text.words[index].classes.isDisjoint(with: .heads)
  }

  /// A possessive of a name that is a person's: never that of a disease, unless the note has such a person.
  /// The apostrophe may be missing.
  private func isPersonsName(_ index: Int) -> Bool {
    let word = text.words[index]
    guard word.flags.contains(.capitalised) else { return false }
    if text.isPossessive(index) { return people.contains(name(at: index)) }
    return people.contains(word.singular) && !people.contains(word.hash)
  }

  /// The name that a possessive is of.
  private func name(at index: Int) -> UInt64 {
    let bytes = text.bytes[text.words[index].range]
    return Spelling.hash(WordForm.withoutPossessive(String(decoding: bytes, as: UTF8.self)))
  }

  /// What a person has: up to the next verb, preposition or border; nothing where an animal is the person's.
  private func sign(behind index: Int, _ sentence: Range<Int>) -> Range<Int> {
    let ends: WordClassSet = .joint.union(.verb).union(.place).union(.agent).union(.speaking)
      .union(.link)
    let start = index + 1
    var end = start
    while end < min(sentence.upperBound, start + Self.longestSign), text.words[end].kind == .word,
      text.words[end].classes.isDisjoint(with: ends)
    {
      if !text.words[end].classes.isDisjoint(with: .heads) { return start..<start }
      end += 1
    }
    return start..<end
  }

  private func isSign(_ byte: UInt8, _ index: Int) -> Bool {
    text.words[index].kind == .symbol && text.bytes[Int(text.words[index].start)] == byte
  }

  private static let one = Spelling.hash("one")
}
