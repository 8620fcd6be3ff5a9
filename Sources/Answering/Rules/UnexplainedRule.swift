import Clinical
import Extraction

/// Silence where the reason for a change is asked for and the record says only that it was made: "Propalin stopped."
///
/// A reason may stand in other sentences than the one that tells what was done, seldom far away: a word for a reason in it or beside
/// it, or a sign, a result or a failure in it or right before it.
struct UnexplainedRule: AnswerRule {
  let name = "unexplained"

  func finding(for asked: AskedRecord) -> RuleFinding? {
    let question = asked.question
    guard question.asks(for: .why), question.asks(for: .change), !question.isYesOrNo, question.isAboutPast,
      let topic = AskedTopic(asked)
    else { return nil }
    let told = topic.tellings
    guard !told.isEmpty, told.allSatisfy({ !isExplained($0, asked) }) else { return nil }
    return .silence
  }

  private func isExplained(_ reading: Reading, _ asked: AskedRecord) -> Bool {
    let position = reading.match.unit.position
    func beside(_ distance: Int) -> EvidenceUnit? {
      let place = position + distance
      guard asked.units.indices.contains(place), asked.units[place].note.id == reading.match.unit.note.id else {
        return nil
      }
      return asked.units[place]
    }
    let near = [beside(-1), beside(0), beside(1)].compactMap { $0 }
    if near.contains(where: \.isOfReaction) { return true }
    if near.contains(where: { !asked.reader.signs.signs(of: $0).isDisjoint(with: [.cause, .inefficacy]) }) {
      return true
    }
    return [beside(-1), beside(0)].compactMap { $0 }.contains { unit in
      unit.facts.contains { Self.explaining.contains($0.kind) && $0.assertion.isActive }
    }
  }

  private static let explaining: Set<FactKind> = [.finding, .problem, .lab]
}
