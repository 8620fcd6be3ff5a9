import Clinical
import TextAnalysis

/// What a question asks about, as the record writes it: its names, its spellings, its phrases or their single words.
extension EvidenceFinder {
  /// Marks the groups that name another animal or a person: a word with a capital within the question, that no table
  /// knows, and that the record too writes with a capital only.
  static func withNames(_ groups: [Question.Group], in question: String, units: [EvidenceUnit])
    -> [Question.Group]
  {
    groups.map { group in
      guard let first = group.text.first, first.isUppercase, !group.isTerm, group.force == .specific,
        group.text.dropFirst().allSatisfy({ $0.isLowercase || !$0.isLetter }), !group.text.contains(" "),
        let term = group.alternatives.first?.terms.first, !beginsSentence(group.text, in: question)
      else { return group }
      let places = units.flatMap { unit in
        unit.tokens.filter { $0.text == term }.compactMap { unit.note.text.slice(utf8: $0.range)?.first }
      }
      var group = group
      group.isName = places.allSatisfy(\.isUppercase)
      return group
    }
  }

  /// Whether a word stands only where any word has a capital.
  private static func beginsSentence(_ word: String, in question: String) -> Bool {
    question.ranges(of: word).allSatisfy { range in
      question[..<range.lowerBound].last { !$0.isWhitespace }.map { ".?!:".contains($0) } ?? true
    }
  }

  /// Phrases that stand nowhere in the record, word by word.
  static func taken(
    apart groups: [Question.Group], units: [EvidenceUnit], _ named: NamedTerms
  ) -> [Question.Group] {
    groups.flatMap { group -> [Question.Group] in
      let isKnown = group.words.isEmpty || parts(0, group, units: units, named).contains { $0 != nil }
      if isKnown { return [group] }
      return group.words.map { word in
        var word = word
        word.isOfUnknownPhrase = group.isTerm && group.words.allSatisfy(\.kinds.isEmpty)
        return word
      }
    }
  }

  /// Leaves the names of a whole concept to be merely related where the record has closer words: of "cough", "coughing", not
  /// everything that the airways do.
  static func withClosest(_ group: Question.Group, _ named: NamedTerms) -> Question.Group {
    let closer = group.alternatives.filter { !$0.isSecondChoice && !$0.isGuess && !$0.isContrary }
    guard closer.count < group.alternatives.count,
      closer.contains(where: { !named.units(naming: $0).isEmpty })
    else { return group }
    var group = group
    group.related += group.alternatives.filter(\.isSecondChoice)
    group.alternatives.removeAll(where: \.isSecondChoice)
    return group
  }

  /// Adds the record's nearest word to a group whose own word stands nowhere in it.
  static func withSpellings(_ groups: [Question.Group], units: [EvidenceUnit]) -> [Question.Group] {
    var vocabulary: Set<String> = []
    for unit in units { vocabulary.formUnion(unit.terms) }
    return groups.map { group in
      // A word that some table knows is spelt right: the record merely does not have it.
      guard group.alternatives.allSatisfy({ !$0.terms.allSatisfy(vocabulary.contains) && $0.reason == nil }),
        group.kinds.isEmpty, !group.isOrdinary, group.text.first?.isUppercase != true,
        let word = group.alternatives.first?.terms, word.count == 1,
        let near = Misspelling.nearest(to: word[0], in: vocabulary)
      else { return group }
      var group = group
      group.alternatives.append(
        Question.Group.Alternative(terms: [near], weight: misspellingCloseness, reason: "spelt like '\(near)'"))
      return group
    }
  }
}
