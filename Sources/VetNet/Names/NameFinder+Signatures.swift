/// Who wrote a note, and letters that stand for somebody.
extension NameFinder {
  /// "R.L. paid": capitals with full stops that abbreviate nothing.
  mutating func markDotted() {
    for place in words.indices.dropLast() where marks.kind(of: words[place]) == nil {
      var end = place
      while end + 1 < words.count, words[end + 1].gap == ".", words[end + 1].isSingle { end += 1 }
      let letters = words[place...end]
      let together = letters.map(\.small).joined()
      guard end > place, letters.allSatisfy({ $0.isSingle && $0.isCapitalised && !$0.isNumber }),
        !rules.isListed(together) || directory.initials.contains(together)
      else { continue }
      for letter in letters { marks.add(letter, .person) }
    }
  }

  /// "Recheck 2/52. HB", "-BK", "CB/TM", "Thanks. C x": who wrote a note, behind its last sentence or line.
  mutating func markSignatures() {
    for last in words.indices where last + 1 == words.count || words[last + 1].gap.contains(where: \.isNewline) {
      let end = last > 0 && ["x", "xx"].contains(words[last].small) ? last - 1 : last
      if last + 1 == words.count, words[end].isSingle, words[end].isCapitalised, end > 0, endsSentence(words[end].gap) {
        marks.add(words[end], .person)
      }
      var place = end
      while place > 0, words[place].gap == "/", isInitials(place) { place -= 1 }
      guard isInitials(place), place == 0 || endsSentence(words[place].gap) || isWriter(place) else { continue }
      for part in place...end where isInitials(part) && (isWriter(part) || !rules.isListed(words[part].small)) {
        marks.add(words[part], .person)
      }
    }
  }

  private func endsSentence(_ gap: String) -> Bool { gap.contains { ".!?-–—\n".contains($0) } }

  private func isInitials(_ place: Int) -> Bool {
    let word = words[place]
    return !word.isNumber && (2...3).contains(word.text.count) && (word.isAllCapitals || isWriter(place))
  }

  /// Whether letters are the initials of one who writes here; small ones only where capitals tell nothing.
  private func isWriter(_ place: Int) -> Bool {
    let word = words[place]
    return directory.initials.contains(word.small) && (word.isAllCapitals || word.isCaseless)
      && (!word.isCaseless || place > 0 && endsSentence(word.gap))
  }
}
