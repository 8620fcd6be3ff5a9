import Clinical
import Store

/// Takes names of people, places and animals out of a text before it leaves a practice, by rules: the practice's own names with slips, typed
/// patterns, words that stand before names, and words with a capital that are neither everyday nor clinical.
///
/// What it finds is measured on notes written for that, by `vetnet evaluate names`; it finds most names, not all.
public struct NameRemover: Sendable {
  private let rules: NameRules
  private let directory: NameDirectory

  init(rules: NameRules, directory: NameDirectory) {
    self.rules = rules
    self.directory = directory
  }

  /// For texts of no practice.
  ///
  /// - Parameters:
  ///   - models: where the words beside names are.
  ///   - people: names that are on file.
  ///   - staff: names of those who write notes.
  ///   - places: addresses that are on file.
  ///   - animals: names of animals that are on file.
  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public init(
    models: ModelDirectory, people: [String] = [], staff: [String] = [], places: [String] = [], animals: [String] = []
  ) throws {
    let rules = try models.nameRules()
    self.init(
      rules: rules,
      directory: NameDirectory(people: people, staff: staff, places: places, animals: animals, rules: rules))
  }

  /// The text without its names.
  public func redact(_ text: String) -> RedactedText {
    let read = NameWords(text)
    let words = read.words
    var marks = NameMarks(text, words)
    TypedNames.mark(text, &marks)
    markTitled(words, &marks)
    markOnFile(words, isCaseless: read.isCaseless, &marks)
    markAddresses(words, &marks)
    markNamed(words, &marks)
    if read.isCaseless { markCaseless(words, &marks) } else { markUnknown(words, &marks) }
    markBeside(words, &marks)
    return RedactedText(text, removing: marks.spans)
  }

  // MARK: Rules, the most certain first

  /// "Mrs M Holloway", "dr osei", "Mr and Mrs Patel".
  private func markTitled(_ words: [NameWords.Word], _ marks: inout NameMarks) {
    for (place, word) in words.enumerated() where rules.has(word.small, in: .title) {
      // "Father", "Sister" and "Major" are titles with a capital only, and no names follow a verb.
      let isPlain = rules.isKnown(word.small) && !["mr", "mrs", "ms", "miss", "dr", "prof"].contains(word.small)
      if isPlain, !word.isCapitalised { continue }
      var next = place + 1
      var taken = 0
      while next < words.count, taken < 4, words[next].followsInitial, !words[next].isNumber {
        let candidate = words[next]
        if taken == 0, ["and", "&"].contains(candidate.small) || rules.has(candidate.small, in: .title) {
          next += 1
          continue
        }
        // A letter alone is an initial where a name follows it.
        let isInitial =
          candidate.text.count == 1
          && (candidate.isCapitalised
            || next + 1 < words.count && words[next + 1].followsInitial
              && !rules.has(words[next + 1].small, in: .function))
        let isParticle = rules.has(candidate.small, in: .particle) && next + 1 < words.count
        let isName =
          candidate.isCapitalised
          ? !candidate.isAllCapitals || candidate.text.count > 3 || !isPlain
          : !isPlain && (taken == 0 || words[next - 1].isSingle) && candidate.bare.count > 1
            && !rules.has(candidate.small, in: .function)
            && !rules.has(candidate.small, in: .saying) && (!rules.isKnown(candidate.bare) || candidate.bare.count > 3)
        guard isInitial || isParticle || isName else { break }
        if taken > 0, candidate.isCapitalised, !isInitial, candidate.gap.contains("."), !words[next - 1].isSingle {
          break
        }
        marks.add(candidate, .person)
        taken += 1
        next += 1
      }
    }
  }

  /// What the practice itself has on file.
  private func markOnFile(_ words: [NameWords.Word], isCaseless: Bool, _ marks: inout NameMarks) {
    for (place, word) in words.enumerated() where !word.isNumber && word.bare.count > 1 {
      let folded = word.bare.foldedName
      let parts = word.text.contains("-") ? word.bare.split(separator: "-").map { String($0).foldedName } : []
      let exact = directory.kind(of: folded) ?? parts.lazy.compactMap { directory.kind(of: $0) }.first
      let isKnown = rules.isKnown(word.bare)
      if isPlain(place, words) { continue }
      if let kind = exact {
        // An animal's name that is an everyday word as well seldom begins a sentence as that.
        if !isKnown || stands(asName: place, words) || (kind == .animal && (word.isCapitalised || isCaseless)) {
          marks.add(word, kind)
        }
      } else if !isKnown, let kind = directory.kind(nearTo: folded), word.isCapitalised || folded.count > 5 {
        marks.add(word, kind)
      }
    }
  }

  /// Whether an everyday word with a capital is more than the beginning of a sentence.
  private func stands(asName place: Int, _ words: [NameWords.Word]) -> Bool {
    let word = words[place]
    guard word.isCapitalised, !word.isAllCapitals || word.text.count > 4 else { return false }
    if !word.isFirst || word.small != word.bare { return true }
    guard place + 1 < words.count, words[place + 1].follows else { return false }
    let next = words[place + 1]
    return rules.has(next.small, in: .saying)
      || (rules.given.contains(word.bare) && (next.small.hasSuffix("ing") || next.small.hasSuffix("ed")))
      || ["to", "is", "has", "had", "was", "and"].contains(next.small)
      || (next.isCapitalised && !next.isAllCapitals)
  }

