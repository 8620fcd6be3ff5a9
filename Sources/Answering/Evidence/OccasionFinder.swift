import Extraction

/// Finds when something happened: the sentences that tell of it.
struct OccasionFinder {
  /// How much a neighbour that names it says.
  private static let besideShare = 0.4
  /// That a sentence speaks of a change, where a change is asked about.
  private static let changeBonus = 0.2
  /// Sentences that name less of it than this share of what the best one names tell of something else.
  private static let tellingShare = 0.85
  /// The best one must name so much of what the record knows of it.
  private static let leastNamed = 0.5

  let units: [EvidenceUnit]
  let signs: SignReader
  let classifier: AssertionClassifier

  /// The sentences that tell that what a question names took place, in time order.
  func tellings(of event: Question) -> [Reading] {
    guard !event.groups.isEmpty else { return [] }
    let asksForChange = event.asks(for: .change) || event.asks(for: .beginning) || event.asks(for: .first)
    let scored = EvidenceRanking.readings(
      EvidenceFinder(question: event, units: units), signs: signs, classifier: classifier
    ).filter { $0.isAboutPatient && !$0.isHypothetical && !$0.isDenial && !$0.deniesPart }.map { reading in
      let isChange = asksForChange && !reading.signs.isDisjoint(with: [.change, .ending])
      let named = reading.features[.own] + Self.besideShare * reading.features[.beside]
      return (reading: reading, score: named + (isChange ? Self.changeBonus : 0))
    }
    guard let best = scored.map(\.score).max(), best >= Self.leastNamed else { return [] }
    let tellings = scored.filter { $0.score >= best * Self.tellingShare }.map(\.reading)
    // What was talked over or booked had not happened yet.
    let done = tellings.filter { !signs.closed.words(of: $0.match.unit.text).has(.talkedof) }
    return (done.isEmpty ? tellings : done).sorted(by: Reading.isEarlier)
  }
}
