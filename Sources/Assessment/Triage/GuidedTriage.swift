public import Clinical
import Foundation

/// A question of the guided session: whether a finding of the protocol holds.
public struct GuidedQuestion: Hashable, Sendable {
  /// The finding's id, by which an answer names it.
  public let id: String
  public let text: String
  /// The level that a yes gives at least.
  public let level: Urgency
  /// How many bits of the doubt about the level the answer is expected to take.
  public let gain: Double
}

public enum GuidedAnswer: String, Hashable, Sendable {
  case yes, no, unknown
}

/// Asks what is most worth knowing until no answer can change the level.
///
/// A yes raises to the finding's level at least; a no and a "don't know" never lower. The question comes first whose answer is
/// expected to take most of the doubt about the level, its entropy under what is thought likely now. What is less urgent than
/// the level that is given already is no doubt: nothing can lead there.
///
/// - Formula: H(L) − P(yes)·H(L | yes) − P(no)·H(L | no), in bits.
public struct GuidedTriage: Sendable {
  struct Candidate: Sendable {
    let id: String
    let text: String
    let level: Urgency
    /// How well the finding fits what is already said; above 0.
    let relevance: Double
  }

  public private(set) var level: Urgency
  /// Answers in the order in which they were given.
  public private(set) var answers: [(id: String, answer: GuidedAnswer)] = []
  private var open: [Candidate]
  /// By rank, blue first.
  private var probabilities: [Double]
  private let initial: Urgency

  /// Questions worth less are not asked.
  static let leastGain = 0.002
  static let mostQuestions = 12
  /// The part of a level's probability that all its findings together explain; the rest is what nobody asks about.
  private static let explained = 0.8

  init(level: Urgency, probabilities: [Urgency: Double], open: [Candidate]) {
    self.level = level
    initial = level
    self.open = open
    let given = Urgency.allCases.reversed().map { probabilities[$0] ?? ($0 == level ? 0.6 : 0.1) }
    let total = given.reduce(0, +)
    self.probabilities = given.map { $0 / max(total, 1e-9) }
  }

  /// The question with the greatest expected gain; nil when no answer can change the level, or none is worth the time.
  public var next: GuidedQuestion? {
    guard answers.count < Self.mostQuestions else { return nil }
    let before = Self.doubt(above: level, probabilities)
    var best: GuidedQuestion?
    for candidate in open where candidate.level > level {
      let chance = chance(of: candidate)
      let afterNo = probabilitiesAfterNo(candidate, chance)
      let gain =
        before - chance * Self.doubt(above: candidate.level, probabilitiesAfterYes(candidate))
        - (1 - chance) * Self.doubt(above: level, afterNo)
      if gain > (best?.gain ?? Self.leastGain) {
        best = GuidedQuestion(id: candidate.id, text: candidate.text, level: candidate.level, gain: gain)
      }
    }
    return best
  }

  /// What the answers settle; nil where they leave the level as it was, for they never lower it.
  public var conclusion: SettledLevel? {
    guard level > initial else { return nil }
    let given = answers.map { "\($0.id) \($0.answer.rawValue)" }
    return SettledLevel(level, because: "answers: " + given.joined(separator: ", "))
  }

  /// Takes an answer to a question that is still open; others change nothing.
  public mutating func answer(_ id: String, _ answer: GuidedAnswer) {
    guard let place = open.firstIndex(where: { $0.id == id }) else { return }
    let candidate = open[place]
    switch answer {
    case .yes:
      probabilities = probabilitiesAfterYes(candidate)
      level = max(level, candidate.level)
    case .no: probabilities = probabilitiesAfterNo(candidate, chance(of: candidate))
    case .unknown: break
    }
    answers.append((id, answer))
    open.remove(at: place)
  }

  /// How likely the finding is: its share of what is thought of its level.
  private func chance(of candidate: Candidate) -> Double {
    let peers = open.filter { $0.level == candidate.level }.reduce(0) { $0 + $1.relevance }
    return Self.explained * probabilities[candidate.level.rank] * candidate.relevance / max(peers, candidate.relevance)
  }

