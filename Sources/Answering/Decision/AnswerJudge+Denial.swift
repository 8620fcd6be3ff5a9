import Clinical
import Extraction
import TextAnalysis

extension AnswerJudge {
  /// Sentences below this share of the best one's probability say nothing about the answer.
  private static let voiceShare = 0.3
  /// A sentence that holds this share of the question's words, by their rarity, holds all that matters.
  private static let fullShare = 0.9
  /// A sentence that holds less than this share of the question's words than another does is no word on whether.
  private static let tellingShare = 0.25
  /// What found nothing must be what is asked about, by this share of the question's words.
  private static let mostNamed = 0.6

  package var denial: Measures<DenialFeature> {
    var features = Measures<DenialFeature>()
    guard let first = ranking.readings.first, !question.asksForNo, !question.asksForDetail else { return features }
    // "The repeat test was never done" denies a test, and says no to nothing when "FIV antibody POSITIVE" stands beside it.
    let heard = ranking.readings.filter { $0.share >= first.share * Self.voiceShare }
    let most = heard.map { $0.features[.own] }.max() ?? 0
    let telling = heard.filter { $0.features[.own] >= Self.tellingShare * most }
    guard let best = telling.first else { return features }
    let voices = telling.filter { $0.match.target != nil && !$0.isHypothetical }
    let reply = question.takesNo ? repliesNo(best) : Self.undecided
    // What a note states in all the question's words is no "no", unless it is surely said in others.
    if question.isYesOrNo, reply < sureNo, isStated(voices, best) { return features }
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
    features[.ended] = question.isAboutPresent && voices.contains { $0.tellsAnEnd && !goesOn($0) } ? 1 : 0
    let ends = best.nearSigns.contains(.ending) && !goesOn(best)
    features[.refusal] = best.nearSigns.contains(.refusal) ? 1 : 0
    features[.refusalYesNo] = best.nearSigns.contains(.refusal) ? yesNo : 0
    let takesNo = question.takesNo
    features[.endingYesNo] = ends && takesNo ? 1 : 0
    features[.repliesNo] = max(0, 2 * reply - 1)
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
    if question.isAboutPresent, ends { features[.endingNow] = yesNo }
    if question.asks(for: .permission) { features[.prohibited] = refuses ? 1 : 0 }
    measureVoices(&features)
    if question.asksForEffect { features[.ineffective] = best.signs.contains(.inefficacy) ? 1 : 0 }
    let labs =
      best.match.parts.compactMap(\.fact).filter { $0.kind == .lab && $0.value != nil }
      + (best.match.unit.facts.count == 1 ? best.match.unit.facts.filter { $0.kind == .lab } : [])
    if isUndoneTest(best) { features[.undoneTest] = 1 }
    if let lab = labs.first, question.isYesOrNo || takesNo && !namesTest(of: lab) {
      features[.normalValue] = lab.isWithinReference == true ? 1 : 0
      features[.abnormalValue] = lab.isWithinReference == false ? 1 : 0
    }
    guard features.values.contains(where: { $0 != 0 }) else { return features }
    features[.bias] = 1
    features[.repliesYes] = max(0, 1 - 2 * reply)
    features[.account] = question.asks(for: .account) ? 1 : 0
    features[.affirmed] = best.assertion.isActive && !best.deniesPart && !refuses ? 1 : 0
    features[.ever] = question.asks(for: .ever) ? 1 : 0
    features[.terse] = question.isTerseYesOrNo ? 1 : 0
    // One word alone asks for a value or for whether.
    features[.open] = question.isYesOrNo || question.words.count == 1 ? 0 : 1
    return features
  }

  /// Whether a note states all the question's words, and nobody denied as much at the same time or later.
  private func isStated(_ voices: [Reading], _ best: Reading) -> Bool {
    let stated = voices.filter { voice in
      voice.assertion.isActive && !voice.isDenial && !voice.deniesPart && voice.features[.own] >= Self.fullShare
        && voice.partSigns.isDisjoint(with: [.refusal, .prohibition, .ending, .proposal])
        && !voice.signs.contains(.refusal)
    }
    let denials = voices.filter(\.isDenial)
    return stated.contains { said in
      denials.allSatisfy { $0.features[.own] < said.features[.own] || Reading.isEarlier($0, said) }
        && (said.match.unit.position == best.match.unit.position || !voices.contains { Reading.isEarlier(said, $0) })
    }
  }

