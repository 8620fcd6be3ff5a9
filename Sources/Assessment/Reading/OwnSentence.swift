import Clinical
import Extraction
import TextAnalysis

extension IntakeReading {
  /// The message with all but a finding's own sentences made blank, at the same length in bytes.
  ///
  /// Clauses of those sentences that hold none of the finding's words but say that something is well, or ask for something, are
  /// blank too: "…, but he's fine in himself" and "and could we also book his nails" are not what tells whether the finding is meant.
  ///
  /// - Returns: nil where the finding has no words in the text.
  /// - Complexity: O(bytes).
  func ownSentences(of finding: TriageResult.Fired) -> String? {
    let told = toldWords(of: finding)
    guard !told.isEmpty else { return nil }
    let sentences = Set(told.map { words[$0].sentence })
    let clauses = spokenClauses
    let soothing = soothingClauses(clauses).subtracting(told.map { clauses[$0] })
    return keeping { sentences.contains(words[$0].sentence) && !soothing.contains(clauses[$0]) }
  }

  /// The message with a finding's own sentences made blank; nil where the finding has no words in the text.
  func withoutSentences(of finding: TriageResult.Fired) -> String? {
    let told = toldWords(of: finding)
    return told.isEmpty ? nil : withoutSentences(of: told)
  }

  /// The message with the sentences of some words made blank.
  func withoutSentences(of told: [Int]) -> String {
    let sentences = Set(told.map { words[$0].sentence })
    return keeping { !sentences.contains(words[$0].sentence) }
  }

  func toldWords(of finding: TriageResult.Fired) -> [Int] {
    finding.told.compactMap { words(in: $0) }.flatMap { Array($0) }
  }

