import Chart
import Clinical
import Extraction
import TextAnalysis

/// Silence where something near is written: of another animal or person, of the other side or another time, as a plan that nobody
/// wrote was carried out, under a condition, as a question that nobody answered.
///
/// The sentences that name what is asked for must all be such; one that tells of it as done, found, denied or declined answers,
/// and so does a later note that tells of it in other words.
struct NearMissRule: AnswerRule {
  let name = "near miss"

  /// What is told of others, of plans and of advice is no near miss where that is asked for.
  private static let otherAims: Set<QuestionLexicon.Role> = [.others, .next, .advice, .why, .who, .permission, .list]
  func finding(for asked: AskedRecord) -> RuleFinding? {
    guard asked.question.roles.isDisjoint(with: Self.otherAims) else { return nil }
    let nearMiss = NearMiss(asked)
    let isMissed = isNearMiss(asked, nearMiss) || asked.occasions.contains { isUntold($0, asked, nearMiss) }
    return isMissed ? RuleFinding.silence : nil
  }

  private func isNearMiss(_ asked: AskedRecord, _ nearMiss: NearMiss) -> Bool {
    guard let topic = AskedTopic(asked), !asked.awaitsResult else { return false }
    var told = topic.tellings
    if told.isEmpty {
      // No sentence names most of it: then all that name any of it have to be of others.
      told = topic.mentions(least: Match.naming)
      guard told.allSatisfy(nearMiss.isOfOther) else { return false }
    }
    // What fits best may tell of it without naming it.
    guard !told.isEmpty, told.allSatisfy(nearMiss.isSilent),
      asked.ranking.readings.first.map(nearMiss.isSilent) == true
    else { return false }
    return !isTold(topic.rarest, since: told, nearMiss, asked)
  }

  /// "How did he do after the flush?" supposes that there was one.
  private func isUntold(_ occasion: Int, _ asked: AskedRecord, _ nearMiss: NearMiss) -> Bool {
    let named = asked.ranking.readings.filter { $0.match.own[occasion] >= 1 }
    return !named.isEmpty && named.allSatisfy(nearMiss.isSilent) && !isTold(occasion, since: named, nearMiss, asked)
  }

  /// Whether the very words stand in a sentence that tells of it, or other words for it in a later note.
  private func isTold(_ group: Int, since told: [Reading], _ nearMiss: NearMiss, _ asked: AskedRecord) -> Bool {
    guard let first = told.min(by: Reading.isEarlier) else { return false }
    return asked.ranking.readings.contains { reading in
      let isLater =
        Reading.isEarlier(first, reading) && reading.match.unit.note.id != first.match.unit.note.id
      return reading.match.own[group] >= (isLater ? Match.naming : 1) && !nearMiss.isSilent(reading)
    }
  }
}

/// Whether a sentence that names something says nothing of it having been so for the patient, on the side and at the time asked
/// about.
private struct NearMiss {
  let asked: AskedRecord
  let judge: AnswerJudge
  private let others: OtherAnimals

  init(_ asked: AskedRecord) {
    self.asked = asked
    judge = AnswerJudge(ranking: asked.ranking)
    others = OtherAnimals(in: asked)
  }

  private var question: Question { judge.question }

  func isSilent(_ reading: Reading) -> Bool {
    // Over a reaction of the patient's there is no silence, however it is told or asked for.
    let isOfReaction =
      !question.kinds.isDisjoint(with: [.allergy, .reaction]) || reading.match.unit.isOfReaction
    return isOfOther(reading)
      || !isOfReaction && (isOfOtherSide(reading) || isOfOtherTime(reading) || isOpen(reading))
  }

  func isOfOther(_ reading: Reading) -> Bool {
    // Another animal or a person is named: what is told of them may be what is asked.
    if question.groups.contains(where: \.isName) { return false }
    if reading.match.unit.isOfOtherPatient { return true }
    if let target = reading.match.target,
      others.isSubject(of: reading.match.unit, before: target)
    {
      return true
    }
    // What is dispensed is taken home by a person.
    return !reading.isAboutPatient && !has(reading, [.dispensed])
  }

  private func isOfOtherSide(_ reading: Reading) -> Bool {
    let asked = question.sides
    guard !asked.isEmpty, question.sidePart != nil else { return false }
    let named = Side.named(in: reading.match.unit, question.classes)
    return !named.isEmpty && named.isDisjoint(with: asked)
  }

  /// Written at another time than the one asked about, and telling of no time itself.
  private func isOfOtherTime(_ reading: Reading) -> Bool {
    guard let asked = question.periods.first, question.periods.count == 1, !question.isOverTime,
      !question.has([.since, .before, .after, .when, .timeedge]), question.roles.isDisjoint(with: [.when, .last])
    else { return false }
    let written = reading.match.unit.note.recordedAt
    return !reading.isDenial
      && (written < asked.lowerBound || written >= asked.upperBound.adding(days: Self.daysUntilTold))
      && !reading.signs.contains(.date) && reading.assertion.temporality != .historical
  }

  /// What happened in a month may stand in a note of the next.
  private static let daysUntilTold = 45

