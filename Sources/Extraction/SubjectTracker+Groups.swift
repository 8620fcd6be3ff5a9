/// A group of words that may name a subject: "two of her littermates in the pen".
struct NounGroup {
  let start: Int
  /// The end of its sentence.
  let limit: Int
  /// It stands behind a preposition.
  let isPlace: Bool
  /// The classes of its words.
  var seen: WordClassSet = []
  /// The classes of its nouns.
  var heads: WordClassSet = []
  var isPlural = false
  /// More stands behind its noun that belongs to it.
  var goesOn = false
  /// The word behind it; nil at the end of the sentence.
  var next: Int?

  func has(_ set: WordClassSet) -> Bool { seen.isSuperset(of: set) }
}

/// Whose a group of words is.
extension SubjectTracker {
  /// What a step finds; nil leaves the group to the next step.
  enum Decision {
    case subject(Subject)
    /// No subject that changes whom the text is about.
    case nobody
  }

  /// Whose a group is; nil when it begins no subject.
  func kind(of group: NounGroup) -> Subject? {
    let decision =
      pointedAt(group) ?? relative(group) ?? creature(group) ?? uncounted(group) ?? people(group) ?? animal(group)
    switch decision {
    case .subject(let subject): return subject
    case .nobody: return nil
    case nil:
      let isPronoun =
        group.has(.they) || !group.seen.isDisjoint(with: .third) && group.heads.isEmpty
      return isPronoun ? .pronoun : nil
    }
  }

  private func pointedAt(_ group: NounGroup) -> Decision? {
    if group.has(.this) { return .subject(.patient) }
    // "Stray tom, FIV unknown": what a note begins with is the patient.
    if group.start == 0, let next = group.next, text.bytes[Int(text.words[next].start)] == UInt8(ascii: ","),
      !group.isPlural, !group.has(.relative)
    {
      return .subject(.patient)
    }
    return nil
  }

  private func relative(_ group: NounGroup) -> Decision? {
    let words = group.start..<(group.next ?? group.limit)
    let isRelative = group.has(.relative)
    if isRelative {
      // "Mum says", "Mum (Mrs K)": the owner. "His mum" is the dam.
      if !group.isPlace, isKeeper(words) { return .nobody }
      let isCaller = words.contains { text.words[$0].isOne(of: .parent) }
      if isCaller, !group.isPlural, group.next.map({ $0 == group.start + 1 }) ?? true, !group.isPlace {
        // "Mother tested clear before mating": what happened to her, rather than what she says and does.
        guard let next = group.next, text.words[next].classes.isSuperset(of: .past),
          text.words[next].classes.isDisjoint(with: .speaking)
        else { return .nobody }
        return .subject(.other)
      }
      if let next = group.next, !text.words[next].classes.isDisjoint(with: .says) {
        if isCaller { return .nobody }
        // "My sister said it might be worms": a person, who speaks of the patient.
        if text.words[group.start].hash == Self.my { return .subject(.patient) }
      }
    }
    // "His mum is worried that he limps".
    if !group.isPlace, isWorried(group) { return .nobody }
    guard isRelative else { return nil }
    return .subject(group.isPlural || group.has(.quantity) ? .others : .other)
  }

  /// An animal that another word or a number makes another's.
  private func creature(_ group: NounGroup) -> Decision? {
    let isCreature = !group.heads.isDisjoint(with: .creature)
    // "Goats coughing, three of the goats died": the note's own.
    if patient.isHerd, group.isPlural, group.has(.stock),
      group.seen.isDisjoint(with: .otherness.union(.they).union(.third))
    {
      return .subject(.patient)
    }
    // "One dog came down with it. This one is well."
    if hasThis, isCreature, !group.isPlace, text.words[group.start].hash == Self.one { return .subject(.other) }
    if group.has(.otherness), isCreature || group.has(.group) && group.isPlace {
      return .subject(group.isPlural || group.has(.quantity) ? .others : .other)
    }
    guard isCreature else { return nil }
    if !group.isPlace, let other = counted(group) { return .subject(other) }
    // "Several lambs", "Persians often carry": the patient is one; "both dogs" are with it.
    guard group.isPlural, !group.has(.both) else { return nil }
    let areOthers = group.isPlace ? group.has(.quantity) : follows(.verb, group, within: 4)
    return areOthers ? .subject(.others) : .nobody
  }

