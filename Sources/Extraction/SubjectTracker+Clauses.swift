/// Where clauses begin, and the words around a subject: who is meant by "who", by a name, by brackets.
extension SubjectTracker {

  private func endsInLy(_ word: Word) -> Bool {
    word.kind == .word && word.byteCount > 4 && text.bytes[word.range].suffix(2).elementsEqual("ly".utf8)
  }

  func isPerson(_ subject: Range<Int>) -> Bool {
    let heads = subject.reduce(into: WordClassSet()) { $0.formUnion(text.words[$1].classes) }
    return !heads.isDisjoint(with: .somebody.union(.first))
      && heads.isDisjoint(with: .creature)
  }

  /// "FIV positive in an 11-week kitten": the first sentence is about a young animal, and not about somebody's young.
  var beginsWithYoung: Bool {
    guard let sentence = text.sentences.first else { return false }
    // "Litter of 5".
    if sentence.count > 2, text.words[0].hash == Self.litter, text.words[1].hash == Self.of { return true }
    return sentence.contains { index in
      text.words[index].classes.isSuperset(of: .young) && text.words[index].hash == text.words[index].singular
        && !(max(sentence.lowerBound, index - 2)..<index).contains {
          !text.words[$0].classes.isDisjoint(with: .third.union(.they).union(.quantity))
        }
        && !sentence.contains { text.words[$0].classes.isSuperset(of: .mother) }
    }
  }

  /// Whether the first animals that a note names are several of a farm, nobody else's, and no single one is named anywhere.
  var beginsWithHerd: Bool {
    let creatures = text.words.indices.filter { !text.words[$0].classes.isDisjoint(with: .creature) }
    guard let first = creatures.first, text.words[first].classes.isSuperset(of: .stock),
      // "Two lambs with joint ill. Ewes had orf": the mothers are others.
      text.words[first].classes.isDisjoint(with: .young)
    else { return false }
    let isOthers = (max(0, first - 3)..<first).contains {
      !text.words[$0].classes.isDisjoint(with: .otherness.union(.third).union(.relative))
    }
    return !isOthers
      && creatures.allSatisfy { text.words[$0].classes.isSuperset(of: .stock) || isPluralForm(text.words[$0]) }
  }

  /// "As her brother had," and "as the dam did,": behind the comma it is about the patient again.
  func isCompared(_ subject: Range<Int>, before index: Int) -> Bool {
    subject.lowerBound > 0 && text.words[subject.lowerBound - 1].hash == Self.comparing
      && (1...2).contains(index - 1 - subject.upperBound)
      && text.words[subject.upperBound].classes.isSuperset(of: .verb)
      && ScannedText.isBorder(text.words[index - 1])
  }

  private static let comparing = Spelling.hash("as")

  func startsClause(_ index: Int, _ sentence: Range<Int>) -> Bool {
    let word = text.words[index]
    guard word.kind == .word || word.kind == .number else { return false }
    if index == sentence.lowerBound { return true }
    let before = text.words[index - 1]
    if ScannedText.isBorder(before) || before.classes.isSuperset(of: .joint) { return true }
    // "And now the dog has diarrhoea", "and honestly this looks the same", "so when I saw her".
    if before.isOne(of: .clauseopener) || endsInLy(before), index > sentence.lowerBound + 1 {
      let opening = text.words[index - 2]
      if ScannedText.isBorder(opening) || opening.classes.isSuperset(of: .joint) { return true }
    }
    // "Owner is sure he got at it".
    if index > sentence.lowerBound + 1, isTold(index) { return true }
    // "Breeder reports that the dam carries it".
    return index > sentence.lowerBound + 1 && before.classes.isSuperset(of: .who)
      && !text.words[index - 2].classes.isDisjoint(with: .speaking)
  }

  /// The person or other animal that "who" tells something of, where it is what they have or are.
  func antecedent(of index: Int, _ sentence: Range<Int>) -> Range<Int>? {
    guard Self.relativePronouns.contains(text.words[index].hash), index + 1 < sentence.upperBound,
      !text.words[index + 1].classes.isDisjoint(with: .state.union(.past)), index > sentence.lowerBound
    else { return nil }
    let isState = text.words[index + 1].classes.isSuperset(of: .state)
    let last = ScannedText.isBorder(text.words[index - 1]) ? index - 2 : index - 1
    guard last >= sentence.lowerBound else { return nil }
    let noun = text.words[last].classes
    let first = max(sentence.lowerBound, last - 2)
    // "To Mr Lyons, who is on chemotherapy".
    let isTitled =
      last > sentence.lowerBound && isName(last) && text.words[last - 1].classes.isSuperset(of: .human)
    let isPerson =
      isTitled
      || !noun.isDisjoint(with: .somebody.union(.people))
    let isOther =
      !noun.isDisjoint(with: .creature)
      && ((first..<last).contains {
        !text.words[$0].classes.isDisjoint(with: .otherness.union(.owner).union(.person))
      } || isCompany(last, sentence))
    let isRelative = !noun.isDisjoint(with: .relative)
    // What people do, or saw, is about the patient; "his sister, who tested positive".
    guard isState && isPerson || isOther || isRelative else { return nil }
    if !isState, !text.words[index + 1].classes.isDisjoint(with: .speaking) { return nil }
    let after = index + 2 < sentence.upperBound ? text.words[index + 2].classes : []
    return after.isDisjoint(with: .speaking) ? first..<(last + 1) : nil
  }

