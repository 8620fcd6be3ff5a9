import Clinical

/// Where a pattern stands in a text.
struct PatternMatch: Hashable, Sendable {
  var standing: Standing
  /// Word ranges of its terms, in the order of the text; empty for a pattern of requirements only.
  var words: [Range<Int>]
}

/// Patterns applied to one reading and one patient.
struct PatternMatcher {
  let reading: IntakeReading
  let facts: PatientFacts

  /// The best match: one that counts, else one that doesn't, with the reason; nil when the words aren't there.
  ///
  /// - Parameters:
  ///   - pattern: what to look for.
  ///   - benefitOfDoubt: whether an unknown species or sex fulfils a requirement. It does where that makes a case more
  ///     urgent, and does not where it would make it less.
  /// - Returns: nil when the words aren't there at all.
  func match(_ pattern: Pattern, benefitOfDoubt: Bool = true) -> PatternMatch? {
    for requirement in pattern.requirements {
      let isMet = facts.meets(requirement, benefitOfDoubt: benefitOfDoubt, reading)
      if !isMet { return nil }
    }
    for context in pattern.contexts where !isActive(context) { return nil }
    for circumstance in pattern.circumstances where !isOrWasSo(circumstance) { return nil }
    if pattern.terms.isEmpty {
      for exclusion in pattern.exclusions where isActive(exclusion) { return nil }
      let context = pattern.contexts.compactMap { firstActive($0)?.words }
      return PatternMatch(standing: .present, words: context)
    }
    switch pattern.arrangement.scope {
    case .text: return matchAnywhere(pattern)
    case .sentence, .window: return matchInSentence(pattern)
    }
  }

  /// The first of `patterns` that counts.
  func firstActive(_ patterns: [Pattern], benefitOfDoubt: Bool) -> (Pattern, PatternMatch)? {
    for pattern in patterns {
      if let match = match(pattern, benefitOfDoubt: benefitOfDoubt), match.standing.counts { return (pattern, match) }
    }
    return nil
  }

  func isActive(_ concept: Int) -> Bool { firstActive(concept) != nil }

  private func isOrWasSo(_ concept: Int) -> Bool {
    reading.occurrences(of: concept).contains {
      let standing = standing(of: [$0])
      return standing.counts || standing == .past
    }
  }

  /// The reading's judgement, and other animals by their kind: "the dog is panting" is not about a cat, but about somebody who
  /// lives with it.
  private func standing(of group: [ConceptOccurrence]) -> Standing {
    let standing = reading.standing(of: group)
    guard standing.counts, let species = facts.species else { return standing }
    return group.contains { reading.animal(otherThan: species, before: $0.words.lowerBound) != nil }
      ? .household : standing
  }

  private func firstActive(_ concept: Int) -> ConceptOccurrence? {
    reading.occurrences(of: concept).first { standing(of: [$0]).counts }
  }

  // MARK: - Anywhere

  private func matchAnywhere(_ pattern: Pattern) -> PatternMatch? {
    for exclusion in pattern.exclusions where isActive(exclusion) { return nil }
    var words: [Range<Int>] = []
    var worst = Standing.present
    for term in pattern.terms {
      let candidates = places(of: term, in: nil)
      guard !candidates.isEmpty else { return nil }
      let standings = candidates.map { ($0, standing(of: term, at: [$0])) }
      guard let best = standings.first(where: { $0.1.counts }) ?? standings.first else { return nil }
      words.append(best.0.words)
      if !best.1.counts { worst = best.1 } else if worst.counts && best.1 == .uncertain { worst = .uncertain }
    }
    return PatternMatch(standing: worst, words: sorted(words))
  }

  // MARK: - Within a sentence

  private func matchInSentence(_ pattern: Pattern) -> PatternMatch? {
    guard let first = pattern.terms.first else { return nil }
    var suppressed: PatternMatch?
    var seen: Set<Int> = []
    for place in places(of: first, in: nil) {
      let sentence = reading.words[place.words.lowerBound].sentence
      guard seen.insert(sentence).inserted else { continue }
      guard pattern.arrangement.admits(sentenceOf: place, in: reading) else { continue }
      if pattern.exclusions.contains(where: { isExcluded($0, by: sentence) }) { continue }
      let lists = pattern.terms.map { places(of: $0, in: sentence) }
      guard !lists.contains(where: \.isEmpty) else { continue }
      var group: [ConceptOccurrence] = []
      if let found = search(pattern, lists, 0, &group, &suppressed) { return found }
    }
    return suppressed
  }

  private func search(
    _ pattern: Pattern, _ lists: [[ConceptOccurrence]], _ depth: Int, _ group: inout [ConceptOccurrence],
    _ suppressed: inout PatternMatch?
  ) -> PatternMatch? {
    if depth == lists.count {
      let standing = standing(of: pattern, group)
      let match = PatternMatch(standing: standing, words: sorted(group.map(\.words)))
      if standing.counts { return match }
      if suppressed == nil { suppressed = match }
      return nil
    }
    for candidate in lists[depth] where pattern.arrangement.admits(candidate, after: group, in: reading) {
      group.append(candidate)
      let found = search(pattern, lists, depth + 1, &group, &suppressed)
      group.removeLast()
      if let found { return found }
    }
    return nil
  }

  private func standing(of pattern: Pattern, _ group: [ConceptOccurrence]) -> Standing {
    var asserted: [ConceptOccurrence] = []
    for (term, occurrence) in zip(pattern.terms, group) {
      switch term {
      case .concept: asserted.append(occurrence)
      case .denied: if standing(of: term, at: [occurrence]) != .present { return .negated }
      case .quantity, .number: break
      }
    }
    return asserted.isEmpty ? .present : standing(of: asserted)
  }

  private func isExcluded(_ concept: Int, by sentence: Int) -> Bool {
    reading.occurrences(of: concept).contains {
      reading.sentence(of: $0) == sentence && standing(of: [$0]).counts
    }
  }

  // MARK: - Terms

  private func places(of term: Pattern.Term, in sentence: Int?) -> [ConceptOccurrence] {
    let all: [ConceptOccurrence]
    switch term {
    case .concept(let concept), .denied(let concept): all = reading.occurrences(of: concept)
    case .quantity(let kinds, let comparison, let limit):
      all = reading.quantities.filter { kinds.contains($0.kind) && comparison.holds($0.value, limit) }
        .map { ConceptOccurrence(concept: -1, words: $0.words) }
    case .number(let range):
      all = reading.bareNumbers.filter { reading.words[$0].number.map(range.contains) ?? false }
        .map { ConceptOccurrence(concept: -1, words: $0..<($0 + 1)) }
    }
    guard let sentence else { return all }
    return all.filter { reading.words[$0.words.lowerBound].sentence == sentence }
  }

  private func standing(of term: Pattern.Term, at group: [ConceptOccurrence]) -> Standing {
    switch term {
    case .concept: standing(of: group)
    case .denied: standing(of: group) == .negated ? .present : .negated
    case .quantity, .number: .present
    }
  }

  private func sorted(_ words: [Range<Int>]) -> [Range<Int>] {
    words.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }
}