  /// Others that are counted or grouped without being named: "others scouring", "rest of pond flashing".
  private func uncounted(_ group: NounGroup) -> Decision? {
    let isCreature = !group.heads.isDisjoint(with: .creature)
    let isCounted = group.has(.quantity)
    func others(_ areOthers: Bool) -> Decision { areOthers ? .subject(.others) : .nobody }
    // "3 ulcerated, others flashing. This fish": those who are counted are not the one pointed at.
    if hasThis, group.heads.isEmpty, !group.isPlace, isCounted, let next = group.next, isBefallen(next, group.limit) {
      return others(true)
    }
    // "Neighbouring herd broke down with BVD".
    if group.has(.otherness), group.has(.group), follows(.past, group, within: 2),
      !follows(.speaking, group, within: 1)
    {
      return others(true)
    }
    if group.has(.alone), !isCreature {
      // "Others in the pen are coughing", "others scouring".
      if !group.isPlace, let next = group.next {
        let isDenied = next + 1 < group.limit && text.words[next].classes.isSuperset(of: .refusing)
        if endsInIng(isDenied ? next + 1 : next) { return others(true) }
      }
      // "Two others dead in the barn" needs no verb.
      return others(group.isPlace || isCounted || follows(.verb, group, within: 5))
    }
    if group.has(.group), !group.isPlace, !isCreature {
      // "Rescue told us he had it".
      if follows(.speaking, group, within: 1) { return .nobody }
      // "Rest of pond flashing".
      return others(isCounted || follows(.verb, group, within: 4))
    }
    // "The other three are snuffly", "all others clear".
    if group.has(.otherness), isCounted, group.heads.isEmpty, !group.isPlace {
      return others(follows(.verb, group, within: 2))
    }
    return nil
  }

  /// People: what they see, say and do is about the patient; what they have and are is theirs.
  private func people(_ group: NounGroup) -> Decision? {
    if group.has(.people) {
      return group.isPlace || follows(.verb, group, within: 1) ? .subject(.others) : .nobody
    }
    let persons: WordClassSet = .person.union(.owner).union(.human).union(.first)
    guard !group.heads.isDisjoint(with: persons) else { return nil }
    guard !group.isPlace, let next = group.next else { return .nobody }
    // "A volunteer who cleaned the room caught it."
    let isPlain = text.words[group.start].byteCount == 1 || next == group.start + 1
    if isPlain, follows(.who, group, within: 1) { return .subject(.other) }
    guard text.words[next].classes.isSuperset(of: .state) else {
      // "My other cat had it, but the nurse said his thyroid is fine".
      return text.words[next].classes.isSuperset(of: .says) ? .subject(.patient) : .nobody
    }
    // "I took a swab": a vet's own work.
    if group.heads == .first, !text.words[next].classes.isDisjoint(with: .speaking) { return .nobody }
    let after = next + 1 < group.limit ? text.words[next + 1].classes : []
    // "I have never seen a flea on her".
    let isAdverb = next + 2 < group.limit && text.words[next + 1].isOne(of: .adverb)
    let second = isAdverb ? text.words[next + 2].classes : []
    return after.union(second).isDisjoint(with: .speaking) ? .subject(.other) : .nobody
  }

  /// One animal, which is the patient unless its sex, kind or young tell otherwise.
  private func animal(_ group: NounGroup) -> Decision? {
    guard !group.heads.isDisjoint(with: .creature), !group.isPlace else { return nil }
    // "The gelding is no carrier. The grey mare was positive."
    if !patient.sex.isEmpty, !group.seen.isDisjoint(with: .male.union(.female)),
      group.seen.isDisjoint(with: patient.sex), !group.isPlural
    {
      return .subject(.other)
    }
    if isOtherSpecies(group) { return .subject(.other) }
    if hasYoung, group.has(.mother), !group.isPlural { return .subject(.other) }
    // "A cat three doors down was poisoned."
    let first = text.words[group.start]
    if first.byteCount == 1, text.bytes[Int(first.start)] | 0x20 == UInt8(ascii: "a") {
      return group.goesOn ? .subject(.other) : .nobody
    }
    return .subject(.patient)
  }

  private func endsInIng(_ index: Int) -> Bool {
    let word = text.words[index]
    return word.kind == .word && word.byteCount > 5 && text.bytes[word.range].suffix(3).elementsEqual("ing".utf8)
  }

  /// "3 ulcerated", "two scouring", "5 with scour", "2 dead", and not "3 d", "two tablets".
  func isBefallen(_ index: Int, _ limit: Int) -> Bool {
    guard index < limit, text.words[index].kind == .word else { return false }
    let word = text.words[index]
    return endsInIng(index) || !word.classes.isDisjoint(with: .past) || word.isOne(of: .befallen)
      // "3 in the van had parvo".
      || !text.words[index - 1].classes.isDisjoint(with: .link.union(.det))
        && follows(.past.union(.state), from: index, limit, within: 4)
  }

  private static let one = Spelling.hash("one")

  private func follows(_ set: WordClassSet, _ group: NounGroup, within count: Int) -> Bool {
    group.next.map { follows(set, from: $0, group.limit, within: count) } ?? false
  }

  private func follows(_ set: WordClassSet, from next: Int, _ limit: Int, within count: Int) -> Bool {
    for index in next..<min(limit, next + count) {
      if ScannedText.isBorder(text.words[index]) { return false }
      if !text.words[index].classes.isDisjoint(with: set) { return true }
    }
    return false
  }
}
