import Clinical
import Extraction
import TextAnalysis

/// Answers what is asked of an animal's life and people with the sentences that state it, and is silent where none does.
struct AttributeAnswer {
  struct Outcome {
    let answerClass: Answer.Class
    /// In time order; empty where the record is silent.
    let units: [EvidenceUnit]
  }

  private struct Statement {
    let place: Int
    let isDenial: Bool
    let score: Double
  }

  let question: Question
  let table: AttributeTable
  let classifier: AssertionClassifier

  /// - Parameters:
  ///   - units: of the record, in time order.
  ///   - groups: what the question names, as it was looked for.
  ///   - ranked: the readings of the units; empty where the question names nothing else.
  /// - Returns: nil where no such thing is asked for, or more than its words tell.
  /// - Complexity: linear in the length of the notes.
  func outcome(among units: [EvidenceUnit], groups: [Question.Group], ranked: [Reading]) -> Outcome? {
    guard question.period == nil, question.roles.isDisjoint(with: [.why, .count, .trend, .comparison]) else {
      return nil
    }
    // What is asked of a time is told by more than the state, unless a time is what it tells.
    let isOfTime = !question.roles.isDisjoint(with: [.when, .change])
    return table.rows(askedIn: question.text).lazy.compactMap { row, asking in
      isOfTime && !row.isTimed ? nil : outcome(of: row, asking, among: units, groups: groups, ranked: ranked)
    }.first
  }

  private func outcome(
    of row: AttributeTable.Row, _ asking: Range<Int>, among units: [EvidenceUnit], groups: [Question.Group],
    ranked: [Reading]
  ) -> Outcome? {
    var scores: [Int: Double] = [:]
    for reading in ranked { scores[reading.match.unit.position] = reading.score }
    let statements = units.indices.compactMap { index -> Statement? in
      guard let isDenial = isDenial(of: row, in: units[index]) else { return nil }
      return Statement(place: index, isDenial: isDenial, score: scores[units[index].position] ?? -.infinity)
    }
    guard let last = statements.last else {
      let isSilent = row.isClosed && !units.contains { touches(row, $0) }
      return isSilent ? Outcome(answerClass: .notRecorded, units: []) : nil
    }
    let others = groups.indices.filter { index in
      let group = groups[index]
      return group.force == .specific && !group.isOrdinary && !group.isName && !isPart(group, of: row, asking)
        && !isApart(group, from: asking)
    }
    // "Insured for the skin?" asks for more than the state: the sentence has to tell of that too.
    if !others.isEmpty, takesNo || row.isClosed {
      let telling = Set(
        ranked.filter { reading in others.allSatisfy { reading.match.own[$0] > 0 } }.map(\.match.unit.position))
      guard let both = statements.last(where: { telling.contains(units[$0.place].position) }) else {
        return nil
      }
      // A ban that names nobody ("keep away from other tortoises") holds for those that are named too.
      let ban = row.isClosed ? nil : statements.last(where: \.isDenial)
      return Outcome(
        answerClass: takesNo && both.isDenial ? .negative : .found,
        units: Set([both.place] + (ban.map { [$0.place] } ?? [])).sorted().map { units[$0] })
    }
    // Of a state the latest word counts; who may do what, the sentence tells that fits the question best.
    let best =
      row.isClosed ? last : statements.max { ($0.score, $0.place) < ($1.score, $1.place) } ?? last
    var places: Set<Int> = [best.place, last.place]
    if !takesNo {
      for near in [best.place - 1, best.place + 1]
      where units.indices.contains(near) && units[near].note.id == units[best.place].note.id {
        places.insert(near)
      }
    }
    return Outcome(
      answerClass: takesNo && last.isDenial ? .negative : .found, units: places.sorted().map { units[$0] })
  }

  /// "Insured?", "is she insured", "he asks about a claim, is Rex insured": not "who insures her".
  private var takesNo: Bool {
    let asksWhether = question.isYesOrNo && !question.isTerseYesOrNo
    let isOpen = question.has([.who, .whose, .what, .which, .how, .where, .list, .any]) || question.asks(for: .who)
    return asksWhether || question.words.count == 1 || (question.isAboutPresent && !isOpen)
  }

  /// Whether a sentence states the contrary; nil where it states neither.
  private func isDenial(of row: AttributeTable.Row, in unit: EvidenceUnit) -> Bool? {
    guard !unit.isOfOtherPatient else { return nil }
    let words = WordPhrases.words(in: unit.note.text, range: unit.range)
    switch row.wording.statement(in: words, of: unit.text, question.classes) {
    case nil: return nil
    case .contrary: return true
    case .thing(let range):
      // "Insured?" asks.
      if unit.text.utf8.last == UInt8(ascii: "?") { return nil }
      // "The policy excludes …" is a policy; "no bite today" says nothing of bites.
      return !row.isClosed && classifier.assertion(of: range, in: unit.note.text).polarity == .absent ? nil : false
    }
  }

  private func touches(_ row: AttributeTable.Row, _ unit: EvidenceUnit) -> Bool {
    row.wording.isHinted(in: WordPhrases.words(in: unit.note.text, range: unit.range))
  }

  /// "Is he insured? Physio clinic on the phone": what another clause names is why it is asked, unless that clause is the one
  /// that asks ("was it tested for, seeing what the dam had").
  private func isApart(_ group: Question.Group, from asking: Range<Int>) -> Bool {
    guard !group.range.isEmpty, !group.range.overlaps(asking),
      question.circumstances.allSatisfy({ !$0.overlaps(asking) })
    else { return false }
    let between =
      group.range.lowerBound > asking.lowerBound
      ? asking.upperBound..<group.range.lowerBound : group.range.upperBound..<asking.lowerBound
    guard let text = question.text.slice(utf8: between) else { return false }
    return text.contains { ",;?!".contains($0) } || text.contains(" - ") || text.contains(". ")
  }

  /// Whether the words of a group only ask for the state.
  private func isPart(_ group: Question.Group, of row: AttributeTable.Row, _ asking: Range<Int>) -> Bool {
    if row.asked.first(in: WordPhrases.words(in: group.text, range: nil)) != nil { return true }
    guard let found = question.text.firstRange(of: group.text) else { return false }
    let lower = question.text.utf8.distance(from: question.text.startIndex, to: found.lowerBound)
    let upper = question.text.utf8.distance(from: question.text.startIndex, to: found.upperBound)
    return asking.overlaps(lower..<upper)
  }
}

extension AnswerComposer {
  /// What is stated of the animal's life and people, or that nothing is.
  func answer(from outcome: AttributeAnswer.Outcome, _ ranking: EvidenceRanking) -> Answer {
    guard !outcome.units.isEmpty else { return silence(ranking, Measures()) }
    return answer(outcome.answerClass, stating: outcome.units)
  }

  func answer(_ answerClass: Answer.Class, stating units: [EvidenceUnit]) -> Answer {
    compose(
      answerClass, units.map { (unit: $0, range: $0.range) },
      Explanation("where records state what was asked", value: Double(units.count)))
  }
}
