import Clinical
import TextAnalysis

/// Whether a sentence gives a number of what is asked about.
extension EvidenceRanking {
  /// Whether a number stands in the three words after what weighs most: "pheno level today 23", not "ALP 402 … pheno".
  /// A grade counts on either side: "murmur 4/6", "gr II/VI murmur".
  static func hasNumberBeside(_ match: Match, _ classes: QuestionClasses) -> Bool {
    match.target.map { hasNumber(in: match.unit, beside: $0, classes) } ?? false
  }

  static func hasNumber(in unit: EvidenceUnit, beside target: Range<Int>, _ classes: QuestionClasses) -> Bool {
    let words = WordPhrases.words(in: unit.note.text, range: unit.range)
    guard let place = words.lastIndex(where: { $0.range.overlaps(target) }) else { return false }
    let near = max(0, place - 5)..<min(words.count, place + 5)
    if near.contains(where: { index in
      isGrade(words[index].text, of: index < place ? ["6"] : ["6", "9", "10"])
        || isRomanGrade(words, at: index, classes)
    }) {
      return true
    }
    return words[place...].prefix(4).contains { word in
      word.range.upperBound > target.upperBound && word.text.first?.isNumber == true && !word.text.contains("/")
    }
  }

  /// "2/6", "7/10".
  private static func isGrade(_ word: String, of scales: Set<String>) -> Bool {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && scales.contains(String(parts[1]))
  }

  /// "II/VI", "grade III", "murmur IV": beside such a word "IV" is no vein.
  private static func isRomanGrade(_ words: [Token], at index: Int, _ classes: QuestionClasses) -> Bool {
    let own = classes.classes(of: words[index].text)
    guard own.contains(.romangrade) else { return own.contains(.gradeofsix) }
    return index + 1 < words.count && classes.isOne(words[index + 1].text, of: .romansix)
      || index > 0 && classes.isOne(words[index - 1].text, of: .graded)
  }
}
