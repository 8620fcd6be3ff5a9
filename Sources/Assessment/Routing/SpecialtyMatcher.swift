public import Clinical

/// A specialty and how strongly a case speaks for it.
public struct SpecialtyScore: Hashable, Sendable {
  public let specialty: Specialty
  /// 0...1; the scores of a case add up to 1.
  public let score: Double
  public let explanation: Explanation
}

/// Ranks the fields of work a case belongs to. General practice is always among them: most cases stay there.
public struct SpecialtyMatcher: Sendable {
  private let table: CueTable

  public var version: String { table.version }

  /// - Parameters:
  ///   - cues: `cues.tsv` of the specialties folder.
  ///   - lexicon: the concepts its patterns name.
  /// - Throws: ``DataTableError`` for an unknown specialty, pattern or weight.
  public init(cues: DataTable, lexicon: ConceptLexicon) throws(DataTableError) {
    table = try CueTable(cues, outcome: "specialty", lexicon: lexicon)
    for row in cues.rows where !Specialty.all.contains(Specialty(rawValue: row["specialty"])) {
      throw row.error("specialty", "is no specialty")
    }
  }

  /// What the cues say, as names for the model.
  func routing(_ matcher: PatternMatcher, triage: TriageResult) -> [String] {
    table.scores(matcher, triage).filter { $0.value > 0 }.map { "field \($0.description)" }
  }

  /// - Parameters:
  ///   - matcher: of the case.
  ///   - triage: with the urgency as it was settled.
  ///   - learned: what the model says of each field; nil leaves the ranking to the cues.
  /// - Returns: fields with scores that add up to 1, the best first.
  func match(_ matcher: PatternMatcher, triage: TriageResult, learned: [Explanation]? = nil) -> [SpecialtyScore] {
    let cues = table.scores(matcher, triage).filter { $0.value > 0 }
    var scores = learned.map { Self.combined($0, cues: cues) } ?? cues
    if triage.urgency >= .orange {
      // Emergency before any specialty, whatever else the case is.
      let most = scores.first?.value ?? 0
      let others = scores.filter { $0.description != Specialty.emergency.rawValue }
      let first = Explanation.sum(
        Specialty.emergency.rawValue,
        of: [Explanation("urgency \(triage.urgency.rawValue)", value: most + Double(triage.urgency.rank))])
      scores = [first] + others
    } else {
      scores.removeAll { $0.description == Specialty.emergency.rawValue }
    }
    let total = scores.reduce(0) { $0 + $1.value }
    guard total > 0 else { return [] }
    return scores.map {
      SpecialtyScore(
        specialty: Specialty(rawValue: $0.description), score: $0.value / total, explanation: $0)
    }
  }

  /// What the cues of a field are worth at most beside the model's word, which is a share from 0 to 1.
  private static let cueShare = 0.2

  /// Each field's share by the model with that of the cues, the highest first; fields that hardly anything speaks for left out.
  private static func combined(_ learned: [Explanation], cues: [Explanation]) -> [Explanation] {
    let most = cues.map(\.value).max() ?? 1
    var sums: [Explanation] = []
    for field in learned {
      var parts = [field]
      if let cue = cues.first(where: { $0.description == field.description }) {
        parts.append(Explanation("cues", value: cueShare * cue.value / most, details: cue.details))
      }
      let sum = Explanation.sum(field.description, of: parts)
      if sum.value >= leastScore || field.description == Specialty.generalPractice.rawValue { sums.append(sum) }
    }
    return sums.enumerated().sorted { ($0.element.value, $1.offset) > ($1.element.value, $0.offset) }.map(\.element)
  }

  private static let leastScore = 0.05
}
