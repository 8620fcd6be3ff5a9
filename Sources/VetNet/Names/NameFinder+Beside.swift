import Store

/// A name goes on: what stands beside a word that is one, and can't be anything else there, belongs to it.
extension NameFinder {
  /// More single letters than this before a name are no initials.
  private static let mostInitials = 3

  mutating func markBeside() {
    markAfter()
    markBefore()
    for place in words.indices where marks.kind(of: words[place]) == .person {
      markInitials(before: place)
      markParticles(before: place)
    }
    markJoined()
    markDotted()
    markNumbers()
    markFlats()
    markRegions()
  }

  /// What is written with a capital behind a name, and is no beginning of a sentence, belongs to it: "Bramble Cottage", "Anna Brown".
  private mutating func markAfter() {
    for place in words.indices.dropFirst() {
      let (before, word) = (words[place - 1], words[place])
      guard let kind = marks.kind(of: before), marks.kind(of: word) == nil, !before.isNumber || kind == .place,
        word.follows || before.isSingle && word.gap == ". "
      else { continue }
      let isName = goesOn(place) && (word.isCapitalised && !word.isAllCapitals || isGiven(place, kind))
      let isInitial = word.isSingle && !word.isNumber && (word.isCapitalised || isCaselessInitial(place))
      if isName && (kind != .animal || !isKnown(word.bare)) && kind != .contact || isInitial && kind == .person {
        marks.add(word, kind)
      }
    }
  }

  /// The same before one: "Bramble Cottage", "Anna Brown".
  private mutating func markBefore() {
    for place in words.indices.dropLast().reversed() {
      let (word, next) = (words[place], words[place + 1])
      guard let kind = marks.kind(of: next), kind == .person || kind == .place, marks.kind(of: word) == nil,
        next.follows, goesOn(place) || word.text == "The" && !word.isFirst, !word.isAllCapitals,
        !rules.has(word.small, in: .role)
      else { continue }
      let isGiven = rules.given.contains(word.bare) && kind == .person
      // What begins a sentence before a name is part of it, where it is nothing that is done to somebody: "Dod Wiseman asks".
      let isBeginning = word.isFirst && (rules.isVerb(word.small) || rules.isTerm(word.bare))
      if word.isCapitalised && !isBeginning || isGiven { marks.add(word, kind) }
    }
  }

  /// Whether a word may be part of a name of several.
  private func goesOn(_ place: Int) -> Bool {
    let word = words[place]
    return !word.isNumber && word.text.count > 1 && !rules.has(word.bare, in: .calendar)
      && !rules.has(word.small, in: .title) && !rules.has(word.small, in: .function)
  }

  /// Whether a word behind a person's is a name whatever its letters are: a given one, one on file, or an unknown one where capitals tell
  /// nothing.
  private func isGiven(_ place: Int, _ kind: RemovedName.Kind) -> Bool {
    let word = words[place]
    // "W Hopper will keep a log": what one says or does is no name, though it is one elsewhere.
    if !word.isCapitalised, rules.has(word.bare, in: .saying) { return false }
    return kind == .person && word.follows
      && (rules.given.contains(word.bare) || directory.kind(of: word.bare.foldedName) == .person
        || isCaselessSurname(place))
  }

  /// What goes on with a person's name where capitals tell nothing: a word that isn't known, or is somebody's who has something.
  private func isCaselessSurname(_ place: Int) -> Bool {
    let word = words[place]
    guard word.isCaseless, word.bare.count > 2, !rules.has(word.bare, in: .function), !rules.has(word.bare, in: .role)
    else { return false }
    return !isKnown(word.bare) && word.bare.count > 3 || word.small != word.bare
  }

  /// "gillian p lives near": a letter behind a name, where it is no word and no measure's.
  private func isCaselessInitial(_ place: Int) -> Bool {
    let word = words[place]
    guard word.isCaseless, !["a", "i"].contains(word.small) else { return false }
    return position.endsClause(place)
      || !rules.has(word.small, in: .function) && !(place + 1 < words.count && words[place + 1].isNumber)
  }

  /// "W Hopper", "J. R. Osgood": letters with nothing but a full stop between them and a name.
  private mutating func markInitials(before place: Int) {
    var first = place
    while first > 0, place - first < Self.mostInitials, words[first - 1].isSingle, !words[first - 1].isNumber,
      words[first - 1].isCapitalised, words[first].followsInitial
    {
      first -= 1
    }
    for letter in words[first..<place] { marks.add(letter, .person) }
  }

