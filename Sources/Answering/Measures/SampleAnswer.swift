import Clinical
import Extraction

/// Answers for a result of a time from which none is on file with what the record says of it: that it is awaited.
struct SampleAnswer {
  /// Words name a test at least so closely.
  private static let sameTest = 0.75

  let question: Question
  let finder: EvidenceFinder

  /// The sentences about samples of the time asked about; nil where no result is asked for, no time is named, or there is a result.
  func units() -> [EvidenceUnit]? {
    guard !question.isYesOrNo, let period = question.period, question.periods.count == 1,
      question.roles.isDisjoint(with: [.why, .who, .advice, .permission, .others, .next, .side, .count, .trend])
    else { return nil }
    let matches = finder.matches().filter { !$0.unit.isOfOtherPatient }
    let asked = finder.groups.indices.filter { index in
      let isNamed = finder.groups[index].force == .specific
      return isNamed && matches.contains { isResult($0, of: index) }
    }
    let asksForResult =
      question.asks(for: .account) || question.kinds.contains(.lab)
      || question.has([.level, .trough])
    guard !asked.isEmpty || asksForResult else { return nil }
    func lies(_ match: Match) -> Bool { period.contains(match.unit.note.recordedAt) }
    let hasResult = matches.contains { match in
      lies(match)
        && (asked.isEmpty
          ? match.unit.facts.contains(where: Self.isResult) : asked.contains { isResult(match, of: $0) })
    }
    guard !hasResult else { return nil }
    let isOfBlood = !question.has([.othersample, .notblood])
    let samples = finder.units.filter { unit in
      guard period.contains(unit.note.recordedAt), !unit.isOfOtherPatient, Self.tellsOfAwaited(unit, question.classes)
      else {
        return false
      }
      let isNamed = matches.contains { match in
        match.unit.position == unit.position
          && match.own.indices.contains { finder.groups[$0].force == .specific && match.own[$0] >= Self.sameTest }
      }
      return isNamed || (isOfBlood && question.classes.words(of: unit.text).has(.bloods))
    }
    return samples.isEmpty ? nil : Array(samples.suffix(2))
  }

  /// The sentence has a result of what the group names.
  private func isResult(_ match: Match, of group: Int) -> Bool {
    match.own[group] >= Self.sameTest
      && match.parts.contains { part in
        part.group == group && match.unit.facts.contains { Self.isResult($0) && $0.range.overlaps(part.range) }
      }
  }

  private static func isResult(_ fact: Fact) -> Bool {
    fact.kind == .lab && (fact.value != nil || ![.pending, nil].contains(fact.lab?.result))
  }

  /// "Result pending", "histology not back yet": the record itself says that there is no result; "sent" says nothing of one.
  static func tellsOfAwaited(_ unit: EvidenceUnit, _ classes: QuestionClasses) -> Bool {
    let words = classes.words(in: unit)
    if words.has(.awaited)
      || zip(words, words.dropFirst()).contains(where: { $0.isOne(of: .denial) && $1.isOne(of: .waiting) })
    {
      return true
    }
    // "Report to follow"; "to the lab" makes such a fact, too.
    return unit.facts.contains { fact in
      fact.kind == .pendingResult && words.contains { $0.range.overlaps(fact.range) && $0.isOne(of: .tocome) }
    }
  }

  /// "Level sent", "blood for pheno taken today", "result to follow".
  static func tellsOfSample(_ unit: EvidenceUnit, _ classes: QuestionClasses) -> Bool {
    if unit.facts.contains(where: { $0.kind == .pendingResult }) { return true }
    let words = classes.words(of: unit.text)
    return words.has([.sent, .sampled, .awaited])
      && words.has([.bloods, .level, .trough, .result, .othersample, .laboratory])
  }
}
