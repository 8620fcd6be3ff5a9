/// Follows whom the sentences of a text are about: the patient until another animal or a person becomes the subject, and that
/// one until the subject changes back.
///
///     "Two of the littermates died of parvo. This one is bright."   // parvo: another's; bright: the patient's
///
/// A clause begins at the start of a sentence, behind a semicolon, and behind a comma or conjunction where a subject follows.
/// Its subject is the group of words it begins with. Pronouns leave it as it is within a sentence and are the patient's at the
/// start of one, but for "they", which goes on with several others spoken of before.
struct SubjectTracker {
  /// Words that are said of one subject.
  struct Span: Sendable {
    let words: Range<Int>
    /// The words that name the subject.
    let subject: Range<Int>
    let isOther: Bool
    /// The part of ``words`` that tells another animal's story in the past; empty when none does.
    var past = 0..<0
  }

  private enum Subject { case patient, others, other, pronoun }

  private static let adverbs = Set(
    ["never", "also", "just", "not", "ever", "already", "always"].map { Spelling.hash($0) })

  /// How staff call the owner of a pet.
  private static let callers = Set(["mum", "mom", "mother", "dad", "father"].map { Spelling.hash($0) })

  private static let openings = Set(["now", "then", "today"].map { Spelling.hash($0) })

  private static let my = Spelling.hash("my")

  /// A subject and what goes with it is no longer than this.
  private static let longest = 9

  private let text: ScannedText
  private let classes: SubjectClasses
  /// A young animal is a subject of its own somewhere: then its mother is another.
  private var hasYoung = false
  /// The sex in the first word for an animal that has one ("gelding", "bitch"); empty when there is none.
  private var sex: WordClassSet = []
  /// The names that others were given: "my other cat Gus had …".
  private var othersNames: Set<UInt64> = []

  init(text: ScannedText, classes: SubjectClasses) {
    self.text = text
    self.classes = classes
    hasYoung =
      text.sentences.contains { sentence in
        sentence.contains { startsClause($0, sentence) && isYoungSubject($0, sentence.upperBound) }
      } || beginsWithYoung
    let sexes = classes.male.union(classes.female)
    sex = text.words.first { !$0.classes.isDisjoint(with: sexes) }?.classes.intersection(sexes) ?? []
  }

  /// The stretches that have a subject of their own, in order.
  ///
  /// - Complexity: O(words).
  mutating func spans() -> [Span] {
    var result: [Span] = []
    var last: Subject?
    for sentence in text.sentences where !sentence.isEmpty {
      if isBlankLine(before: sentence.lowerBound) { last = nil }
      append(sentence, &result, &last)
    }
    return result
  }

