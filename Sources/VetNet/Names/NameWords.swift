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
    var follows: Bool { gap.allSatisfy { $0 == " " } }
    var followsInitial: Bool { gap == ". " || gap == "." || follows }
  }

  let words: [Word]
  /// Whether the text is typed without capitals, or in nothing else: then they tell nothing.
  let isCaseless: Bool

  init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    let capitals = scalars.count { $0.properties.isUppercase }
    let letters = scalars.count { $0.properties.isAlphabetic }
    let isCaseless = letters > 0 && (capitals * 100 < letters || capitals * 10 > letters * 7)
    self.isCaseless = isCaseless
    var words: [Word] = []
    var place = 0
    var gapStart = 0
    func isLetter(_ index: Int) -> Bool { index < scalars.count && scalars[index].properties.isAlphabetic }
    func isDigit(_ index: Int) -> Bool { index < scalars.count && ("0"..."9").contains(Character(scalars[index])) }
    func isMark(_ index: Int) -> Bool {
      index < scalars.count && scalars[index].properties.generalCategory == .nonspacingMark
    }
    func joins(_ index: Int) -> Bool { index < scalars.count && "'’-".unicodeScalars.contains(scalars[index]) }
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
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[start..<place])
      var between = String.UnicodeScalarView()
      between.append(contentsOf: scalars[gapStart..<start])
      let (word, gap) = (String(view), String(between))
      words.append(
        Word(
          range: start..<place, text: isCaseless ? word.lowercased() : word, small: word.lowercased(),
          isNumber: isNumber,
          isFirst: words.isEmpty || gap.contains { ".!?:;\n\r\t•*|>#–—=".contains($0) } || gap.contains(" - "),
          gap: gap))
      gapStart = place
    }
    self.words = words
  }
}
