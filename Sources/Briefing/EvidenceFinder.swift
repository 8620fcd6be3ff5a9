import Clinical
import Extraction
import Glibc
import TextAnalysis

/// How well one sentence of the record bears on a question, and because of which words.
struct Match {
  /// Where one group of the question was found.
  struct Part {
    let group: Int
    /// 0...1: how closely the words mean what was asked.
    let closeness: Double
    /// In the sentence itself; nil when only its surroundings hold the words.
    let range: Range<Int>?
    let reason: String?
    let fact: Fact?
  }

  let unit: EvidenceUnit
  let parts: [Part]
  /// The share of the question's weight that the sentence and its surroundings cover, 0...1.
  let coverage: Double
  /// The share that the sentence itself covers.
  let ownCoverage: Double

  /// The words of the weightiest group that stand in the sentence itself.
  var target: Range<Int>? { parts.first { $0.range != nil }?.range }
}

/// Compares a question with every sentence of a record.
///
/// A group is met by its own word (1), an expansion (its weight), a fact of the kind it asks for (0.95), or a word one slip
/// away (0.8). Words beside the sentence count less: 0.6 in the sentence before or after it and 0.35 elsewhere in the note,
/// because a heading or the sentence before often names what is talked about. Groups weigh by how rare their words are in this
/// record: inverse document frequency over its sentences.
struct EvidenceFinder {
  static let kindCloseness = 0.95
  static let misspellingCloseness = 0.8
  /// What a value of the asked thing adds, where the question asks for one.
  static let valueBonus = 0.15
  static let neighbourShare = 0.6
  static let noteShare = 0.35

  let question: Question
  let units: [EvidenceUnit]
  /// Per group, what it weighs.
  let weights: [Double]
  /// Whether the record holds each specific thing that is asked about, be it in different places.
  let knowsEveryTopic: Bool
  let groups: [Question.Group]

  init(question: Question, units: [EvidenceUnit]) {
    self.question = question
    self.units = units
    let groups = Self.withSpellings(Self.taken(apart: question.groups, units: units), units: units)
    self.groups = groups
    let holders = groups.map { group in units.reduce(0) { $0 + (Self.part(0, group, in: $1) == nil ? 0 : 1) } }
    weights = zip(groups, holders).map { group, holders in
      // An everyday word that stands nowhere says nothing either way.
      holders == 0 && group.force == .weak
        ? 0 : group.force.rawValue * Self.inverseFrequency(max(1, holders), of: units.count)
    }
    knowsEveryTopic = zip(groups, holders).allSatisfy { $0.force != .specific || $1 > 0 }
  }

  /// The sentences that hold anything of what was asked, best first; equals in the order of the record.
  func matches() -> [Match] {
    guard !groups.isEmpty else { return [] }
    let own = units.map { unit in groups.indices.map { Self.part($0, groups[$0], in: unit) } }
    var bestInNote: [String: [Double]] = [:]
    for (unit, parts) in zip(units, own) {
      var best = bestInNote[unit.note.id] ?? [Double](repeating: 0, count: groups.count)
      for (index, part) in parts.enumerated() { best[index] = max(best[index], part?.closeness ?? 0) }
      bestInNote[unit.note.id] = best
    }
    var matches: [Match] = []
    for (index, unit) in units.enumerated() where own[index].contains(where: { $0 != nil }) {
      matches.append(match(unit, at: index, own: own, note: bestInNote[unit.note.id] ?? []))
    }
    return matches.sorted { ($1.coverage, $0.unit.position) < ($0.coverage, $1.unit.position) }
  }

  private func match(_ unit: EvidenceUnit, at index: Int, own: [[Match.Part?]], note: [Double]) -> Match {
    let total = weights.reduce(0, +)
    var parts: [Match.Part] = []
    var covered = 0.0
    var ownCovered = 0.0
    for group in groups.indices {
      let here = own[index][group]
      let beside =
        [index - 1, index + 1].filter { units.indices.contains($0) && units[$0].note.id == unit.note.id }
        .compactMap { own[$0][group]?.closeness }.max() ?? 0
      let closeness = max(
        here?.closeness ?? 0, beside * Self.neighbourShare,
        (note.indices.contains(group) ? note[group] : 0) * Self.noteShare)
      covered += closeness * weights[group]
      ownCovered += (here?.closeness ?? 0) * weights[group]
      if let here {
        parts.append(here)
      } else if closeness > 0 {
        parts.append(Match.Part(group: group, closeness: closeness, range: nil, reason: "words near by", fact: nil))
      }
    }
    parts.sort { (weights[$1.group], $0.group) < (weights[$0.group], $1.group) }
    let bonus = question.wantsValue && parts.contains { $0.fact?.hasValue == true } ? Self.valueBonus : 0
    return Match(
      unit: unit, parts: parts, coverage: total > 0 ? min(1, covered / total + bonus) : 0,
      ownCoverage: total > 0 ? ownCovered / total : 0)
  }

  /// - Source: the inverse document frequency of BM25, Robertson & Zaragoza 2009, with sentences as documents.
  private static func inverseFrequency(_ holders: Int, of count: Int) -> Double {
    let odds = (Double(count - holders) + 0.5) / (Double(holders) + 0.5)
    return max(0.1, log(1 + odds))
  }

  private static func part(_ index: Int, _ group: Question.Group, in unit: EvidenceUnit) -> Match.Part? {
    var best: Match.Part?
    for alternative in group.alternatives where alternative.weight > best?.closeness ?? 0 {
      guard alternative.terms.allSatisfy(unit.terms.contains),
        let token = unit.tokens.first(where: { $0.text == alternative.terms[0] })
      else { continue }
      best = Match.Part(
        group: index, closeness: alternative.weight, range: token.range, reason: alternative.reason,
        fact: unit.facts.first { $0.range.overlaps(token.range) })
    }
    if kindCloseness > best?.closeness ?? 0, let fact = unit.facts.first(where: { group.kinds.contains($0.kind) }) {
      best = Match.Part(
        group: index, closeness: kindCloseness, range: fact.range, reason: "a fact of that kind", fact: fact)
    }
    return best
  }

  /// Phrases that stand nowhere in the record, word by word.
  private static func taken(apart groups: [Question.Group], units: [EvidenceUnit]) -> [Question.Group] {
    groups.flatMap { group -> [Question.Group] in
      let isKnown = group.words.isEmpty || units.contains { part(0, group, in: $0) != nil }
      return isKnown ? [group] : group.words
    }
  }

  /// Adds the record's nearest word to a group whose own word stands nowhere in it.
  private static func withSpellings(_ groups: [Question.Group], units: [EvidenceUnit]) -> [Question.Group] {
    var vocabulary: Set<String> = []
    for unit in units { vocabulary.formUnion(unit.terms) }
    return groups.map { group in
      // A word that some table knows is spelt right: the record merely does not have it.
      guard group.alternatives.allSatisfy({ !$0.terms.allSatisfy(vocabulary.contains) && $0.reason == nil }),
        group.kinds.isEmpty, group.text.first?.isUppercase != true,
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
