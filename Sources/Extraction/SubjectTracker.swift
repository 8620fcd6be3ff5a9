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

  enum Subject { case patient, others, other, pronoun }

  /// What a note tells of its patient, by which others are told from it.
  struct Patient {
    /// The sex in the first word for an animal that has one ("gelding", "bitch"); empty when there is none.
    var sex: WordClassSet = []
    /// A "he" or a "she"; empty when nothing tells.
    var gender: WordClassSet = []
    /// The kind of animal ("dog", "mare"); empty when nothing tells.
    var species: WordClassSet = []
    /// Several farm animals together: "Goats coughing, three died".
    var isHerd = false
    /// The first animal that the note names is a mother: the young that are counted beside it are others.
    var isMother = false
    /// The first animal that the note names is one alone.
    var isOne = false
    /// The house, pen or tank that the note begins with.
    var unit: UInt64?
  }

  let text: ScannedText
  /// A young animal is a subject of its own somewhere: then its mother is another.
  private(set) var hasYoung = false
  /// The names that others were given: "my other cat Gus had …".
  private(set) var othersNames: Set<UInt64> = []
  /// The names that people have.
  private(set) var people: Set<UInt64> = []
  /// Which of several animals with letters, numbers or names is the patient.
  private(set) var labels = Labels()
  /// Somewhere the note says "this one", "this pup": then those it counts before are others.
  private(set) var hasThis = false
  private(set) var patient = Patient()

  init(text: ScannedText) {
    self.text = text
    hasYoung =
      text.sentences.contains { sentence in
        sentence.contains { startsClause($0, sentence) && isYoungSubject($0, sentence.upperBound) }
      } || beginsWithYoung
    people = namesOfPeople
    hasThis = namesThis
    labels = readLabels()
    patient = readPatient()
  }

  private func readPatient() -> Patient {
    var patient = Patient()
    // "Three mares aborted, the stallion is swollen. This filly is sound": the one pointed at, wherever it stands.
    let sexes: WordClassSet = .male.union(.female)
    let sexed = text.words.indices.filter { !text.words[$0].classes.isDisjoint(with: sexes) }
    let own = sexed.first { $0 > 0 && text.words[$0 - 1].classes.isSuperset(of: .this) } ?? sexed.first
    patient.sex = own.map { text.words[$0].classes.intersection(sexes) } ?? []
    patient.isHerd = !hasThis && beginsWithHerd
    patient.gender = ownGender
    patient.species = ownSpecies
    patient.unit = text.words.indices.first.flatMap { unit(at: $0) ?? unit(at: $0 + 1) }?.key
    guard let first = text.words.first(where: { !$0.classes.isDisjoint(with: .creature) }), !isPluralForm(first)
    else { return patient }
    patient.isOne = !patient.species.isEmpty && first.classes.isSuperset(of: patient.species)
    patient.isMother = first.classes.isSuperset(of: .mother)
    return patient
  }

  /// The stretches that have a subject of their own, in order.
  ///
  /// - Complexity: O(words).
  mutating func spans() -> [Span] {
    var walk = Walk()
    for sentence in text.sentences where !sentence.isEmpty {
      walk.begin(sentence, afterBlankLine: isBlankLine(before: sentence.lowerBound))
      follow(&walk)
      appendPlaces(sentence, &walk.spans)
      walk.spans += tagged(sentence)
    }
    return walk.spans
  }

  // MARK: - A sentence

  /// How far a text has been followed.
  private struct Walk {
    var spans: [Span] = []
    private(set) var sentence = 0..<0
    /// The clause that goes on, with the words that name its subject.
    var open: (start: Int, subject: Range<Int>, isOther: Bool)?
    /// Something was said of the open clause's subject that ends its story.
    var isClosing = false
    /// The open clause is one with "who", which ends at the next border.
    var isAside = false
    /// The first subject of the sentence.
    var first: Subject?
    /// The subject before, of this sentence or the one before.
    var last: Subject?
    /// The other that was spoken of last.
    var spoken: Range<Int>?

    mutating func begin(_ sentence: Range<Int>, afterBlankLine: Bool) {
      self.sentence = sentence
      if afterBlankLine { last = nil }
      (open, isClosing, isAside, first) = (nil, false, false, nil)
    }
  }

  private mutating func follow(_ walk: inout Walk) {
    let sentence = walk.sentence
    var owner: Int?
    for index in sentence {
      // "Housemate (Westie) on drops": what brackets tell of a subject begins no clause.
      if let current = walk.open, index > current.start, current.subject.contains(index) { continue }
      let word = text.words[index]
      if owner == nil, !word.classes.isDisjoint(with: .somebody) {
        owner = index
      }
      // "In hospital herself": what is said of the owner's own person; but "stopped the drops herself" is what was done.
      if word.classes.isSuperset(of: .reflexive), let owner, walk.open?.isOther != true,
        !isDoing(owner, before: index)
      {
        walk.open = (owner, owner..<(owner + 1), true)
        continue
      }
      if word.classes.isSuperset(of: .closing), !isVisit(walk.open?.subject, before: index) {
        walk.isClosing = true
      }
      if turns(at: index, &walk) { continue }
      guard startsClause(index, sentence), !leavesOpen(at: index, &walk) else { continue }
      walk.isClosing = false
      if opensByName(at: index, &walk) { continue }
      if let (subject, range) = subject(at: index, before: sentence.upperBound, isPlace: false) {
        open(subject, named: range, at: index, &walk)
      } else if index > sentence.lowerBound, isHardBorder(index - 1),
        text.words[index - 1].hash != Sign.dash || word.classes.isDisjoint(with: .refusing)
      {
        close(&walk, at: index)
      }
    }
    close(&walk, at: sentence.upperBound)
    if walk.first == nil { walk.last = nil }
  }

  private func close(_ walk: inout Walk, at end: Int) {
    if let current = walk.open, current.start < end {
      walk.spans.append(
        Span(
          words: current.start..<end, subject: current.subject, isOther: current.isOther,
          past: current.isOther ? past(current.subject, before: end) : 0..<0))
    }
    walk.open = nil
  }

  private func open(_ subject: Range<Int>, isOther: Bool, at index: Int, _ walk: inout Walk) {
    close(&walk, at: index)
    walk.open = (index, subject, isOther)
  }

  /// Turns to another subject, or back from it, at words that may stand within a clause.
  ///
  /// - Returns: whether it did.
  private func turns(at index: Int, _ walk: inout Walk) -> Bool {
    // "The neighbour's dog who has parvo", "the owner, who has asthma, wonders".
    if let other = antecedent(of: index, walk.sentence) {
      open(other, isOther: true, at: index, &walk)
      walk.isAside = true
      return true
    }
    // "Neither of his other dogs itches, which makes mange less likely": a conclusion is about the patient again.
    if isConclusion(index, walk.sentence) {
      close(&walk, at: index)
      return true
    }
    if walk.isAside, index > walk.sentence.lowerBound, ScannedText.isBorder(text.words[index]) {
      close(&walk, at: index)
      walk.isAside = false
    }
    // "His sister is ok now, last week she had colitis": of her again.
    if walk.open == nil, let spoken = walk.spoken, walk.sentence.contains(spoken.lowerBound), isSubject(index),
      meansOther(index, spoken)
    {
      walk.open = (index, index..<(index + 1), true)
      return true
    }
    return false
  }

  /// Ends another's story where the clause that begins can't be of it.
  ///
  /// - Returns: whether the clause goes on with the story, having no subject of its own.
  private func leavesOpen(at index: Int, _ walk: inout Walk) -> Bool {
    // "As her brother had, she shows": the comparison is over.
    if let current = walk.open, current.isOther, isCompared(current.subject, before: index) { close(&walk, at: index) }
    // "Housemate well, vomiting since Tuesday", "O had flu so missed the booster": nothing more is said of them.
    guard let current = walk.open, current.isOther, index > current.subject.upperBound,
      walk.isClosing || isPerson(current.subject)
    else { return false }
    let word = text.words[index].classes
    // "The companion is fine too, though shows no signs": without a subject of its own the clause goes on about it.
    if word.isSuperset(of: .joint), index + 1 < walk.sentence.upperBound { return true }
    if word.isDisjoint(with: .verb.union(.refusing)), !meansOther(index, current.subject) {
      close(&walk, at: index)
    }
    return false
  }

  /// Opens a clause whose subject is named by a label, a number or a name.
  ///
  /// - Returns: whether one is.
  private func opensByName(at index: Int, _ walk: inout Walk) -> Bool {
    var subject = Subject.other
    if let (range, isOther) = labelled(at: index, walk.sentence) {
      open(withBrackets(range, walk.sentence), isOther: isOther, at: index, &walk)
      if !isOther { subject = .patient }
    } else if let (range, key) = unit(at: index), let own = patient.unit {
      open(range, isOther: key != own, at: index, &walk)
      subject = key == own ? .patient : .others
    } else if let other = namedOther(at: index, walk.sentence) {
      open(other, isOther: true, at: index, &walk)
    } else if walk.open?.isOther == true, isNamed(index, walk.sentence) {
      open(index..<(index + 1), isOther: false, at: index, &walk)
      return true
    } else {
      return false
    }
    walk.first = walk.first ?? subject
    walk.last = subject
    return true
  }

  /// Opens a clause with the subject that it begins with, or lets a pronoun go on with one.
  private mutating func open(_ subject: Subject, named range: Range<Int>, at index: Int, _ walk: inout Walk) {
    let isFirst = walk.first == nil
    walk.first = walk.first ?? subject
    guard subject == .pronoun else {
      if subject == .other, let name = ownName(in: range) { othersNames.insert(text.words[name].hash) }
      // "Sibling (this kitten)": one of the others is the patient.
      let isOther = subject != .patient && !isMarked(behind: range.upperBound, inBrackets: true)
      open(withBrackets(range, walk.sentence), isOther: isOther, at: index, &walk)
      walk.last = isOther ? subject : .patient
      walk.spoken = isOther ? range : nil
      return
    }
    guard isFirst else {
      if let other = walk.open, other.isOther, isOfPatient(range, at: index, besides: other.subject, walk) {
        open(range, isOther: false, at: index, &walk)
      }
      return
    }
    // "They": several others of the sentence before go on.
    if walk.last == .others, text.words[index].classes.isSuperset(of: .they) {
      walk.open = (index, range, true)
    } else if let spoken = walk.spoken, walk.last == .other, meansOther(index, spoken), !isTelling(index + 1) {
      walk.open = (index, range, true)
    } else {
      walk.last = nil
    }
  }

  /// Whether a pronoun within another's story means the patient.
  private func isOfPatient(_ pronoun: Range<Int>, at index: Int, besides other: Range<Int>, _ walk: Walk) -> Bool {
    // "Two of her kittens died, she is well": one can't be several. "His cat bit him and now he": the one it was done to.
    walk.last == .others && text.words[pronoun.upperBound - 1].classes.isDisjoint(with: .they)
      || isDoneToAnother(other.upperBound..<index) || meansPatient(index, other) || isPerson(other) && isTold(index)
  }

  /// "No HCM in either parent", "scrapes from the two other llamas: no mites": those that are named behind a preposition.
  private func appendPlaces(_ sentence: Range<Int>, _ result: inout [Span]) {
    for index in sentence where text.words[index].classes.isSuperset(of: .place) {
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
}