  /// "van der Meulen": small words before a name with a capital.
  private mutating func markParticles(before place: Int) {
    guard words[place].isCapitalised || words[place].isCaseless else { return }
    var first = place
    while first > 0, words[first].follows, words[first - 1].text.count > 1, !words[first - 1].isCapitalised,
      rules.has(words[first - 1].small, in: .particle)
    {
      first -= 1
    }
    for particle in words[first..<place] { marks.add(particle, .person) }
  }

  /// "to 16 Meadowsweet": the number of a house without a kind of street.
  private mutating func markNumbers() {
    for place in words.indices.dropLast() where isHouse(words[place]) {
      let next = words[place + 1]
      guard next.follows, next.isCapitalised, let kind = marks.kind(of: next), kind == .person || kind == .place,
        place == 0 || rules.has(words[place - 1].small, in: .place) || words[place].gap == ", "
      else { continue }
      marks.add(words[place], .place)
    }
  }

  /// "16", "12b"; no "4th" and no "14hh".
  private func isHouse(_ word: NameWords.Word) -> Bool {
    word.isNumber && word.text.count < 5 && word.text.count(where: \.isLetter) < 2
  }

  /// "Isle of Mull", "Newcastle upon Tyne": names of several words with a small one between.
  private mutating func markJoined() {
    for place in words.indices.dropFirst(2) {
      guard let kind = marks.kind(of: words[place]), kind == .place || kind == .person, words[place].isCapitalised,
        words[place].follows, words[place - 1].follows,
        ["of", "upon", "on", "under"].contains(words[place - 1].text)
          || rules.has(words[place - 1].text, in: .particle)
      else { continue }
      let word = words[place - 2]
      guard word.isCapitalised, !word.isFirst || !isKnown(word.bare), goesOn(place - 2), !word.isAllCapitals,
        !rules.has(word.small, in: .role), marks.kind(of: word) != .animal
      else { continue }
      for part in words[(place - 2)...place] { marks.add(part, kind) }
    }
  }

  /// "Rockford, IL", "Madison, WI 53704", "Sale VIC 3850", "Northport Dr Apt 4": what an address goes on with behind a place.
  private mutating func markRegions() {
    for place in words.indices.dropFirst() where marks.kind(of: words[place]) == nil {
      let word = words[place]
      let before = marks.kind(of: words[place - 1])
      guard before == .place || before == .person, word.follows || word.gap == ", " else { continue }
      let next = place + 1 < words.count && words[place + 1].follows ? words[place + 1] : nil
      let isCode = word.text.count < 4 && !word.isNumber && (word.isAllCapitals || word.isCaseless)
      // "15 Pioneer Street, Foster."
      let isTown =
        before == .place && word.gap == ", " && rules.has(words[place - 1].small, in: .street) && word.isCapitalised
        && !word.isAllCapitals && !word.isNumber && position.endsClause(place) && goesOn(place)
      let isFlat = word.isNumber && word.text.count < 5 && word.follows && position.endsClause(place)
      // "902 Lincoln Ave, McFarland 53558": a town that had been taken for somebody.
      let isBehindTown =
        place > 1 && words[place - 1].gap == ", " && marks.kind(of: words[place - 2]) == .place && isPostcode(word)
      if before == .place && (isPostcode(word) || isFlat || isTown) || isBehindTown {
        marks.add(word, .place)
      } else if let next, isCode, isPostcode(next) || before == .place && next.gap.isEmpty && isHouse(next) {
        marks.add(word, .place)
        marks.add(next, .place)
      } else if isCode, word.isAllCapitals, word.text.count == 2, word.gap == ", ", position.endsClause(place) {
        marks.add(word, .place)
      } else if before == .place, let next, next.isNumber, next.text.count < 5, word.isCapitalised, !word.isAllCapitals,
        word.text.count < 6, !rules.has(word.bare, in: .calendar), !rules.isTerm(word.bare)
      {
        marks.add(word, .place)
        marks.add(next, .place)
      }
    }
  }

  /// "Apt 12, Granary House": what stands before an address on file or with a street.
  private mutating func markFlats() {
    for place in words.indices.dropFirst(2)
    where marks.kind(of: words[place]) == .place && words[place].gap == ", " && isHouse(words[place - 1]) {
      let word = words[place - 2]
      guard words[place - 1].follows, word.isCapitalised, goesOn(place - 2), !rules.isVerb(word.small) else { continue }
      for part in words[(place - 2)..<place] { marks.add(part, .place) }
    }
  }

  /// Four or five digits: the post's numbers of Europe, Australia and the United States.
  private func isPostcode(_ word: NameWords.Word) -> Bool {
    (4...5).contains(word.text.count) && word.text.allSatisfy(\.isWholeNumber)
  }
}
