import Clinical

/// What the words of headings mean, and how much a heading is like one that is described by meanings.
struct HeadingWords: Sendable {
  /// Word to its meanings.
  private var meanings: [String: Set<String>] = [:]
  /// Of each meaning the words of four letters and more, in order.
  private let words: [String: [String]]

  init(_ table: DataTable) throws(DataTableError) {
    var meanings: [String: Set<String>] = [:]
    for row in table.rows {
      let list = row.list("words")
      guard !list.isEmpty else { throw row.error("words", "names no word") }
      for word in list { meanings[word.lowercased(), default: []].insert(row["id"]) }
    }
    self.meanings = meanings
    var words: [String: [String]] = [:]
    for word in meanings.keys.sorted() where word.count >= 4 {
      for meaning in meanings[word] ?? [] { words[meaning, default: []].append(word) }
    }
    self.words = words
  }

  private static let untelling: Set = ["id", "date"]

  func knows(_ meaning: String) -> Bool { meanings.values.contains { $0.contains(meaning) } }

  /// A heading's words: parted where letters, digits and capitals begin, compounds of known words too.
  func split(_ heading: String) -> [String] {
    var parts: [String] = []
    var current = ""
    var last: Character?
    // "D.O.B." is one word.
    let heading = heading.split(separator: " ").map { word -> String in
      let letters = word.split(separator: ".")
      let isShort = letters.count > 1 && letters.allSatisfy { $0.count == 1 && $0.allSatisfy(\.isLetter) }
      return isShort ? letters.joined() : String(word)
    }.joined(separator: " ")
    for character in heading {
      guard character.isLetter || character.isNumber else {
        if character == "#" { parts += [current, "no"] } else { parts.append(current) }
        current = ""
        last = nil
        continue
      }
      if let last, (character.isUppercase && last.isLowercase) || character.isNumber != last.isNumber {
        parts.append(current)
        current = ""
      }
      current.append(character)
      last = character
    }
    parts.append(current)
    return parts.filter { !$0.isEmpty && !$0.allSatisfy(\.isNumber) }.map { $0.lowercased() }.flatMap(compound)
  }

  private func compound(_ word: String) -> [String] {
    guard meanings[word] == nil, word.count >= 5 else { return [word] }
    for cut in 2...(word.count - 2) {
      let (first, second) = (String(word.prefix(cut)), String(word.dropFirst(cut)))
      if meanings[first] != nil, meanings[second] != nil { return [first, second] }
    }
    return [word]
  }

  /// How surely a word has a meaning, 0...1: it is listed, or abbreviates or begins a listed one.
  func likeness(_ word: String, _ meaning: String) -> Double {
    if let known = meanings[word] { return known.contains(meaning) ? 1 : 0 }
    guard word.count >= 2 else { return 0 }
    for known in words[meaning] ?? [] {
      if word.count >= 3, known.hasPrefix(word) { return 0.8 }
      if word.count >= 5, word.hasPrefix(known) { return 0.7 }
      if word.abbreviates(known) { return 0.6 }
    }
    return 0
  }

  /// How much a heading is like a description, 0...1: the shared weight of both over all of it. Words that most headings of
  /// the table have weigh little.
  ///
  /// - Parameters:
  ///   - words: of the heading.
  ///   - descriptions: each some meanings.
  ///   - common: words that say little in this table.
  /// - Returns: 0 for nothing in common, 1 for the same.
  func likeness(of words: [String], to descriptions: [[String]], common: Set<String>) -> Double {
    let weights = words.map { common.contains($0) ? 0.25 : 1 }
    let total = weights.reduce(0, +)
    guard total > 0 else { return 0 }
    var best = 0.0
    for description in descriptions {
      var free = Set(words.indices)
      var shared = 0.0
      var isTold = description.count == 1
      for meaning in description {
        let hit = free.map { (index: $0, value: likeness(words[$0], meaning)) }
          .max { ($0.value, -$0.index) < ($1.value, -$1.index) }
        guard let hit, hit.value > 0 else { continue }
        free.remove(hit.index)
        isTold = isTold || !Self.untelling.contains(meaning)
        shared += hit.value * weights[hit.index]
      }
      // Every table has ids and dates: that a column is one doesn't tell whose, or of what.
      guard isTold else { continue }
      let all = total + Double(description.count) - shared
      best = max(best, min(1, shared / all))
    }
    return best
  }
}

extension String {
  /// Whether its letters stand in that order in a longer word, beginning with its first: `brd` in `breed`.
  func abbreviates(_ word: String) -> Bool {
    guard count >= 2, count < word.count, first == word.first else { return false }
    // Vowels are what abbreviations leave out; what leaves out much more is another word.
    guard count * 3 >= word.count else { return false }
    var rest = word[...]
    for letter in self {
      guard let place = rest.firstIndex(of: letter) else { return false }
      rest = rest[rest.index(after: place)...]
    }
    return true
  }
}
