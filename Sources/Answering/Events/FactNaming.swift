import Chart
package import Extraction
package import TextAnalysis

/// Which facts a word of a question means, by the names that facts have.
package struct FactNaming {
  package let analyzer: Analyzer

  package init(analyzer: Analyzer) { self.analyzer = analyzer }

  /// From this closeness on a word means a name; what is merely likely tells of something else.
  private static let least = 0.75

  /// Whether a name is of something that another names in general: lente insulin is an insulin.
  package static func isKind(_ name: String, of general: String) -> Bool { name.hasSuffix(" \(general)") }

  /// The names that a group means, of the kind that it means most closely.
  ///
  /// - Parameters:
  ///   - group: of a question.
  ///   - known: the names there are, by kind.
  ///   - kinds: in the order in which equals are taken.
  /// - Returns: nil where it means none of them.
  package func names(
    of group: Question.Group, among known: [FactKind: Set<String>], kinds: [FactKind]
  ) -> (kind: FactKind, names: Set<String>)? {
    let alternatives = group.alternatives.filter {
      $0.weight >= Self.least && !$0.isLoose && !$0.isGuess && !$0.terms.isEmpty
    }
    var best: (closeness: Double, kind: FactKind, names: Set<String>)?
    for kind in kinds {
      var names: Set<String> = []
      var closeness = 0.0
      for name in known[kind] ?? [] {
        let terms = Set(analyzer.terms(in: name))
        guard let weight = alternatives.filter({ $0.terms.allSatisfy(terms.contains) }).map(\.weight).max() else {
          continue
        }
        names.insert(name)
        closeness = max(closeness, weight)
      }
      if !names.isEmpty, closeness > best?.closeness ?? 0 { best = (closeness, kind, names) }
    }
    if let best { return (best.kind, best.names) }
    return ofPart(of: group, among: known, kinds: kinds)
  }

  /// "Lepto jab", of which no name has every word: what one word means, where the others say no more than the kind.
  private func ofPart(
    of group: Question.Group, among known: [FactKind: Set<String>], kinds: [FactKind]
  ) -> (kind: FactKind, names: Set<String>)? {
    let specific = group.words.filter { $0.kinds.isEmpty && !$0.isOrdinary }
    guard specific.count == 1, group.words.count > 1,
      let found = names(of: specific[0], among: known, kinds: kinds),
      group.words.allSatisfy({ $0.kinds.isEmpty || $0.kinds.contains(found.kind) })
    else { return nil }
    return found
  }
}

extension PatientRecord {
  /// The names of its facts, by kind.
  func names(of kinds: [FactKind]) -> [FactKind: Set<String>] {
    var names: [FactKind: Set<String>] = [:]
    for item in recordedFacts(Set(kinds)) { names[item.fact.kind, default: []].insert(item.fact.name) }
    return names
  }
}
