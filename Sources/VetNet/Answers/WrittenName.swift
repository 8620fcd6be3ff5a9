/// Words of a question that may be the name of a patient.
struct WrittenName: Equatable {
  struct Word {
    /// Without the ending of a possessive.
    let text: String
    let isPossessive: Bool
  }

  let text: String
  /// A capital or a number says that it is one.
  let isCertain: Bool
  /// An everyday word in small letters that stands where names stand: "sugar, eyes?", "is honey insured", but not "cats on honey".
  let standsAsName: Bool
  /// It stands behind a verb or has the ending of a possessive: "is juno lame", "juno's weight".
  let isPointedAt: Bool

  private static let mostWords = 3
  private static let fewestLetters = 3

  /// The candidates, longest first, then in the order of the question.
  static func candidates(in words: [Word]) -> [WrittenName] {
    let texts = words.map(\.text)
    let opening = texts.prefix(2).map { $0.lowercased() }
    let asksForList = opening == ["how", "many"] || opening.first.map(listing.contains) ?? false
    var names: [WrittenName] = []
    for length in stride(from: min(mostWords, words.count), through: 1, by: -1) {
      for start in 0...(words.count - length) {
        let text = texts[start..<(start + length)].joined(separator: " ")
        let isCertain = text.first?.isUppercase == true || text.contains(where: \.isNumber)
        guard isCertain || (length == 1 && text.count >= fewestLetters) else { continue }
        // "Which cats are on honey" asks for those that are on it.
        if !isCertain, asksForList, start > 0, beforeTreatments.contains(texts[start - 1].lowercased()) { continue }
        let isBehindVerb = start > 0 && beforeNames.contains(texts[start - 1].lowercased())
        let canBeName = !asksForList && !neverNames.contains(text.lowercased())
        func add(_ text: String, isPossessive: Bool) {
          let isPointedAt = canBeName && (isBehindVerb || isPossessive)
          names.append(
            WrittenName(
              text: text, isCertain: isCertain, standsAsName: isPointedAt || (canBeName && start == 0),
              isPointedAt: isPointedAt))
        }
        add(text, isPossessive: words[start].isPossessive)
        // "Junos", "sugars eyes": the apostrophe is often left out.
        if length == 1, !words[start].isPossessive, text.hasSuffix("s"), text.count > fewestLetters {
          add(String(text.dropLast()), isPossessive: true)
        }
      }
    }
    return names
  }

  /// Words that begin a question for patients, not about one.
  private static let listing: Set = ["which", "who", "whose", "who's", "list", "patients", "cases"]
  /// Words behind which a name stands in a question about a patient.
  private static let beforeNames: Set = [
    "is", "was", "has", "had", "does", "did", "can", "could", "should", "will", "for", "about", "of", "re",
  ]
  private static let beforeTreatments: Set = ["on", "with", "taking", "eat", "eats", "get", "gets", "having", "given"]
  /// Words that ask, in whatever place.
  private static let neverNames: Set = [
    "may", "will", "can", "has", "had", "was", "did", "does", "what", "when", "where", "why", "how", "who", "which",
    "any", "last", "next", "there", "should", "could", "would", "are", "have",
  ]
}
