import Clinical
import Extraction
import TextAnalysis

/// Answers for a test with the sentence that says it was not done: "ammonia not tested", "ECG not available"; or with what a later
/// note reports under its heading.
struct UndoneTest {
  /// Words name a test at least so closely.
  private static let sameTest = 0.75
  /// The denial stands within so many words behind the test's name.
  private static let reach = 4

  let question: Question
  let finder: EvidenceFinder
  let signs: SignReader

  /// Nil where something else is asked, the record has the test's value at the time asked about, or tells of it in any other way than
  /// as left undone.
  func outcome() -> (answerClass: Answer.Class, units: [EvidenceUnit])? {
    guard
      question.roles.isDisjoint(with: [.why, .who, .advice, .permission, .others, .next, .count, .comparison, .extreme]
      ),
      let group = finder.groups.indices.first(where: {
        finder.groups[$0].force == .specific && !finder.groups[$0].isName
      }),
      !question.kinds.contains(.drug), !finder.groups[group].isOrdinary
    else { return nil }
    let named = finder.matches().filter { match in
      match.own[group] >= Self.sameTest && !match.unit.isOfOtherPatient
        && question.periods.allSatisfy { $0.contains(match.unit.note.recordedAt) }
    }
    let hasResult = named.contains { match in
      match.parts.contains { part in
        part.group == group
          && (match.unit.facts.contains { $0.kind == .lab && $0.range.overlaps(part.range) && $0.value != nil }
            || EvidenceRanking.hasNumber(in: match.unit, beside: part.range, question.classes))
      }
    }
    guard !hasResult else { return nil }
    // "Echo not done today", and "Echo: mild regurgitation" in another note: it was done.
    let isOnlyUndone = named.allSatisfy { match in
      match.parts.contains { $0.group == group && isLeftUndone($0.range, in: match.unit) }
    }
    guard isOnlyUndone, let last = named.last else { return nil }
    let reported = finder.units.indices.filter { index in
      finder.units[index].note.recordedAt > last.unit.note.recordedAt && finder.isHeaded(index, by: group)
    }
    return reported.isEmpty ? (.negative, [last.unit]) : (.found, reported.map { finder.units[$0] })
  }

  /// "Not tested", "not run this time", "wasn't measured" right behind the name.
  private func isLeftUndone(_ name: Range<Int>, in unit: EvidenceUnit) -> Bool {
    let words = WordPhrases.words(in: unit.note.text, range: unit.range)
    guard let place = words.lastIndex(where: { $0.range.overlaps(name) }) else { return false }
    // "Lytes weren't measured, so no K+".
    if place > 0, question.classes.isOne(words[place - 1].text, of: .no), signs.signs(of: unit).contains(.undone) {
      return true
    }
    return (place + 1..<place + 1 + Self.reach).contains { signs.signs(startingAt: $0, in: words).contains(.undone) }
  }
}
