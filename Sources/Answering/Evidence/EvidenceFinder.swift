import Clinical
import Extraction
import Glibc
import TextAnalysis

/// Compares a question with every sentence of a record.
///
/// A group is met by its own word (1), an expansion (its weight), a fact of the kind it asks for (by kind), or a word one slip
/// away (0.8). Groups weigh by how rare their words are in this record: inverse document frequency over its sentences.
package struct EvidenceFinder {
  /// How much a fact of a kind says about a question for that kind: a weight is what "what does she weigh" is after, while an
  /// owner decides many things.
  static func closeness(of kind: FactKind) -> Double {
    switch kind {
    case .ownerDecision, .finding: 0.3
    case .problem, .drug, .lab: 0.5
    case .procedure: 0.6
    default: 0.95
    }
  }

  static let misspellingCloseness = 0.8

  package let question: Question
  let units: [EvidenceUnit]
  let groups: [Question.Group]
  /// Per group, what it weighs.
  let weights: [Double]
  /// Per group, how many sentences hold it.
  let holders: [Int]
  /// Per group, how closely any sentence means it.
  let closest: [Double]
  /// By unit and group: what the unit names, and how closely that is related to what it doesn't name.
  private let found: (parts: [[Match.Part?]], related: [[Double]])
  /// Of the question's words, by unit; nil before ``translated(by:)``.
  private(set) var translation: QuestionTranslation?

  init(question: Question, units: [EvidenceUnit]) {
    self.question = question
    self.units = units
    let named = NamedTerms(units)
    let known = Self.taken(apart: question.groups, units: units, named).map { Self.withClosest($0, named) }
    let groups = Self.withNames(Self.withSpellings(known, units: units), in: question.text, units: units)
    self.groups = groups
    let parts = groups.indices.map { Self.parts($0, groups[$0], units: units, named) }
    let related = groups.map { Self.relatedness(of: $0, units: units, named) }
    found = (
      units.indices.map { unit in parts.map { $0[unit] } },
      units.indices.map { unit in groups.indices.map { parts[$0][unit] == nil ? related[$0][unit] : 0 } }
    )
    let holders = parts.map { $0.count { $0 != nil } }
    self.holders = holders
    closest = parts.map { $0.reduce(0) { max($0, $1?.closeness ?? 0) } }
    weights = zip(groups, holders).map { group, holders in
      group.force.rawValue * Self.inverseFrequency(max(1, holders), of: units.count)
    }
  }

  /// A sentence is a candidate that names nothing asked about, but says what such words are answered with.
  static let leastTranslation = 0.2

  /// The same with what a translation model makes of the question's words.
  package func translated(by model: TranslationModel) -> EvidenceFinder {
    var finder = self
    finder.translation = QuestionTranslation(of: question.terms, by: model, in: units)
    return finder
  }

  /// The sentences that hold anything of what was asked, or stand near one that does, in the order of the record.
  ///
  /// - Parameter all: every sentence, for fitting.
  /// - Returns: each with what it names of the question.
  func matches(all: Bool = false) -> [Match] {
    guard !groups.isEmpty else { return [] }
    // Taken out once: a closure that names a property of a value holds a copy of all of it.
    let weights = weights
    let own = found.parts.map { $0.map { $0?.closeness ?? 0 } }
    var bestInNote: [String: [Double]] = [:]
    for (unit, closeness) in zip(units, own) {
      bestInNote[unit.note.id] = zip(bestInNote[unit.note.id] ?? closeness, closeness).map { max($0, $1) }
    }
    var matches: [Match] = []
    for (index, unit) in units.enumerated() {
      let near = [index - 1, index + 1].filter { units.indices.contains($0) && units[$0].note.id == unit.note.id }
      let beside = groups.indices.map { group in near.map { own[$0][group] }.max() ?? 0 }
      let wide = (index - 2...index + 2).filter {
        units.indices.contains($0) && units[$0].note.id == unit.note.id
      }
      let around = groups.indices.map { group in wide.map { own[$0][group] }.max() ?? 0 }
      // A row of a table may stand far below its head.
      let isRow = unit.text.utf8.first.map { (0x30...0x39).contains($0) } ?? false
      guard
        all || isTranslated(index) || (around + found.related[index]).contains(where: { $0 > 0 })
          || (isRow && bestInNote[unit.note.id]?.contains { $0 > 0 } == true)
      else { continue }
      let here = found.parts[index].compactMap { $0 }.sorted {
        (weights[$1.group], $0.group) < (weights[$0.group], $1.group)
      }
      matches.append(
        Match(
          unit: unit, parts: here, own: own[index], beside: beside, around: around,
          note: bestInNote[unit.note.id] ?? own[index], related: found.related[index], place: index))
    }
    return matches
  }

  private func isTranslated(_ unit: Int) -> Bool {
    guard let own = translation?.own, !own.isEmpty else { return false }
    return own[unit] >= Self.leastTranslation
  }

  /// Whether a sentence is to be compared at all, where ``matches(all:)`` gave every one.
  func isCandidate(_ match: Match) -> Bool {
    if isTranslated(match.place) || (match.around + match.related).contains(where: { $0 > 0 }) { return true }
    let isRow = match.unit.text.utf8.first.map { (0x30...0x39).contains($0) } ?? false
    return isRow && match.note.contains { $0 > 0 }
  }

  /// Whether a sentence stands right behind a heading that is the question's word: "Histology: mast cell tumour".
  func isHeaded(_ unit: Int, by group: Int) -> Bool {
    guard let range = units[unit].heading, let heading = units[unit].note.text.slice(utf8: range) else { return false }
    let words = Set(WordForm.words(of: groups[group].text))
    return WordForm.words(of: String(heading)).contains(where: words.contains)
  }

  /// Per group that the record doesn't name: how closely anything in it is related.
  func closestRelated(_ group: Int) -> Double { found.related.reduce(0) { max($0, $1[group]) } }

  /// The share of the question's weight that is related to what a sentence names, and not named by it.
  func relatedShare(_ match: Match) -> Double {
    let total = weights.reduce(0, +)
    return total > 0 ? zip(weights, match.related).reduce(0) { $0 + $1.0 * $1.1 } / total : 0
  }

  /// - Source: the inverse document frequency of BM25, Robertson & Zaragoza 2009, with sentences as documents.
  private static func inverseFrequency(_ holders: Int, of count: Int) -> Double {
    let odds = (Double(count - holders) + 0.5) / (Double(holders) + 0.5)
    return max(0.1, log(1 + odds))
  }

  /// Per unit: how closely the nearest thing that it names is related to a group, 0 for none.
  private static func relatedness(
    of group: Question.Group, units: [EvidenceUnit], _ named: NamedTerms
  ) -> [Double] {
    var best = [Double](repeating: 0, count: units.count)
    for thing in group.related {
      for unit in named.units(naming: thing) { best[unit] = max(best[unit], thing.weight) }
    }
    return best
  }

  /// Per unit: how it names a group, which is at `index`; nil where it doesn't.
  static func parts(
    _ index: Int, _ group: Question.Group, units: [EvidenceUnit], _ named: NamedTerms
  ) -> [Match.Part?] {
    var naming = [[Question.Group.Alternative]](repeating: [], count: units.count)
    for alternative in group.alternatives {
      for unit in named.units(naming: alternative) { naming[unit].append(alternative) }
    }
    return zip(units, naming).map { part(index, of: group.kinds, $1, in: $0) }
  }

  static func part(_ index: Int, _ group: Question.Group, in unit: EvidenceUnit) -> Match.Part? {
    part(index, of: group.kinds, group.alternatives.filter { names($0, in: unit) }, in: unit)
  }

  /// How a unit names a group by those of its alternatives that it has, or by a fact of its kinds.
  private static func part(
    _ index: Int, of kinds: Set<FactKind>, _ alternatives: [Question.Group.Alternative], in unit: EvidenceUnit
  ) -> Match.Part? {
    var best: Match.Part?
    var length = 0
    for alternative in alternatives where alternative.weight >= best?.closeness ?? 0 {
      // Of two that mean it as closely the longer says more: "no growth" beside "culture".
      if alternative.weight == best?.closeness, alternative.terms.count <= length { continue }
      guard let range = place(of: alternative.terms, in: unit) else { continue }
      length = alternative.terms.count
      best = Match.Part(
        group: index, closeness: alternative.weight, range: range,
        others: alternative.terms.dropLast().compactMap { term in
          unit.tokens.first { $0.text == term && !$0.range.overlaps(range) }?.range
        }, reason: alternative.reason,
        fact: unit.facts.first { $0.range.overlaps(range) }, isContrary: alternative.isContrary)
    }
    for fact in unit.facts where kinds.contains(fact.kind) && closeness(of: fact.kind) > best?.closeness ?? 0 {
      best = Match.Part(
        group: index, closeness: closeness(of: fact.kind), range: fact.range, reason: "a fact of that kind", fact: fact)
    }
    return best
  }

  /// Where a phrase stands: its last word is its head, of which the sentence says that it is so or not ("bladder small, no stones").
  ///
  /// Of several such words that one which the others are nearest to: in "FIV positive, FeLV negative" both end in "virus".
  private static func place(of terms: [String], in unit: EvidenceUnit) -> Range<Int>? {
    guard let head = terms.last else { return nil }
    let heads = unit.tokens.filter { $0.text == head }.map(\.range)
    guard heads.count > 1, terms.count > 1 else { return heads.first ?? unit.factTerms[head] }
    let others = terms.dropLast().map { term in unit.tokens.filter { $0.text == term }.map(\.range.lowerBound) }
    func distance(_ range: Range<Int>) -> Int {
      others.reduce(0) { $0 + ($1.map { abs($0 - range.lowerBound) }.min() ?? 0) }
    }
    return heads.min { distance($0) < distance($1) }
  }

  static func names(_ alternative: Question.Group.Alternative, in unit: EvidenceUnit) -> Bool {
    alternative.terms.allSatisfy { unit.terms.contains($0) || unit.factTerms[$0] != nil }
  }
}

extension EvidenceFinder {
  /// The sentence behind one of the units in its note; nil where it is the last.
  package func follower(of place: Int) -> EvidenceUnit? {
    guard place + 1 < units.count, units[place + 1].note.id == units[place].note.id else { return nil }
    return units[place + 1]
  }
}
