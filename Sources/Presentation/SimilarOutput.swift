public import Clinical
import Retrieval
public import VetNet

/// The contract's JSON for similar cases.
public struct SimilarOutput: Encodable, Sendable {
  struct HitOutput: Encodable, Sendable {
    let note_id: String
    let patient_id: String
    let recorded_at: String
    let species: String
    let score: Double
    let start: Int
    let end: Int
    let quote: String
    let legs: [LegOutput]?
    let explanation: Explanation?
  }

  struct LegOutput: Encodable, Sendable {
    let name: String
    let rank: Int
    let score: Double
    let share: Double
    let terms: [TermOutput]
  }

  struct TermOutput: Encodable, Sendable {
    let term: String
    /// For what was added to the question: which of its words asked for it, and by which row.
    let expanded_from: String?
    let score: Double
  }

  let hits: [HitOutput]

  public init(_ cases: [SimilarCase], zone: PracticeTimeZone, explains: Bool) {
    hits = cases.map {
      HitOutput(
        note_id: $0.noteID, patient_id: $0.patient.id, recorded_at: zone.iso8601($0.recordedAt),
        species: $0.patient.species.rawValue, score: $0.score, start: $0.codePoints.lowerBound,
        end: $0.codePoints.upperBound, quote: $0.quote, legs: explains ? $0.legs.map(Self.leg) : nil,
        explanation: explains ? $0.explanation : nil)
    }
  }

  private static func leg(_ leg: LegScore) -> LegOutput {
    LegOutput(
      name: leg.name, rank: leg.rank, score: leg.score, share: leg.share,
      terms: leg.terms.map { TermOutput(term: $0.term, expanded_from: $0.expandedFrom, score: $0.score) })
  }
}