  /// Whether a word is part of an expression that is no name.
  private func isPlain(_ place: Int, _ words: [NameWords.Word]) -> Bool {
    rules.plainPhrases.contains { phrase in
      phrase.indices.contains { index in
        let first = place - index
        guard first >= 0, first + phrase.count <= words.count else { return false }
        return words[first..<(first + phrase.count)].map(\.small).elementsEqual(phrase)
      }
    }
  }

  /// "4 Tithe Barn Lane", "Flat 2, 19 Mill Street".
  private func markAddresses(_ words: [NameWords.Word], _ marks: inout NameMarks) {
    for (place, word) in words.enumerated() {
      let isStreet = rules.has(word.small, in: .street)
      let isSite = rules.has(word.small, in: .site)
      if isStreet, let first = numbered(place, words) {
        for part in words[first...place] { marks.add(part, .place) }
        continue
      }
      guard isStreet || isSite, word.isCapitalised, place > 0 else { continue }
      var first = place
      while first > 0, place - first < 4, words[first].follows, words[first - 1].isCapitalised,
        !words[first - 1].isAllCapitals, !words[first - 1].isNumber
      {
        // What begins a sentence begins the name only where it is no everyday word.
        if words[first - 1].isFirst, rules.isKnown(words[first - 1].bare), first < place { break }
        first -= 1
      }
      let hasNumber = first > 0 && words[first - 1].isNumber && words[first].follows && words[first - 1].text.count < 6
      guard first < place, hasNumber || !words[first].isFirst || !rules.isKnown(words[first].bare) else { continue }
      for part in words[(hasNumber ? first - 1 : first)...place] { marks.add(part, .place) }
    }
  }

