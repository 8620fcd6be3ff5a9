import Chart
import Clinical
import Extraction
import TextAnalysis

/// Two notes that can't both be right of when something was last so: one says "last fit 4 March", another tells of one in May, which
/// was before the first was written.
///
/// What happened after a note was written is no disagreement with it. A date that can be read in two ways has to disagree in both.
struct LastDateRule: AnswerRule {
  let name = "last dates"

  private static let otherAims: Set<QuestionLexicon.Role> = [
    .why, .who, .next, .first, .amount, .count, .others, .list,
  ]
  /// A sentence names a thing in other words at least so closely.
  private static let naming = 0.6
  /// Words between a thing and its date, and between "last" and the thing.
  private static let reach = 5

  /// When a sentence says that something was so.
  private struct Claim {
    let reading: Reading
    let date: WrittenDate
    /// It says that this was the last time.
    let isLast: Bool
  }

  func finding(for asked: AskedRecord) -> RuleFinding? {
    let question = asked.question
    guard question.asks(for: .last) || question.has(.latest), !question.isYesOrNo, question.periods.isEmpty,
      question.roles.isDisjoint(with: Self.otherAims), question.asks(for: .when) || question.isTerse,
      let topic = AskedTopic(asked)
    else { return nil }
    let claims = topic.mentions(least: Self.naming).sorted(by: Reading.isEarlier).compactMap { claim(of: $0, asked) }
    for last in claims where last.isLast {
      guard let other = claims.last(where: { isBetween($0, last, asked) }) else { continue }
      let both = [last.reading, other.reading].sorted(by: Reading.isEarlier)
      return RuleFinding(
        answerClass: .conflicting, passages: both.map { ($0.match.unit, $0.match.unit.range) }, coverage: 1)
    }
    return nil
  }

  /// Whether the one was after what the other says was the last time, and before the other was written.
  private func isBetween(_ other: Claim, _ last: Claim, _ asked: AskedRecord) -> Bool {
    let note = last.reading.match.unit.note
    guard other.reading.match.unit.note.id != note.id else { return false }
    let written = asked.date(of: note)
    let (before, after) = (last.date.readings, other.date.readings)
    return (0..<max(before.count, after.count)).allSatisfy { index in
      let (first, second) = (before[min(index, before.count - 1)], after[min(index, after.count - 1)])
      return first.upperBound < second.lowerBound && second.upperBound <= written
    }
  }

  /// Nil where a sentence gives no day for what it names, or tells of no time that was.
  private func claim(of reading: Reading, _ asked: AskedRecord) -> Claim? {
    let unit = reading.match.unit
    guard !reading.isDenial, !reading.isHypothetical, reading.isAboutPatient, !unit.isOfOtherPatient,
      let target = reading.match.target
    else { return nil }
    let words = asked.question.classes.words(in: unit)
    guard let place = words.firstIndex(where: { $0.range.overlaps(target) }) else { return nil }
    let written = asked.date(of: unit.note)
    guard let (date, start) = date(behind: place, in: words, of: unit.note, writtenOn: written),
      date.readings.allSatisfy({ $0.lowerBound <= written })
    else { return nil }
    let isLast = words[max(0, place - Self.reach)..<start].contains { $0.isOne(of: .last) || $0.isOne(of: .latest) }
    return Claim(reading: reading, date: date, isLast: isLast)
  }

  /// The first date behind a word.
  private func date(
    behind place: Int, in words: [ClassedWord], of note: ClinicalNote, writtenOn day: CalendarDate
  ) -> (date: WrittenDate, start: Int)? {
    for start in words.indices.dropFirst(place + 1).prefix(Self.reach) {
      for length in stride(from: min(3, words.count - start), through: 1, by: -1) {
        let range = words[start].range.lowerBound..<words[start + length - 1].range.upperBound
        guard let text = note.text.slice(utf8: range), text.contains(where: \.isNumber), text.count > 2,
          let date = WrittenDate(text, writtenOn: day, .backwards)
        else { continue }
        return (date, start)
      }
    }
    return nil
  }
}
