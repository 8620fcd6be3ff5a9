import LinearAlgebra

extension Vectorizer {
  /// The unit vector of a question, and how much of the question it stands for.
  ///
  /// A term counts with the square root of the summed squares of its weights, which for plain repetition is the square
  /// root of the count, times its idf. A term without a row adds nothing to the vector and lowers
  /// ``QueryVector/knownWeightShare`` by the idf of a term never seen, the greatest there is.
  ///
  /// - Throws: what the projection's source throws, and ``VectorizationError`` when its rows don't fit the model.
  /// - Complexity: O(terms · rank); reads only the rows of these terms.
  public func queryVector(of terms: [QueryTerm]) throws -> QueryVector {
    let hasher = model.hasher
    let distinct = Self.distinct(terms)
    let features = distinct.map { hasher.feature(of: $0.term.text) }
    let rows = try projection.rows(for: Set(features.map(\.bucket)).sorted())
    let unseen = TermWeighting.inverseDocumentFrequency(documentFrequency: 0, documentCount: model.documentCount)

    var sum = [Float](repeating: 0, count: model.rank)
    var parts: [QueryVector.Part] = []
    var (known, total) = (0.0, 0.0)
    for (entry, feature) in zip(distinct, features) {
      guard let row = rows[feature.bucket] else {
        total += entry.amount * unseen
        continue
      }
      guard row.vector.count == model.rank else {
        throw VectorizationError.wrongRank(row.vector.count, expected: model.rank, bucket: feature.bucket)
      }
      let weight = entry.amount * Double(row.weight)
      known += weight
      total += weight
      var vector = row.vector
      BLAS.scale(&vector, by: Float(weight) * feature.sign)
      BLAS.add(1, times: vector, to: &sum)
      parts.append(QueryVector.Part(term: entry.term, vector: vector))
    }

    let norm = BLAS.norm(sum)
    let scale = norm > 0 ? 1 / norm : 0
    BLAS.scale(&sum, by: scale)
    parts = parts.map { part in
      var vector = part.vector
      BLAS.scale(&vector, by: scale)
      return QueryVector.Part(term: part.term, vector: vector)
    }
    sum.append(contentsOf: [Float](repeating: 0, count: VectorizerModel.dimension - model.rank))
    return QueryVector(values: sum, knownWeightShare: total > 0 ? known / total : 0, parts: parts)
  }

  /// How much of a collection's weight the projection knows, from how often each term occurs: 0...1; nil without terms.
  ///
  /// Each occurrence counts with its idf; a term without a row with that of a term never seen, as in ``queryVector(of:)``.
  ///
  /// - Throws: what the projection's source throws.
  /// - Complexity: O(distinct terms), and reads their rows.
  public func knownWeightShare(of frequencies: [String: Int]) throws -> Double? {
    let hasher = model.hasher
    let unseen = TermWeighting.inverseDocumentFrequency(documentFrequency: 0, documentCount: model.documentCount)
    var counts: [UInt32: Int] = [:]
    for (term, count) in frequencies { counts[hasher.feature(of: term).bucket, default: 0] += count }
    let rows = try projection.rows(for: counts.keys.sorted())
    var (known, total) = (0.0, 0.0)
    // Sorted, because sums of floats depend on their order.
    for (bucket, count) in counts.sorted(by: { $0.key < $1.key }) {
      let weight = rows[bucket].map { Double($0.weight) }
      known += Double(count) * (weight ?? 0)
      total += Double(count) * (weight ?? unseen)
    }
    return total > 0 ? known / total : nil
  }

  /// Each text once, at its first place and with its greatest weight; `amount` is what all its occurrences come to.
  private static func distinct(_ terms: [QueryTerm]) -> [(term: QueryTerm, amount: Double)] {
    var places: [String: Int] = [:]
    var distinct: [(term: QueryTerm, amount: Double)] = []
    for term in terms where term.weight > 0 {
      let square = term.weight * term.weight
      if let place = places[term.text] {
        distinct[place].amount += square
        if term.weight > distinct[place].term.weight { distinct[place].term = term }
      } else {
        places[term.text] = distinct.count
        distinct.append((term, square))
      }
    }
    return distinct.map { ($0.term, $0.amount.squareRoot()) }
  }
}