  /// The probability at which a reply says neither.
  private static let undecided = 0.5
  /// From this probability on a reply is a no though it states what is asked for. Whether something was done a normal result
  /// answers with yes, in words that elsewhere are a no: "scan: spleen normal".
  private var sureNo: Double { question.isAboutPast || question.has(.hadbeen) ? 0.99 : 0.8 }

  /// How likely a sentence, with the one behind it in its note, says no to the question, 0…1. Of one that states what is asked
  /// for it has to be sure.
  private func repliesNo(_ reading: Reading) -> Double {
    let reply = replyProbability(reading) ?? Self.undecided
    let isStatement = reading.assertion.isActive && !reading.deniesPart && reading.match.target != nil
    return isStatement && reply < sureNo ? min(reply, Self.undecided) : reply
  }

  /// The best sentence names something of the question, and its words are surely a no to it.
  var isSurelyDenied: Bool {
    guard question.takesNo, let best = ranking.readings.first else { return false }
    let names = finder.groups.indices.contains { group in
      finder.groups[group].force != .weak && !finder.groups[group].isName
        && best.match.own[group] >= Match.naming
    }
    return names && (replyProbability(best) ?? Self.undecided) >= Self.surely
  }

  /// "MyBPC3 gene test: heterozygous": the best sentence names all specific things that an open question asks for before a colon, and
  /// says something behind it that is no plan and no question.
  var isReported: Bool {
    guard !question.takesNo, !question.isTerseYesOrNo, !finder.groups.contains(where: \.isName),
      let best = ranking.readings.first, !best.isHypothetical,
      best.isAboutPatient, !best.match.unit.isOfOtherPatient,
      best.signs.isDisjoint(with: [.question, .plan, .proposal]), best.features[.otherSide] == 0,
      question.periods.allSatisfy({ $0.contains(best.match.unit.note.recordedAt) })
    else { return false }
    let (asked, unit) = (askedThings, best.match.unit)
    let named = best.match.parts.filter { asked.contains($0.group) && $0.closeness >= Self.sameThing }
    guard !asked.isEmpty, asked.allSatisfy({ group in named.contains { $0.group == group } }),
      let end = named.map(\.range.upperBound).max(), end < unit.range.upperBound,
      let rest = unit.note.text.slice(utf8: end..<unit.range.upperBound)
    else { return false }
    let colon = rest.firstIndex { !$0.isWhitespace }
    return colon.map { rest[$0] == ":" && rest[rest.index(after: $0)...].contains(where: \.isLetter) } ?? false
  }

  /// Set by judgement. Of the fourteen answers that it changed, of 3,137 of read folders and folders left out of the fit, eight
  /// became right and five wrong.
  private static let surely = 0.97

  /// The same by its words alone; nil where nothing was learned.
  func replyProbability(_ reading: Reading) -> Double? {
    ranking.replies.probability(
      ReplyFeatures(of: question, in: reading, next: finder.follower(of: reading.match.place)))
  }

  /// Whether the best sentence tells what this patient did not bear, and something that it names is asked for, or reactions and
  /// nothing else, but no test: over that there is no silence, whatever was learned.
  var isOfReaction: Bool {
    guard let best = ranking.readings.first, best.match.unit.unborne == .reaction, best.isAboutPatient,
      !best.match.unit.isOfOtherPatient, question.kinds.isDisjoint(with: [.lab]),
      !TestQuestion(question, groups: finder.groups).asksForTest
    else { return false }
    let asked = askedThings
    return asked.isEmpty
      ? !question.kinds.isDisjoint(with: [.reaction, .allergy])
      : asked.contains { best.match.own[$0] >= Match.naming }
  }

  /// The same, and nothing in that sentence is denied or refused: it says no to nothing. That the drug was withdrawn or must not be
  /// given again is a no to whether it is or may be given, and none to what it did.
  var isOfPlainReaction: Bool {
    guard isOfReaction, let best = ranking.readings.first else { return false }
    let asksForGiving = question.isAboutPresent || question.asks(for: .permission) || question.isBarred
    return !best.isDenial && !best.deniesPart
      && best.signs.isDisjoint(with: asksForGiving ? [.refusal, .prohibition, .ending] : [.refusal])
  }

