import Clinical
import Extraction

extension IntakeReading {
  /// Whether a finding's own clause shows by a sign that can be named that it may be no report: it is a question, a quotation, a
  /// name, a comparison, a habit, a joke or hearsay ("kind figure" of the concepts).
  ///
  /// Only the clause that the finding stands in is read, so that nothing that is said beside it makes a joke of it.
  ///
  /// - Complexity: O(words + occurrences).
  func mayBeFigure(_ finding: TriageResult.Fired) -> Bool {
    let told = Set(toldWords(of: finding))
    guard !told.isEmpty else { return false }
    let clauses = spokenClauses
    let own = Set(told.map { clauses[$0] })
    let clause = words.indices.filter { own.contains(clauses[$0]) }
    return told.contains { words[$0].isName } || hasMark(clause) || tellsHabit(clause, told)
      || byConcept.contains { concept, places in
        lexicon.kinds[concept] == .figure
          && places.contains { place in place.words.allSatisfy { own.contains(clauses[$0]) && !told.contains($0) } }
      }
  }

  /// A question mark at the clause's end, or a quotation mark at its words.
  private func hasMark(_ clause: [Int]) -> Bool {
    let bytes = Array(text.utf8)
    return clause.contains { index in
      let word = words[index]
      let next = index + 1 < words.count ? words[index + 1].range.lowerBound : bytes.count
      let before = index > 0 ? words[index - 1].range.upperBound : 0
      let behind = bytes[word.range.upperBound..<next]
      return behind.contains(UInt8(ascii: "?"))
        || [behind, bytes[before..<word.range.lowerBound]].contains(where: Self.isQuoting)
    }
  }

  private static func isQuoting(_ marks: ArraySlice<UInt8>) -> Bool {
    // U+201C and U+201D.
    marks.contains(UInt8(ascii: "\"")) || marks.contains(0x9C) || marks.contains(0x9D)
  }

  /// "He collapses in a heap": what an animal does, not what it did or is doing.
  private func tellsHabit(_ clause: [Int], _ told: Set<Int>) -> Bool {
    clause.contains { index in
      let verb = words[index].text
      guard verb.hasSuffix("s"), verb.utf8.count > 4, !verb.hasSuffix("ss"), !Self.stative.contains(verb) else {
        return false
      }
      guard index != clause.first else { return told.contains(index) && !lexicon.isFiller(verb) }
      let before = words[index - 1]
      guard clause.contains(index - 1) else { return false }
      if before.isOne(of: .habitual) || before.isName { return true }
      // "Her face swells", where the noun is one thing.
      return index - 2 == clause.first && words[index - 2].isOne(of: .determiner) && !before.text.hasSuffix("s")
    }
  }

  /// Present forms that tell what is going on.
  private static let stative: Set<String> = [
    "keeps", "seems", "looks", "feels", "sounds", "wants", "needs", "smells", "weighs", "remains", "hasnt", "doesnt",
    "refuses", "struggles", "continues", "bleeds", "strains",
  ]
}
