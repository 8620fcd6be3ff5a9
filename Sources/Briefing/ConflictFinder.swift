import Clinical
import Extraction
import TextAnalysis

/// Finds notes that disagree about a thing that can't be both, where neither corrects the other.
enum ConflictFinder {
  /// The disagreeing sentences, both sides, in time order; nil when there is no conflict.
  ///
  /// Two kinds are told: a side (a question about which one, answered left and right), and a lasting fact (an allergy, a
  /// neutered animal) asserted by one note and denied by a later one that says nothing of a change.
  static func conflict(among readings: [Reading], question: Question, limits: AnswerLimits) -> [Reading]? {
    let near = readings.filter { $0.share >= (readings.first?.share ?? 0) * limits.conflictShare }
    let allergies = readings.filter { $0.match.unit.facts.contains { $0.kind == .allergy } }
    return sides(near, question) ?? lasting(near + allergies, question)
  }

  private static func sides(_ readings: [Reading], _ question: Question) -> [Reading]? {
    // Another leg this autumn is another lameness.
    guard question.asks(for: .side), !question.asks(for: .current), !question.asks(for: .last)
    else { return nil }
    let most = readings.map { $0.features[.own] }.max() ?? 0
    var first: [Side: Reading] = [:]
    for reading in readings.sorted(by: Reading.isEarlier) where reading.features[.own] >= most * 0.75 {
      if let period = question.period, reading.match.unit.note.recordedAt < period.lowerBound { continue }
      let named = Side.named(in: reading.match.unit)
      guard named.count == 1, let side = named.first, first[side] == nil else { continue }
      first[side] = reading
    }
    guard let left = first[.left], let right = first[.right] else { return nil }
    return [left, right].sorted(by: Reading.isEarlier)
  }

  private static func lasting(_ readings: [Reading], _ question: Question) -> [Reading]? {
    guard question.kinds.contains(.allergy) else { return nil }
    let inTime = readings.filter { !$0.isHypothetical }.sorted(by: Reading.isEarlier)
    guard
      let asserted = inTime.first(where: { !$0.isDenial && $0.assertion.polarity == .present && !$0.deniesAllergies }),
      let denied = inTime.last(where: { $0.isDenial || $0.deniesAllergies }), Reading.isEarlier(asserted, denied)
    else { return nil }
    return [asserted, denied]
  }
}

extension Reading {
  /// "No known drug allergies": the denial is part of the fact itself.
  fileprivate var deniesAllergies: Bool {
    match.unit.facts.contains { $0.kind == .allergy && $0.assertion.polarity == .absent }
  }
}

/// Left or right, as notes write it.
enum Side: Hashable {
  case left, right

  private static let words: [String: Side] = [
    "left": .left, "lt": .left, "lh": .left, "lf": .left, "l": .left, "os": .left, "as": .left, "sinistra": .left,
    "right": .right, "rt": .right, "rh": .right, "rf": .right, "r": .right, "od": .right, "ad": .right,
    "dextra": .right,
  ]

  /// By the plain words alone, as questions have them.
  init?(plain word: String) {
    switch word {
    case "left", "lh", "lf", "os": self = .left
    case "right", "rh", "rf", "od": self = .right
    default: return nil
    }
  }

  /// The sides a sentence names.
  static func named(in unit: EvidenceUnit) -> Set<Side> {
    Set(
      unit.tokens.compactMap { token in
        guard let word = unit.note.text.slice(utf8: token.range) else { return nil }
        // The Latin pairs are shorthand only in capitals: "as" and "ad" are words.
        let lower = word.lowercased()
        if ["os", "as", "od", "ad"].contains(lower), word != word.uppercased() { return nil }
        return words[lower]
      })
  }
}
