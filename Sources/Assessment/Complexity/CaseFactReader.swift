public import Clinical

/// Finds in an intake what makes a visit complex: long illness, failed treatments, a referral, a fearful cat.
public struct CaseFactReader: Sendable {
  struct Cue: Sendable {
    let id: String
    let factor: String
    let label: String
    let patterns: [Pattern]
  }

  private let cues: [Cue]
  /// Discriminator groups that are no body system, such as `routine`.
  private let groupsWithoutSystem: Set<String>
  /// The version of the table.
  public let version: String

  private static let factors: Set<String> = [
    "chronic", "drugs", "high_risk_drug", "failed_treatments", "pending", "referral", "fearful", "needs_sedation",
    "constraints", "poor_record", "problem", "no_system",
  ]

  /// - Parameters:
  ///   - table: `cues.tsv` of the complexity folder: columns `id`, `factor`, `label`, `patterns` (parted by `;;`).
  ///   - lexicon: the concepts its patterns name.
  /// - Throws: ``DataTableError`` for unknown factors and patterns.
  public init(cues table: DataTable, lexicon: ConceptLexicon) throws(DataTableError) {
    version = table.metadata["version"] ?? ""
    var cues: [Cue] = []
    var groups: Set<String> = []
    for row in table.rows {
      guard Self.factors.contains(row["factor"]) else { throw row.error("factor", "is no factor") }
      if row["factor"] == "no_system" {
        groups.insert(row["id"])
        continue
      }
      let patterns = try PatternCells.patterns(row, "patterns", lexicon: lexicon, scope: .text)
      cues.append(Cue(id: row["id"], factor: row["factor"], label: row["label"], patterns: patterns))
    }
    self.cues = cues
    groupsWithoutSystem = groups
  }

  /// The record's facts with those of the intake added, and the words behind the added ones by factor.
  func facts(
    _ record: CaseFacts, matcher: PatternMatcher, triage: TriageResult
  ) -> (facts: CaseFacts, evidence: [String: [Evidence]]) {
    var facts = record
    var evidence: [String: [Evidence]] = [:]
    facts.species = record.species ?? matcher.facts.species
    facts.age = record.age ?? matcher.facts.age
    facts.urgency = triage.urgency
    func note(_ factor: String, _ words: [Evidence]) { evidence[factor, default: []] += words }
    func add(_ label: String, to list: inout [String]) { if !list.contains(label) { list.append(label) } }

    for finding in triage.fired where !groupsWithoutSystem.contains(finding.group) {
      if !facts.bodySystems.contains(finding.group) { note("body_systems", finding.evidence) }
      add(finding.group, to: &facts.bodySystems)
    }
    for cue in cues {
      guard let (_, match) = matcher.firstActive(cue.patterns, benefitOfDoubt: false) else { continue }
      let words = match.words.map(matcher.reading.evidence)
      switch cue.factor {
      case "chronic": add(cue.label, to: &facts.chronicDiagnoses)
      case "drugs": add(cue.label, to: &facts.drugs)
      case "high_risk_drug":
        add(cue.label, to: &facts.drugs)
        add(cue.label, to: &facts.highRiskDrugs)
      case "failed_treatments": facts.failedTreatments += 1
      case "pending": facts.hasPendingResults = true
      case "referral": facts.isReferral = true
      case "fearful": facts.behaviour = max(facts.behaviour, .fearful)
      case "needs_sedation": facts.behaviour = .needsSedation
      case "constraints": add(cue.label, to: &facts.ownerConstraints)
      case "poor_record": facts.hasPoorRecord = true
      default: add(cue.label, to: &facts.problems)
      }
      note(cue.factor, words)
    }
    for system in facts.bodySystems where facts.problems.count < facts.bodySystems.count {
      add(system, to: &facts.problems)
    }
    let longest = matcher.reading.quantities.filter { $0.kind == .duration || $0.kind == .since }.map { $0.value / 168 }
      .max()
    if let longest { facts.weeks = max(longest, facts.weeks ?? 0) }
    return (facts, evidence)
  }
}
