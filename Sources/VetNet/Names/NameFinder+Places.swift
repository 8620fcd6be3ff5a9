import Store

extension NameFinder {
  /// "4 Tithe Barn Lane", "Flat 2, 19 Mill Street".
  mutating func markAddresses() {
    for (place, word) in words.enumerated() {
      let isStreet = rules.has(word.small, in: .street)
      let isSite = rules.has(word.small, in: .site) || rules.has(word.small + "s", in: .site)
      if isStreet, let first = numbered(place) {
        for part in words[first...place] { marks.add(part, .place) }
        continue
      }
      guard isStreet || isSite, word.isCapitalised, place > 0 else { continue }
      var first = place
      while first > 0, place - first < 4, words[first].follows, continuesName(words[first - 1]) {
        // What begins a sentence begins the name only where it does nothing: "Rang Moor Farm".
        if words[first - 1].isFirst, rules.isVerb(words[first - 1].small), first < place { break }
        first -= 1
      }
      let hasNumber = first > 0 && words[first - 1].isNumber && words[first].follows && words[first - 1].text.count < 6
      // "Village practice" begins a sentence; "Dane Prairie Clinic" is a name there too.
      guard first < place, hasNumber || place - first > 1 || !words[first].isFirst || !isKnown(words[first].bare)
      else { continue }
      for part in words[(hasNumber ? first - 1 : first)...place] { marks.add(part, .place) }
    }
  }

  /// Whether a word before the kind of a place may be part of its name; a title begins a person's.
  private func continuesName(_ word: NameWords.Word) -> Bool {
    word.isCapitalised && !word.isAllCapitals && !word.isNumber && !rules.has(word.small, in: .title)
  }

  /// Where a street begins that has a house's number before it, however it is typed: "14 quarrybank road", "3 The Crescent".
  private func numbered(_ place: Int) -> Int? {
    for first in stride(from: place - 1, through: max(0, place - 4), by: -1) {
      guard words[first + 1].follows else { return nil }
      if words[first].isNumber {
        let number = words[first].text
        return first + 1 < place && number.count < 6 && number.first?.isNumber == true
          && number.count(where: \.isLetter) < 2
          ? first : nil
      }
      if rules.has(words[first].small, in: .function), words[first].small != "the" { return nil }
    }
    return nil
  }

  /// "from willow bank stables", "dr marsh, willow bank stables": the words behind the last preposition or comma.
  ///
  /// - Returns: whether there were any.
  mutating func markCaselessSite(_ place: Int) -> Bool {
    var first = place
    while first > 0, place - first < 3 {
      let before = words[first - 1]
      if words[first].isFirst || before.isNumber { return false }
      if rules.has(before.small, in: .function) || rules.has(before.small, in: .place) || words[first].gap == ", " {
        guard first < place else { return false }
        for part in words[first...place] { marks.add(part, .place) }
        return true
      }
      first -= 1
    }
    return false
  }

  /// "at Splash Paws", "from Moor End": everyday words with capitals behind a word that a place follows.
  mutating func markTwoWordPlaces() {
    for place in words.indices.dropFirst().dropLast() {
      let pair = [words[place], words[place + 1]]
      guard rules.has(words[place - 1].small, in: .place), !words[place - 1].isCapitalised,
        pair.allSatisfy({ $0.follows && isPlaceWord($0) }), !isPlain(place), !isPlain(place + 1),
        // "from Sun Prairie", but not "from Monday March".
        !pair.allSatisfy({ rules.has($0.bare, in: .calendar) })
      else { continue }
      for word in pair { marks.add(word, .place) }
    }
  }

  private func isPlaceWord(_ word: NameWords.Word) -> Bool {
    word.isCapitalised && !word.isAllCapitals && word.text.count > 2 && !rules.isCapitalised(word.bare)
      && !rules.has(word.small, in: .title)
  }
}
