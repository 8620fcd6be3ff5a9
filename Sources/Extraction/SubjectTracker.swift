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

  let text: ScannedText
  let classes: SubjectClasses
  /// A young animal is a subject of its own somewhere: then its mother is another.
  private(set) var hasYoung = false
  /// The sex in the first word for an animal that has one ("gelding", "bitch"); empty when there is none.
  private(set) var sex: WordClassSet = []
  /// The names that others were given: "my other cat Gus had …".
  private(set) var othersNames: Set<UInt64> = []
  /// The names that people have.
  private(set) var people: Set<UInt64> = []
  /// Which of several animals with letters, numbers or names is the patient.
  private(set) var labels = Labels()
  /// Somewhere the note says "this one", "this pup": then those it counts before are others.
  private(set) var hasThis = false
  /// The note is about several farm animals together: "Goats coughing, three died".
  private(set) var isHerd = false
  /// The patient is a "he" or a "she"; empty when nothing tells.
  private(set) var gender: WordClassSet = []
  /// The kind of animal that the patient is ("dog", "mare"); empty when nothing tells.
  private(set) var species: WordClassSet = []
  /// The first animal that the note names is a mother: the young that are counted beside it are others.
  private(set) var isAboutMother = false
  /// The first animal that the note names is one alone.
  private(set) var isAboutOne = false
  /// The house, pen or tank that the note begins with.
  private(set) var ownUnit: UInt64?
  /// The other that was spoken of last.
  private var spoken: Range<Int>?

  init(text: ScannedText, classes: SubjectClasses) {
    self.text = text
    self.classes = classes
    hasYoung =
      text.sentences.contains { sentence in
        sentence.contains { startsClause($0, sentence) && isYoungSubject($0, sentence.upperBound) }
      } || beginsWithYoung
    let sexes = classes.male.union(classes.female)
    people = namesOfPeople
    hasThis = namesThis
    labels = readLabels()
    // "Three mares aborted, the stallion is swollen. This filly is sound": the one pointed at, wherever it stands.
    let sexed = text.words.indices.filter { !text.words[$0].classes.isDisjoint(with: sexes) }
    let own = sexed.first { $0 > 0 && text.words[$0 - 1].classes.isSuperset(of: classes.this) } ?? sexed.first
    sex = own.map { text.words[$0].classes.intersection(sexes) } ?? []
    isHerd = !hasThis && beginsWithHerd
    readPatient()
  }

  /// What else the note tells of its patient: its gender, its kind, whether it is one alone.
  private mutating func readPatient() {
    gender = ownGender
    species = ownSpecies
    ownUnit = text.words.indices.first.flatMap { unit(at: $0) ?? unit(at: $0 + 1) }?.key
    guard let first = text.words.indices.first(where: { !text.words[$0].classes.isDisjoint(with: classes.creature) })
    else { return }
    isAboutOne =
      !species.isEmpty && !isPluralForm(text.words[first]) && text.words[first].classes.isSuperset(of: species)
    isAboutMother = !isPluralForm(text.words[first]) && text.words[first].classes.isSuperset(of: classes.mother)
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
      // "Housemate (Westie) on drops": what brackets tell of a subject begins no clause.
      if let current = open, index > current.start, current.subject.contains(index) { continue }
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
      if word.classes.isSuperset(of: classes.closing), !isVisit(open?.subject, before: index) { isClosing = true }
      // "The neighbour's dog who has parvo", "the owner, who has asthma, wonders".
      if let other = antecedent(of: index, sentence) {
        close(at: index)
        open = (index, other, true)
        isAside = true
        continue
      }
      // "Neither of his other dogs itches, which makes mange less likely": a conclusion is about the patient again.
      if isConclusion(index, sentence) {
        close(at: index)
        continue
      }
      if isAside, index > sentence.lowerBound, ScannedText.isBorder(word) {
        close(at: index)
        isAside = false
      }
      // "His sister is ok now, last week she had colitis": of her again.
      if open == nil, let spoken, sentence.contains(spoken.lowerBound), isSubject(index),
        meansOther(index, spoken)
      {
        open = (index, index..<(index + 1), true)
        continue
      }
      guard startsClause(index, sentence) else { continue }
      // "As her brother had, she shows": the comparison is over.
      if let current = open, current.isOther, isCompared(current.subject, before: index) { close(at: index) }
      // "Housemate well, vomiting since Tuesday", "O had flu so missed the booster": nothing more is said of them.
      if let current = open, current.isOther, index > current.subject.upperBound, isClosing || isPerson(current.subject)
      {
        // "The companion is fine too, though shows no signs": without a subject of its own the clause goes on about it.
        if word.classes.isSuperset(of: classes.joint), index + 1 < sentence.upperBound { continue }
        if word.classes.isDisjoint(with: classes.verb.union(classes.refusing)), !meansOther(index, current.subject) {
          close(at: index)
        }
      }
      isClosing = false
      if let (range, isOther) = labelled(at: index, sentence) {
        close(at: index)
        open = (index, withBrackets(range, sentence), isOther)
        first = first ?? (isOther ? .other : .patient)
        last = isOther ? .other : .patient
        continue
      }
      if let (range, key) = unit(at: index), let ownUnit {
        close(at: index)
        open = (index, range, key != ownUnit)
        first = first ?? (key == ownUnit ? .patient : .others)
        last = key == ownUnit ? .patient : .others
        continue
      }
      if let other = namedOther(at: index, sentence) {
        close(at: index)
        open = (index, other, true)
        first = first ?? .other
        last = .other
        continue
      }
      if open?.isOther == true, isNamed(index, sentence) {
        close(at: index)
        open = (index, index..<(index + 1), false)
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
        // "Sibling (this kitten)": one of the others is the patient.
        let isOther = subject != .patient && !isMarked(behind: range.upperBound, inBrackets: true)
        open = (index, withBrackets(range, sentence), isOther)
        last = isOther ? subject : .patient
        spoken = isOther ? range : nil
      case .pronoun:
        if !isFirst {
          // "Two of her kittens died, she is well": one can't be several. "His cat bit him and now he": the one it was done to.
          if let other = open, other.isOther,
            last == .others && text.words[range.upperBound - 1].classes.isDisjoint(with: classes.they)
              || isDoneToAnother(other.subject.upperBound..<index) || meansPatient(index, other.subject)
              || isPerson(other.subject) && isTold(index)
          {
            close(at: index)
            open = (index, range, false)
          }
          break
        }
        // "They": several others of the sentence before go on.
        if last == .others, text.words[index].classes.isSuperset(of: classes.they) {
          open = (index, range, true)
        } else if let spoken, last == .other, meansOther(index, spoken), !isTelling(index + 1) {
          open = (index, range, true)
        } else {
          last = nil
        }
      }
    }
    close(at: sentence.upperBound)
    if first == nil { last = nil }
    appendPlaces(sentence, &result)
    result += tagged(sentence)
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
}
