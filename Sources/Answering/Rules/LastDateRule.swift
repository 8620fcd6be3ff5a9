import Chart
import Clinical
import Extraction
import TextAnalysis

/// Two notes that can't both be right of when something was last so: one says "last fit 4 March", another tells of one in May, which
/// was before the first was written.
///
/// What happened after a note was written is no disagreement with it. A date that can be read in two ways has to disagree however it is read.
struct LastDateRule: AnswerRule {
  let name = "last dates"

  private static let otherAims: Set<QuestionLexicon.Role> = [
    .why, .who, .next, .first, .amount, .count, .others, .list,
  ]
  /// Of which one is not the other: a rabies vaccine and one against leptospirosis, two analytes.
  private static let otherKinds: Set<FactKind> = [
    .vaccination, .parasiteControl, .lab, .weight, .bodyCondition, .temperature, .heartRate, .respiratoryRate,
  ]
  /// What "last" is of where it is of no event.
  private static let times = QuestionClassSet.lengths.union([.occasion])
  /// What may stand between a thing and its date.
  private static let links: QuestionClassSet = [.be, .on, .at, .of, .article, .dating]
  /// Of another time than the date behind it.
  private static let borders: QuestionClassSet = [.since, .before, .after]
  /// Words between a thing and its date.
  private static let reach = 3

  /// When a sentence says that something was so.
  private struct Claim {
    let reading: Reading
    /// Where it names what was so.
    let part: Match.Part
    let date: WrittenDate
    /// It says that this was the last time.
    let isLast: Bool
  }

  func finding(for asked: AskedRecord) -> RuleFinding? {
    let question = asked.question
    guard question.asks(for: .last) || question.has(.latest), !question.isYesOrNo, question.periods.isEmpty,
      question.kinds.isDisjoint(with: Self.otherKinds), question.roles.isDisjoint(with: Self.otherAims),
      question.asks(for: .when) || question.isTerse,
      let topic = AskedTopic(asked)
    else { return nil }
    let claims = topic.mentions(least: Match.naming).sorted(by: Reading.isEarlier)
      .compactMap { claim(of: topic.rarest, in: $0, asked) }
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
    let names = [other, last].compactMap(\.part.fact?.name)
    guard names.count < 2 || names[0] == names[1] else { return false }
    // What was written on the day it tells of may have been written before it.
    let written = asked.date(of: note)
    return last.date.readings.allSatisfy { first in
      other.date.readings.allSatisfy { first.upperBound < $0.lowerBound && $0.upperBound < written }
    }
  }

  /// Nil where a sentence gives no day for a group of the question, or tells of no time that was.
  private func claim(of group: Int, in reading: Reading, _ asked: AskedRecord) -> Claim? {
    let unit = reading.match.unit
    guard !reading.isDenial, !reading.isHypothetical, reading.isAboutPatient, !unit.isOfOtherPatient,
      reading.nearSigns.isDisjoint(with: [.plan, .proposal, .question, .change]),
      let part = reading.match.parts.first(where: { $0.group == group })
    else { return nil }
    let words = asked.question.classes.words(in: unit)
    // "Last fit" may be the name itself.
    guard let place = words.lastIndex(where: { $0.range.overlaps(part.range) }) else { return nil }
    let written = asked.date(of: unit.note)
    guard let date = date(behind: place, of: reading, in: words, writtenOn: written),
      date.readings.allSatisfy({ $0.lowerBound <= written })
    else { return nil }
    return Claim(reading: reading, part: part, date: date, isLast: isLast(place, in: words, of: unit.note))
  }

  /// "Last fit", "last grand fit"; not "since the last visit, a fit", nor "fit last week".
  private func isLast(_ place: Int, in words: [ClassedWord], of note: ClinicalNote) -> Bool {
    guard let last = words[max(0, place - 2)..<place].lastIndex(where: { $0.isOne(of: .last) || $0.isOne(of: .latest) })
    else { return false }
    return words[(last + 1)..<place].allSatisfy { !$0.isOne(of: Self.times) }
      && !isCut(words[last].range.upperBound..<words[place].range.lowerBound, in: note)
  }

  /// The date right behind a word, or behind "was on", "in" and the like.
  private func date(
    behind place: Int, of reading: Reading, in words: [ClassedWord], writtenOn day: CalendarDate
  ) -> WrittenDate? {
    let note = reading.match.unit.note
    let named = reading.match.parts.flatMap { [$0.range] + $0.others }
    for start in words.indices.dropFirst(place + 1).prefix(Self.reach + 1) {
      for length in stride(from: min(3, words.count - start), through: 1, by: -1) {
        let range = words[start].range.lowerBound..<words[start + length - 1].range.upperBound
        guard let text = note.text.slice(utf8: range),
          !isCut(words[place].range.upperBound..<range.lowerBound, in: note),
          isDay(
            text,
            endsClause: isCut(
              range.upperBound..<(words.dropFirst(start + length).first?.range.lowerBound ?? range.upperBound),
              in: note, atEnd: start + length == words.count)),
          let date = WrittenDate(text, writtenOn: day, .backwards)
        else { continue }
        return date
      }
      guard
        words[start].isOne(of: Self.links) && !words[start].isOne(of: Self.borders)
          || named.contains(where: { $0.overlaps(words[start].range) })
      else {
        return nil
      }
    }
    return nil
  }

  /// With the name of its month, or in three numbers; "19/5" only at the end of a clause, since "1/2 tab" and "2/5 lame" are none.
  private func isDay(_ text: Substring, endsClause: Bool) -> Bool {
    let parts = text.split { !$0.isLetter && !$0.isNumber }
    guard parts.count > 1, text.contains(where: \.isNumber), !text.contains(".") || parts.count == 3 else {
      return false
    }
    if parts.contains(where: { WrittenDate.month($0.lowercased()) != nil }) { return true }
    return parts.allSatisfy { $0.allSatisfy(\.isNumber) } && (parts.count == 3 || endsClause && text.contains("/"))
  }

  /// Another clause begins between.
  private func isCut(_ range: Range<Int>, in note: ClinicalNote, atEnd: Bool = false) -> Bool {
    atEnd || note.text.slice(utf8: range).map { $0.contains { ",;.()".contains($0) } } ?? true
  }
}
