import Clinical
import Extraction
import TextAnalysis

/// Silence where a figure is asked for and the record says only that it was measured, or that it was high: "T4 back, fine".
struct UnwrittenValueRule: AnswerRule {
  let name = "unwritten value"

  private static let otherAims: Set<QuestionLexicon.Role> = [
    .others, .why, .who, .when, .advice, .permission, .next, .trend, .extreme, .comparison, .count, .list, .frequency,
    .side,
  ]

  func finding(for asked: AskedRecord) -> RuleFinding? {
    let question = asked.question
    guard !question.isYesOrNo, question.roles.isDisjoint(with: Self.otherAims),
      question.has(.figure), let topic = AskedTopic(asked)
    else { return nil }
    let told = asked.ranking.readings.filter { reading in
      reading.match.own[topic.rarest] >= Match.naming && isInTime(reading, question)
    }
    guard !told.isEmpty, told.allSatisfy({ !Self.hasFigure($0, question.classes) && !Self.isLeftUndone($0) }) else {
      return nil
    }
    return .silence
  }

  private func isInTime(_ reading: Reading, _ question: Question) -> Bool {
    question.periods.isEmpty || question.periods.contains { $0.contains(reading.match.unit.note.recordedAt) }
  }

  /// That it was not measured is a no.
  private static func isLeftUndone(_ reading: Reading) -> Bool {
    reading.isDenial || !reading.signs.isDisjoint(with: [.undone, .refusal])
  }

  /// A value of it, a number beside its name, or a sample that is not back.
  private static func hasFigure(_ reading: Reading, _ classes: QuestionClasses) -> Bool {
    let unit = reading.match.unit
    if unit.facts.contains(where: { $0.kind == .pendingResult }) || SampleAnswer.tellsOfSample(unit, classes) {
      return true
    }
    return reading.match.parts.contains { part in
      if unit.facts.contains(where: { $0.hasValue && $0.kind != .drug && $0.range.overlaps(part.range) }) {
        return true
      }
      guard EvidenceRanking.hasNumber(in: unit, beside: part.range, classes) else { return false }
      return part.fact?.kind != .drug || isConcentration(behind: part.range, in: unit)
    }
  }

  /// "Digoxin 1.1 ng/ml" is a level, "digoxin 0.125 mg" a dose.
  private static func isConcentration(behind name: Range<Int>, in unit: EvidenceUnit) -> Bool {
    WordPhrases.words(in: unit.note.text, range: unit.range)
      .filter { $0.range.lowerBound >= name.upperBound }.prefix(concentrationReach)
      .contains { $0.text.hasSuffix("/ml") || $0.text.hasSuffix("/l") }
  }

  private static let concentrationReach = 3
}
