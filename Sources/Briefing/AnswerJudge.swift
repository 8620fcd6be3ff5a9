import Clinical
import Extraction
import TextAnalysis

/// Tells from the ranked sentences whether the record is silent, says no, or answers.
struct AnswerJudge {
  /// Sentences below this share of the best one's probability say nothing about the answer.
  private static let voiceShare = 0.3
  /// A sentence that holds this share of the question's words, by their rarity, holds all that matters.
  private static let fullShare = 0.9
  /// A sentence that holds less than this share of the question's words than another does is no word on whether.
  private static let tellingShare = 0.25

  /// What found nothing must be what is asked about, by this share of the question's words.
  private static let mostNamed = 0.6

  /// Names and brands of one drug are at least so close.
  private static let sameDrug = 0.8

  /// A question of so many specific things is a long one.
  private static let manyThings = 4

  let ranking: EvidenceRanking
  private var question: Question { ranking.question }
  private var finder: EvidenceFinder { ranking.finder }

  /// Whether a value of another animal is asked for ("what does Olga weigh?") and no sentence tells it: whatever the weights
  /// say, the patient's own value is no answer.
  func lacksValueOfOther(_ silence: Measures<SilenceFeature>) -> Bool {
    silence[.unnamed] >= Self.unnamedAnimal && !question.kinds.isDisjoint(with: Self.measured)
  }

