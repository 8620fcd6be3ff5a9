import Clinical

extension IntakeReading {
  /// The message with all but a finding's own sentences made blank, at the same length in bytes.
  ///
  /// Clauses of those sentences that hold none of the finding's words but say that something is well, or ask for something, are
  /// blank too: "…, but he's fine in himself" is not what tells whether the finding is meant.
  ///
  /// - Returns: nil where the finding has no words in the text.
  /// - Complexity: O(bytes).
  func ownSentences(of finding: TriageResult.Fired) -> String? {
    let told = toldWords(of: finding)
    guard !told.isEmpty else { return nil }
    let sentences = Set(told.map { words[$0].sentence })
    let clauses = clauses
    let soothing = soothingClauses(clauses).subtracting(told.map { clauses[$0] })
    return keeping { sentences.contains(words[$0].sentence) && !soothing.contains(clauses[$0]) }
  }

  /// The message with a finding's own sentences made blank; nil where the finding has no words in the text.
  func withoutSentences(of finding: TriageResult.Fired) -> String? {
    let told = toldWords(of: finding)
    guard !told.isEmpty else { return nil }
    let sentences = Set(told.map { words[$0].sentence })
    return keeping { !sentences.contains(words[$0].sentence) }
  }

  private func toldWords(of finding: TriageResult.Fired) -> [Int] {
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

  /// The clause of each word, from 0: phrases, parted once more where a contrast begins.
  private var clauses: [Int] {
    var clause = 0
    return words.indices.map { index in
      if index > 0, words[index].phrase != words[index - 1].phrase || Self.contrasts.contains(words[index].text) {
        clause += 1
      }
      return clause
    }
  }

  private static let contrasts: Set<String> = ["but", "though", "although", "however"]

  /// The clauses in which something is said to be well, or asked for.
  private func soothingClauses(_ clauses: [Int]) -> Set<Int> {
    var soothing: Set<Int> = []
    for (concept, occurrences) in byConcept
    where lexicon.kinds[concept] == .state || lexicon.kinds[concept] == .request {
      for occurrence in occurrences { for word in occurrence.words { soothing.insert(clauses[word]) } }
    }
    return soothing
  }
}