  private mutating func append(_ sentence: Range<Int>, _ result: inout [Span], _ last: inout Subject?) {
    var open: (start: Int, subject: Range<Int>, isOther: Bool)?
    var isClosing = false
    var isAside = false
    var first: Subject?
    var owner: Int?
    func close(at end: Int) {
      if let current = open, current.start < end {
        result.append(
          Span(
            words: current.start..<end, subject: current.subject, isOther: current.isOther,
            past: current.isOther ? past(current.subject, before: end) : 0..<0))
      }
      open = nil
    }
    for index in sentence {
      let word = text.words[index]
      if !word.classes.isDisjoint(with: classes.owner.union(classes.person).union(classes.human)) {
        owner = owner ?? index
      }
      // "In hospital herself": what is said of the owner's own person; but "stopped the drops herself" is what was done.
      if word.classes.isSuperset(of: classes.reflexive), let owner, open == nil || open?.isOther == false,
        !isDoing(owner, before: index)
      {
        open = (owner, owner..<(owner + 1), true)
        continue
      }
      if word.classes.isSuperset(of: classes.closing) { isClosing = true }
      // "The neighbour's dog who has parvo", "the owner, who has asthma, wonders".
      if let other = antecedent(of: index, sentence) {
        close(at: index)
        open = (index, other, true)
        isAside = true
        continue
      }
      if isAside, index > sentence.lowerBound, ScannedText.isBorder(word) {
        close(at: index)
        isAside = false
      }
      guard startsClause(index, sentence) else { continue }
      // "Housemate well, vomiting since Tuesday", "O had flu so missed the booster": nothing more is said of them.
      if let current = open, current.isOther, index > current.subject.upperBound, isClosing || isPerson(current.subject)
      {
        // "The companion is fine too, though shows no signs": without a subject of its own the clause goes on about it.
        if word.classes.isSuperset(of: classes.joint), index + 1 < sentence.upperBound { continue }
        if word.classes.isDisjoint(with: classes.verb.union(classes.refusing)) { close(at: index) }
      }
      isClosing = false
      if let other = namedOther(at: index, sentence) {
        close(at: index)
        open = (index, other, true)
        first = first ?? .other
        last = .other
        continue
      }
      if open?.isOther == true, isNamed(index, sentence) {
        close(at: index)
        continue
      }
      guard let (subject, range) = subject(at: index, before: sentence.upperBound, isPlace: false) else {
        if index > sentence.lowerBound, isHardBorder(index - 1),
          text.words[index - 1].hash != Sign.dash || word.classes.isDisjoint(with: classes.refusing)
        {
          close(at: index)
        }
        continue
      }
      let isFirst = first == nil
      first = first ?? subject
      switch subject {
      case .other, .others, .patient:
        close(at: index)
        if subject == .other, let name = ownName(in: range) { othersNames.insert(text.words[name].hash) }
        open = (index, range, subject != .patient)
        last = subject
      case .pronoun:
        if !isFirst {
          // "Two of her kittens died; she is well": one can't be several.
          if open?.isOther == true, last == .others, text.words[index].classes.isDisjoint(with: classes.they),
            isHardBorder(index - 1)
          {
            close(at: index)
          }
          break
        }
        // "They": several others of the sentence before go on.
        if last == .others, text.words[index].classes.isSuperset(of: classes.they) {
          open = (index, range, true)
        } else {
          last = nil
        }
      }
    }
    close(at: sentence.upperBound)
    if first == nil { last = nil }
    appendPlaces(sentence, &result)
  }

  /// "No HCM in either parent", "scrapes from the two other llamas: no mites": those that are named behind a preposition.
  private func appendPlaces(_ sentence: Range<Int>, _ result: inout [Span]) {
    for index in sentence where text.words[index].classes.isSuperset(of: classes.place) {
      guard index + 1 < sentence.upperBound, index > sentence.lowerBound,
        let (subject, range) = subject(at: index + 1, before: sentence.upperBound, isPlace: true),
        subject == .others || subject == .other
      else { continue }
      // Of its own clause: back to the border before it.
      var start = index
      while start > sentence.lowerBound, !ScannedText.isBorder(text.words[start - 1]) { start -= 1 }
      let isIn = text.bytes[Int(text.words[index].start)] | 0x20 != UInt8(ascii: "f")
      if isIn { result.append(Span(words: start..<index, subject: range, isOther: true)) }
      if range.upperBound < sentence.upperBound, text.bytes[Int(text.words[range.upperBound].start)] == 0x3A {
        result.append(Span(words: range.upperBound..<sentence.upperBound, subject: range, isOther: true))
      }
    }
  }

  /// From "had", "died", "scored" right behind the subject to a verb in the present; what people had may well go on.
  private func past(_ subject: Range<Int>, before end: Int) -> Range<Int> {
    let heads = subject.reduce(into: WordClassSet()) { $0.formUnion(text.words[$1].classes) }
    guard subject.upperBound < end,
      !heads.isDisjoint(with: classes.creature.union(classes.relative).union(classes.group))
    else { return 0..<0 }
    // "Her dam, who had": the comma belongs to the clause.
    let start = ScannedText.isBorder(text.words[subject.upperBound]) ? subject.upperBound + 1 : subject.upperBound
    for index in start..<max(start, min(end, start + 4)) {
      let word = text.words[index]
      if ScannedText.isBorder(word) { break }
      let isState = word.classes.isSuperset(of: classes.state)
      // "Two of the litter have had it".
      let isPerfect =
        isState && index + 1 < end && text.words[index + 1].classes.isSuperset(of: classes.past.union(classes.state))
      if word.classes.isSuperset(of: classes.past) || isPerfect {
        let present = (index + 1..<end).first {
          text.words[$0].classes.isSuperset(of: classes.state) && text.words[$0].classes.isDisjoint(with: classes.past)
            && !($0 + 1 < end && text.words[$0 + 1].classes.isSuperset(of: classes.past))
        }
        return index..<(present ?? end)
      }
      if isState { break }
    }
    return 0..<0
  }

