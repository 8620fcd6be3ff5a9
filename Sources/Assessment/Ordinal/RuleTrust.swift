public import Clinical

/// How often a finding of the rules was right about its level among the exemplars. An orange or red one that mostly is binds: the case
/// is not given less, whatever else speaks for less.
///
/// Two counts are kept. Over all exemplars, a third of which were written to frighten without cause, few findings are nearly
/// always right, and those bind in any company. Over exemplars that say nothing of being well most findings are, so that a
/// poison, named and no more said, binds although "ate it, bouncing about" was often harmless.
public struct RuleTrust: Sendable {
  struct Count: Sendable, Equatable {
    var cases = 0
    /// Cases whose settled level is the finding's or above.
    var right = 0
    /// Those of ``cases`` that say nothing of being well, see ``IntakeReading/isReassured(_:)``.
    var plainCases = 0
    var plainRight = 0
  }

  /// A finding at the level at which it fired.
  struct Finding: Hashable, Sendable {
    let id: String
    let level: Urgency
    /// See ``TriageResult/Fired/floor``.
    let floor: Urgency?

    var key: String { "\(id) \(level.rawValue)" }
  }

  /// What the rules found in a text.
  package struct Evidence: Sendable {
    var findings: [Finding]
    /// Whether the text says of anything that it is well.
    var isReassured: Bool
    /// Whether red findings in words of their own stand side by side in one sentence, and nothing there or later is said to be well: "now she has
    /// collapsed and her gums are blue". Findings of two groups were red in 86 of 100 exemplars and orange at least in 99.
    var isCorroborated = false

    /// Without the findings at some places.
    package func removing(_ places: Set<Int>) -> Self {
      var kept = self
      kept.findings = findings.enumerated().filter { !places.contains($0.offset) }.map(\.element)
      kept.isCorroborated = isCorroborated && kept.findings.count { $0.level == .red } > 1
      return kept
    }
  }

  private(set) var counts: [String: Count] = [:]
  /// By level, the share of right findings in texts that say nothing of being well.
  private var plainShares: [String: Double] = [:]
  public let version: String

  /// The least share in any company, each finding given one right and one wrong case beforehand.
  static let leastShare = 0.92
  /// The least share where nothing is said of being well, each finding given ``priorCases`` cases of its level beforehand.
  static let leastPlainShare = 0.88
  static let priorCases = 4.0
  /// Below this level a finding only advises. "Dull" was right in 90 of 100 exemplars, most of which were red or orange for something
  /// else; where the rest spoke for less than yellow, it was wrong in 9 of 10.
  static let leastLevel = Urgency.orange

  package init(_ cases: [(evidence: Evidence, level: Urgency)]) {
    version = ""
    for (evidence, level) in cases {
      for finding in evidence.findings {
        let right = level >= finding.level ? 1 : 0
        counts[finding.key, default: Count()].cases += 1
        counts[finding.key, default: Count()].right += right
        if evidence.isReassured { continue }
        counts[finding.key, default: Count()].plainCases += 1
        counts[finding.key, default: Count()].plainRight += right
      }
    }
    pool()
  }

  /// - Parameter table: columns `finding` (id, space, level), `cases`, `right`, `plain_cases`, `plain_right`.
  /// - Throws: ``DataTableError`` for a cell that is no number.
  public init(table: DataTable) throws(DataTableError) {
    version = table.metadata["version"] ?? ""
    for row in table.rows {
      counts[row["finding"]] = Count(
        cases: Int(try row.number("cases")), right: Int(try row.number("right")),
        plainCases: Int(try row.number("plain_cases")), plainRight: Int(try row.number("plain_right")))
    }
    pool()
  }

  private mutating func pool() {
    for urgency in Urgency.allCases {
      let peers = counts.filter { $0.key.hasSuffix(" " + urgency.rawValue) }.values
      let cases = peers.reduce(0) { $0 + $1.plainCases }
      plainShares[urgency.rawValue] = Double(peers.reduce(0) { $0 + $1.plainRight } + 1) / Double(cases + 2)
    }
  }

  private func isTrusted(_ finding: Finding, isReassured: Bool) -> Bool {
    guard finding.level >= Self.leastLevel else { return false }
    let count = counts[finding.key] ?? Count()
    if Double(count.right + 1) >= Self.leastShare * Double(count.cases + 2) { return true }
    if isReassured { return false }
    let before = Self.priorCases * (plainShares[finding.level.rawValue] ?? 0.5)
    return Double(count.plainRight) + before >= Self.leastPlainShare * (Double(count.plainCases) + Self.priorCases)
  }

  /// The most urgent level that a finding binds to; nil without one. More findings never give less.
  ///
  /// A trusted finding binds to its own level, any other to its floor, whatever else is said: see ``TriageFloor``.
  package func bound(_ evidence: Evidence) -> Urgency? {
    if evidence.isCorroborated { return .red }
    return evidence.findings.compactMap { finding in
      isTrusted(finding, isReassured: evidence.isReassured) ? max(finding.level, finding.floor ?? .blue) : finding.floor
    }.max()
  }

  package func text(head: [(String, String)]) -> String {
    let rows = counts.sorted { $0.key < $1.key }.map {
      "\($0.key)\t\($0.value.cases)\t\($0.value.right)\t\($0.value.plainCases)\t\($0.value.plainRight)"
    }
    return
      (head.map { "# \($0.0): \($0.1)" } + ["finding\tcases\tright\tplain_cases\tplain_right"] + rows)
      .joined(separator: "\n") + "\n"
  }
}

extension RuleTrust.Evidence {
  package init(_ triage: TriageResult, in reading: IntakeReading) {
    findings = triage.fired.map { RuleTrust.Finding(id: $0.id, level: $0.level, floor: $0.floor) }
    isReassured = reading.isReassured(triage)
    // By sentence, the words of red findings: two findings in the same words are one.
    var places: [Int: [Range<Int>]] = [:]
    for finding in triage.fired where finding.level == .red {
      guard let words = finding.evidence.first.flatMap({ reading.words(in: $0.range) }) else { continue }
      let sentence = reading.words[words.lowerBound].sentence
      if !(places[sentence] ?? []).contains(where: { $0.overlaps(words) }) {
        places[sentence, default: []].append(words)
      }
    }
    let reassured = reading.lastReassurance(beside: triage) ?? -1
    isCorroborated = places.contains { $0.key > reassured && $0.value.count > 1 }
  }
}