  /// What later notes tell of what the best sentence says was left undone: "Echo not done today", and a month later "Echo: mild
  /// regurgitation". It was left undone once, which says no to nothing.
  var doneLater: [EvidenceUnit] {
    guard let best = ranking.readings.first, best.nearSigns.contains(.undone) || best.signs.contains(.undone),
      let rarest = askedThings.max(by: { finder.weights[$0] < finder.weights[$1] })
    else { return [] }
    let since = best.match.unit.note.recordedAt
    let asksForTest = TestQuestion(question, groups: finder.groups).asksForTest
    let headed = finder.units.indices.filter { index in
      finder.units[index].note.recordedAt > since && finder.isHeaded(index, by: rarest)
    }
    if !headed.isEmpty { return headed.map { finder.units[$0] } }
    // Everything specific that the question names, circumstances too: "insured now" says nothing of when she had the pyometra.
    let things = finder.groups.indices.filter { finder.groups[$0].force == .specific && !finder.groups[$0].isName }
    let told = ranking.readings.filter { later in
      later.match.unit.note.recordedAt > since && things.allSatisfy { later.match.own[$0] >= Self.sameThing }
        && question.periods.allSatisfy { $0.contains(later.match.unit.note.recordedAt) }
        && later.assertion.isActive && !later.deniesPart && later.isAboutPatient && !later.match.unit.isOfOtherPatient
        && later.nearSigns.isDisjoint(with: [.undone, .refusal, .proposal, .question, .plan])
        && (asksForTest || !isResult(later))
    }
    return told.sorted(by: Reading.isEarlier).map(\.match.unit)
  }

  /// "Neut 3.9": what it names is a count of cells, whatever else the letters mean.
  private func isResult(_ reading: Reading) -> Bool {
    let results = reading.match.unit.facts.filter { $0.kind == .lab && $0.hasValue }
    return reading.match.parts.contains { part in results.contains { $0.range.overlaps(part.range) } }
  }

  /// What tells that, in the time asked about, a test for something that is asked for was positive, in the last of the sentences that
  /// deny it ("FIV positive, FeLV negative") or after them, in time order: over that there is no "no".
  func positiveTests(after denials: [Reading]) -> [Reading] {
    guard let last = denials.max(by: Reading.isEarlier) else { return [] }
    let asked = askedThings
    return ranking.readings.filter { reading in
      !Reading.isEarlier(reading, last) && !reading.match.unit.isOfOtherPatient
        && question.periods.allSatisfy { $0.contains(reading.match.unit.note.recordedAt) }
        && asked.contains { tellsOfPositiveTest(reading, for: $0) }
    }.sorted(by: Reading.isEarlier)
  }

  private func tellsOfPositiveTest(_ reading: Reading, for group: Int) -> Bool {
    reading.match.parts.contains { part in
      // The closest: a sentence that names FeLV is no word on it by naming FIV, too.
      part.group == group && part.closeness >= max(Match.naming, reading.match.own[group])
        && reading.match.unit.facts.contains { $0.isPositiveTest && $0.range.overlaps(part.range) }
    }
  }

  /// Nothing specific that is asked for, though a table knows it, has a word in the record: whatever is denied there is another
  /// thing.
  var asksForNothingNamed: Bool {
    let groups = finder.groups
    let asked = groups.indices.filter { question.isAsked(groups[$0]) && groups[$0].force == .specific }
    return asked.contains { groups[$0].isTerm } && asked.allSatisfy { finder.holders[$0] == 0 }
  }

  /// The groups of the specific things asked for, names aside.
  private var askedThings: [Int] {
    let groups = finder.groups
    return groups.indices.filter {
      question.isAsked(groups[$0]) && groups[$0].force == .specific && !groups[$0].isName
    }
  }

  /// That of them which the fewest sentences name, of those that any does.
  private var rarestAsked: Int? {
    askedThings.filter { finder.holders[$0] > 0 }.max { finder.weights[$0] < finder.weights[$1] }
  }

  /// "ECG in August?" "Not available."
  private func isUndoneTest(_ best: Reading) -> Bool {
    let labs = best.match.parts.compactMap(\.fact).filter { $0.kind == .lab }
    let isOfTest = TestQuestion(question, groups: finder.groups).asksForTest || !labs.isEmpty
    return !question.isYesOrNo && isOfTest && labs.allSatisfy { $0.value == nil }
      && best.nearSigns.contains(.refusal) && best.features[.own] >= Self.mostNamed
  }

