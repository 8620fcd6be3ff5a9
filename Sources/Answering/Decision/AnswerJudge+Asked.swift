import Extraction

extension AnswerJudge {
  /// What the record knows of what is asked for, circumstances aside: that it knows the circumstances says nothing.
  func measureAsked(_ features: inout Measures<SilenceFeature>, things: [Int]) {
    let groups = finder.groups
    let asked = groups.indices.filter { question.isAsked(groups[$0]) && groups[$0].force != .weak }
    let total = asked.reduce(0) { $0 + finder.weights[$1] }
    guard total > 0 else { return }
    let missing = asked.filter { finder.holders[$0] == 0 }
    features[.askedUnknown] = missing.reduce(0) { $0 + finder.weights[$1] } / total
    features[.askedTold] =
      ranking.readings.map { reading in asked.reduce(0) { $0 + finder.weights[$1] * reading.match.own[$1] } / total }
      .max() ?? 0
    let askedThings = asked.filter(things.contains)
    features[.askedWeakest] =
      ranking.readings.map { reading in askedThings.map { reading.match.own[$0] }.min() ?? 0 }.max() ?? 0
    if let first = ranking.readings.first { features[.kindOfOther] = first.features[.kind] * features[.askedUnknown] }
    let kinds = question.kinds
    let named = askedThings.filter { groups[$0].kinds.isEmpty && !groups[$0].isName }
    if !kinds.isEmpty, !named.isEmpty {
      let isTogether = ranking.readings.contains { reading in
        reading.features[.kind] > 0 && named.allSatisfy { reading.match.own[$0] > 0 }
      }
      features[.apart] = isTogether ? 0 : 1
    }
    if !missing.isEmpty {
      features[.tested] = missing.allSatisfy(isTested) ? 1 : 0
    }
    guard question.asksForAnotherTime else { return }
    features[.asksAgain] = 1
    features[.againPlanned] = ranking.readings.first?.signs.contains(.plan) == true ? 1 : 0
  }

  /// A sentence names what is related to a thing, and gives a value or says that it was normal or not seen.
  private func isTested(_ group: Int) -> Bool {
    ranking.readings.contains { reading in
      reading.match.related[group] > 0
        && (reading.match.unit.facts.contains { $0.kind == .lab && $0.hasValue }
          || !reading.signs.isDisjoint(with: [.health, .refusal]))
    }
  }
}