  /// Where a street begins that has a house's number before it, however it is typed: "14 quarrybank road", "3 The Crescent".
  private func numbered(_ place: Int, _ words: [NameWords.Word]) -> Int? {
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

  /// A text whose capitals tell nothing: words that are neither everyday nor clinical, nor one slip away from such, and what stands where
  /// names stand.
  private func markCaseless(_ words: [NameWords.Word], _ marks: inout NameMarks) {
    for (place, word) in words.enumerated() where !word.isNumber && !marks.has(word) && !isPlain(place, words) {
      let bare = word.bare
      let before = place > 0 && word.followsCue ? words[place - 1].small : ""
      if rules.has(before, in: .role) || isNaming(place, words), rules.given.contains(bare) || !rules.isKnown(bare) {
        marks.add(word, .person)
        continue
      }
      let isSaying =
        place + 1 < words.count && words[place + 1].follows && rules.has(words[place + 1].small, in: .saying)
      let isSecond = before == "and" && place > 1 && marks.kind(of: words[place - 2]) == .person
      if isSaying || isSecond, rules.given.contains(bare) || !rules.isKnown(bare), !rules.has(bare, in: .function),
        !rules.has(bare, in: .title)
      {
        marks.add(word, .person)
        continue
      }
      if rules.has(word.small, in: .site), place > 1, word.follows {
        // "from willow bank stables", "dr marsh, willow bank stables": the words behind the last preposition or comma.
        let first = (max(0, place - 3)..<place).last { index in
          rules.has(words[index].small, in: .function) || rules.has(words[index].small, in: .place)
            || !words[index + 1].follows
        }
        if let first, first + 1 < place, !words[(first + 1)..<place].contains(where: \.isNumber) {
          for part in words[(first + 1)...place] { marks.add(part, .place) }
          continue
        }
      }
      guard bare.count > 3, !rules.isKnown(bare), !rules.isKnown(word.small),
        bare.allSatisfy({ $0.isLetter || $0 == "-" || $0 == "'" })
      else { continue }
      if rules.has(bare, in: .title) || rules.isNearKnown(bare) { continue }
      marks.add(word, rules.has(before, in: .place) ? .place : .person)
    }
  }

  /// "owner Mark", "seen by HM", and given names however they are typed.
  private func markNamed(_ words: [NameWords.Word], _ marks: inout NameMarks) {
    for (place, word) in words.enumerated() where !word.isNumber {
      let bare = word.bare
      if isPlain(place, words) { continue }
      if rules.isGivenOnly(bare) || (rules.given.contains(bare) && stands(asName: place, words)) {
        marks.add(word, .person)
        continue
      }
      if word.text.count < 4, directory.initials.contains(word.small), isSomebody(place, words) {
        marks.add(word, .person)
        continue
      }
      // "Olive (daughter)"
      if rules.given.contains(bare), place + 1 < words.count, words[place + 1].gap == " (",
        rules.has(words[place + 1].small, in: .role)
      {
        marks.add(word, .person)
        continue
      }
      guard word.isCapitalised, place > 0, words[place].followsCue, !rules.has(word.small, in: .title),
        !rules.has(word.small, in: .calendar)
      else { continue }
      let before = words[place - 1].small
      let isInitials = word.isAllCapitals && word.text.count <= 3
      if isNaming(place, words) {
        if !word.isAllCapitals || isInitials || !rules.isKnown(bare) { marks.add(word, .person) }
      } else if rules.has(before, in: .role), !word.isAllCapitals, !word.isFirst {
        marks.add(word, .person)
      }
    }
  }

  /// Whether initials stand where a person does: "HM authorised", "recheck with HM", but not "HR 120".
  private func isSomebody(_ place: Int, _ words: [NameWords.Word]) -> Bool {
    let next = place + 1 < words.count && words[place + 1].follows ? words[place + 1] : nil
    if let next, rules.has(next.small, in: .saying) { return true }
    guard place > 0, words[place].followsCue, next?.isNumber != true else { return false }
    let before = words[place - 1].small
    return rules.has(before, in: .role) || rules.has(before, in: .title) || isNaming(place, words)
      || ["with", "w", "by", "per", "vet", "for", "see", "to", "ref"].contains(before)
  }

  /// Whether the words before end with some behind which a person is named.
  private func isNaming(_ place: Int, _ words: [NameWords.Word]) -> Bool {
    let before = words[max(0, place - 3)..<place].map(\.small)
    if let last = before.last, rules.has(last, in: .naming) { return true }
    // "consult w/ Ken"
    if before.last == "w", words[place].gap.contains("/") { return true }
    return rules.namingPhrases.contains { before.count >= $0.count && before.suffix($0.count).elementsEqual($0) }
  }

  /// Words with a capital that are neither everyday nor clinical.
  private func markUnknown(_ words: [NameWords.Word], _ marks: inout NameMarks) {
    for (place, word) in words.enumerated() where word.isCapitalised && !word.isNumber && word.text.count > 1 {
      guard !marks.has(word), !rules.isKnown(word.bare), !rules.isKnown(word.small), !rules.has(word.bare, in: .title),
        !isPlain(place, words)
      else { continue }
      // Abbreviations: "ALT", "FeLV", "NSAIDs".
      let capitals = word.text.count(where: \.isUppercase)
      let isAbbreviation = word.isAllCapitals ? word.text.count < 6 : capitals > 1 && !word.hasNameInside
      if isAbbreviation { continue }
      if word.isAllCapitals, words.count(where: \.isAllCapitals) * 2 > words.count { continue }
      // A long word that begins a sentence, one slip away from everyday ones, is more likely typed in haste.
      if word.isFirst, word.small.count > 7, rules.isNearKnown(word.small) { continue }
      let isPlace = place > 0 && rules.has(words[place - 1].small, in: .place) && word.follows
      marks.add(word, isPlace ? .place : .person)
    }
  }

  /// What is written with a capital beside a name, and is no beginning of a sentence, belongs to it: "Bramble Cottage", "Anna Brown".
  private func markBeside(_ words: [NameWords.Word], _ marks: inout NameMarks) {
    for place in words.indices.dropFirst() {
      let (before, word) = (words[place - 1], words[place])
      guard let kind = marks.kind(of: before), marks.kind(of: word) == nil,
        word.follows || word.followsInitialOf(before)
      else { continue }
      let isGiven =
        kind == .person
        && (rules.given.contains(word.bare) || directory.kind(of: word.bare.foldedName) == .person)
      let isName =
        (word.isCapitalised && !word.isAllCapitals || isGiven) && !word.isNumber && word.text.count > 1
        && !rules.has(word.bare, in: .calendar) && !rules.has(word.small, in: .title)
        && !rules.has(word.small, in: .function)
      let isInitial = word.text.count == 1 && word.isCapitalised
      if isName && (kind != .animal || !rules.isKnown(word.bare)) && kind != .contact || isInitial && kind == .person {
        marks.add(word, kind)
      }
    }
    for place in words.indices.dropLast().reversed() {
      let (word, next) = (words[place], words[place + 1])
      guard let kind = marks.kind(of: next), kind == .person || kind == .place, marks.kind(of: word) == nil,
        next.follows
      else { continue }
      let isGiven = rules.given.contains(word.bare) && kind == .person
      guard word.isCapitalised && !word.isFirst || isGiven, !word.isAllCapitals, !word.isNumber, word.text.count > 1,
        !rules.has(word.bare, in: .calendar), !rules.has(word.small, in: .function)
      else { continue }
      if !rules.has(word.small, in: .title), !rules.has(word.small, in: .role) { marks.add(word, kind) }
    }
  }
}

extension NameWords.Word {
  fileprivate var isSingle: Bool { text.count == 1 }
  /// Behind "owner", "called" and the like: spaces, a colon or a comma at most.
  fileprivate var followsCue: Bool { gap.allSatisfy { " :,-=(/".contains($0) } }

  fileprivate func followsInitialOf(_ word: NameWords.Word) -> Bool { word.text.count == 1 && gap == ". " }

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

extension ModelDirectory {
  func nameRules() throws -> NameRules { try stage("nameRules") { try NameRules(models: self) } }
}
