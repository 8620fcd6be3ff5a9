extension NameFinder {
  /// A short word is one slip away from so many that this tells nothing.
  private static let longEnoughForSlips = 7

  /// Titles that are nothing else.
  private static let plainTitles: Set<String> = ["mr", "mrs", "ms", "miss", "dr", "prof"]

  /// "Mrs M Holloway", "dr osei", "Mr and Mrs Patel".
  mutating func markTitled() {
    for (place, word) in words.enumerated() where rules.has(word.small, in: .title) {
      // "Father", "Sister" and "Major" are titles with a capital only, and no names follow a verb.
      let isPlain = rules.isKnown(word.small) && !Self.plainTitles.contains(word.small)
      if isPlain, !word.isCapitalised { continue }
      var next = place + 1
      var taken = 0
      // A hasty typist leaves two spaces behind a title.
      while next < words.count, taken < 4, !words[next].isNumber,
        words[next].followsInitial || taken == 0 && words[next].gap == "  "
      {
        let candidate = words[next]
        if taken == 0, ["and", "&"].contains(candidate.small) || rules.has(candidate.small, in: .title) {
          next += 1
          continue
        }
        guard isTitled(next, taken: taken, isPlain: isPlain) else { break }
        if taken > 0, candidate.isCapitalised, !candidate.isSingle, candidate.gap.contains("."),
          !words[next - 1].isSingle
        {
          break
        }
        marks.add(candidate, .person)
        taken += 1
        next += 1
      }
    }
  }

  /// Whether a word behind a title belongs to the name.
  private func isTitled(_ place: Int, taken: Int, isPlain: Bool) -> Bool {
    let word = words[place]
    // A letter alone is an initial where a name follows it.
    let isInitial =
      word.isSingle
      && (word.isCapitalised
        || place + 1 < words.count && words[place + 1].followsInitial
          && !rules.has(words[place + 1].small, in: .function))
    if isInitial { return true }
    if rules.has(word.small, in: .particle), place + 1 < words.count { return true }
    if word.isCapitalised { return !word.isAllCapitals || word.text.count > 3 || !isPlain }
    return !isPlain && (taken == 0 || words[place - 1].isSingle) && word.bare.count > 1
      && !rules.has(word.small, in: .function) && !(word.small.hasSuffix("ed") && rules.isVerb(word.small))
      && !rules.has(word.small, in: .saying)
      && (!isKnown(word.bare) || word.bare.count > 3)
  }

  /// "owner Mark", "seen by HM", and given names however they are typed.
  mutating func markNamed() {
    for (place, word) in words.enumerated() where !word.isNumber && !isPlain(place) {
      let bare = word.bare
      let isGiven = rules.isGivenOnly(bare) || rules.given.contains(bare) && stands(asName: place)
      if !word.isCaseless, isHasty(place) {
        marks.add(word, isBehindPlaceWord(place) ? .place : .person)
        continue
      }
      if isGiven || isSecond(place) || has(place) || position.isExplained(place) && !rules.has(bare, in: .role)
        || speaks(place)
      {
        marks.add(word, .person)
        continue
      }
      let areInitials = word.isCaseless ? !rules.has(word.small, in: .function) : word.isAllCapitals
      if word.text.count < 4, areInitials, directory.initials.contains(word.small),
        !word.isCaseless && (!rules.isListed(word.small) || rules.has(word.small, in: .function)) || isSomebody(place)
      {
        marks.add(word, .person)
        continue
      }
      guard word.isCapitalised, place > 0, word.followsCue, !rules.has(word.small, in: .title),
        !rules.has(word.small, in: .calendar)
      else { continue }
      let isInitials = word.isAllCapitals && word.text.count <= 3
      if position.isNaming(place) {
        if !word.isAllCapitals || isInitials || !isKnown(bare) { marks.add(word, .person) }
      } else if rules.has(words[place - 1].small, in: .role), !word.isAllCapitals, !word.isFirst {
        marks.add(word, .person)
      }
    }
  }

  /// "her son tino", "then pixel died": a name in small letters in a sentence that has capitals, where a person or place stands.
  private func isHasty(_ place: Int) -> Bool {
    let word = words[place]
    guard !word.isCapitalised, word.bare.count > 3 else { return false }
    // "arber rang": the form of an everyday word, but nothing like it says anything.
    if position.beginsClause(place), says(place), !rules.isListed(word.bare), !written.isOrdinary(word.bare) {
      return true
    }
    guard !isKnown(word.bare), !isKnown(word.small), !rules.isNearKnown(word.bare) else { return false }
    return position.isPerson(place) || isBehindPlaceWord(place)
  }

  /// "in rathfriland": behind a word that places follow.
  func isBehindPlaceWord(_ place: Int) -> Bool {
    place > 0 && words[place].follows && rules.has(words[place - 1].small, in: .place)
  }

  /// "Sunil & Hope": a word with a capital that is joined to somebody's name.
  private func isSecond(_ place: Int) -> Bool {
    let word = words[place]
    guard word.isCapitalised, !word.isAllCapitals, !word.isCaseless, place > 1 else { return false }
    let isJoined = [" & ", " + ", "/", "&", "+"].contains(word.gap)
    if isJoined { return marks.kind(of: words[place - 1]) == .person && isOpen(word) }
    return word.follows && words[place - 1].small == "and" && marks.kind(of: words[place - 2]) == .person
      && isOpen(word)
  }

  /// "to Hope's mother": a word with a capital that no sentence begins with, to whom something belongs.
  private func has(_ place: Int) -> Bool {
    let word = words[place]
    return word.isCapitalised && !word.isFirst && !word.isAllCapitals && word.small != word.bare && isOpen(word)
  }

  /// Whether a word with a capital is none of those that always, or as a kind of person or place, may have one.
  private func isOpen(_ word: NameWords.Word) -> Bool {
    !rules.isCapitalised(word.bare)
      && ![.role, .title, .calendar, .function, .site].contains { rules.has(word.bare, in: $0) }
  }

  /// "when Hope says": a word with a capital that no sentence begins with, and that says something.
  private func speaks(_ place: Int) -> Bool {
    let word = words[place]
    return word.isCapitalised && !word.isFirst && !word.isAllCapitals && says(place) && isOpen(word)
  }

  /// Whether what follows is what somebody said or did.
  private func says(_ place: Int) -> Bool {
    place + 1 < words.count && words[place + 1].follows && rules.has(words[place + 1].small, in: .saying)
  }

  /// Whether initials stand where a person does: "HM authorised", "recheck with HM", but not "HR 120".
  private func isSomebody(_ place: Int) -> Bool {
    let next = place + 1 < words.count && words[place + 1].follows ? words[place + 1] : nil
    if let next, rules.isVerb(next.small) { return true }
    guard place > 0, words[place].followsCue, next?.isNumber != true else { return false }
    return position.isIntroduced(place)
      || ["with", "w", "by", "per", "for", "see", "to", "ref"].contains(words[place - 1].small)
  }

  /// A word of a sentence whose capitals tell nothing: what stands where names stand, and what is neither everyday nor clinical, nor one slip
  /// away from such.
  mutating func markCaseless(_ place: Int) {
    let word = words[place]
    let bare = word.bare
    let before = place > 0 && word.followsCue ? words[place - 1].small : ""
    let isUnknown = !isKnown(bare) || isOnlyName(bare)
    if rules.has(bare, in: .function) || rules.has(bare, in: .title) { return }
    let isSecond = before == "and" && place > 1 && marks.kind(of: words[place - 2]) == .person
    if rules.given.contains(bare), position.isPerson(place) || isSecond { return marks.add(word, .person) }
    let isNamed = rules.has(before, in: .role) || position.isNaming(place)
    let isSaying =
      place + 1 < words.count && words[place + 1].follows
      && (rules.has(words[place + 1].small, in: .saying)
        || bare.count > 3 && words[place + 1].small.hasSuffix("ed") && rules.isVerb(words[place + 1].small))
    if rules.has(word.small, in: .site), markCaselessSite(place) { return }
    if place + 1 < words.count, words[place + 1].follows, Self.plainTitles.contains(words[place + 1].small) { return }
    // "gav's kelpie": what is nobody's word has something.
    let isOwner = word.small != word.bare && word.bare.count > 2
    if isUnknown, isNamed || isSaying || isSecond || isOwner { return marks.add(word, .person) }
    guard bare.count > 3, isUnknown, bare.allSatisfy({ $0.isLetter || $0 == "-" || $0 == "'" }),
      isOnlyName(bare) || !isKnown(word.small) && (bare.count < Self.longEnoughForSlips || !rules.isNearKnown(bare))
    else { return }
    marks.add(word, rules.has(before, in: .place) ? .place : .person)
  }

  /// Whether this practice writes a word as names are written, though it looks like a form of an everyday one, or a slip of one.
  private func isOnlyName(_ word: String) -> Bool { written.isOnlyCapital(word) && !rules.isListed(word) }

  /// Whether a word with a capital that no sentence begins with is an everyday or clinical one all the same: "Baker" and "Waters" have the
  /// forms of such words too, and no verb's; "Moor" and "Prickles" are such words, and this practice doesn't write them.
  private func isWritten(_ word: NameWords.Word) -> Bool {
    if written.isOrdinary(word.bare) || rules.isCapitalised(word.bare) { return true }
    if rules.isListed(word.bare) || rules.isListed(word.small) { return !written.lacks(word.bare) || isTerm(word) }
    return isKnown(word.bare) && (["ed", "ing", "ly"].contains { word.bare.hasSuffix($0) } || word.bare.contains("-"))
  }

  /// Whether the tables know a word for what may have a capital within a sentence: a day, a street, a mark, a word of the trade.
  private func isTerm(_ word: NameWords.Word) -> Bool {
    word.text.count < 3 || rules.isTerm(word.bare)
      || [.calendar, .function, .street, .site, .role, .title, .saying].contains { rules.has(word.bare, in: $0) }
  }

  /// A word with a capital that is neither everyday nor clinical.
  mutating func markUnknown(_ place: Int) {
    let word = words[place]
    guard word.isCapitalised, word.text.count > 1, !rules.has(word.bare, in: .title),
      word.isFirst ? !isKnown(word.bare) && !isKnown(word.small) : !isWritten(word)
    else { return }
    // "Ca", "Fr" and "Ht" are no more names than "Bo" and "Xu" are.
    if word.bare.count == 2, !position.isPerson(place), !rules.given.contains(word.bare) { return }
    // "Dear Mrs Holloway": what stands before a title is no name.
    if place + 1 < words.count, words[place + 1].follows, Self.plainTitles.contains(words[place + 1].small) { return }
    // Abbreviations: "ALT", "FeLV", "NSAIDs".
    let capitals = word.text.count(where: \.isUppercase)
    let isAbbreviation = word.isAllCapitals ? word.text.count < 6 : capitals > 1 && !word.hasNameInside
    if isAbbreviation { return }
    if word.isAllCapitals, words.count(where: \.isAllCapitals) * 2 > words.count { return }
    // A long word that begins a sentence, one slip away from everyday ones, is more likely typed in haste.
    if word.isFirst, word.small.count > 7, !isOnlyName(word.bare), rules.isNearKnown(word.small) { return }
    let isPlace = place > 0 && rules.has(words[place - 1].small, in: .place) && word.follows
    marks.add(word, isPlace ? .place : .person)
  }
}