  /// Of ``SilenceFeature/unnamed``, where the name is known for another animal's.
  private static let unnamedAnimal = 2.0

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
    features[.told] = missing.isEmpty && features[.exact] > 0.99 ? 1 : 0
    func weakest(_ closeness: (Match, Int) -> Double) -> Double {
      ranking.readings.map { reading in things.map { closeness(reading.match, $0) }.min() ?? 0 }.max() ?? 0
    }
    features[.weakest] = weakest { $0.own[$1] }
    features[.weakestBeside] = weakest { max($0.own[$1], $0.beside[$1]) }
    features[.weakestNote] = weakest { $0.note[$1] }
    if let isTested = TestQuestion(question, groups: groups).isTested(by: ranking.readings, weights: finder.weights) {
      features[isTested ? .tested : .untested] = 1
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
        unit.note.text.slice(utf8: token.range).map { Self.animals.contains($0.lowercased()) } ?? false
      }
    }
  }

  private static let measured: Set<FactKind> = [
    .weight, .bodyCondition, .temperature, .heartRate, .respiratoryRate,
  ]

  private static let animals: Set<String> = [
    "housemate", "housemates", "sister", "brother", "companion", "littermate", "sibling", "kitten", "puppy", "pup",
    "cat",
    "dog", "rabbit", "bunny", "pony", "mare", "gelding", "dam", "sire", "lab", "labrador", "other", "cagemate",
    "stablemate", "friend", "mate", "bonded", "both", "collie", "spaniel", "terrier", "tom", "donkey", "guinea",
    "ferret",
  ]

  var denial: Measures<DenialFeature> {
    var features = Measures<DenialFeature>()
    guard let first = ranking.readings.first else { return features }
    // "The repeat test was never done" denies a test, and says no to nothing when "FIV antibody POSITIVE" stands beside it.
    let heard = ranking.readings.filter { $0.share >= first.share * Self.voiceShare }
    let most = heard.map { $0.features[.own] }.max() ?? 0
    let telling = heard.filter { $0.features[.own] >= Self.tellingShare * most }
    guard let best = telling.first else { return features }
    let voices = telling.filter { $0.match.target != nil && !$0.isHypothetical }
    // What a note states in all the question's words is no "no", unless somebody denied as much at the same time or later.
    if question.isYesOrNo {
      let stated = voices.filter { voice in
        voice.assertion.isActive && !voice.isDenial && !voice.deniesPart && voice.features[.own] >= Self.fullShare
          && voice.partSigns.isDisjoint(with: [.refusal, .prohibition, .ending, .proposal])
          && !voice.signs.contains(.refusal)
      }
      let denials = voices.filter(\.isDenial)
      let stands = stated.contains { said in
        denials.allSatisfy { $0.features[.own] < said.features[.own] || Reading.isEarlier($0, said) }
          && (said.match.unit.position == best.match.unit.position || !voices.contains { Reading.isEarlier(said, $0) })
      }
      if stands { return features }
    }
    let total = voices.reduce(0) { $0 + $1.share }
    let denied = total > 0 ? voices.filter(\.isDenial).reduce(0) { $0 + $1.share } / total : 0
    let yesNo = question.isYesOrNo && !question.isTerseYesOrNo ? 1.0 : 0
    // "Not to be given again, in no form, carbimazole included": what must not be given stands anywhere in the sentence.
    let refuses = !(question.asks(for: .permission) ? best.signs : best.nearSigns)
      .isDisjoint(with: [.refusal, .prohibition])
    features[.denied] = denied
    features[.deniedYesNo] = denied * yesNo
    features[.bestDenied] = best.isDenial ? 1 : 0
    features[.bestDeniedYesNo] = best.isDenial ? yesNo : 0
    features[.partDenied] = best.deniesPart ? 1 : 0
    features[.partDeniedYesNo] = best.deniesPart ? yesNo : 0
    features[.latestDenied] = voices.max(by: Reading.isEarlier)?.isDenial == true ? 1 : 0
    features[.ended] = question.isAboutPresent && voices.contains(where: \.tellsAnEnd) ? 1 : 0
    features[.refusal] = best.nearSigns.contains(.refusal) ? 1 : 0
    features[.refusalYesNo] = best.nearSigns.contains(.refusal) ? yesNo : 0
    // "Insured?" too: "lapsed in January" is a no.
    let takesNo = question.isYesOrNo || question.words.count == 1
    features[.endingYesNo] = best.nearSigns.contains(.ending) && takesNo ? 1 : 0
    if question.isYesOrNo, best.isHypothetical || best.nearSigns.contains(.proposal), !best.signs.contains(.refusal) {
      features[.proposed] = 1
    }
    features[.healthYesNo] = best.nearSigns.contains(.health) ? yesNo : 0
    if total > 0, yesNo > 0 || question.isTerseYesOrNo || question.words.count == 1 {
      func share(_ sign: SentenceSigns) -> Double {
        voices.filter { $0.nearSigns.contains(sign) }.reduce(0) { $0 + $1.share } / total
      }
      features[.refusalHeard] = share(.refusal)
      features[.healthHeard] = share(.health)
    }
    features[.partRefused] = best.partSigns.contains(.refusal) ? yesNo : 0
    features[.sentenceRefused] = best.signs.contains(.refusal) ? yesNo : 0
    if question.isAboutPresent, best.nearSigns.contains(.ending) { features[.endingNow] = yesNo }
    if question.asks(for: .permission) { features[.prohibited] = refuses ? 1 : 0 }
    let labs =
      best.match.parts.compactMap(\.fact).filter { $0.kind == .lab && $0.value != nil }
      + (best.match.unit.facts.count == 1 ? best.match.unit.facts.filter { $0.kind == .lab } : [])
    let tests = TestQuestion(question, groups: finder.groups)
    // "ECG in August?" "Not available."
    let hasValue = best.match.parts.contains { $0.fact?.kind == .lab && $0.fact?.value != nil }
    let isOfTest = tests.asksForTest || best.match.parts.contains { $0.fact?.kind == .lab }
    if !question.isYesOrNo, isOfTest, !hasValue, best.nearSigns.contains(.refusal),
      best.features[.own] >= Self.mostNamed
    {
      features[.undoneTest] = 1
    }
    if let lab = labs.first, question.isYesOrNo || question.words.count == 1 {
      features[.normalValue] = lab.isWithinReference == true ? 1 : 0
      features[.abnormalValue] = lab.isWithinReference == false ? 1 : 0
    }
    guard features.values.contains(where: { $0 != 0 }) else { return features }
    features[.bias] = 1
    features[.account] = question.asks(for: .account) ? 1 : 0
    features[.affirmed] = best.assertion.isActive && !best.deniesPart && !refuses ? 1 : 0
    features[.ever] = question.asks(for: .ever) ? 1 : 0
    features[.terse] = question.isTerseYesOrNo ? 1 : 0
    // One word alone asks for a value or for whether.
    features[.open] = question.isYesOrNo || question.words.count == 1 ? 0 : 1
    return features
  }
}

extension Reading {
  /// A drug that the question names was stopped, declined or not given.
  var tellsAnEnd: Bool {
    match.parts.contains { part in
      guard let fact = part.fact, fact.kind == .drug else { return false }
      return ["stopped", "declined", "not given"].contains(fact.attributes["action"] ?? "")
        || fact.assertion.polarity == .absent
    }
  }
}

extension Fact {
  /// Whether a laboratory value lies within the range printed beside it; nil where none is.
  var isWithinReference: Bool? {
    guard let value, attributes["reference_low"] != nil || attributes["reference_high"] != nil else { return nil }
    if attributes["flag"] != nil { return false }
    let low = attributes["reference_low"].flatMap(Double.init) ?? -.infinity
    let high = attributes["reference_high"].flatMap(Double.init) ?? .infinity
    return (low...max(low, high)).contains(original?.value ?? value)
  }
}

extension Question.Group {
  /// Whether its words ask for a kind of fact that says it all: "allergies" do, "drug" beside them does not.
  var namesOneKind: Bool { kinds.contains { EvidenceFinder.closeness(of: $0) > 0.9 } }

  /// Whether a table knows the words: a thesaurus row, a drug, a kind of fact.
  var isTerm: Bool { !kinds.isEmpty || alternatives.contains { $0.reason != nil && !$0.isGuess } }
}
