import Store

/// A second look at what the rules left, by weights that were learned from notes with their names marked: no sign by itself is enough for a
/// rule there, several together are.
extension NameFinder {
  /// All words are looked at by what the rules took, none by what this look finds: the order of words changes nothing.
  mutating func markByEvidence() {
    let found = words.indices.filter { place in
      !words[place].isNumber && !marks.has(words[place]) && !isPlain(place) && isOpenToEvidence(place)
        && rules.weights.areOfName(evidence(place))
    }
    for place in found { marks.add(words[place], isBehindPlaceWord(place) ? .place : .person) }
  }

  /// No sign makes a small "a" or "her" a name, nor letters before a number, which are a measure: "CP 40 mg", "T 38.6".
  private func isOpenToEvidence(_ place: Int) -> Bool {
    let word = words[place]
    if !word.isCapitalised, rules.has(word.bare, in: .function) { return false }
    // A product that no table knows, and this practice writes small.
    if written.isOrdinary(word.bare), !rules.isKnown(word.bare) { return false }
    let isBeforeNumber = place + 1 < words.count && words[place + 1].follows && words[place + 1].isNumber
    return !(isBeforeNumber && (word.isAllCapitals || word.isSingle))
  }

  /// Signs that tell of a word whether it is a name: how it is written, what the tables and the practice know of it, what stands beside it,
  /// and whether the rules took that.
  func evidence(_ place: Int) -> [String] {
    let word = words[place]
    let (form, sort) = (form(of: word), sort(of: word.bare))
    let (before, after) = (before(place), after(place))
    // Where nothing but the neighbours is asked, a capital is one, whether a sentence begins there or not.
    let shape = form == "first" ? "capital" : form
    var signs = [
      "form:\(form)", "sort:\(sort)", "form+sort:\(form)+\(sort)", "form+length:\(form)+\(min(word.bare.count, 5))",
      "form+use:\(form)+\(written.use(of: word.bare))", "shape+before:\(shape)+\(before)",
      "shape+after:\(shape)+\(after)", "before+after:\(before)+\(after)", "sort+before:\(sort)+\(before)",
      "sort+after:\(sort)+\(after)", "form+taken before:\(form)+\(taken(place - 1, beside: word))",
    ]
    let next = place + 1 < words.count && words[place + 1].follows ? marks.kind(of: words[place + 1]) : nil
    signs.append("form+taken after:\(form)+\(next?.rawValue ?? "no")")
    if word.small != word.bare { signs.append("possessive:\(form)") }
    let folded = word.bare.foldedName
    if directory.kind(of: folded) != nil {
      signs.append("on file:\(form)+\(Self.everydaySorts.contains(sort) ? "everyday" : "other")")
    } else if directory.kind(nearTo: folded) != nil {
      signs.append("near file:\(form)")
    }
    if subjects.contains(folded) { signs.append("subject:\(form)") }
    if word.isAllCapitals, directory.initials.contains(word.small) { signs.append("initials") }
    return signs
  }

  private static let everydaySorts: Set<String> = ["function", "term", "given and everyday", "listed", "form"]

  private func form(of word: NameWords.Word) -> String {
    if word.isCaseless { return "caseless" }
    if word.isAllCapitals { return "all capitals" }
    if word.isSingle { return "letter" }
    guard word.isCapitalised else { return "small" }
    return word.isFirst ? "first" : "capital"
  }

  /// What the tables know of a word, by itself.
  private func sort(of bare: String) -> String {
    for list in [NameRules.List.function, .calendar, .title, .role] where rules.has(bare, in: list) {
      return list.rawValue
    }
    if rules.has(bare, in: .street) || rules.has(bare, in: .site) { return "place" }
    if rules.isTerm(bare) || rules.isCapitalised(bare) { return "term" }
    if rules.given.contains(bare) { return rules.has(bare, in: .everyday) ? "given and everyday" : "given" }
    if rules.isListed(bare) { return "listed" }
    if rules.isKnown(bare) { return "form" }
    return bare.count > 5 && rules.isNearKnown(bare) ? "near" : "unknown"
  }

  private func before(_ place: Int) -> String {
    if place == 0 { return "start" }
    let word = words[place]
    return word.follows ? kind(of: words[place - 1]) : word.isFirst ? "sentence" : "mark"
  }

  private func after(_ place: Int) -> String {
    guard place + 1 < words.count else { return "end" }
    let next = words[place + 1]
    return next.follows ? kind(of: next) : next.isFirst ? "sentence" : "mark"
  }

  private func taken(_ place: Int, beside word: NameWords.Word) -> String {
    guard place >= 0, word.follows else { return "no" }
    return marks.kind(of: words[place])?.rawValue ?? "no"
  }

  /// What a neighbour says of a word beside it.
  private func kind(of word: NameWords.Word) -> String {
    if word.isNumber { return "number" }
    for list in [NameRules.List.title, .role, .naming] where rules.has(word.small, in: list) { return list.rawValue }
    if NamePosition.auxiliaries.contains(word.small) { return "auxiliary" }
    if NamePosition.prepositions.contains(word.small) { return "preposition" }
    for list in [NameRules.List.place, .function] where rules.has(word.small, in: list) { return list.rawValue }
    if rules.has(word.small, in: .street) || rules.has(word.small, in: .site) { return "site" }
    if rules.isVerb(word.small) { return "verb" }
    if word.isAllCapitals { return "all capitals" }
    return word.isCapitalised ? word.isFirst ? "first capital" : "capital" : "word"
  }
}