  /// "Lives with an elderly cat": a new animal behind a preposition.
  func isCompany(_ noun: Int, _ sentence: Range<Int>) -> Bool {
    (max(sentence.lowerBound, noun - 2)..<noun).contains {
      $0 > sentence.lowerBound && Self.newcomers.contains(text.words[$0].hash)
        && text.words[$0 - 1].classes.isSuperset(of: .agent)
    }
  }

  static let newcomers = Set(["a", "an"].map { Spelling.hash($0) })

  static let relativePronouns = Set(["who", "whos"].map { Spelling.hash($0) })

  /// "O stopped the drops herself": the person does something, rather than being or having it.
  func isDoing(_ person: Int, before end: Int) -> Bool {
    guard person + 1 < end else { return false }
    let next = text.words[person + 1].classes
    return !next.isDisjoint(with: .speaking) && next.isDisjoint(with: .state)
  }

  func isConclusion(_ index: Int, _ sentence: Range<Int>) -> Bool {
    text.words[index].hash == Self.which && index > sentence.lowerBound && index + 1 < sentence.upperBound
      && ScannedText.isBorder(text.words[index - 1]) && text.words[index + 1].isOne(of: .concluding)
  }

  private static let which = Spelling.hash("which")

  /// Whether a clause has "him" or a bare "her" or "it" for its object: somebody else than its subject.
  func isDoneToAnother(_ clause: Range<Int>) -> Bool {
    clause.contains { index in
      guard Self.objects.contains(text.words[index].hash), index > clause.lowerBound else { return false }
      let word = text.words[index]
      if word.hash == Self.him { return true }
      // "Bit her, she", "jumped on it and": no noun behind.
      guard index + 1 < text.words.count else { return true }
      let next = text.words[index + 1]
      return ScannedText.isBorder(next)
        || !next.classes.isDisjoint(with: .joint.union(.place).union(.agent).union(.link))
    }
  }

  private static let him = Spelling.hash("him")
  private static let objects = Set(["him", "her", "it"].map { Spelling.hash($0) })

  /// A semicolon or a dash: what follows is no longer about the subject before it.
  func isHardBorder(_ index: Int) -> Bool {
    let word = text.words[index]
    return word.hash == Sign.dash || (word.kind == .symbol && text.bytes[Int(word.start)] == 0x3B)
  }

  func isBlankLine(before index: Int) -> Bool {
    index > 1 && text.words[index - 1].kind == .lineBreak && text.words[index - 2].kind == .lineBreak
  }

  /// "Foal stood", "this pup has": not "her foal", "calf of this cow", and not the young of others.
  func isYoungSubject(_ start: Int, _ limit: Int) -> Bool {
    var index = start
    if text.words[index].classes.isSuperset(of: .this) { index += 1 }
    guard index + 1 < limit, text.words[index].classes.isSuperset(of: .young),
      text.words[index].hash == text.words[index].singular, text.words[index + 1].hash != Self.of,
      // "Doe with orf, kid also affected": its mother is the one seen.
      !text.words[index + 1].isOne(of: .addition)
    else { return false }
    return true
  }

  private static let litter = Spelling.hash("litter")
  private static let of = Spelling.hash("of")

  /// "Hector (brother, same house) takes Cytopoint": a name that brackets explain as another's.
  func namedOther(at index: Int, _ sentence: Range<Int>) -> Range<Int>? {
    let word = text.words[index]
    guard word.flags.contains(.capitalised), word.classes.isDisjoint(with: .heads) else { return nil }
    if othersNames.contains(word.hash) { return index..<(index + 1) }
    guard index + 2 < sentence.upperBound,
      text.bytes[Int(text.words[index + 1].start)] == UInt8(ascii: "(")
    else { return nil }
    for place in (index + 2)..<min(sentence.upperBound, index + 7) {
      if text.bytes[Int(text.words[place].start)] == UInt8(ascii: ")") { return nil }
      let set = text.words[place].classes
      if set.isSuperset(of: .relative) || set.isSuperset(of: .otherness) { return index..<(place + 1) }
    }
    return nil
  }

  /// The name that ends a subject: the "Gus" of "my other cat Gus".
  func ownName(in subject: Range<Int>) -> Int? {
    guard let last = subject.last, last > subject.lowerBound else { return nil }
    return isName(last) ? last : nil
  }

  func isName(_ index: Int) -> Bool {
    let flags = text.words[index].flags
    return text.words[index].kind == .word && flags.contains(.capitalised) && !flags.contains(.upperCase)
      && text.words[index].byteCount > 2
      && text.words[index].classes.isDisjoint(with: .heads.union(.openers).union(.verb))
  }

  /// "…, while Jasper has": somebody by name, behind whose name a verb stands.
  func isNamed(_ index: Int, _ sentence: Range<Int>) -> Bool {
    let word = text.words[index]
    guard index > sentence.lowerBound, word.flags.contains(.capitalised), !word.flags.contains(.upperCase),
      word.classes.isDisjoint(with: .heads.union(.openers)), index + 1 < sentence.upperBound
    else { return false }
    return text.words[index + 1].classes.isSuperset(of: .state)
  }
}