  private func probabilitiesAfterYes(_ candidate: Candidate) -> [Double] {
    var after = probabilities
    for rank in 0..<candidate.level.rank { after[rank] = 0 }
    let total = after.reduce(0, +)
    guard total > 0 else { return after.indices.map { $0 == candidate.level.rank ? 1 : 0 } }
    return after.map { $0 / total }
  }

  private func probabilitiesAfterNo(_ candidate: Candidate, _ chance: Double) -> [Double] {
    var after = probabilities
    after[candidate.level.rank] = max(0, after[candidate.level.rank] - chance)
    let total = after.reduce(0, +)
    return total > 0 ? after.map { $0 / total } : probabilities
  }

  /// The entropy of the level in bits, with everything up to the level that is given taken together.
  private static func doubt(above level: Urgency, _ probabilities: [Double]) -> Double {
    let settled = probabilities[...level.rank].reduce(0, +)
    return ([settled] + probabilities[(level.rank + 1)...]).reduce(0) { $1 > 0 ? $0 - $1 * log2($1) : $0 }
  }
}

extension CaseAssessor {
  /// A session of questions about an assessed intake.
  ///
  /// - Parameters:
  ///   - assessment: of that intake.
  ///   - intake: what was said.
  ///   - patient: what the record says of the patient.
  /// - Returns: the session; its first question may already be nil.
  public func guided(
    _ assessment: CaseAssessment, of intake: Intake, patient: PatientContext = PatientContext()
  ) -> GuidedTriage {
    let reading = triage.reader.reading(of: intake.text)
    let facts = PatientFacts(intake, patient, reading, reader: triage.reader)
    let matcher = PatternMatcher(reading: reading, facts: facts)
    let result = assessment.triage
    let settled = Set(result.fired.map(\.id) + result.suppressed.filter { $0.reason == .negated }.map(\.id))
    let groups = Set(result.fired.map(\.group))
    let open = triage.triageProtocol.discriminators.compactMap { discriminator -> GuidedTriage.Candidate? in
      guard !settled.contains(discriminator.id), discriminator.level > result.urgency, discriminator.concerns(facts),
        let question = question(discriminator, of: facts.species),
        Self.canConcern(discriminator.patterns, matcher)
      else { return nil }
      let isNamed = discriminator.patterns.contains { pattern in
        pattern.terms.contains { term in
          if case .concept(let concept) = term { return matcher.isActive(concept) }
          return false
        }
      }
      let species = discriminator.species == nil ? 1.0 : 1.5
      let relevance = species * (groups.contains(discriminator.group) ? 3 : 1) * (isNamed ? 3 : 1)
      return GuidedTriage.Candidate(
        id: discriminator.id, text: question, level: discriminator.level, relevance: relevance)
    }
    return GuidedTriage(level: result.urgency, probabilities: result.probabilities, open: open)
  }

  /// The finding as a question about the animal; findings that nobody worded a question for are asked about by their example
  /// in protocols that have no worded ones, and not at all in others.
  func question(_ discriminator: Discriminator, of species: Species?) -> String? {
    let it = Self.subject(species)
    if let worded = guidedQuestions.wording(of: discriminator.id) {
      let text = worded.replacingOccurrences(of: "{its}", with: it + "'s").replacingOccurrences(of: "{it}", with: it)
      return text.prefix(1).uppercased() + text.dropFirst()
    }
    if triage.triageProtocol.discriminators.contains(where: { guidedQuestions.wording(of: $0.id) != nil }) {
      return nil
    }
    return discriminator.examples.first.map { "Is anything like this true of \(it): “\($0)”?" }
  }

  private static func subject(_ species: Species?) -> String {
    switch species {
    case nil, .other: "the animal"
    case .some(let species): "the \(species.rawValue)"
    }
  }

  /// Whether the patient's kind and sex leave the finding possible: of patterns that ask for them one has to fit.
  private static func canConcern(_ patterns: [Pattern], _ matcher: PatternMatcher) -> Bool {
    let asking = patterns.map { pattern in
      pattern.requirements.filter { requirement in
        switch requirement {
        case .species, .sex: true
        case .age, .known, .breed: false
        }
      }
    }.filter { !$0.isEmpty }
    return asking.isEmpty
      || asking.contains { requirements in
        requirements.allSatisfy { matcher.facts.meets($0, benefitOfDoubt: true, matcher.reading) }
      }
  }
}
