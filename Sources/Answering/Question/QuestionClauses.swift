/// Parts a question into what it asks for and the circumstances beside it: of "x-ray of her spine for the arthritis" the
/// arthritis says what for, and a note of arthritis is no x-ray.
///
/// It goes by the words that join: a phrase after a joint ("after", "with", "since") tells a circumstance where something was
/// asked for before it; a clause at the head of a sentence ("when they opened the knee, …") does up to the verb that asks.
struct QuestionClauses {
  /// UTF-8 byte ranges of the question that tell circumstances, in order; empty where all of it is asked.
  let circumstances: [Range<Int>]

  /// - Parameters:
  ///   - text: the question as typed.
  ///   - things: the bytes of its words that name something to look for.
  ///   - classes: of words.
  init(_ text: String, things: [Range<Int>], classes: QuestionClasses) {
    let clauses = Self.clauses(classes.words(in: text), of: text)
    let asking = clauses.indices.filter { Self.asks(clauses[$0]) }
    var found: [Range<Int>] = []
    for (index, clause) in clauses.enumerated() {
      guard let first = clause.first, let last = clause.last else { continue }
      let whole = first.range.lowerBound..<last.range.upperBound
      if !asking.isEmpty, !asking.contains(index) {
        found.append(whole)
      } else if asking.isEmpty, index > 0 {
        found.append(whole)
      } else {
        found += Self.circumstances(of: clause, things: things)
      }
    }
    let isAllAside = things.allSatisfy { thing in found.contains { $0.overlaps(thing) } }
    circumstances = isAllAside ? [] : found
  }

  private static func circumstances(of clause: [ClassedWord], things: [Range<Int>]) -> [Range<Int>] {
    var start = clause.startIndex
    var found: [Range<Int>] = []
    // "When they opened the knee was the cartilage torn": what is asked begins at the verb that turns.
    if clause[0].isOne(of: [.circumstance, .apart]), clause.count > 1, !clause[1].isOne(of: .askingVerbs),
      let turn = clause.dropFirst(2).first(.askingVerbs)
    {
      found.append(clause[0].range.lowerBound..<clause[turn - 1].range.upperBound)
      start = turn
    }
    let joint = clause.indices.dropFirst(start).first { index in
      clause[index].isOne(of: [.circumstance, .circumstancebehind]) && index > start && index + 1 < clause.endIndex
        // "Tested for FIV": what follows is what is asked.
        && !(clause[index].isOne(of: .aim) && clause[index - 1].isOne(of: [.what, .which, .tested]))
        && things.contains {
          $0.lowerBound >= clause[start].range.lowerBound && $0.upperBound <= clause[index].range.lowerBound
        }
    }
    if let joint, let last = clause.last {
      found.append(clause[joint].range.lowerBound..<last.range.upperBound)
    }
    return found
  }

  /// The words between marks that part sentences, in lower case.
  private static func clauses(_ words: [ClassedWord], of text: String) -> [[ClassedWord]] {
    var clauses: [[ClassedWord]] = [[]]
    let bytes = Array(text.utf8)
    var end = 0
    for word in words {
      let between = end < word.range.lowerBound ? bytes[end..<word.range.lowerBound] : []
      let isParted = between.contains { marks.contains($0) } || between.elementsEqual(Array(" - ".utf8))
      if isParted, clauses[clauses.count - 1].isEmpty == false { clauses.append([]) }
      clauses[clauses.count - 1].append(word)
      end = word.range.upperBound
    }
    return clauses.filter { !$0.isEmpty }
  }

  /// Whether it begins as a question does, or turns to one.
  private static func asks(_ clause: [ClassedWord]) -> Bool {
    guard let first = clause.first else { return false }
    if first.isOne(of: .clauseOpeners) { return true }
    // "And by whom".
    return clause.count > 1 && first.isOne(of: .conjunction) && clause[1].isOne(of: .clauseOpeners)
  }

  private static let marks = Set(",;.?!:".utf8)
}
