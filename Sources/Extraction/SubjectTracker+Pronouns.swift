/// Of whom "he" and "she" are, and what people tell.
extension SubjectTracker {
  private static let possessives = Set(["his", "her"].map { Spelling.hash($0) })

  private func gender(of index: Int) -> WordClassSet {
    let word = text.words[index]
    if word.isOne(of: .he) { return .masculine }
    if word.isOne(of: .she) { return .feminine }
    return word.classes.intersection(.masculine.union(.feminine))
  }

  /// The gender that the note gives its patient: by "his brother", or by the first pronoun or word for a male or female in a sentence
  /// that speaks of nobody else.
  var ownGender: WordClassSet {
    for sentence in text.sentences {
      var found: WordClassSet = []
      var isAlone = true
      for index in sentence {
        let word = text.words[index]
        if word.classes.isSuperset(of: .relative), index > sentence.lowerBound,
          Self.possessives.contains(text.words[index - 1].hash), found.isEmpty
        {
          return gender(of: index - 1)
        }
        if !word.classes.isDisjoint(
          with: .relative.union(.person).union(.owner).union(.human).union(
            .otherness))
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
    guard text.words[index].classes.isSuperset(of: .third), !pronoun.isEmpty, !patient.gender.isEmpty,
      pronoun != patient.gender, !isPerson(subject)
    else { return false }
    let others = subject.reduce(into: WordClassSet()) { $0.formUnion(text.words[$1].classes) }
      .intersection(.masculine.union(.feminine))
    return others.isEmpty || others == pronoun
  }

  /// Whether a pronoun can only mean the patient: "her brother had it, and she …".
  func meansPatient(_ index: Int, _ subject: Range<Int>) -> Bool {
    let pronoun = gender(of: index)
    let others = subject.reduce(into: WordClassSet()) { $0.formUnion(text.words[$1].classes) }
      .intersection(.masculine.union(.feminine))
    return !pronoun.isEmpty && pronoun == patient.gender && !others.isEmpty && others.isDisjoint(with: pronoun)
  }

  /// "Sure he", "says she", "thinks that it": what a person tells of the one spoken of.
  func isTold(_ index: Int) -> Bool {
    guard index > 1, text.words[index].isOne(of: .singular) else { return false }
    let isThat = text.words[index - 1].classes.isSuperset(of: .who)
    return isTelling(isThat ? index - 2 : index - 1)
  }

  /// "He" or "she", and not "his".
  func isSubject(_ index: Int) -> Bool { text.words[index].isOne(of: .singular) }

  func isTelling(_ index: Int) -> Bool {
    index < text.words.count && !text.words[index].classes.isDisjoint(with: .speaking)
      && text.words[index].classes.isDisjoint(with: .state.union(.joint).union(.agent))
  }

  /// "Sister cat came in too, pollen on coat": what was found on it follows.
  func isVisit(_ subject: Range<Int>?, before index: Int) -> Bool {
    guard let subject, subject.upperBound < index else { return false }
    return (subject.upperBound..<index).contains { text.words[$0].isOne(of: .seen) }
  }

  /// "Pet parent", "dog mum", "this is Dan, Cooper's dad": the owner.
  func isKeeper(_ subject: Range<Int>) -> Bool {
    guard let last = subject.last, last > subject.lowerBound, Self.keepers.contains(text.words[last].singular)
    else { return false }
    let before = text.words[last - 1]
    if text.isPossessive(last - 1) {
      guard before.flags.contains(.capitalised), before.classes.isDisjoint(with: .heads) else { return false }
      return subject.upperBound < text.words.count && ScannedText.isBorder(text.words[subject.upperBound])
    }
    return subject.count == 2 && !before.classes.isDisjoint(with: .creature)
  }

  /// "Mum is worried", "his mum was sure": the owner.
  func isWorried(_ group: NounGroup) -> Bool {
    guard let next = group.next, next + 1 < group.limit, text.words[next - 1].isOne(of: .parent) else {
      return false
    }
    return text.words[next].classes.isSuperset(of: .state) && isTelling(next + 1)
  }

  private static let keepers = Set(["mum", "mom", "mother", "dad", "father", "parent"].map { Spelling.hash($0) })
}
