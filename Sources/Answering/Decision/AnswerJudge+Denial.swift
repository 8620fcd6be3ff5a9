import Clinical
import Extraction
import TextAnalysis

extension AnswerJudge {
  /// A sentence, with the one behind it in its note, as ``ReplyModel`` sees it.
  package func features(_ reading: Reading) -> ReplyFeatures {
    ReplyFeatures(of: question, in: reading, next: finder.follower(of: reading.match.place))
  }

  /// Whether the record says no, provided it answers; never to "what does the policy exclude" and "who did his scan?".
  var isDenied: Bool {
    guard let reply, !question.asksForNo, !question.asksForDetail else { return false }
    return reply.noOfAnswers > (isPlainlyStated ? Self.sure : Self.even)
  }

  private static let even = 0.5
  /// Of what is plainly stated a no has to be surer.
  private static let sure = 0.75

  /// Whether the best sentence states all the words of a yes-or-no question ("lame again in trot") and holds no word of a no; where
  /// something is asked to have been done, none beside them: "scan: spleen normal" tells that it was. That is no silence.
  var isPlainlyStated: Bool {
    guard question.isYesOrNo, let best = ranking.readings.first, best.match.target != nil, best.assertion.isActive,
      !best.isHypothetical, !best.deniesPart, best.features[.own] >= Self.fullShare, isOfWhomAndWhen(best)
    else { return false }
    let isOfDeed = question.isAboutPast || question.has(.hadbeen)
    let signs = isOfDeed ? best.nearSigns : best.signs
    return signs.isDisjoint(with: [.refusal, .prohibition, .ending, .proposal, .plan])
      && best.signs.isDisjoint(with: [.undone, .declined])
      && (isOfDeed || !signs.contains(.health) && !question.classes.words(in: best.match.unit).has(.denial))
  }

  /// A sentence that holds this share of the question's words, by their rarity, holds all that matters.
  private static let fullShare = 0.9

  /// Whether a sentence is no question, and of the patient, the side and the time asked about.
  private func isOfWhomAndWhen(_ reading: Reading) -> Bool {
    reading.isAboutPatient && !reading.match.unit.isOfOtherPatient && !reading.signs.contains(.question)
      && reading.features[.otherSide] == 0
      && question.periods.allSatisfy { $0.contains(reading.match.unit.note.recordedAt) }
  }

  /// "MyBPC3 gene test: heterozygous": the best sentence names all specific things that an open question asks for before a colon, and
  /// says something behind it that is no plan and no question.
  var isReported: Bool {
    guard !question.takesNo, !question.isTerseYesOrNo, !finder.groups.contains(where: \.isName),
      let best = ranking.readings.first, !best.isHypothetical, isOfWhomAndWhen(best),
      best.signs.isDisjoint(with: [.plan, .proposal])
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

  /// Names and brands of one thing are at least so close.
  private static let sameThing = 0.9
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
