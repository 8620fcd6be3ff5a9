/// Which sentences of a record name a term, in their words or in the names of their facts: postings over the record's units.
///
/// A question's groups come to hundreds of phrases of a few terms each, hardly any of which a record has: what is compared with
/// each sentence is only what it names.
struct NamedTerms {
  /// By term: the places of the units, ascending.
  private var postings: [String: [Int]] = [:]
  private let count: Int

  /// - Complexity: O(terms of the units).
  init(_ units: [EvidenceUnit]) {
    count = units.count
    for (place, unit) in units.enumerated() {
      for term in unit.terms { postings[term, default: []].append(place) }
      for term in unit.factTerms.keys where !unit.terms.contains(term) { postings[term, default: []].append(place) }
    }
  }

  /// The units that have all terms of a phrase, ascending; every unit for a phrase of none.
  ///
  /// - Complexity: O(units with its terms).
  func units(naming alternative: Question.Group.Alternative) -> [Int] {
    guard let first = alternative.terms.first else { return Array(0..<count) }
    guard var places = postings[first] else { return [] }
    for term in alternative.terms.dropFirst() {
      guard let others = postings[term] else { return [] }
      places = Self.common(places, others)
    }
    return places
  }

  private static func common(_ first: [Int], _ second: [Int]) -> [Int] {
    var common: [Int] = []
    var (one, other) = (0, 0)
    while one < first.count, other < second.count {
      if first[one] == second[other] {
        common.append(first[one])
        one += 1
        other += 1
      } else if first[one] < second[other] {
        one += 1
      } else {
        other += 1
      }
    }
    return common
  }
}
