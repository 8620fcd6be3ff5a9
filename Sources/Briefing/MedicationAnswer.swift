import Clinical
import Extraction
import TextAnalysis

/// Answers what a patient is on from the drugs' latest mentions, where a question asks just that.
struct MedicationAnswer {
  let question: Question
  let analyzer: Analyzer

  /// What the record says of the drugs asked about.
  enum Outcome {
    /// The latest mention of each current drug.
    case given([RecordedFact])
    /// Every drug asked about was stopped or declined: its latest mention.
    case ended([RecordedFact])
  }

  /// Whether the question is about what is given now.
  private var isAboutCurrentDrugs: Bool {
    guard question.period == nil,
      question.roles.isDisjoint(with: [.why, .when, .who, .first, .last, .count, .trend, .ever, .advice])
    else { return false }
    return question.asks(for: .current) || question.kinds.contains(.drug)
  }

  /// Nil when the question asks something else, or the record knows no such drug.
  func outcome(of record: PatientRecord, at now: Timestamp) -> Outcome? {
    guard isAboutCurrentDrugs else { return nil }
    let current = MedicationList.current(record, at: now)
    let groups = question.groups.filter { $0.force == .specific && !$0.kinds.contains(.drug) }
    let mentioned = record.recordedFacts([.drug]).filter { $0.fact.assertion.experiencer == .patient }
    let drugGroups = groups.filter { group in mentioned.contains { names($0.fact, group) } }
    if drugGroups.isEmpty {
      // A reason ("for her heart") is no drug; without any word for drugs this is another question.
      guard question.kinds.contains(.drug), !current.isEmpty else { return nil }
      return .given(current.map { $0.dosed ?? $0.latest })
    }
    let asked = current.filter { entry in drugGroups.contains { names(entry.latest.fact, $0) } }
    if !asked.isEmpty { return .given(asked.map { $0.dosed ?? $0.latest }) }
    guard question.asks(for: .current) else { return nil }
    var latest: [String: RecordedFact] = [:]
    for item in mentioned
    where drugGroups.contains(where: { names(item.fact, $0) }) && item.fact.assertion.temporality != .hypothetical {
      latest[item.fact.name] = item
    }
    let ended = latest.values.sorted { ($0.note.recordedAt, $0.fact.name) < ($1.note.recordedAt, $1.fact.name) }
    return ended.isEmpty ? nil : .ended(ended)
  }

  /// Whether a group of the question names the drug, its brand or its class.
  private func names(_ fact: Fact, _ group: Question.Group) -> Bool {
    let terms = Set(analyzer.terms(in: fact.name) + analyzer.terms(in: fact.attributes["brand"] ?? ""))
    return group.alternatives.contains { !$0.terms.isEmpty && $0.terms.allSatisfy(terms.contains) }
  }
}
