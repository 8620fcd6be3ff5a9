/// Animals that are others by their kind, their number or the place they are kept in.
extension SubjectTracker {
  /// The kind of the first animal that begins a clause and that something is said of.
  var ownSpecies: WordClassSet {
    for sentence in text.sentences {
      for index in sentence where !text.words[index].classes.isDisjoint(with: .species) {
        let before = index > sentence.lowerBound ? text.words[index - 1] : nil
        let isNamed =
          startsClause(index, sentence) || before.map { $0.isOne(of: .definite) } ?? false
          || index > sentence.lowerBound && isTelling(index - 1)
        // "The neighbour's dog", "bitten by a cat", "rat bait", "the cat's food": not the patient, and the patient may be of another kind.
        guard isNamed, index + 1 >= sentence.upperBound || isSaidOf(index + 1, sentence.upperBound) else { return [] }
        if let before, before.isOne(of: .definite), !startsClause(index - 1, sentence) { return [] }
        return text.words[index].classes.intersection(.species)
      }
    }
    return []
  }

  private func isSaidOf(_ index: Int, _ limit: Int) -> Bool {
    let word = text.words[index]
    return ScannedText.isBorder(word) || word.kind == .number || isBefallen(index, limit)
      || !word.classes.isDisjoint(with: .saying)
  }

  /// "Dog walking fine. The ewe is harnessed": an animal of another kind than the patient's.
  func isOtherSpecies(_ group: NounGroup) -> Bool {
    let kinds = group.seen.intersection(.species)
    guard !patient.species.isEmpty, !kinds.isEmpty, kinds.isDisjoint(with: patient.species), let next = group.next
    else { return false }
    return isSaidOf(next, group.limit) && !ScannedText.isBorder(text.words[next])
  }

  /// Animals that are counted beside a patient that is one alone: "This mare sound. Two stallions recumbent"; the young beside their
  /// mother: "bitch whelping, one pup dead".
  func counted(_ group: NounGroup) -> Subject? {
    guard let next = group.next, !group.has(.both) else { return nil }
    let isOne = text.words[group.start].hash == Self.oneAlone || text.words[next].isOne(of: .addition)
    let isCounted = group.isPlural && group.has(.quantity)
    guard isOne || isCounted, isOne || hasThis || isSaidOf(next, group.limit), !ScannedText.isBorder(text.words[next])
    else { return nil }
    if patient.isMother, group.has(.young) { return isOne ? .other : .others }
    return isCounted && (hasThis || patient.isOne) && group.start > 0 ? .others : nil
  }

  /// "The chestnut had sand colic": an animal named by its coat, behind the first sentence and not called so before.
  func coated(at start: Int, before limit: Int) -> Range<Int>? {
    guard start + 2 < limit, text.words[start].isOne(of: .definite),
      text.words[start + 1].classes.isSuperset(of: .coat), start >= (text.sentences.first?.upperBound ?? 0)
    else { return nil }
    // "Four kittens. The tabby has": one of those seen.
    let isOfMany = (text.sentences.first ?? 0..<0).contains {
      text.words[$0].classes.isSuperset(of: .group)
        || !text.words[$0].classes.isDisjoint(with: .creature) && isPluralForm(text.words[$0])
    }
    if isOfMany { return nil }
    let end = text.words[start + 2].hash == Self.oneAlone ? start + 3 : start + 2
    guard end < limit, text.words[end].classes.isSuperset(of: .state),
      !(0..<start).contains(where: { text.words[$0].hash == text.words[start + 1].hash })
    else { return nil }
    return start..<end
  }

  private static let oneAlone = Spelling.hash("one")

  /// "House 1", "pen 14", "tank B": where animals are kept together, with its number or letter.
  func unit(at index: Int) -> (Range<Int>, key: UInt64)? {
    guard index + 1 < text.words.count, text.words[index].classes.isSuperset(of: .unit) else { return nil }
    let label = text.words[index + 1]
    let isLetter = label.kind == .word && label.byteCount == 1 && label.flags.contains(.upperCase)
    guard label.kind == .number && label.byteCount <= 3 || isLetter else { return nil }
    return (index..<(index + 2), label.hash)
  }
}
