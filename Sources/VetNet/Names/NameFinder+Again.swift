import Store

/// Who was named once in a note is meant wherever the word stands again: "Mrs Rose rang. Rose will pay."
extension NameFinder {
  /// Lists whose words are parts of names ("Quarry Lane", "Sister Anne") and no names by themselves.
  private static let shared: [NameRules.List] = [
    .title, .role, .street, .site, .place, .particle, .function, .calendar, .saying,
  ]

  mutating func markAgain() {
    var names: [String: RemovedName.Kind] = [:]
    for word in words where !word.isNumber && word.bare.count > 2 {
      guard let kind = marks.kind(of: word), kind != .contact,
        !Self.shared.contains(where: { rules.has(word.bare, in: $0) })
      else { continue }
      if names[word.bare] == nil { names[word.bare] = kind }
    }
    for (place, word) in words.enumerated() where !marks.has(word) && !isPlain(place) {
      if let kind = names[word.bare], isMeantAgain(place, kind) { marks.add(word, kind) }
    }
  }

  /// Of an everyday word a capital has to tell, or that a person stands there; one of a place ("The Old Vicarage") is too often just a word.
  private func isMeantAgain(_ place: Int, _ kind: RemovedName.Kind) -> Bool {
    let word = words[place]
    if !isKnown(word.bare) { return true }
    if kind == .place { return word.isCapitalised && !word.isFirst && !rules.isCapitalised(word.bare) }
    return word.isCapitalised && !rules.isCapitalised(word.bare) || position.isPerson(place)
  }
}
