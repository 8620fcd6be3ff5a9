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

  /// What the cues say, as names for the model.
  func routing(_ matcher: PatternMatcher, triage: TriageResult) -> [String] {
    let scores = table.scores(matcher, triage)
    let first = scores.first { $0.description != VisitType.emergency.rawValue }
    return scores.map { "visit \($0.description)" } + (first.map { ["visit first \($0.description)"] } ?? [])
  }

  /// What the cues say, the most likely first.
  func cues(_ matcher: PatternMatcher, triage: TriageResult) -> [Explanation] { table.scores(matcher, triage) }

  /// What the model says of each kind of visit, with its reasons.
  struct Learned {
    /// By output of ``CaseModel/Task/visitType``.
    let outputs: [String]
    let scores: [Double]
    /// What spoke for and against an output.
    let details: (Int) -> [Explanation]
  }

  /// The score of a cue that is sure, and what it is worth beside the model's scores from −1 to 1: cues are written for what
  /// exemplars show rarely.
  private static let fullScore = 5.0
  private static let cueShare = 0.3

  /// The output that the model and the cues think likeliest.
  package static func best(_ scores: [Double], of outputs: [String], cues: [Explanation]) -> Int? {
    let totals = totals(scores, of: outputs, cues: cues)
    return totals.indices.max { (totals[$0], $1) < (totals[$1], $0) }
  }

  /// The model's scores with what the cues add.
  package static func totals(_ scores: [Double], of outputs: [String], cues: [Explanation]) -> [Double] {
    let standard = VisitType.standardConsult.rawValue
    return zip(outputs, scores).map { name, score in
      let cue = name == standard ? nil : cues.first { $0.description == name }
      return score + cueShare * min(1, (cue?.value ?? 0) / fullScore)
    }
  }

  func classify(_ matcher: PatternMatcher, triage: TriageResult, learned: Learned? = nil) -> Result {
    let scores = table.scores(matcher, triage)
    if triage.urgency >= .orange {
      let kept = scores.first { keptWhenUrgent.contains($0.description) && $0.value >= keptScore }
      if let kept { return Result(visitType: VisitType(rawValue: kept.description), explanation: kept) }
      let reason = Explanation(
        "emergency: urgency \(triage.urgency.rawValue)", value: Double(triage.urgency.rank), details: scores)
      return Result(visitType: .emergency, explanation: reason)
    }
    if let learned, let best = Self.best(learned.scores, of: learned.outputs, cues: scores) {
      let type = learned.outputs[best]
      return Result(
        visitType: VisitType(rawValue: type),
        explanation: Explanation(
          "visit type: \(type)", value: LearnedTriage.rounded(learned.scores[best]),
          details: learned.details(best) + scores))
    }
    guard let best = scores.first(where: { $0.description != VisitType.emergency.rawValue }) else {
      return Result(visitType: .standardConsult, explanation: Explanation("nothing more special", value: 0))
    }
    return Result(
      visitType: VisitType(rawValue: best.description),
      explanation: Explanation.maximum("visit type: \(best.description)", of: scores))
  }
}
