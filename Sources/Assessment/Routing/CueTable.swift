import Clinical

/// Scored cues: which words, discriminators and kinds of patient speak for which outcome.
struct CueTable: Sendable {
  struct Cue: Sendable {
    let id: String
    let outcome: String
    let patterns: [Pattern]
    /// Discriminator groups or ids, any of which speaks for the outcome.
    let findings: Set<String>
    let weight: Double
    let isAlways: Bool
  }

  let cues: [Cue]
  let version: String

  /// - Parameters:
  ///   - table: columns `id`, the outcome's, `patterns` (parted by `;;`), `findings` (by `|`), `weight`; a row without patterns
  ///     and findings holds always.
  ///   - column: the outcome's.
  ///   - lexicon: the concepts its patterns name.
  /// - Throws: ``DataTableError`` for an empty outcome, a pattern or a weight that can't be read.
  init(_ table: DataTable, outcome column: String, lexicon: ConceptLexicon) throws(DataTableError) {
    version = table.metadata["version"] ?? ""
    var cues: [Cue] = []
    for row in table.rows {
      if row[column].isEmpty { throw row.error(column, "is empty") }
      let patterns = try PatternCells.patterns(row, "patterns", lexicon: lexicon)
      let findings = Set(row.list("findings"))
      cues.append(
        Cue(
          id: row["id"], outcome: row[column], patterns: patterns, findings: findings,
          weight: try row.number("weight"), isAlways: patterns.isEmpty && findings.isEmpty))
    }
    self.cues = cues
  }

  /// The sum of the cues that hold, by outcome, the highest first; equal ones in the table's order.
  func scores(_ matcher: PatternMatcher, _ triage: TriageResult) -> [Explanation] {
    let present = Set(triage.fired.flatMap { [$0.id, $0.group] })
    var order: [String] = []
    var parts: [String: [Explanation]] = [:]
    for cue in cues {
      guard let part = part(cue, matcher, triage, present) else { continue }
      if parts[cue.outcome] == nil { order.append(cue.outcome) }
      parts[cue.outcome, default: []].append(part)
    }
    let sums = order.map { Explanation.sum($0, of: parts[$0] ?? []) }
    return sums.enumerated().sorted { ($0.element.value, $1.offset) > ($1.element.value, $0.offset) }.map(\.element)
  }

  private func part(_ cue: Cue, _ matcher: PatternMatcher, _ triage: TriageResult, _ present: Set<String>)
    -> Explanation?
  {
    if cue.isAlways { return Explanation(cue.id, value: cue.weight) }
    if let (_, match) = matcher.firstActive(cue.patterns, benefitOfDoubt: false) {
      return Explanation(cue.id, value: cue.weight, evidence: match.words.map(matcher.reading.evidence))
    }
    guard !cue.findings.isDisjoint(with: present) else { return nil }
    let evidence = triage.fired.filter { cue.findings.contains($0.id) || cue.findings.contains($0.group) }
      .flatMap(\.evidence)
    return Explanation(cue.id, value: cue.weight, evidence: evidence)
  }
}
