/// A text as words, for finding names: what is a name shows in capitals, in what stands beside it, and in where a sentence begins.
struct NameWords {
  struct Word {
    /// Code points.
    let range: Range<Int>
    let text: String
    let small: String
    let isNumber: Bool
    /// Whether a sentence, a line or an item begins here, where a capital says nothing.
    let isFirst: Bool
    /// Whether its sentence is typed without capitals, or in nothing else: then they tell nothing, and ``text`` is in small letters.
    let isCaseless: Bool
    /// What stands between it and the word before.
    let gap: String

    var isCapitalised: Bool { text.first?.isUppercase == true }
    var isAllCapitals: Bool {
      text.count > 1 && !text.contains(where: \.isLowercase) && text.contains(where: \.isUppercase)
    }
    /// Without a possessive's ending.
    var bare: String {
      for ending in ["'s", "’s", "'", "’"] where small.hasSuffix(ending) { return String(small.dropLast(ending.count)) }
      return small
    }
    /// Whether it goes on with the word before: nothing but spaces between them.
    var follows: Bool { gap.allSatisfy { $0 == " " } && gap.count < 2 }
    var followsInitial: Bool { gap == ". " || gap == "." || follows }
    var isSingle: Bool { text.count == 1 }
    /// Behind "owner", "called" and the like: spaces, a colon or a comma at most.
    var followsCue: Bool { gap.allSatisfy { " :,-=(/".contains($0) } }
    /// Whether a clause begins or goes on here that says nothing of the word before.
    var isApart: Bool { isFirst || !follows }
  }

  let words: [Word]

  init(_ text: String) {
    let tokens = Self.tokens(Array(text.unicodeScalars))
    let capitals = text.unicodeScalars.count { $0.properties.isUppercase }
    let letters = text.unicodeScalars.count { $0.properties.isAlphabetic }
    let isAll = letters > 0 && (capitals * 100 < letters || capitals * 10 > letters * 7)
    var words: [Word] = []
    words.reserveCapacity(tokens.count)
    var start = 0
    while start < tokens.count {
      var end = start + 1
      while end < tokens.count, !tokens[end].beginsSentence { end += 1 }
      let isCaseless = isAll || Self.isCaseless(tokens[start..<end])
      for (place, token) in zip(start..<end, tokens[start..<end]) {
        words.append(
          Word(
            range: token.range, text: isCaseless ? token.text.lowercased() : token.text, small: token.text.lowercased(),
            isNumber: token.isNumber, isFirst: place == 0 || token.beginsItem, isCaseless: isCaseless, gap: token.gap))
      }
      start = end
    }
    self.words = words
  }

  // MARK: Tokens

  private struct Token {
    let range: Range<Int>
    let text: String
    let isNumber: Bool
    let gap: String

    var beginsSentence: Bool {
      gap.contains { $0.isNewline } || gap.contains("  ") || gap.contains(" ") && gap.contains { ".!?".contains($0) }
    }
    var beginsItem: Bool {
      gap.contains { ".!?:;\n\r\t•*|>#–—=".contains($0) } || gap.contains(" - ") || gap.contains("  ")
    }
  }

  /// Whether a sentence is typed in small letters only, its first word too, or in capitals only where these are no abbreviations.
  private static func isCaseless(_ sentence: ArraySlice<Token>) -> Bool {
    let words = sentence.filter { !$0.isNumber }
    guard words.count >= 3, let first = words.first else { return false }
    if first.text.first?.isLowercase == true { return !words.contains { $0.text.contains(where: \.isUppercase) } }
    let long = words.filter { $0.text.count >= 4 }
    return long.count >= 3 && !words.contains { $0.text.contains(where: \.isLowercase) }
  }

  private static func tokens(_ scalars: [UnicodeScalar]) -> [Token] {
    var tokens: [Token] = []
    var place = 0
    var gapStart = 0
    func isLetter(_ index: Int) -> Bool { index < scalars.count && scalars[index].properties.isAlphabetic }
    func isDigit(_ index: Int) -> Bool { index < scalars.count && ("0"..."9").contains(Character(scalars[index])) }
    func isMark(_ index: Int) -> Bool {
      index < scalars.count && scalars[index].properties.generalCategory == .nonspacingMark
    }
    func joins(_ index: Int) -> Bool { index < scalars.count && "'’-".unicodeScalars.contains(scalars[index]) }
    func text(_ range: Range<Int>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[range])
      return String(view)
    }
    while place < scalars.count {
      guard isLetter(place) || isDigit(place) else {
        place += 1
        continue
      }
      let start = place
      let isNumber = isDigit(start)
      while place < scalars.count {
        if isNumber ? isDigit(place) || isLetter(place) : isLetter(place) || isMark(place) {
          place += 1
        } else if !isNumber, joins(place), isLetter(place + 1) {
          place += 1
        } else {
          break
        }
      }
      tokens.append(
        Token(range: start..<place, text: text(start..<place), isNumber: isNumber, gap: text(gapStart..<start)))
      gapStart = place
    }
    return tokens
  }
}
