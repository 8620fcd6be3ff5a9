/// Of whom "he", "she" and what is told are, and whether an animal is another by its kind or number.
extension SubjectTracker {
  private static let he = Set(["he", "hes", "his", "him"].map { Spelling.hash($0) })
  private static let she = Set(["she", "shes", "her", "hers"].map { Spelling.hash($0) })
  private static let subjects = Set(["he", "hes", "she", "shes", "it"].map { Spelling.hash($0) })
  private static let possessives = Set(["his", "her"].map { Spelling.hash($0) })

  private func gender(of index: Int) -> WordClassSet {
    let hash = text.words[index].hash
    if Self.he.contains(hash) { return classes.masculine }
    if Self.she.contains(hash) { return classes.feminine }
    return text.words[index].classes.intersection(classes.masculine.union(classes.feminine))
  }

  /// The gender that the note gives its patient: by "his brother", or by the first pronoun or word for a male or female in a sentence
  /// that speaks of nobody else.
  var ownGender: WordClassSet {
    for sentence in text.sentences {
      var found: WordClassSet = []
      var isAlone = true
      for index in sentence {
        let word = text.words[index]
        if word.classes.isSuperset(of: classes.relative), index > sentence.lowerBound,
          Self.possessives.contains(text.words[index - 1].hash), found.isEmpty
        {
          return gender(of: index - 1)
        }
        if !word.classes.isDisjoint(
          with: classes.relative.union(classes.person).union(classes.owner).union(classes.human).union(classes.otherness))
        {
          isAlone = false
        }
        if found.isEmpty, !Self.possessives.contains(word.hash) { found = gender(of: index) }
      }
      if isAlone, !found.isEmpty { return found }
    }
    return []
  }

  /// Whether a pronoun can only mean another animal: "his field mate is coughing too but she …", of a patient that is a "he".
  func meansOther(_ index: Int, _ subject: Range<Int>) -> Bool {
    let pronoun = gender(of: index)
    guard text.words[index].classes.isSuperset(of: classes.third), !pronoun.isEmpty, !gender.isEmpty,
      pronoun != gender, !isPerson(subject)
    else { return false }
    let others = subject.reduce(into: WordClassSet()) { $0.formUnion(text.words[$1].classes) }
      .intersection(classes.masculine.union(classes.feminine))
    return others.isEmpty || others == pronoun
  }

  /// Whether a pronoun can only mean the patient: "her brother had it, and she …".
  func meansPatient(_ index: Int, _ subject: Range<Int>) -> Bool {
    let pronoun = gender(of: index)
    let others = subject.reduce(into: WordClassSet()) { $0.formUnion(text.words[$1].classes) }
      .intersection(classes.masculine.union(classes.feminine))
    return !pronoun.isEmpty && pronoun == gender && !others.isEmpty && others.isDisjoint(with: pronoun)
  }

  /// "Sure he", "says she", "thinks that it": what a person tells of the one spoken of.
  func isTold(_ index: Int) -> Bool {
    guard index > 1, Self.subjects.contains(text.words[index].hash) else { return false }
    let isThat = text.words[index - 1].classes.isSuperset(of: classes.who)
    return isTelling(isThat ? index - 2 : index - 1)
  }

  func isTelling(_ index: Int) -> Bool {
    index < text.words.count && !text.words[index].classes.isDisjoint(with: classes.telling)
      && text.words[index].classes.isDisjoint(with: classes.state.union(classes.joint).union(classes.agent))
  }

  /// "Sister cat came in too, pollen on coat": what was found on it follows.
  func isVisit(_ subject: Range<Int>?, before index: Int) -> Bool {
    guard let subject, subject.upperBound < index else { return false }
    return (subject.upperBound..<index).contains { Self.visits.contains(text.words[$0].hash) }
  }

  static let visits = Set(
    ["came", "seen", "examined", "checked", "brought", "presented", "tested", "swabbed", "scanned"].map {
      Spelling.hash($0)
    })

  /// "Kid also affected": participles that tell how one is, and not what happened.
  static let states = Set(
    ["affected", "unaffected", "infected", "infested", "unvaccinated", "bloated", "congested", "constipated", "depressed"]
      .map { Spelling.hash($0) })

  /// "Pet parent", "dog mum", "this is Dan, Cooper's dad": the owner.
  func isKeeper(_ subject: Range<Int>) -> Bool {
    guard let last = subject.last, last > subject.lowerBound, Self.keepers.contains(text.words[last].singular)
    else { return false }
    let before = text.words[last - 1]
    if text.isPossessive(last - 1) {
      guard before.flags.contains(.capitalised), before.classes.isDisjoint(with: classes.heads) else { return false }
      return subject.upperBound < text.words.count && ScannedText.isBorder(text.words[subject.upperBound])
    }
    return subject.count == 2 && !before.classes.isDisjoint(with: classes.creature)
  }

