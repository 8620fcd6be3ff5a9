import Clinical
import Extraction

/// Tells what happened with a line a visit: the sentences that name its problems, what was done and what was given.
struct TimelineAnswer {
  /// The most visits that are told.
  static let visitLimit = 24
  /// Visits told where no time is named.
  private static let latestVisits = 10
  private static let sentencesOfVisit = 2

  let question: TimelineQuestion
  let period: Range<Timestamp>?
  let units: [EvidenceUnit]

  /// The sentences to show, visit by visit; nil where nothing lies in the time asked about.
  ///
  /// - Parameters:
  ///   - begin: when what the question counts from happened; nil without such an event.
  ///   - topical: the positions of sentences about the topic; nil without one.
  /// - Returns: of at most ``visitLimit`` visits, in the order asked for.
  func passages(from begin: Timestamp?, topical: Set<Int>?) -> [EvidenceUnit]? {
    let asked = units.filter { unit in
      !unit.isOfOtherPatient && unit.copiedFrom == nil
        && (period.map { $0.contains(unit.note.recordedAt) } ?? true)
        && (begin.map { unit.note.recordedAt >= $0 } ?? true)
        && (topical.map { $0.contains(unit.position) } ?? true)
    }
    var visits: [[EvidenceUnit]] = []
    for unit in asked {
      if visits.last?.last?.note.id == unit.note.id {
        visits[visits.count - 1].append(unit)
      } else {
        visits.append([unit])
      }
    }
    let hasBounds = period != nil || begin != nil || topical != nil
    var told = visits.suffix(hasBounds ? visits.count : Self.latestVisits).map { main(of: $0) }.filter { !$0.isEmpty }
    // Of too many the ones that say most.
    if told.count > Self.visitLimit {
      let least = told.map { weight(of: $0) }.sorted(by: >)[Self.visitLimit - 1]
      told = Array(told.filter { weight(of: $0) >= least }.suffix(Self.visitLimit))
    }
    if question.isNewestFirst { told.reverse() }
    return told.isEmpty ? nil : told.flatMap { $0 }
  }

  /// The sentences of a visit that say most, in their order; its first where none says anything that facts know.
  private func main(of visit: [EvidenceUnit]) -> [EvidenceUnit] {
    let best = visit.sorted { (weight(of: $1), $0.position) < (weight(of: $0), $1.position) }
      .prefix(Self.sentencesOfVisit).filter { weight(of: $0) > 0 }
    let chosen = best.isEmpty ? Array(visit.prefix(1)) : Array(best)
    return chosen.sorted { $0.position < $1.position }
  }

  private func weight(of units: [EvidenceUnit]) -> Int { units.map { weight(of: $0) }.reduce(0, +) }

  /// How much a sentence tells: each thing that is so counts, a problem or operation most.
  private func weight(of unit: EvidenceUnit) -> Int {
    var seen: Set<String> = []
    return unit.facts.reduce(0) { sum, fact in
      guard fact.assertion.experiencer == .patient, fact.assertion.polarity != .absent,
        seen.insert("\(fact.kind) \(fact.name)").inserted
      else { return sum }
      return sum + Self.weight(of: fact)
    }
  }

  private static func weight(of fact: Fact) -> Int {
    switch fact.kind {
    case .problem, .allergy: fact.assertion.temporality == .hypothetical ? 1 : 3
    case .procedure: fact.assertion.temporality == .current ? 3 : 1
    case .drug: fact.action == nil ? 1 : 2
    case .vaccination: 2
    case .lab: fact.lab?.flag == nil ? 0 : 2
    case .finding, .ownerDecision, .pendingResult, .parasiteControl: 1
    default: 0
    }
  }
}
