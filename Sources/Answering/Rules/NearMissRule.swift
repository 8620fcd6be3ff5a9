import Clinical
import Extraction
import TextAnalysis

/// Silence where something near is written: of another animal, as a plan that nobody wrote was carried out, as a question that
/// nobody answered.
///
/// Every sentence that names what is asked for must be such; one that tells of it as done, found, denied or declined answers.
struct NearMissRule: AnswerRule {
  let name = "near miss"

  /// A sentence names a thing at least so closely.
  private static let naming = 0.6
  private static let otherAims: Set<QuestionLexicon.Role> = [
    .others, .next, .advice, .why, .who, .permission, .list, .when,
  ]

  func finding(for asked: AskedRecord) -> RuleFinding? {
    let question = asked.question
    guard question.roles.isDisjoint(with: Self.otherAims), !question.groups.contains(where: \.isName) else {
      return nil
    }
    let finder = asked.ranking.finder
    let things = finder.groups.indices.filter { index in
      let group = finder.groups[index]
      let isThing = group.force == .specific || !group.kinds.isDisjoint(with: [.lab, .procedure])
      return isThing && group.isTerm && question.isAsked(group) && !group.isOrdinary && finder.holders[index] > 0
    }
    guard let rarest = things.max(by: { finder.weights[$0] < finder.weights[$1] }),
      let best = asked.ranking.readings.first
    else { return nil }
    func naming(_ things: [Int]) -> [Reading] {
      asked.ranking.readings.filter { reading in things.contains { reading.match.own[$0] >= Self.naming } }
    }
    let (any, main) = (naming(things), naming([rarest]))
    // What fits best may tell of it in other words.
    func holdsBest(_ readings: [Reading]) -> Bool {
      readings.contains { $0.match.unit.position == best.match.unit.position }
    }
    let isOfOther = holdsBest(any) && any.allSatisfy(Self.isOfOther)
    let judge = AnswerJudge(ranking: asked.ranking)
    let isOpen = judge.asksWhatCame && holdsBest(main) && main.allSatisfy { Self.isOpen($0, judge) }
    guard isOfOther || isOpen else { return nil }
    return RuleFinding(answerClass: .notRecorded, passages: [], coverage: 1)
  }

  private static func isOfOther(_ reading: Reading) -> Bool {
    !reading.isAboutPatient || reading.match.unit.isOfOtherPatient
  }

  /// Offered, to be done, or asked: nobody wrote what came of it.
  private static func isOpen(_ reading: Reading, _ judge: AnswerJudge) -> Bool {
    if isOfOther(reading) { return true }
    // Turned down, perhaps in the next sentence: that is a no.
    if reading.isDenial || judge.isTurnedDown(in: reading.match.unit.note) { return false }
    return reading.isHypothetical || reading.signs.contains(.question)
      || !reading.nearSigns.isDisjoint(with: [.proposal, .plan]) || isAsked(reading)
  }

  /// "Mrs Hill asked whether he could have …", "wonders if", "wants her tested": somebody's question stands before it.
  private static func isAsked(_ reading: Reading) -> Bool {
    guard let target = reading.match.target else { return false }
    let words = WordPhrases.words(in: reading.match.unit.note.text, range: reading.match.unit.range)
    return words.contains { $0.range.lowerBound < target.lowerBound && asking.contains($0.text) }
  }

  private static let asking: Set = [
    "asked", "asks", "asking", "wonders", "wondered", "wondering", "wants", "enquired", "queried",
  ]
}