  /// What the sentences say that name what is asked for, each counted once, however well it fits otherwise: of "what did they
  /// find when the lungs were scoped" none but those that tell of a bronchoscopy say whether there was one.
  private func measureVoices(_ features: inout Measures<DenialFeature>) {
    guard let rarest = rarestAsked else { return }
    let naming = ranking.readings.filter { reading in
      reading.match.own[rarest] >= Match.naming && reading.isAboutPatient
        && !reading.signs.contains(.question) && !reading.match.unit.isOfOtherPatient
    }
    guard !naming.isEmpty else { return }
    let denials = naming.filter { saysNo($0, to: rarest) }
    features[.askedDenied] = Double(denials.count) / Double(naming.count)
    if naming.max(by: Reading.isEarlier).map({ saysNo($0, to: rarest) }) == true { features[.latestAsked] = 1 }
    // To an open question only what names most of it says no: not that she "does not want a tube", of "the best time to ring".
    let isOpen =
      !question.isYesOrNo && question.words.count > 1
      && denials.contains { $0.features[.own] >= Self.mostOfOpen }
    if denials.count == naming.count {
      features[.unanimous] = 1
      features[.unanimousOpen] = isOpen ? 1 : 0
    }
    let undone = naming.filter { isUndone($0, rarest) }
    if !undone.isEmpty,
      naming.allSatisfy({ reading in
        isUndone(reading, rarest) || reading.isHypothetical || !reading.nearSigns.isDisjoint(with: [.proposal, .plan])
      })
    {
      features[.undone] = 1
      features[.undoneOpen] = isOpen ? 1 : 0
    }
  }

  /// Names and brands of one thing are at least so close.
  private static let sameThing = 0.9
  private static let mostOfOpen = 0.5

  private func saysNo(_ reading: Reading, to group: Int) -> Bool {
    guard let place = reading.match.parts.firstIndex(where: { $0.group == group }) else { return false }
    return reading.partDenials[place] || reading.partClauses[place].contains(.refusal)
  }

  /// Whether a sentence says that what is asked for was declined, put off or not done; what its clause only proposes ("offered,
  /// not wanted for now") may be declined in the next.
  private func isUndone(_ reading: Reading, _ group: Int) -> Bool {
    guard let place = reading.match.parts.firstIndex(where: { $0.group == group }) else { return false }
    let near = reading.partClauses[place]
    return near.contains(.undone) || (near.contains(.proposal) && reading.signs.contains(.undone))
  }

  /// Whether the question names a test itself, so that its value is the answer, rather than what it tests for.
  private func namesTest(of lab: Fact) -> Bool {
    let words = Set(WordForm.runs(of: lab.name))
    return !words.isDisjoint(with: question.words)
      || finder.groups.contains { group in
        group.kinds.contains(.lab) || group.alternatives.contains { $0.weight >= 1 && words.isSuperset(of: $0.terms) }
      }
  }
}

extension AnswerJudge {
  /// "Furosemide stopped and replaced by torasemide", of a water tablet: another that the question's words mean goes on.
  private func goesOn(_ reading: Reading) -> Bool {
    let unit = reading.match.unit
    return reading.match.parts.contains { part in
      guard part.closeness < 1, let ended = part.fact, ended.kind == .drug else { return false }
      return unit.facts.contains { other in
        other.kind == .drug && other.name != ended.name && other.assertion.isActive
          && finder.groups[part.group].alternatives.contains { alternative in
            alternative.terms.contains { term in
              unit.tokens.contains { $0.text == term && $0.range.overlaps(other.range) }
            }
          }
      }
    }
  }
}

extension Reading {
  /// A drug that the question names was stopped, declined or not given.
  var tellsAnEnd: Bool {
    match.parts.contains { part in
      guard let fact = part.fact, fact.kind == .drug else { return false }
      return fact.hasAction(in: TreatmentAction.ends) || fact.assertion.polarity == .absent
    }
  }
}

extension Fact {
  fileprivate var isPositiveTest: Bool { kind == .lab && lab?.result == .positive && assertion.isActive }

  /// Whether a laboratory value lies within the range printed beside it; nil where none is.
  var isWithinReference: Bool? {
    guard let value, let lab, let reference = lab.reference else { return nil }
    if lab.flag != nil { return false }
    let low = reference.low ?? -.infinity
    let high = reference.high ?? .infinity
    return (low...max(low, high)).contains(original?.value ?? value)
  }
}
