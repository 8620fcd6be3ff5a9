/// Where in a sentence somebody is named: what a word's neighbours say of it, whatever the word is and however it is typed. So an everyday
/// word that is somebody's name as well ("hope", "mark", "green") is told from the word.
struct NamePosition {
  let rules: NameRules
  let words: [NameWords.Word]

  /// Words that go on with a person as their subject.
  static let auxiliaries: Set<String> = [
    "is", "was", "has", "had", "will", "would", "can", "could", "does", "did", "to", "isn't", "wasn't", "can't",
    "won't",
    "doesn't", "didn't", "hasn't", "wants",
  ]
  /// Words behind which a person stands as well as a thing.
  static let prepositions: Set<String> = [
    "with", "w", "by", "from", "for", "to", "per", "via", "and", "see", "re",
  ]
  /// Words behind which a clause begins.
  private static let openers: Set<String> = [
    "that", "as", "if", "but", "because", "when", "so", "while", "says", "said",
  ]

  /// Whether the words around name a person there.
  func isPerson(_ place: Int) -> Bool {
    if isIntroduced(place) || isExplained(place) { return true }
    let word = words[place]
    if beginsClause(place) { return acts(place) || word.small != word.bare }
    guard place > 0, word.followsCue else { return false }
    let before = words[place - 1].small
    if Self.prepositions.contains(before) { return endsClause(place) || acts(place) || word.small != word.bare }
    return Self.openers.contains(before) && acts(place)
  }

  /// Behind a title, a role, or words that a name follows: "owner mark", "signed by hope".
  func isIntroduced(_ place: Int) -> Bool {
    guard place > 0, words[place].followsCue else { return false }
    let before = words[place - 1].small
    return rules.has(before, in: .role) || rules.has(before, in: .title) || isNaming(place)
  }

  /// "olive (daughter)"
  func isExplained(_ place: Int) -> Bool {
    place + 1 < words.count && words[place + 1].gap == " (" && rules.has(words[place + 1].small, in: .role)
  }

  /// Whether the words before end with some behind which a person is named.
  func isNaming(_ place: Int) -> Bool {
    let before = words[max(0, place - 3)..<place].map(\.small)
    if let last = before.last, rules.has(last, in: .naming) { return true }
    // "consult w/ Ken"
    if before.last == "w", words[place].gap.contains("/") { return true }
    return rules.namingPhrases.contains { before.count >= $0.count && before.suffix($0.count).elementsEqual($0) }
  }

  func beginsClause(_ place: Int) -> Bool { place == 0 || words[place].isFirst || words[place].gap.contains(",") }

  func endsClause(_ place: Int) -> Bool { place + 1 == words.count || words[place + 1].isApart }

  /// Whether what follows is what somebody does: "hope reports", "mark will".
  func acts(_ place: Int) -> Bool {
    guard place + 1 < words.count, words[place + 1].follows else { return false }
    let next = words[place + 1].small
    return Self.auxiliaries.contains(next) || rules.isVerb(next)
  }
}
