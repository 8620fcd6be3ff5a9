import Chart
import Clinical
import Extraction

/// What a question asks for, circumstances aside, as far as the record knows it, and the sentences that name it.
struct AskedTopic {
  let ranking: EvidenceRanking
  /// Groups of the question.
  private let asked: [Int]
  /// The group that the fewest sentences name.
  let rarest: Int

  /// Nil where the record knows none of it, or none of it is a thing.
  init?(_ record: AskedRecord) {
    ranking = record.ranking
    let finder = ranking.finder
    let named = finder.groups.indices.filter { finder.groups[$0].force != .weak && !finder.groups[$0].isName }
    let asked = named.filter { record.question.isAsked(finder.groups[$0]) }
    func isThing(_ index: Int) -> Bool {
      let group = finder.groups[index]
      return (group.force == .specific || !group.kinds.isDisjoint(with: [.lab, .procedure]))
        && finder.holders[index] > 0
    }
    // "How is he getting on since his operation?": that there was one is what the answer hangs on.
    self.asked = asked.contains(where: isThing) ? asked : named
    guard let rarest = self.asked.filter(isThing).max(by: { finder.weights[$0] < finder.weights[$1] }) else {
      return nil
    }
    self.rarest = rarest
  }

  /// The sentences that name what is asked for, in the order of the ranking: most of it by weight, and as much as any names.
  var tellings: [Reading] {
    let named = ranking.readings.map { (reading: $0, coverage: coverage($0)) }
    let most = named.map(\.coverage).max() ?? 0
    return named.filter { $0.coverage >= max(Self.leastCoverage, most - Self.sameCoverage) }.map(\.reading)
  }

  /// The sentences that name any of the things asked for at least so closely.
  func mentions(least: Double) -> [Reading] {
    let things = asked.filter { ranking.finder.groups[$0].force == .specific }
    return ranking.readings.filter { reading in things.contains { reading.match.own[$0] >= least } }
  }

  private static let leastCoverage = 0.6
  private static let sameCoverage = 0.05

  private func coverage(_ reading: Reading) -> Double {
    let finder = ranking.finder
    let total = asked.reduce(0) { $0 + finder.weights[$1] }
    return total > 0 ? asked.reduce(0) { $0 + finder.weights[$1] * reading.match.own[$1] } / total : 0
  }
}

extension AskedRecord {
  /// What was done, by what the record says of it, and after which the question asks how it went: the operation of "how did he do
  /// after his operation?". Groups of the question.
  var occasions: [Int] {
    let finder = ranking.finder
    guard question.has([.after, .since, .following]),
      question.kinds.isDisjoint(with: [.allergy, .reaction])
    else { return [] }
    return finder.groups.indices.filter { index in
      let group = finder.groups[index]
      guard group.force == .specific, !group.isName, !question.isAsked(group) else { return false }
      return ranking.readings.contains { reading in
        reading.match.parts.contains { $0.group == index && $0.fact?.kind == .procedure }
      }
    }
  }

  /// In the time asked about a result is waited for, which may be what is asked for by another name.
  var awaitsResult: Bool {
    !question.periods.isEmpty
      && units.contains { unit in
        question.periods.contains { $0.contains(unit.note.recordedAt) }
          && unit.facts.contains { $0.kind == .pendingResult }
      }
  }
}
