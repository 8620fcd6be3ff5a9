/// What became of somebody's visits of one kind, as counts from the book.
public struct OutcomeCounts: Hashable, Sendable {
  /// Visits that are over long enough to know.
  public var visits: Int
  /// Those after which the animal had to come again.
  public var rechecked: Int
  /// Visits whose length was kept, planned and actual.
  public var timed: Int
  /// Those that took clearly longer than planned.
  public var overran: Int

  public init(visits: Int = 0, rechecked: Int = 0, timed: Int = 0, overran: Int = 0) {
    self.visits = visits
    self.rechecked = rechecked
    self.timed = timed
    self.overran = overran
  }

  public static func + (a: Self, b: Self) -> Self {
    Self(
      visits: a.visits + b.visits, rechecked: a.rechecked + b.rechecked, timed: a.timed + b.timed,
      overran: a.overran + b.overran)
  }
}

/// Somebody's share of an outcome, drawn toward the practice's as far as their numbers are small.
public struct ShrunkRate: Hashable, Sendable {
  public let count: Int
  public let of: Int
  /// Of all of the practice's visits of the kind, 0...1.
  public let practice: Double
  /// What is counted with, between the own share and the practice's.
  public let rate: Double

  /// Shares of several people by empirical Bayes: each is a draw from a beta distribution around the practice's share, whose
  /// spread is estimated from how much the shares differ beyond chance.
  ///
  /// - Parameters:
  ///   - counts: outcomes and visits of each, by id.
  ///   - strength: bounds on the weight of the practice's share, in visits; the upper where people don't differ beyond chance.
  /// - Returns: by id; empty without visits.
  /// - Source: method of moments for the beta-binomial, J. C. Kleinman, J. Am. Stat. Assoc. 68 (1973), 46.
  public static func all(
    _ counts: [String: (count: Int, of: Int)], strength: ClosedRange<Double>
  ) -> [String: ShrunkRate] {
    let seen = counts.filter { $0.value.of > 0 }.sorted { $0.key < $1.key }
    let total = Double(seen.reduce(0) { $0 + $1.value.of })
    guard total > 0 else { return [:] }
    let mean = Double(seen.reduce(0) { $0 + $1.value.count }) / total
    let chance = mean * (1 - mean)
    var weight = strength.upperBound
    if seen.count > 1, chance > 0 {
      let spread = seen.reduce(0.0) { sum, entry in
        let n = Double(entry.value.of)
        let difference = Double(entry.value.count) / n - mean
        return sum + n * difference * difference
      }
      let squares = seen.reduce(0.0) { $0 + Double($1.value.of) * Double($1.value.of) }
      let between = (spread - Double(seen.count - 1) * chance) / (total - squares / total)
      if between > 0 { weight = chance / between - 1 }
      weight = min(strength.upperBound, max(strength.lowerBound, weight))
    }
    return Dictionary(
      uniqueKeysWithValues: seen.map { id, entry in
        let rate = (Double(entry.count) + weight * mean) / (Double(entry.of) + weight)
        return (id, ShrunkRate(count: entry.count, of: entry.of, practice: mean, rate: rate))
      })
  }
}

/// What somebody's outcomes say about giving them a case of a kind.
public struct StaffOutcome: Hashable, Sendable {
  /// In words: a visit type.
  public let kind: String
  /// Nil without visits that are over.
  public let rechecked: ShrunkRate?
  public let overran: ShrunkRate?

  public init(kind: String, rechecked: ShrunkRate?, overran: ShrunkRate?) {
    self.kind = kind
    self.rechecked = rechecked
    self.overran = overran
  }

  /// The outcomes of everybody for one kind of case, by id; nobody who had no such visit.
  public static func all(
    _ counts: [String: OutcomeCounts], kind: String, strength: ClosedRange<Double>
  ) -> [String: StaffOutcome] {
    let rechecked = ShrunkRate.all(counts.mapValues { ($0.rechecked, $0.visits) }, strength: strength)
    let overran = ShrunkRate.all(counts.mapValues { ($0.overran, $0.timed) }, strength: strength)
    var outcomes: [String: StaffOutcome] = [:]
    for id in counts.keys where rechecked[id] != nil || overran[id] != nil {
      outcomes[id] = StaffOutcome(kind: kind, rechecked: rechecked[id], overran: overran[id])
    }
    return outcomes
  }
}