  private func isPerson(_ subject: Range<Int>) -> Bool {
    let heads = subject.reduce(into: WordClassSet()) { $0.formUnion(text.words[$1].classes) }
    return !heads.isDisjoint(with: classes.owner.union(classes.person).union(classes.human).union(classes.first))
      && heads.isDisjoint(with: classes.creature)
  }

  /// "FIV positive in an 11-week kitten": the first sentence is about a young animal, and not about somebody's young.
  private var beginsWithYoung: Bool {
    guard let sentence = text.sentences.first else { return false }
    return sentence.contains { index in
      text.words[index].classes.isSuperset(of: classes.young) && text.words[index].hash == text.words[index].singular
        && !(max(sentence.lowerBound, index - 2)..<index).contains {
          !text.words[$0].classes.isDisjoint(with: classes.third.union(classes.they).union(classes.quantity))
        }
        && !sentence.contains { text.words[$0].classes.isSuperset(of: classes.mother) }
    }
  }

  // MARK: - Clauses

  private func startsClause(_ index: Int, _ sentence: Range<Int>) -> Bool {
    let word = text.words[index]
    guard word.kind == .word || word.kind == .number else { return false }
    if index == sentence.lowerBound { return true }
    let before = text.words[index - 1]
    if ScannedText.isBorder(before) || before.classes.isSuperset(of: classes.joint) { return true }
    // "And now the dog has diarrhoea".
    if Self.openings.contains(before.hash), index > sentence.lowerBound + 1 {
      let opening = text.words[index - 2]
      if ScannedText.isBorder(opening) || opening.classes.isSuperset(of: classes.joint) { return true }
    }
    // "Breeder reports that the dam carries it".
    return index > sentence.lowerBound + 1 && before.classes.isSuperset(of: classes.who)
      && !text.words[index - 2].classes.isDisjoint(with: classes.telling)
  }

  /// The person or other animal that "who" tells something of, where it is what they have or are.
  private func antecedent(of index: Int, _ sentence: Range<Int>) -> Range<Int>? {
    guard Self.relativePronouns.contains(text.words[index].hash), index + 1 < sentence.upperBound,
      !text.words[index + 1].classes.isDisjoint(with: classes.state.union(classes.past)), index > sentence.lowerBound
    else { return nil }
    let isState = text.words[index + 1].classes.isSuperset(of: classes.state)
    let last = ScannedText.isBorder(text.words[index - 1]) ? index - 2 : index - 1
    guard last >= sentence.lowerBound else { return nil }
    let noun = text.words[last].classes
    let first = max(sentence.lowerBound, last - 2)
    // "To Mr Lyons, who is on chemotherapy".
    let isTitled =
      last > sentence.lowerBound && isName(last) && text.words[last - 1].classes.isSuperset(of: classes.human)
    let isPerson =
      isTitled
      || !noun.isDisjoint(with: classes.owner.union(classes.person).union(classes.human).union(classes.people))
    let isOther =
      !noun.isDisjoint(with: classes.creature)
      && ((first..<last).contains {
        !text.words[$0].classes.isDisjoint(with: classes.otherness.union(classes.owner).union(classes.person))
      } || isCompany(last, sentence))
    let isRelative = !noun.isDisjoint(with: classes.relative)
    // What people do, or saw, is about the patient; "his sister, who tested positive".
    guard isState && isPerson || isOther || isRelative else { return nil }
    if !isState, !text.words[index + 1].classes.isDisjoint(with: classes.telling) { return nil }
    let after = index + 2 < sentence.upperBound ? text.words[index + 2].classes : []
    return after.isDisjoint(with: classes.telling) ? first..<(last + 1) : nil
  }

