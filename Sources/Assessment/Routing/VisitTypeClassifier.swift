public import Clinical

/// Reads from an intake what kind of visit is asked for.
public struct VisitTypeClassifier: Sendable {
  public struct Result: Sendable {
    public let visitType: VisitType
    /// The scores of all kinds that anything speaks for, the highest first.
    public let explanation: Explanation
  }

  private let table: CueTable
  /// Kinds of visit that stay what they are in an emergency, such as `euthanasia`.
  private let keptWhenUrgent: Set<String>
  private let keptScore: Double

  public var version: String { table.version }

  /// - Parameters:
  ///   - cues: `visit-types.tsv`; its head names `kept_when_urgent` (parted by `|`) and the score `kept_from`.
  ///   - lexicon: the concepts its patterns name.
  /// - Throws: ``DataTableError`` for a pattern or weight that can't be read.
  public init(cues: DataTable, lexicon: ConceptLexicon) throws(DataTableError) {
    table = try CueTable(cues, outcome: "visit_type", lexicon: lexicon)
    keptWhenUrgent = Set((cues.metadata["kept_when_urgent"] ?? "").split(separator: "|").map { $0.trimmingSpaces() })
    keptScore = Double(cues.metadata["kept_from"] ?? "") ?? .infinity
  }

  func classify(_ matcher: PatternMatcher, triage: TriageResult) -> Result {
    let scores = table.scores(matcher, triage)
    if triage.urgency >= .orange {
      let kept = scores.first { keptWhenUrgent.contains($0.description) && $0.value >= keptScore }
      if let kept { return Result(visitType: VisitType(rawValue: kept.description), explanation: kept) }
      let reason = Explanation(
        "emergency: urgency \(triage.urgency.rawValue)", value: Double(triage.urgency.rank), details: scores)
      return Result(visitType: .emergency, explanation: reason)
    }
    guard let best = scores.first(where: { $0.description != VisitType.emergency.rawValue }) else {
      return Result(visitType: .standardConsult, explanation: Explanation("nothing more special", value: 0))
    }
    return Result(
      visitType: VisitType(rawValue: best.description),
      explanation: Explanation.maximum("visit type: \(best.description)", of: scores))
  }
}
