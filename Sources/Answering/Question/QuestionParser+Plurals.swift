extension QuestionParser {
  /// "T4s": several of what has a digit in its name; nil where nothing is.
  static func withoutPlurals(_ text: String) -> String? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let plain = words.map { word -> Substring in
      let name = word.prefix { $0.isLetter || $0.isNumber }
      guard name.count > 2, name.last == "s", name.first?.isLetter == true, name.dropLast().last?.isNumber == true
      else {
        return word
      }
      return name.dropLast() + word[name.endIndex...]
    }
    return plain == words ? nil : plain.joined(separator: " ")
  }
}
