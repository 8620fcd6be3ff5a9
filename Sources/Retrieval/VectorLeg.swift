import LinearAlgebra
import Vectorization

/// The search by meaning: inner products of the question's vector with those of the chunks.
struct VectorLeg {
  static let name = "vector"

  /// What the question itself points at, with its terms' parts.
  let query: QueryVector
  /// What is searched for; differs from the question after feedback.
  var direction: [Float]

  init(_ query: QueryVector) {
    self.query = query
    direction = query.values
  }

  /// The best chunks of everything the filter admits; of equal scores the lowest id first.
  func ranking(source: some ChunkSource, filter: RetrievalFilter, depth: Int) throws -> [ScoredChunk] {
    try source.nearest(to: direction, count: depth, filter: filter)
  }

  /// Ranks a few chunks again, without reading the others.
  func ranking(of vectors: [Int64: [Float]], depth: Int) -> [ScoredChunk] {
    var best = TopChunks(limit: depth)
    for (chunkID, vector) in vectors.sorted(by: { $0.key < $1.key }) {
      best.offer(chunkID, score: Double(BLAS.dot(vector, direction)))
    }
    return best.sorted
  }

  /// What each term of the question, and what feedback added to it, contributes to a chunk.
  func contributions(to vector: [Float]) -> [TermContribution] {
    // The moved direction is a multiple of the question's plus what was fed back; the multiple is not kept, but
    // falls out of the part of the direction that lies along the question.
    let feedback = direction == query.values ? nil : BLAS.dot(direction, query.values)
    let scale = Double(feedback ?? 1)
    var contributions = query.parts.map { part in
      TermContribution(
        term: part.term.text, expandedFrom: part.term.expandedFrom,
        score: Double(BLAS.dot(part.vector, Array(vector.prefix(part.vector.count)))) * scale)
    }
    if feedback != nil {
      let rest = Double(BLAS.dot(vector, direction)) - contributions.reduce(0) { $0 + $1.score }
      contributions.append(TermContribution(term: "what the first hits have in common", score: rest))
    }
    return contributions
  }
}
