import Clinical
import TextAnalysis

/// Which words of a question tell the circumstances of asking, not what is asked: "when was the last booster, *the cattery is
/// on the phone*".
///
/// A question is cut at its punctuation. A segment that states something in the words of whoever asks ("I'm about to …", "the
/// owner says …", "thinking about …") is an aside, unless it asks itself ("wants to know whether …") or the asking segment
/// points back to it ("did anyone do *it*").
struct QuestionAsides {
  /// Places of words, by the order of the tokens.
  let places: Set<Int>

  /// - Parameters:
  ///   - text: the question as typed.
  ///   - tokens: of it, in order.
  ///   - words: the tokens in lower case.
  init(_ text: String, _ tokens: [Token], words: [String]) {
    let segments = Self.segments(text, tokens)
    let asides = segments.filter { Self.isAside(Array(words[$0]), endsAsQuestion: Self.asks($0, text, tokens)) }
    let asking = segments.filter { !asides.contains($0) }
    // "The lump was to be measured again, did anyone do it?": what is asked stands in the statement.
    let pointsBack = asking.contains { $0.contains { Self.pointers.contains(words[$0]) } }
    places = asides.isEmpty || asking.isEmpty || pointsBack ? [] : Set(asides.flatMap { $0 })
  }

  private static func segments(_ text: String, _ tokens: [Token]) -> [Range<Int>] {
    var segments: [Range<Int>] = []
    var start = 0
    for index in tokens.indices.dropFirst() {
      let between = Self.text(text, from: tokens[index - 1].range.upperBound, to: tokens[index].range.lowerBound)
      let isShort = tokens[index - 1].range.count == 1
      let isCut =
        between.contains { ",;?!".contains($0) } || between.contains(" - ") || between.contains(" – ")
        // "E. coli" is one name.
        || (between.contains { ".:".contains($0) } && between.contains(" ") && !isShort)
      if isCut {
        segments.append(start..<index)
        start = index
      }
    }
    if start < tokens.count { segments.append(start..<tokens.count) }
    return segments
  }

  private static func asks(_ segment: Range<Int>, _ text: String, _ tokens: [Token]) -> Bool {
    let end = tokens[segment.upperBound - 1].range.upperBound
    let next = segment.upperBound < tokens.count ? tokens[segment.upperBound].range.lowerBound : text.utf8.count
    return Self.text(text, from: end, to: next).contains("?")
  }

  /// Empty where words overlap, as in "V/D".
  private static func text(_ text: String, from start: Int, to end: Int) -> Substring {
    start < end ? text.slice(utf8: start..<end) ?? "" : ""
  }

  private static func isAside(_ words: [String], endsAsQuestion: Bool) -> Bool {
    let words = Array(words.drop { joints.contains($0) })
    guard let first = words.first, words.count > 1, !endsAsQuestion, words.allSatisfy({ !askers.contains($0) }) else {
      return false
    }
    if intentions.contains(first) || (first == "about" && words[1] == "to") { return true }
    if speakers.contains(first) { return !(["need", "want"].contains(words[1])) }
    guard determiners.contains(first) || titles.contains(first) || !words.prefix(2).contains(where: openers.contains)
    else { return false }
    // "The cattery on the mainland is asking": the verb comes within a few words.
    return words.dropFirst().prefix(7).contains(where: tellers.contains)
  }

  /// What makes a segment ask, whoever does the asking in it.
  private static let askers: Set<String> = [
    "what", "which", "when", "who", "whom", "whose", "why", "how", "where", "whether", "if", "know", "list", "tell",
    "show", "find", "check",
  ]
  private static let joints: Set<String> = [
    "and", "but", "so", "because", "as", "cos", "since", "sorry", "hi", "hello",
  ]
  private static let intentions: Set<String> = ["thinking", "wondering", "planning", "considering", "trying"]
  private static let speakers: Set<String> = ["i", "i'm", "im", "i've", "ive", "i'd", "we", "we're", "we've", "we'd"]
  private static let determiners: Set<String> = ["the", "our", "my", "her", "his", "their", "new", "o", "owner"]
  private static let titles: Set<String> = ["mr", "mrs", "ms", "miss", "dr"]
  private static let openers: Set<String> = [
    "is", "are", "was", "were", "has", "have", "had", "does", "did", "do", "can", "could", "would", "will", "may",
    "should", "any", "ever", "last", "first", "latest", "still",
  ]
  /// Verbs of what people at the desk say, want and do.
  private static let tellers: Set<String> = [
    "asking", "asks", "asked", "says", "said", "saying", "say", "thinks", "thought", "wants", "wanted", "needs",
    "reckons",
    "swears", "insists", "claims", "believes", "phone", "desk", "reception", "waiting", "rang", "ringing", "called",
    "calling", "emailed", "worried", "remembers", "mentioned", "wonders", "wondering",
  ]
  private static let pointers: Set<String> = ["it", "that", "this", "one", "them", "those", "these", "so", "then"]
}