  /// "Lives with an elderly cat": a new animal behind a preposition.
  private func isCompany(_ noun: Int, _ sentence: Range<Int>) -> Bool {
    (max(sentence.lowerBound, noun - 2)..<noun).contains {
      $0 > sentence.lowerBound && Self.newcomers.contains(text.words[$0].hash)
        && text.words[$0 - 1].classes.isSuperset(of: classes.agent)
    }
  }

  private static let newcomers = Set(["a", "an"].map { Spelling.hash($0) })

  private static let relativePronouns = Set(["who", "whos"].map { Spelling.hash($0) })

  /// "O stopped the drops herself": the person does something, rather than being or having it.
  private func isDoing(_ person: Int, before end: Int) -> Bool {
    guard person + 1 < end else { return false }
    let next = text.words[person + 1].classes
    return !next.isDisjoint(with: classes.telling) && next.isDisjoint(with: classes.state)
  }

  /// A semicolon or a dash: what follows is no longer about the subject before it.
  private func isHardBorder(_ index: Int) -> Bool {
    let word = text.words[index]
    return word.hash == Sign.dash || (word.kind == .symbol && text.bytes[Int(word.start)] == 0x3B)
  }

  private func isBlankLine(before index: Int) -> Bool {
    index > 1 && text.words[index - 1].kind == .lineBreak && text.words[index - 2].kind == .lineBreak
  }

  /// "Foal stood", "this pup has": not "her foal", and not the young of others.
  private func isYoungSubject(_ start: Int, _ limit: Int) -> Bool {
    var index = start
    if text.words[index].classes.isSuperset(of: classes.this) { index += 1 }
    guard index + 1 < limit, text.words[index].classes.isSuperset(of: classes.young),
      text.words[index].hash == text.words[index].singular
    else { return false }
    return true
  }

  /// "Hector (brother, same house) takes Cytopoint": a name that brackets explain as another's.
  private func namedOther(at index: Int, _ sentence: Range<Int>) -> Range<Int>? {
    let word = text.words[index]
    guard word.flags.contains(.capitalised), word.classes.isDisjoint(with: classes.heads) else { return nil }
    if othersNames.contains(word.hash) { return index..<(index + 1) }
    guard index + 2 < sentence.upperBound,
      text.bytes[Int(text.words[index + 1].start)] == UInt8(ascii: "(")
    else { return nil }
    for place in (index + 2)..<min(sentence.upperBound, index + 7) {
      if text.bytes[Int(text.words[place].start)] == UInt8(ascii: ")") { return nil }
      let set = text.words[place].classes
      if set.isSuperset(of: classes.relative) || set.isSuperset(of: classes.otherness) { return index..<(place + 1) }
    }
    return nil
  }

  /// The name that ends a subject: the "Gus" of "my other cat Gus".
  private func ownName(in subject: Range<Int>) -> Int? {
    guard let last = subject.last, last > subject.lowerBound else { return nil }
    return isName(last) ? last : nil
  }

  private func isName(_ index: Int) -> Bool {
    let flags = text.words[index].flags
    return text.words[index].kind == .word && flags.contains(.capitalised) && !flags.contains(.upperCase)
      && text.words[index].byteCount > 2
      && text.words[index].classes.isDisjoint(with: classes.heads.union(classes.openers).union(classes.verb))
  }

  /// "…, while Jasper has": somebody by name, behind whose name a verb stands.
  private func isNamed(_ index: Int, _ sentence: Range<Int>) -> Bool {
    let word = text.words[index]
    guard index > sentence.lowerBound, word.flags.contains(.capitalised), !word.flags.contains(.upperCase),
      word.classes.isDisjoint(with: classes.heads.union(classes.openers)), index + 1 < sentence.upperBound
    else { return false }
    return text.words[index + 1].classes.isSuperset(of: classes.state)
  }

  // MARK: - Subjects