  private static let keepers = Set(["mum", "mom", "mother", "dad", "father", "parent"].map { Spelling.hash($0) })
}

/// Animals that are others by their kind, their number or the place they are kept in.
extension SubjectTracker {
  /// The kind of the first animal that begins a clause and that something is said of.
  var ownSpecies: WordClassSet {
    for sentence in text.sentences {
      for index in sentence where !text.words[index].classes.isDisjoint(with: classes.species) {
        let before = index > sentence.lowerBound ? text.words[index - 1] : nil
        let isNamed = startsClause(index, sentence) || before.map { $0.kind == .word && Self.articles.contains($0.hash) } ?? false
        // "The neighbour's dog", "bitten by a cat", "rat bait", "the cat's food": not the patient, and the patient may be of another kind.
        guard isNamed, index + 1 >= sentence.upperBound || isSaidOf(index + 1, sentence.upperBound) else { return [] }
        if let before, Self.articles.contains(before.hash), !startsClause(index - 1, sentence) { return [] }
        return text.words[index].classes.intersection(classes.species)
      }
    }
    return []
  }

  private static let articles = Set(["the", "our", "my", "this"].map { Spelling.hash($0) })

  private func isSaidOf(_ index: Int, _ limit: Int) -> Bool {
    let word = text.words[index]
    return ScannedText.isBorder(word) || word.kind == .number || isBefallen(index, limit)
      || !word.classes.isDisjoint(with: classes.verb.union(classes.closing).union(classes.state))
  }

  /// "Dog walking fine. The ewe is harnessed": an animal of another kind than the patient's.
  func isOtherSpecies(_ seen: WordClassSet, _ next: Int?, _ limit: Int) -> Bool {
    let kinds = seen.intersection(classes.species)
    guard !species.isEmpty, !kinds.isEmpty, kinds.isDisjoint(with: species), let next, next < limit else { return false }
    return isSaidOf(next, limit) && !ScannedText.isBorder(text.words[next])
  }

  /// Animals that are counted beside a patient that is one alone: "This mare sound. Two stallions recumbent"; the young beside their
  /// mother: "bitch whelping, one pup dead".
  func counted(_ seen: WordClassSet, isPlural: Bool, from start: Int, _ next: Int?, _ limit: Int) -> Subject? {
    guard let next, next < limit, !seen.isSuperset(of: classes.both) else { return nil }
    let isOne = text.words[start].hash == Self.oneAlone || Self.additions.contains(text.words[next].hash)
    let isCounted = isPlural && seen.isSuperset(of: classes.quantity)
    guard isOne || isCounted, isOne || isSaidOf(next, limit), !ScannedText.isBorder(text.words[next]) else { return nil }
    if isAboutMother, seen.isSuperset(of: classes.young) { return isOne ? .other : .others }
    return isCounted && (hasThis || isAboutOne) && start > 0 ? .others : nil
  }

  /// "The chestnut had sand colic": an animal named by its coat, behind the first sentence and not called so before.
  func coated(at start: Int, before limit: Int) -> Range<Int>? {
    guard start + 2 < limit, Self.articles.contains(text.words[start].hash),
      text.words[start + 1].classes.isSuperset(of: classes.coat), start >= (text.sentences.first?.upperBound ?? 0)
    else { return nil }
    // "Four kittens. The tabby has": one of those seen.
    let isOfMany = (text.sentences.first ?? 0..<0).contains {
      text.words[$0].classes.isSuperset(of: classes.group)
        || !text.words[$0].classes.isDisjoint(with: classes.creature) && isPluralForm(text.words[$0])
    }
    if isOfMany { return nil }
    let end = text.words[start + 2].hash == Self.oneAlone ? start + 3 : start + 2
    guard end < limit, text.words[end].classes.isSuperset(of: classes.state),
      !(0..<start).contains(where: { text.words[$0].hash == text.words[start + 1].hash })
    else { return nil }
    return start..<end
  }

  private static let oneAlone = Spelling.hash("one")

  /// "House 1", "pen 14", "tank B": where animals are kept together, with its number or letter.
  func unit(at index: Int) -> (Range<Int>, key: UInt64)? {
    guard index + 1 < text.words.count, text.words[index].classes.isSuperset(of: classes.unit) else { return nil }
    let label = text.words[index + 1]
    let isLetter = label.kind == .word && label.byteCount == 1 && label.flags.contains(.upperCase)
    guard label.kind == .number && label.byteCount <= 3 || isLetter else { return nil }
    return (index..<(index + 2), label.hash)
  }
}