extension NameWords.Word {
  /// "McDonald", "O'Brien", "Anne-Marie": a capital inside where names have one.
  fileprivate var hasNameInside: Bool {
    let parts = text.split { $0 == "-" || $0 == "'" || $0 == "’" }
    if parts.count > 1 { return parts.allSatisfy { $0.dropFirst().allSatisfy(\.isLowercase) } }
    for prefix in ["Mc", "Mac", "De", "Di", "La", "Le", "Van", "Fitz"] where text.hasPrefix(prefix) {
      let rest = text.dropFirst(prefix.count)
      return rest.first?.isUppercase == true && rest.dropFirst().allSatisfy(\.isLowercase)
    }
    return false
  }
}

extension NameRules {
  /// Whether a word is one slip away from an everyday or clinical one.
  func isNearKnown(_ word: String) -> Bool {
    let letters = Array(word)
    for place in letters.indices {
      var shorter = letters
      shorter.remove(at: place)
      if isKnown(String(shorter)) { return true }
      if place + 1 < letters.count {
        var swapped = letters
        swapped.swapAt(place, place + 1)
        if isKnown(String(swapped)) { return true }
      }
      for letter in "aeioulrnstmc" {
        var longer = letters
        longer.insert(letter, at: place)
        if isKnown(String(longer)) { return true }
        var other = letters
        other[place] = letter
        if isKnown(String(other)) { return true }
      }
    }
    return false
  }
}