  /// The subject that begins at a word, and its words; nil when no known one does.
  ///
  /// Behind a preposition (`isPlace`) no verb need follow.
  private func subject(at start: Int, before limit: Int, isPlace: Bool) -> (Subject, Range<Int>)? {
    var index = start
    var seen: WordClassSet = []
    var heads: WordClassSet = []
    var isPlural = false
    var goesOn = false
    while index < limit, index - start < Self.longest {
      let word = text.words[index]
      guard word.kind == .word || word.kind == .number else { break }
      let set = word.kind == .number ? classes.quantity : word.classes
      if !heads.isEmpty, !set.isDisjoint(with: classes.pronoun), set.isDisjoint(with: classes.det) {
        // "As a puppy he had": the one spoken of before begins a clause.
        return nil
      } else if !set.isDisjoint(with: classes.heads), set.isDisjoint(with: classes.joint) || heads.isEmpty {
        heads.formUnion(set.intersection(classes.heads))
        seen.formUnion(set)
        isPlural = isPlural || isPluralForm(word) || set.isSuperset(of: classes.people)
      } else if !set.isDisjoint(with: classes.openers) {
        seen.formUnion(set.intersection(classes.openers))
        goesOn = goesOn || !heads.isEmpty
      } else if set.isSuperset(of: classes.link), !heads.isEmpty || !seen.isDisjoint(with: classes.quantity) {
        // "Two of the littermates", "the other dogs in the pen": what stands behind belongs to it.
        goesOn = goesOn || !heads.isEmpty
      } else if index == start + 1, heads == classes.human, word.flags.contains(.capitalised) {
        // "Mrs Okafor".
      } else if !goesOn, text.words[index - 1 < start ? start : index - 1].classes.isDisjoint(with: classes.person),
        !heads.isDisjoint(with: classes.creature.union(classes.relative)), isName(index),
        !seen.isDisjoint(with: classes.otherness.union(classes.relative))
      {
        // "My other cat Gus".
        index += 1
        break
      } else if heads.isEmpty, isDescriptive(index, limit) {
        // "The adult cats", "neighbouring stall cow".
      } else {
        break
      }
      index += 1
    }
    guard index > start else { return nil }
    let next = index < limit ? index : nil
    return kind(seen, heads, isPlural: isPlural, goesOn: goesOn, from: start, next: next, limit, isPlace)
      .map { ($0, start..<index) }
  }

  /// Up to two words of description before a known animal, relative or group.
  private func isDescriptive(_ index: Int, _ limit: Int) -> Bool {
    let nouns = classes.creature.union(classes.relative).union(classes.group)
    for place in index..<min(limit, index + 2) {
      let word = text.words[place]
      guard word.kind == .word, word.classes.isDisjoint(with: classes.verb), place + 1 < limit else { return false }
      if !text.words[place + 1].classes.isDisjoint(with: nouns) { return true }
    }
    return false
  }

  /// "Cats", not "cat's".
  private func isPluralForm(_ word: Word) -> Bool {
    word.hash != word.singular && !text.bytes[Int(word.start)..<Int(word.end)].contains { $0 == 0x27 || $0 == 0x99 }
  }

