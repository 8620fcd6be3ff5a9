import TextAnalysis

/// The group of words that names a subject, and whose it is.
extension SubjectTracker {
  static let adverbs = Set(
    ["never", "also", "just", "not", "ever", "already", "always"].map { Spelling.hash($0) })

  /// How staff call the owner of a pet.
  static let callers = Set(["mum", "mom", "mother", "dad", "father"].map { Spelling.hash($0) })

  static let my = Spelling.hash("my")

  /// A subject and what goes with it is no longer than this.
  static let longest = 9

  /// The subject that begins at a word, and its words; nil when no known one does.
  ///
  /// Behind a preposition (`isPlace`) no verb need follow.
  func subject(at start: Int, before limit: Int, isPlace: Bool) -> (Subject, Range<Int>)? {
    if !isPlace, let range = coated(at: start, before: limit) { return (.other, range) }
    var index = start
    var seen: WordClassSet = []
    var heads: WordClassSet = []
    var isPlural = false
    var goesOn = false
    var isPlaced = false
    while index < limit, index - start < Self.longest {
      let word = text.words[index]
      guard word.kind == .word || word.kind == .number else { break }
      let set = word.kind == .number ? classes.quantity : word.classes
      if !heads.isEmpty, !set.isDisjoint(with: classes.pronoun), set.isDisjoint(with: classes.det) {
        // "The last puppy they had nearly died": which animal it was. "As a puppy he had": the one spoken of before begins a clause.
        let isOne = !seen.isDisjoint(with: classes.otherness) || text.words[start].hash == Self.the
        if !isPlace, isOne, !heads.isDisjoint(with: classes.creature), isKeeping(index + 1, before: limit) {
          return (.other, start..<index)
        }
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
      } else if goesOn, set.isSuperset(of: classes.whereabouts) || word.hash == Self.same {
        // "Child at home", "two geckos in the same rack".
        isPlaced = true
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
    // "New snake in the house has mites".
    if isPlaced, !isPlace, !heads.isDisjoint(with: classes.creature), Self.newcomer == text.words[start].hash {
      return (.other, start..<index)
    }
    return kind(seen, heads, isPlural: isPlural, goesOn: goesOn, from: start, next: next, limit, isPlace)
      .map { ($0, start..<index) }
  }

  /// Up to two words of description before a known animal, relative or group.
  func isDescriptive(_ index: Int, _ limit: Int) -> Bool {
    let nouns = classes.creature.union(classes.relative).union(classes.group)
    for place in index..<min(limit, index + 2) {
      let word = text.words[place]
      // "Unlike her housemate" describes nobody.
      guard word.kind == .word, place + 1 < limit,
        word.classes.isDisjoint(with: classes.verb.union(classes.agent).union(classes.pronoun))
      else { return false }
      if !text.words[place + 1].classes.isDisjoint(with: nouns) { return true }
    }
    return false
  }

  /// "They had", "she kept before": whose it was.
  private func isKeeping(_ index: Int, before limit: Int) -> Bool {
    index + 1 < limit && Self.keeping.contains(text.words[index].hash)
      && text.words[index + 1].classes.isDisjoint(with: classes.heads.union(classes.openers))
  }

  private static let same = Spelling.hash("same")
  private static let newcomer = Spelling.hash("new")
  private static let one = Spelling.hash("one")
  private static let the = Spelling.hash("the")
  private static let keeping = Set(["had", "kept", "owned", "lost", "bred"].map { Spelling.hash($0) })

  /// "Cats", not "cat's".
  func isPluralForm(_ word: Word) -> Bool {
    word.hash != word.singular && !WordForm.endsInPossessive(text.bytes[word.range])
  }

  func kind(
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
      if !isPlace, isKeeper(start..<(next ?? limit)) { return nil }
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
    // "His mum is worried that he limps".
    if isWorried(start, next, limit), !isPlace { return nil }
    if has(classes.relative) { return isPlural || has(classes.quantity) ? .others : .other }
    let isCreature = !heads.isDisjoint(with: classes.creature)
    let isMany = isPlural || has(classes.quantity)
    // "Goats coughing, three of the goats died": the note's own.
    if isHerd, isPlural, has(classes.stock), !has(classes.otherness), !has(classes.they), !has(classes.third) {
      return .patient
    }
    // "One dog came down with it. This one is well."
    if hasThis, isCreature, !isPlace, text.words[start].hash == Self.one { return .other }
    if has(classes.otherness), isCreature || (has(classes.group) && isPlace) { return isMany ? .others : .other }
    if !isPlace, isCreature, let other = counted(seen, isPlural: isPlural, from: start, next, limit) { return other }
    // "Several lambs", "Persians often carry": the patient is one; "both dogs" are with it.
    if isPlural, isCreature, !has(classes.both) {
      return isPlace
        ? (has(classes.quantity) ? .others : nil) : follows(classes.verb, next, limit, within: 4) ? .others : nil
    }
    // "3 ulcerated, others flashing. This fish": those who are counted are not the one pointed at.
    if hasThis, heads.isEmpty, !isPlace, has(classes.quantity), let next, isBefallen(next, limit) {
      return .others
    }
    // "Neighbouring herd broke down with BVD".
    if has(classes.otherness), has(classes.group), follows(classes.past, next, limit, within: 2),
      follows(classes.telling, next, limit, within: 1) == false
    {
      return .others
    }
    // "Others in the pen are coughing", "others scouring".
    if has(classes.alone), !isCreature, !isPlace, let next {
      let isDenied = next + 1 < limit && text.words[next].classes.isSuperset(of: classes.refusing)
      if endsInIng(isDenied ? next + 1 : next) { return .others }
    }
    if has(classes.alone), !isCreature {
      // "Two others dead in the barn" needs no verb.
      return isPlace || has(classes.quantity) || follows(classes.verb, next, limit, within: 5) ? .others : nil
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
      if isOtherSpecies(seen, next, limit) { return .other }
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

  private func endsInIng(_ index: Int) -> Bool {
    let word = text.words[index]
    return word.kind == .word && word.byteCount > 5 && text.bytes[word.range].suffix(3).elementsEqual("ing".utf8)
  }

  /// "3 ulcerated", "two scouring", "5 with scour", "2 dead", and not "3 d", "two tablets".
  func isBefallen(_ index: Int, _ limit: Int) -> Bool {
    guard index < limit, text.words[index].kind == .word else { return false }
    let word = text.words[index]
    return endsInIng(index) || !word.classes.isDisjoint(with: classes.past) || Self.befallen.contains(word.hash)
      // "3 in the van had parvo".
      || !text.words[index - 1].classes.isDisjoint(with: classes.link.union(classes.det))
        && follows(classes.past.union(classes.state), index, limit, within: 4)
  }

  private static let befallen = Set(
    ["with", "dead", "ill", "sick", "affected", "has", "have", "are"].map { Spelling.hash($0) })

  func follows(_ set: WordClassSet, _ next: Int?, _ limit: Int, within count: Int) -> Bool {
    guard let next else { return false }
    for index in next..<min(limit, next + count) {
      if ScannedText.isBorder(text.words[index]) { return false }
      if !text.words[index].classes.isDisjoint(with: set) { return true }
    }
    return false
  }
}
