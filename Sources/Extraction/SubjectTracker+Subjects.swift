import TextAnalysis

/// The group of words that names a subject, and whose it is.
extension SubjectTracker {

  static let my = Spelling.hash("my")

  /// A subject and what goes with it is no longer than this.
  static let longest = 9

  /// The subject that begins at a word, and its words; nil when no known one does.
  ///
  /// Behind a preposition (`isPlace`) no verb need follow.
  func subject(at start: Int, before limit: Int, isPlace: Bool) -> (Subject, Range<Int>)? {
    if !isPlace, let range = coated(at: start, before: limit) { return (.other, range) }
    var group = NounGroup(start: start, limit: limit, isPlace: isPlace)
    var index = start
    var isPlaced = false
    while index < limit, index - start < Self.longest {
      let word = text.words[index]
      guard word.kind == .word || word.kind == .number else { break }
      let set = word.kind == .number ? .quantity : word.classes
      if !group.heads.isEmpty, !set.isDisjoint(with: .pronoun), set.isDisjoint(with: .det) {
        // "The last puppy they had nearly died": which animal it was. "As a puppy he had": the one spoken of before begins a clause.
        let isOne = !group.seen.isDisjoint(with: .otherness) || text.words[start].hash == Self.the
        if !isPlace, isOne, !group.heads.isDisjoint(with: .creature), isKeeping(index + 1, before: limit) {
          return (.other, start..<index)
        }
        return nil
      } else if !set.isDisjoint(with: .heads), set.isDisjoint(with: .joint) || group.heads.isEmpty {
        group.heads.formUnion(set.intersection(.heads))
        group.seen.formUnion(set)
        group.isPlural = group.isPlural || isPluralForm(word) || set.isSuperset(of: .people)
      } else if !set.isDisjoint(with: .openers) {
        group.seen.formUnion(set.intersection(.openers))
        group.goesOn = group.goesOn || !group.heads.isEmpty
      } else if set.isSuperset(of: .link), !group.heads.isEmpty || group.has(.quantity) {
        // "Two of the littermates", "the other dogs in the pen": what stands behind belongs to it.
        group.goesOn = group.goesOn || !group.heads.isEmpty
      } else if group.goesOn, set.isSuperset(of: .whereabouts) || word.hash == Self.same {
        // "Child at home", "two geckos in the same rack".
        isPlaced = true
      } else if isNameOfOther(index, group) {
        // "My other cat Gus".
        index += 1
        break
      } else {
        // "Mrs Okafor", "the adult cats", "neighbouring stall cow".
        let isTitled = index == start + 1 && group.heads == .human && word.flags.contains(.capitalised)
        guard isTitled || group.heads.isEmpty && isDescriptive(index, limit) else { break }
      }
      index += 1
    }
    guard index > start else { return nil }
    group.next = index < limit ? index : nil
    // "New snake in the house has mites".
    if isPlaced, !isPlace, !group.heads.isDisjoint(with: .creature), Self.newcomer == text.words[start].hash {
      return (.other, start..<index)
    }
    return kind(of: group).map { ($0, start..<index) }
  }

  /// Whether a word is the name that another animal is given behind its noun.
  private func isNameOfOther(_ index: Int, _ group: NounGroup) -> Bool {
    let before = text.words[max(group.start, index - 1)].classes
    return !group.goesOn && before.isDisjoint(with: .person)
      && !group.heads.isDisjoint(with: .creature.union(.relative)) && isName(index)
      && !group.seen.isDisjoint(with: .otherness.union(.relative))
  }

  /// Up to two words of description before a known animal, relative or group.
  func isDescriptive(_ index: Int, _ limit: Int) -> Bool {
    let nouns: WordClassSet = .creature.union(.relative).union(.group)
    for place in index..<min(limit, index + 2) {
      let word = text.words[place]
      // "Unlike her housemate" describes nobody.
      guard word.kind == .word, place + 1 < limit,
        word.classes.isDisjoint(with: .verb.union(.agent).union(.pronoun))
      else { return false }
      if !text.words[place + 1].classes.isDisjoint(with: nouns) { return true }
    }
    return false
  }

  /// "They had", "she kept before": whose it was.
  private func isKeeping(_ index: Int, before limit: Int) -> Bool {
    index + 1 < limit && text.words[index].isOne(of: .keeping)
      && text.words[index + 1].classes.isDisjoint(with: .heads.union(.openers))
  }

  private static let same = Spelling.hash("same")
  private static let newcomer = Spelling.hash("new")
  private static let the = Spelling.hash("the")

  /// "Cats", not "cat's".
  func isPluralForm(_ word: Word) -> Bool {
    word.hash != word.singular && !WordForm.endsInPossessive(text.bytes[word.range])
  }
}
