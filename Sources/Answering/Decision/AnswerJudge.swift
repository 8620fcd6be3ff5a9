import Clinical
import Extraction
import Glibc
import TextAnalysis

/// Tells from the ranked sentences whether the record is silent, says no, or answers.
package struct AnswerJudge {
  /// Names and brands of one drug are at least so close.
  private static let sameDrug = 0.8

  /// A question of so many specific things is a long one.
  private static let manyThings = 4

  /// So many of the best sentences are heard.
  package static let heard = 4

  package let ranking: EvidenceRanking
  /// What the best sentences are to the question, each by its share of their probability; nil where nothing was learned.
  package private(set) var reply: Reply?

  package init(ranking: EvidenceRanking) {
    self.ranking = ranking
    let best = ranking.readings.prefix(Self.heard)
    let total = best.reduce(0) { $0 + $1.share }
    guard total > 0, ranking.replies.isLearned else { return }
    reply = best.reduce(into: Reply(no: 0, other: 0)) { sum, reading in
      guard let reply = ranking.replies.reply(features(reading)) else { return }
      sum.no += reply.no * reading.share / total
      sum.other += reply.other * reading.share / total
    }
  }

  var question: Question { ranking.question }
  var finder: EvidenceFinder { ranking.finder }

  /// Whether a value of another animal is asked for ("what does Olga weigh?") and no sentence tells it: whatever the weights
  /// say, the patient's own value is no answer.
  func lacksValueOfOther(_ silence: Measures<SilenceFeature>) -> Bool {
    silence[.unnamed] >= Self.unnamedAnimal && !question.kinds.isDisjoint(with: Self.measured)
  }

  /// Of ``SilenceFeature/unnamed``, where the name is known for another animal's.
  private static let unnamedAnimal = 2.0

  package var silenceMeasures: SilenceMeasures {
    SilenceMeasures(silence, best: ranking.readings.first, question: question)
  }

  var silence: Measures<SilenceFeature> {
    var features = Measures<SilenceFeature>()
    let groups = finder.groups
    let total = finder.weights.reduce(0, +)
    let things = groups.indices.filter { groups[$0].force == .specific || groups[$0].namesOneKind }
    let thingsTotal = things.reduce(0) { $0 + finder.weights[$1] }
    let missing = things.filter { finder.holders[$0] == 0 }
    func share(_ closeness: (Int) -> Double) -> Double {
      total > 0 ? groups.indices.reduce(0) { $0 + finder.weights[$1] * closeness($1) } / total : 0
    }
    features[.bias] = 1
    if thingsTotal > 0 {
      features[.unknown] = missing.reduce(0) { $0 + finder.weights[$1] } / thingsTotal
      features[.unknownTerm] =
        missing.filter { groups[$0].isTerm }.reduce(0) { $0 + finder.weights[$1] } / thingsTotal
      features[.allKnown] = missing.isEmpty ? 1 : 0
    }
    features[.things] = Double(min(things.count, Self.manyThings)) / Double(Self.manyThings)
    if question.isYesOrNo { features[.unknownYesNo] = features[.unknown] }
    features[.unknownDrug] = groups.indices.contains { groups[$0].isDrug && finder.closest[$0] < Self.sameDrug } ? 1 : 0
    let isMissing = groups.indices.contains { index in
      groups[index].isOfUnknownPhrase
        || (groups[index].force == .specific && groups[index].isTerm && !groups[index].isOrdinary
          && finder.holders[index] == 0)
    }
    features[.missingTerm] = isMissing ? 1 : 0
    let ordinary = groups.indices.filter { groups[$0].force != .specific && !groups[$0].namesOneKind }
    let ordinaryTotal = ordinary.reduce(0) { $0 + finder.weights[$1] }
    if ordinaryTotal > 0 {
      features[.unknownPlain] =
        ordinary.filter { finder.holders[$0] == 0 }.reduce(0) { $0 + finder.weights[$1] } / ordinaryTotal
    }
    features[.asksLab] = question.kinds.isDisjoint(with: [.lab]) ? 0 : 1
    features[.asksPrevention] = question.kinds.isDisjoint(with: [.vaccination, .parasiteControl]) ? 0 : 1
    features[.asksProcedure] = question.kinds.isDisjoint(with: [.procedure]) ? 0 : 1
    features[.asksDecision] = question.kinds.isDisjoint(with: [.ownerDecision]) ? 0 : 1
    func best(_ closeness: (Match, Int) -> Double) -> Double {
      ranking.readings.map { reading in share { closeness(reading.match, $0) } }.max() ?? 0
    }
    features[.own] = best { $0.own[$1] }
    features[.beside] = best { max($0.own[$1], $0.beside[$1]) }
    features[.note] = best { $0.note[$1] }
    features[.exact] = best { $0.own[$1] >= 1 ? 1 : 0 }
    features[.related] = missing.map(finder.closestRelated).min() ?? 0
    features[.translated] = ranking.readings.map { $0.features[.translated] }.max() ?? 0
    features[.translatedNote] = ranking.readings.map { $0.features[.translatedNote] }.max() ?? 0
    if let translation = finder.translation {
      features[.unmet] = translation.unmet
      if let first = ranking.readings.first {
        features[.unmetBeside] = translation.unmetBeside[first.match.place]
        features[.unmetNote] = translation.unmetNote[first.match.place]
      }
    }
    if let closest = finder.translation?.closest {
      features[.translatedMissing] =
        missing.map { group in
          groups[group].alternatives.filter { $0.reason == nil }.flatMap(\.terms).map { closest[$0] ?? 0 }.max() ?? 0
        }.min() ?? 0
    }
    features[.told] = missing.isEmpty && features[.exact] > 0.99 ? 1 : 0
    func weakest(_ closeness: (Match, Int) -> Double) -> Double {
      ranking.readings.map { reading in things.map { closeness(reading.match, $0) }.min() ?? 0 }.max() ?? 0
    }
    features[.weakest] = weakest { $0.own[$1] }
    features[.weakestBeside] = weakest { max($0.own[$1], $0.beside[$1]) }
    features[.weakestNote] = weakest { $0.note[$1] }
    if let isTested = TestQuestion(question, groups: groups).isTested(by: ranking.readings, weights: finder.weights) {
      features[isTested ? .toldAsTested : .untoldAsTested] = 1
    }
    let kinds = question.kinds
    if !kinds.isEmpty {
      features[.kind] = finder.units.contains { $0.facts.contains { kinds.contains($0.kind) } } ? 1 : 0
    }
    let names = groups.indices.filter { groups[$0].isName }
    if !names.isEmpty {
      // Of whom is asked, and what: both in one sentence or the next.
      let topics = groups.indices.filter {
        !groups[$0].isName && (groups[$0].force == .specific || !groups[$0].kinds.isEmpty)
      }
      let isTold = ranking.readings.contains { reading in
        let match = reading.match
        // A weight beside a name is the patient's unless it is said to be the other's.
        let isNamed =
          names.allSatisfy { match.own[$0] > 0 }
          && (question.kinds.isDisjoint(with: Self.measured) || !reading.isAboutPatient)
        let isNear = names.allSatisfy { match.beside[$0] > 0 } && !reading.isAboutPatient
        return (isNamed || isNear) && topics.allSatisfy { match.own[$0] > 0 }
      }
      features[.unnamed] = isTold ? 0 : names.contains { isAnimal(groups[$0]) } ? Self.unnamedAnimal : 1
    }
    if let period = question.period {
      features[.emptyPeriod] = finder.units.contains { period.contains($0.note.recordedAt) } ? 0 : 1
    }
    measureAsked(&features, things: things)
    measureUntold(&features)
    if let other = reply?.other { features[.noReply] = log(other / (1 - other)) }
    features[.onlyKind] = things.allSatisfy { !groups[$0].kinds.isEmpty } ? 1 : 0
    features[.yesNo] = question.isYesOrNo ? 1 : 0
    features[.ever] = question.asks(for: .ever) ? 1 : 0
    features[.terse] = question.isTerse ? 1 : 0
    if let first = ranking.readings.first {
      features[.kindHere] = first.features[.kind]
      features[.someoneElse] = first.features[.someoneElse]
      features[.hypothetical] = first.isHypothetical ? 1 : 0
      features[.denied] = first.isDenial ? 1 : 0
      features[.confidence] = first.share
      features[.outOfPeriod] = first.features[.outOfPeriod]
      features[.fit] = first.score
      features[.named] = first.features[.named]
      features[.otherSide] = first.features[.otherSide]
      features[.asks] = first.features[.asks]
      features[.noNumber] = first.features[.noNumber]
    }
    return features
  }

  /// The record tells of another animal by that name: "housemate Olga", "Paprika, the kitten".
  private func isAnimal(_ name: Question.Group) -> Bool {
    guard let term = name.alternatives.first?.terms.first else { return false }
    return finder.units.contains { unit in
      guard let place = unit.tokens.firstIndex(where: { $0.text == term }) else { return false }
      let near = unit.tokens[max(0, place - 3)..<min(unit.tokens.count, place + 4)]
      return near.contains { token in
        unit.note.text.slice(utf8: token.range).map { question.classes.isOne($0.lowercased(), of: .otheranimal) }
          ?? false
      }
    }
  }

  private static let measured: Set<FactKind> = [
    .weight, .bodyCondition, .temperature, .heartRate, .respiratoryRate,
  ]
}

extension Question.Group {
  /// Whether its words ask for a kind of fact that says it all: "allergies" do, "drug" beside them does not.
  var namesOneKind: Bool { kinds.contains { EvidenceFinder.closeness(of: $0) > 0.9 } }

  /// Whether a table knows the words: a thesaurus row, a drug, a kind of fact.
  var isTerm: Bool { !kinds.isEmpty || alternatives.contains { $0.reason != nil && !$0.isGuess } }
}
