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
  private static let shownContributions = 5

  /// Fitted to exemplars; nil leaves the choice to the cues.
  var weights: LinearScores?

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

  /// What the cues say, for the weights.
  func features(_ matcher: PatternMatcher, triage: TriageResult) -> [CaseFeature] {
    let scores = table.scores(matcher, triage)
    var features = scores.map { CaseFeature("visit:\($0.description)", min(1, $0.value / Self.fullScore)) }
    let first = scores.first { $0.description != VisitType.emergency.rawValue }
    if let first { features.append(CaseFeature("visit-first:\(first.description)")) }
    return features
  }

  /// The score of a cue that is sure.
  private static let fullScore = 5.0

  /// How far a sure cue goes beyond what the weights make of it: cues are written for what exemplars show rarely.
  private static let cueShare = 3.0
  private static let sureShare = 0.7

  /// The score of each kind of visit from the weights, the nearest exemplars' votes and the cues.
  static func scores(_ features: [CaseFeature], votes: [Double], of weights: LinearScores) -> [Double] {
    var scores = weights.scores(features)
    for (index, vote) in votes.enumerated() where index < scores.count { scores[index] += vote }
    let standard = VisitType.standardConsult.rawValue
    var isSure = false
    for (index, type) in weights.outcomes.enumerated() where type != standard {
      for cue in features where cue.name == "visit:" + type {
        scores[index] += cueShare * cue.value
        isSure = isSure || cue.value >= sureShare
      }
    }
    // Where the cues are sure of something special it is no standard visit.
    if isSure, let place = weights.outcomes.firstIndex(of: standard) { scores[place] = -.infinity }
    return scores
  }

  static func best(_ scores: [Double], of weights: LinearScores) -> VisitType {
    guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }) else { return .standardConsult }
    return VisitType(rawValue: weights.outcomes[best])
  }

  func classify(_ matcher: PatternMatcher, triage: TriageResult, features: [CaseFeature] = [], votes: [Double] = [])
    -> Result
  {
    let scores = table.scores(matcher, triage)
    if triage.urgency >= .orange {
      let kept = scores.first { keptWhenUrgent.contains($0.description) && $0.value >= keptScore }
      if let kept { return Result(visitType: VisitType(rawValue: kept.description), explanation: kept) }
      let reason = Explanation(
        "emergency: urgency \(triage.urgency.rawValue)", value: Double(triage.urgency.rank), details: scores)
      return Result(visitType: .emergency, explanation: reason)
    }
    if let weights, !features.isEmpty {
      let learned = Self.scores(features, votes: votes, of: weights)
      let type = Self.best(learned, of: weights)
      let outcome = weights.outcomes.firstIndex(of: type.rawValue) ?? 0
      let parts = weights.contributions(features, outcome: outcome, limit: Self.shownContributions).map {
        Explanation(
          $0.feature.name, value: $0.amount, evidence: $0.feature.words.map { [matcher.reading.evidence($0)] } ?? [])
      }
      return Result(
        visitType: type,
        explanation: Explanation("visit type: \(type.rawValue)", value: learned[outcome], details: parts + scores))
    }
    guard let best = scores.first(where: { $0.description != VisitType.emergency.rawValue }) else {
      return Result(visitType: .standardConsult, explanation: Explanation("nothing more special", value: 0))
    }
    return Result(
      visitType: VisitType(rawValue: best.description),
      explanation: Explanation.maximum("visit type: \(best.description)", of: scores))
  }
}
