import Store

/// Finds the names in one text: rules over its words, the most certain first, then a second look at what they left.
struct NameFinder {
  let rules: NameRules
  let directory: NameDirectory
  let written: WrittenWords
  /// Folded names of whom the text is about.
  let subjects: Set<String>
  let words: [NameWords.Word]
  let position: NamePosition
  var marks: NameMarks

  init(
    rules: NameRules, directory: NameDirectory, written: WrittenWords, subjects: Set<String>, words: [NameWords.Word],
    marks: NameMarks
  ) {
    self.rules = rules
    self.directory = directory
    self.written = written
    self.subjects = subjects
    self.words = words
    self.marks = marks
    position = NamePosition(rules: rules, words: words)
  }

  mutating func find() {
    applyRules()
    markByEvidence()
  }

  mutating func applyRules() {
    markTitled()
    markPhrases()
    markOnFile()
    markAddresses()
    markTwoWordPlaces()
    markNamed()
    for place in words.indices where !words[place].isNumber && !marks.has(words[place]) && !isPlain(place) {
      if words[place].isCaseless { markCaseless(place) } else { markUnknown(place) }
    }
    markSignatures()
    markAgain()
    markBeside()
  }

  /// Whether a word in small letters is an everyday or clinical one, by the tables or by how this practice writes.
  func isKnown(_ word: String) -> Bool { rules.isKnown(word) || written.isOrdinary(word) }

  /// Whether a word is part of an expression that is no name.
  func isPlain(_ place: Int) -> Bool {
    (rules.plainPhrases[words[place].small] ?? []).contains { known in
      let first = place - known.place
      guard first >= 0, first + known.phrase.count <= words.count else { return false }
      return zip(words[first..<(first + known.phrase.count)], known.phrase).allSatisfy { $0.small == $1 }
    }
  }

  // MARK: On file

  /// Names of several words, each of which may be an everyday one: "will hopper", "rope walk".
  private mutating func markPhrases() {
    for (place, word) in words.enumerated() where !word.isNumber {
      for phrase in directory.phrases[word.bare.foldedName] ?? [] {
        var end = place + phrase.words.count
        guard end <= words.count,
          zip(place..<end, phrase.words).allSatisfy({ at, wanted in
            (at == place || isJoined(at)) && words[at].bare.foldedName == wanted
          })
        else { continue }
        if phrase.isStreet {
          guard end < words.count, isJoined(end), rules.has(words[end].small, in: .street) else { continue }
          end += 1
        }
        for part in words[place..<end] { marks.add(part, phrase.kind) }
      }
    }
  }

  private func isJoined(_ place: Int) -> Bool { words[place].follows || words[place].gap == "-" }

  /// Single names.
  private mutating func markOnFile() {
    for (place, word) in words.enumerated() where !word.isNumber && word.bare.count > 1 && !isPlain(place) {
      let folded = word.bare.foldedName
      let parts = word.text.contains("-") ? word.bare.split(separator: "-").map { String($0).foldedName } : []
      let exact = directory.kind(of: folded) ?? parts.compactMap(directory.kind(of:)).first
      let isKnown = isKnown(word.bare)
      if let kind = exact {
        if !isKnown || isMeant(place, kind, folded) { marks.add(word, kind) }
      } else if !isKnown, let kind = directory.kind(nearTo: folded),
        word.isCapitalised || word.isCaseless || folded.count > 5
      {
        marks.add(word, kind)
      }
    }
  }

  /// Whether an everyday word is meant as the name that it is too.
  private func isMeant(_ place: Int, _ kind: RemovedName.Kind, _ folded: String) -> Bool {
    let word = words[place]
    // Of whom a text is about, and of who writes here, the name is meant wherever it may be: better an everyday word less.
    let isSubject = subjects.contains(folded) && !rules.has(word.bare, in: .function)
    if word.isCaseless { return isSubject || position.isPerson(place) }
    // "Lady came in with mark": a hasty typist's small letter.
    guard word.isCapitalised else { return isSubject && position.isPerson(place) }
    return isSubject || stands(asName: place) || position.isPerson(place)
  }

  /// Whether an everyday word with a capital is more than the beginning of a sentence.
  func stands(asName place: Int) -> Bool {
    let word = words[place]
    guard word.isCapitalised, !word.isAllCapitals || word.text.count > 4 else { return false }
    if !word.isFirst || word.small != word.bare { return true }
    guard place + 1 < words.count else { return false }
    let next = words[place + 1]
    // "Clover (Trott) - booster": what stands alone before a mark heads a note.
    guard next.follows else { return [" (", " - ", ": ", ", ", " – "].contains(next.gap) }
    return position.acts(place) || next.small == "and" || (next.isCapitalised && !next.isAllCapitals)
  }
}
