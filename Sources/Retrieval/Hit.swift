public import Clinical

/// What one term of the question contributed to a leg's score.
public struct TermContribution: Hashable, Sendable {
  /// As the analyser gives it.
  public let term: String
  /// For a term that was added to the question: what for.
  public let expandedFrom: String?
  /// In units of the leg's score; negative when the term speaks against the chunk.
  public let score: Double

  public init(term: String, expandedFrom: String? = nil, score: Double) {
    self.term = term
    self.expandedFrom = expandedFrom
    self.score = score
  }
}

/// How one leg of the search saw a hit.
public struct LegScore: Hashable, Sendable {
  /// `vector`, `lexical`, or `neighbours` for what ``Neighbourhood`` adds.
  public let name: String
  /// From 1.
  public let rank: Int
  /// The leg's own score: an inner product, BM25, or the mean of the neighbours' scores.
  public let score: Double
  /// What the leg contributed to the hit's score.
  public let share: Double
  /// By magnitude, the greatest first; they add up to ``score``.
  public let terms: [TermContribution]

  public init(name: String, rank: Int, score: Double, share: Double, terms: [TermContribution]) {
    self.name = name
    self.rank = rank
    self.score = score
    self.share = share
    self.terms = terms
  }

  /// A longer list tells a reader nothing.
  private static let explainedTerms = 12

  /// The share, broken down to the terms in proportion to their part of the leg's score; the least of many are summed up.
  public var explanation: Explanation {
    let scale = score == 0 ? 0 : share / score
    let shown = terms.count <= Self.explainedTerms + 1 ? terms.count : Self.explainedTerms
    var details = terms.prefix(shown).map { term in
      Explanation(
        term.expandedFrom.map { "'\(term.term)' for '\($0)'" } ?? "'\(term.term)'", value: term.score * scale)
    }
    let rest = terms.dropFirst(shown)
    if !rest.isEmpty {
      details.append(
        Explanation("\(rest.count) terms more", value: rest.reduce(0) { $0 + $1.score } * scale))
    }
    let rounded = (score * 1000).rounded() / 1000
    return Explanation("\(name): rank \(rank), score \(rounded)", value: share, details: details)
  }
}

/// A passage that answers a search, with where it stands and why it was found.
public struct Hit: Hashable, Sendable {
  public let chunk: ChunkMetadata
  /// Comparable within one search only; not a probability.
  public let score: Double
  /// The legs that ranked the chunk.
  public let legs: [LegScore]

  public init(chunk: ChunkMetadata, score: Double, legs: [LegScore]) {
    self.chunk = chunk
    self.score = score
    self.legs = legs
  }

  public var chunkID: Int64 { chunk.chunkID }
  public var noteID: String { chunk.noteID }
  public var patientID: String { chunk.patientID }
  /// UTF-8 bytes of the note.
  public var range: Range<Int> { chunk.range }

  /// The score as the sum of the legs' shares, each down to the question's terms.
  public var explanation: Explanation { .sum("relevance", of: legs.map(\.explanation)) }
}