  /// The text with some words only, each with the marks behind it, by which sentences and phrases are told apart.
  private func keeping(_ isKept: (Int) -> Bool) -> String {
    let bytes = Array(text.utf8)
    var kept = [UInt8](repeating: UInt8(ascii: " "), count: bytes.count)
    for (place, word) in words.enumerated() where isKept(place) {
      let end = place + 1 < words.count ? words[place + 1].range.lowerBound : bytes.count
      kept.replaceSubrange(word.range.lowerBound..<end, with: bytes[word.range.lowerBound..<end])
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// The clauses in which something is said to be well, or asked for.
  private func soothingClauses(_ clauses: [Int]) -> Set<Int> {
    var soothing: Set<Int> = []
    for (concept, occurrences) in byConcept where isSoothing(concept) {
      for occurrence in occurrences { for word in occurrence.words { soothing.insert(clauses[word]) } }
    }
    return soothing
  }

  /// Whether a concept says that something is well, or asks for something.
  private func isSoothing(_ concept: Int) -> Bool {
    lexicon.kinds[concept] == .state || lexicon.kinds[concept] == .request
  }

  private var clauseStarts: ClauseStarts {
    let soothing = byConcept.filter { isSoothing($0.key) }.values.joined().map(\.words.lowerBound)
    return ClauseStarts(words: words, soothing: Set(soothing))
  }

  /// All words but the asides of a sentence, from the clauses beside `range`: what is said to be well, asked for or joked about, what
  /// is joined on with a subject of its own, and conditions about an appointment ("if you have a slot today", "whenever suits").
  /// Nil where there are none.
  ///
  /// A sign in such a clause keeps it: "if he collapses and we can't reach you".
  func withoutAsides(beside range: Range<Int>) -> [Int]? {
    let clauses = spokenClauses
    let starts = clauseStarts
    let sentence = words[range.lowerBound].sentence
    let own = Set(range.map { clauses[$0] })
    var members: [Int: [Int]] = [:]
    for index in words.indices where words[index].sentence == sentence && !own.contains(clauses[index]) {
      members[clauses[index], default: []].append(index)
    }
    var (told, soothed, joked): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
    for (concept, places) in byConcept {
      let of = places.flatMap(\.words).map { clauses[$0] }
      if isSoothing(concept) { soothed.formUnion(of) }
      switch lexicon.kinds[concept] {
      case .figure: joked.formUnion(of)
      case .object, .sign: told.formUnion(of)
      default: break
      }
    }
    var asides: Set<Int> = []
    for (clause, indices) in members {
      func contains(_ closed: ClosedClass) -> Bool { indices.contains { words[$0].isOne(of: closed) } }
      let isConditional = contains(.conditional) && !contains(.noticing)
      if joked.contains(clause) && starts.hasSubject(at: indices[0])
        || isConditional && contains(.appointment)
      {
        asides.insert(clause)
      } else if soothed.contains(clause), starts.isJoined(at: indices[0]) {
        asides.insert(clause)
      } else if !told.contains(clause),
        soothed.contains(clause) || isConditional && contains(.courtesy) || starts.begins(at: indices[0])
      {
        asides.insert(clause)
      }
    }
    return asides.isEmpty ? nil : words.indices.filter { !asides.contains(clauses[$0]) }
  }

  /// The clause of each word, from 0: phrases, parted once more where a contrast begins ("but"), and where a joining word begins
  /// something of its own: "collapsed and could we also book his nails", "plus he's due his jab", "and back to normal now".
  /// "His eye and his nose" is one clause.
  var spokenClauses: [Int] {
    let starts = clauseStarts
    var clause = 0
    return words.indices.map { index in
      if index > 0, words[index].phrase != words[index - 1].phrase || starts.begins(at: index) { clause += 1 }
      return clause
    }
  }
}

/// Where a spoken clause begins within a phrase.
struct ClauseStarts {
  let words: [IntakeWord]
  /// Where something soothing begins.
  let soothing: Set<Int>

  /// Words from a joining word to the verb of a subject that is no pronoun: "and his poor old sister is".
  private static let subjectReach = 5

  func begins(at index: Int) -> Bool {
    guard index > 0 else { return false }
    let word = words[index]
    if word.isOne(of: .contrast) { return true }
    // "2 plus 2", but "fainted x2 plus he's due a jab".
    if word.text == "plus" { return words[index - 1].number == nil || hasSubject(at: index) }
    guard word.isOne(of: .joining) else { return false }
    var next = index + 1
    while holds(next, of: index), words[next].isOne(of: .spokenadverb) { next += 1 }
    guard holds(next, of: index) else { return false }
    if (index + 1...next).contains(where: soothing.contains) { return true }
    let first = words[next]
    if first.isOne(of: .clausesubject) || Self.isAuxiliary(first.text) || first.isOne(of: .wishing) { return true }
    // "And his poor old sister needs", "and Thursday or Friday would be ideal".
    let isNoun = first.isOne(of: .nounstart)
    return (next + 1..<next + 2 + Self.subjectReach).contains { place in
      holds(place, of: index)
        && (Self.isAuxiliary(words[place].text) || isNoun && words[place].isOne(of: .wishing))
    }
  }

  /// Whether a clause that begins at `index` is joined on and has a subject of its own: "and she's always been a drama queen".
  func isJoined(at index: Int) -> Bool {
    (words[index].isOne(of: .joining) || words[index].isOne(of: .contrast)) && hasSubject(at: index)
  }

  /// Whether a clause begins with a subject of its own, or as a question does.
  func hasSubject(at index: Int) -> Bool {
    var next = index
    while holds(next, of: index), Self.isBefore(words[next]) { next += 1 }
    return holds(next, of: index)
      && (words[next].isOne(of: .clausesubject) || Self.isAuxiliary(words[next].text))
  }

  private static func isAuxiliary(_ word: String) -> Bool {
    if case .denied = WordForm.read(word) { return true }
    return WordForm.helpers.contains(word) || word == "am" || word == "may"
  }

  private static func isBefore(_ word: IntakeWord) -> Bool {
    word.isOne(of: .joining) || word.isOne(of: .contrast) || word.isOne(of: .spokenadverb)
  }

  private func holds(_ index: Int, of start: Int) -> Bool {
    index < words.count && words[index].phrase == words[start].phrase
  }

}