  private func kind(
    _ seen: WordClassSet, _ heads: WordClassSet, isPlural: Bool, goesOn: Bool, from start: Int, next: Int?,
    _ limit: Int, _ isPlace: Bool
  ) -> Subject? {
    func has(_ set: WordClassSet) -> Bool { seen.isSuperset(of: set) }
    if has(classes.this) { return .patient }
    // "Stray tom, FIV unknown": what a note begins with is the patient.
    if start == 0, let next, text.bytes[Int(text.words[next].start)] == 0x2C, !isPlural, !has(classes.relative) {
      return .patient
    }
    if has(classes.relative) {
      // "Mum says", "Mum (Mrs K)": the owner. "His mum" is the dam.
      let isCaller = (start..<(next ?? limit)).contains { Self.callers.contains(text.words[$0].hash) }
      if isCaller, !isPlural, next.map({ $0 == start + 1 }) ?? true, !isPlace {
        // "Mother tested clear before mating": what happened to her, rather than what she says and does.
        guard let next, text.words[next].classes.isSuperset(of: classes.past) else { return nil }
        return text.words[next].classes.isDisjoint(with: classes.telling) ? .other : nil
      }
      if let next, !text.words[next].classes.isDisjoint(with: classes.says) {
        if isCaller { return nil }
        // "My sister said it might be worms": a person, who speaks of the patient.
        if text.words[start].hash == Self.my { return .patient }
      }
    }
    if has(classes.relative) { return isPlural || has(classes.quantity) ? .others : .other }
    let isCreature = !heads.isDisjoint(with: classes.creature)
    let isMany = isPlural || has(classes.quantity)
    if has(classes.otherness), isCreature || (has(classes.group) && isPlace) { return isMany ? .others : .other }
    // "Several lambs", "Persians often carry": the patient is one; "both dogs" are with it.
    if isPlural, isCreature, !has(classes.both) {
      return isPlace
        ? (has(classes.quantity) ? .others : nil) : follows(classes.verb, next, limit, within: 4) ? .others : nil
    }
    // "Others in the pen are coughing".
    if has(classes.alone), !isCreature {
      return isPlace || follows(classes.verb, next, limit, within: 5) ? .others : nil
    }
    // "Rescue told us he had it".
    if has(classes.group), !isPlace, !isCreature, follows(classes.telling, next, limit, within: 1) { return nil }
    if has(classes.group), !isPlace, !isCreature {
      // "Rest of pond flashing".
      if has(classes.quantity) { return .others }
      return follows(classes.verb, next, limit, within: 4) ? .others : nil
    }
    // "The other three are snuffly", "all others clear".
    if has(classes.otherness), has(classes.quantity), heads.isEmpty, !isPlace {
      return follows(classes.verb, next, limit, within: 2) ? .others : nil
    }
    if has(classes.people) { return isPlace || follows(classes.verb, next, limit, within: 1) ? .others : nil }
    if !heads.isDisjoint(with: classes.person.union(classes.owner).union(classes.human).union(classes.first)) {
      // What they see, say and do is about the patient; what they have and are is theirs.
      // "A volunteer who cleaned the room caught it."
      let isPlain = text.words[start].byteCount == 1 || next == start + 1
      if !isPlace, isPlain, follows(classes.who, next, limit, within: 1) { return .other }
      guard !isPlace, let next else { return nil }
      guard text.words[next].classes.isSuperset(of: classes.state) else {
        // "My other cat had it, but the nurse said his thyroid is fine".
        return text.words[next].classes.isSuperset(of: classes.says) ? .patient : nil
      }
      // "I took a swab": a vet's own work.
      if heads == classes.first, !text.words[next].classes.isDisjoint(with: classes.telling) { return nil }
      let after = next + 1 < limit ? text.words[next + 1].classes : []
      // "I have never seen a flea on her".
      let isAdverb = next + 2 < limit && Self.adverbs.contains(text.words[next + 1].hash)
      let second = isAdverb ? text.words[next + 2].classes : []
      return after.union(second).isDisjoint(with: classes.telling) ? .other : nil
    }
    if isCreature, !isPlace {
      // "The gelding is no carrier. The grey mare was positive."
      if !sex.isEmpty, !seen.isDisjoint(with: classes.male.union(classes.female)), seen.isDisjoint(with: sex), !isPlural
      {
        return .other
      }
      if hasYoung, heads.isSuperset(of: classes.mother) || seen.isSuperset(of: classes.mother), !isPlural {
        return .other
      }
      // "A cat three doors down was poisoned."
      if text.bytes[Int(text.words[start].start)] | 0x20 == UInt8(ascii: "a"), text.words[start].byteCount == 1 {
        return goesOn ? .other : nil
      }
      return .patient
    }
    return has(classes.they) || (!seen.isDisjoint(with: classes.third) && heads.isEmpty) ? .pronoun : nil
  }

  private func follows(_ set: WordClassSet, _ next: Int?, _ limit: Int, within count: Int) -> Bool {
    guard let next else { return false }
    for index in next..<min(limit, next + count) {
      if ScannedText.isBorder(text.words[index]) { return false }
      if !text.words[index].classes.isDisjoint(with: set) { return true }
    }
    return false
  }
}