  /// Offered, to be done, or asked: nobody wrote what came of it.
  private func isOpen(_ reading: Reading) -> Bool {
    // That is a no; "will think about it" is none.
    if reading.isDenial && !isUndecided(reading) || isTurnedDown(reading) { return false }
    // A value is what came of it, whatever is to be done next; that a result is not back is an answer.
    if reading.match.parts.contains(where: { $0.fact?.hasValue == true }) || has(reading, TreatmentAction.done)
      || SampleAnswer.tellsOfAwaited(reading.match.unit, question.classes)
    {
      return false
    }
    if isSampled(reading) { return true }
    // "Excess £140 due each October" tells how much.
    if question.asks(for: .amount), EvidenceRanking.hasNumberBeside(reading.match, question.classes) { return false }
    if reading.isHypothetical || reading.signs.contains(.question) || isAsked(reading) || isConditional(reading)
      || isUnknown(reading)
    {
      return true
    }
    guard judge.asksWhatCame || question.isTerse else { return false }
    return !reading.nearSigns.isDisjoint(with: [.proposal, .plan])
  }

  /// Denied as something that is only thought of, in no words of refusal.
  private func isUndecided(_ reading: Reading) -> Bool {
    reading.isHypothetical && reading.signs.isDisjoint(with: [.refusal, .prohibition, .ending])
      && !question.classes.words(in: reading.match.unit).has(.denial)
  }

  /// "B12 sent", "mass to histo", "bled for T4", where a result is asked for: nobody wrote what it showed.
  private func isSampled(_ reading: Reading) -> Bool {
    guard let target = reading.match.target, !question.has([.sent, .sampled]),
      reading.signs.isDisjoint(with: [.health, .refusal]),
      judge.asksForResult || judge.asksWhatCame && !question.isYesOrNo
    else { return false }
    let words = question.classes.words(in: reading.match.unit)
    // "Spay routine, uterus sent for histology" tells how the spay went.
    let behind = words.filter { $0.range.lowerBound >= target.upperBound }.prefix(Self.sentReach)
    guard judge.asksForResult else { return behind.contains { $0.isOne(of: .sent) } }
    // To the laboratory, or for the test.
    let isBound = zip(words, words.dropFirst()).contains { link, next in
      link.isOne(of: .to) && next.isOne(of: [.laboratory, .othersample, .notblood])
        || link.isOne(of: .aim) && next.range.overlaps(target)
    }
    return words.has([.sent, .sampled]) || isBound
      || reading.match.unit.facts.contains { $0.kind == .pendingResult }
  }

  /// Words behind the name of a sample within which it is said to be sent.
  private static let sentReach = 2

  /// "UPCR if she can manage the cost": a test or treatment with its condition behind it. A sign would be what happens then.
  private func isConditional(_ reading: Reading) -> Bool {
    guard let part = reading.match.parts.first else { return false }
    let group = judge.finder.groups[part.group]
    let kinds = group.kinds.union(part.fact.map { [$0.kind] } ?? [])
    let isTest = TestQuestion(question, groups: judge.finder.groups).asksForTest && part.fact == nil
    guard group.isDrug || isTest || !kinds.isDisjoint(with: Self.undertaken) else { return false }
    return question.classes.words(in: reading.match.unit).contains {
      $0.range.lowerBound >= part.range.upperBound && $0.isOne(of: .condition)
    }
  }

  private static let undertaken: Set<FactKind> = [.procedure, .lab, .vaccination, .drug]

  /// "MDR1 status: owner doesn't know", "not sure which": right behind its name.
  private func isUnknown(_ reading: Reading) -> Bool {
    guard let target = reading.match.target else { return false }
    let words = question.classes.words(in: reading.match.unit)
      .filter { $0.range.lowerBound >= target.upperBound }.prefix(Self.unknownReach)
    return words.indices.contains { index in
      words[index].isOne(of: .unknown)
        || words[index].isOne(of: .knowing)
          && words[max(0, index - 2)..<index].contains { $0.text == WordForm.not }
    }
  }

  /// Words behind a name within which it may be said to be unknown.
  private static let unknownReach = 7

  private func has(_ reading: Reading, _ actions: [TreatmentAction]) -> Bool {
    reading.match.parts.contains { part in
      part.fact.map { $0.hasAction(in: actions) && $0.assertion.temporality != .hypothetical } ?? false
    }
  }

  /// "Offered a scan. Too dear": turned down or left undone, perhaps in one of the next sentences.
  private func isTurnedDown(_ reading: Reading) -> Bool {
    let unit = reading.match.unit
    return judge.ranking.readings.contains { other in
      let next = other.match.unit
      return next.note.id == unit.note.id && (0...Self.replyReach).contains(next.position - unit.position)
        && other.signs.contains(.undone)
    }
  }

  /// Sentences behind an offer in which its answer may stand.
  private static let replyReach = 2

  /// "Mrs Hill asked whether he could have …", "wonders if", "wants her tested": somebody's question stands before it.
  private func isAsked(_ reading: Reading) -> Bool {
    guard let target = reading.match.target else { return false }
    let words = question.classes.words(in: reading.match.unit)
    guard let place = words.first(.wishing), place + 1 < words.count else {
      return false
    }
    // "Asks for an estimate" wishes for one.
    return words[place].range.lowerBound < target.lowerBound && !words[place + 1].isOne(of: .aim)
  }
}
