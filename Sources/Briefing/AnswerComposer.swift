import Clinical
import Extraction
import TextAnalysis

/// From ranked sentences to an answer: which class, which sentences, in which order.
struct AnswerComposer {
  let question: Question
  let zone: PracticeTimeZone
  /// Named in sentences when the question was to the whole practice; empty for one patient.
  let patients: [String: Patient]
  let limits: AnswerLimits

  func answer(from ranking: EvidenceRanking, model: AnswerModel) -> Answer {
    let judge = AnswerJudge(ranking: ranking)
    let silence = judge.silence
    guard !ranking.readings.isEmpty, !model.isSilent(silence), !judge.lacksValueOfOther(silence) else {
      return self.silence(ranking, silence)
    }
    if let two = ConflictFinder(question: question, limits: limits).plain(among: ranking.readings.filter(isAdmissible))
    {
      return compose(.conflicting, two, ranking)
    }
    let pairs = ConflictPairs(question: question, finder: ranking.finder, limits: limits).pairs(among: ranking.readings)
    if let pair = model.conflict(among: pairs) {
      return compose(
        .conflicting, [pair.first, pair.second], ranking, more: Self.why("a disagreement", pair.features))
    }
    let denial = judge.denial
    // What is pending "is not back": that is no "no".
    let isPending = question.kinds.contains(.pendingResult)
    guard model.isDenied(denial), !isPending else {
      return compose(.found, chosen(ranking.readings, of: ranking.readings), ranking, more: Self.why("a no", denial))
    }
    let least = (ranking.readings.first?.share ?? 0) * limits.denialShare
    let denials = ranking.readings.filter {
      $0.share >= least && ($0.isDenial || $0.tellsAnEnd || !$0.signs.isDisjoint(with: [.refusal, .prohibition]))
    }
    return compose(
      .negative, chosen(denials.isEmpty ? ranking.readings : denials, of: ranking.readings), ranking,
      more: Self.why("a no", denial))
  }

  /// What speaks for one of the decisions.
  private static func why<Feature>(_ what: String, _ features: Measures<Feature>) -> [Explanation] {
    let details = features.named.map { Explanation($0.name, value: $0.value) }
    return details.isEmpty ? [] : [Explanation("what speaks for \(what)", value: 1, details: details)]
  }

  /// What is given, or was ended, one sentence a drug.
  func answer(from outcome: MedicationAnswer.Outcome, finder: EvidenceFinder) -> Answer {
    let (answerClass, facts): (Answer.Class, [RecordedFact]) =
      switch outcome {
      case .given(let facts): (.found, facts)
      case .ended(let facts): (.negative, facts)
      case .disagreeing(let facts): (.conflicting, facts)
      }
    var passages = withChanges(passages(facts, finder), finder)
    if case .given(let given) = outcome, given.count == 1, let later = laterDose(of: given[0], in: finder.units) {
      passages.append((unit: later, range: later.range))
    }
    return compose(
      answerClass, passages,
      Explanation("the latest mention of each drug", value: Double(facts.count)))
  }

  /// Reactions and bans, and what is said against them.
  func answer(from outcome: ReactionAnswer.Outcome, _ ranking: EvidenceRanking) -> Answer {
    guard !outcome.units.isEmpty else { return silence(ranking, Measures()) }
    return compose(
      outcome.answerClass, outcome.units.map { (unit: $0, range: $0.range) },
      Explanation("every reaction or ban on record", value: Double(outcome.units.count)))
  }

  /// Measured values, each where it stands, with a line over all of them where there are several.
  func answer(
    from values: [MeasureAnswer.Value], finder: EvidenceFinder, class answerClass: Answer.Class = .found
  ) -> Answer {
    var answer = compose(
      answerClass, passages(values.map(\.item), finder),
      Explanation("the values asked for", value: Double(values.count)))
    guard values.count > 2 else { return answer }
    let written = values.compactMap { value -> String? in
      let range = value.item.fact.valueRange ?? value.item.fact.range
      guard let text = value.item.note.text.slice(utf8: range), zone.date(of: value.item.note.recordedAt) == value.date
      else { return nil }
      return "\(value.date) \(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))"
    }
    guard written.count == values.count else { return answer }
    let line = CitedSentence(
      text: "\(MeasureAnswer.chart(values)) \(written.joined(separator: " → "))",
      citations: Array(answer.citations.indices))
    answer.sentences.insert(line, at: 0)
    answer.text = answer.sentences.map(\.text).joined(separator: " ")
    return answer
  }

  /// With the next sentence where it goes on about the dose: "… twice a day; dropped to 300 mg in the evening".
  private func withChanges(_ passages: [(unit: EvidenceUnit, range: Range<Int>)], _ finder: EvidenceFinder)
    -> [(unit: EvidenceUnit, range: Range<Int>)]
  {
    guard passages.count < 3 else { return passages }
    return passages.flatMap { passage -> [(unit: EvidenceUnit, range: Range<Int>)] in
      let next = passage.unit.position + 1
      guard finder.units.indices.contains(next), finder.units[next].note.id == passage.unit.note.id,
        finder.units[next].tokens.contains(where: { $0.text.utf8.first.map { (0x30...0x39).contains($0) } ?? false })
      else { return [passage] }
      return [passage, (unit: finder.units[next], range: finder.units[next].range)]
    }
  }

  /// The last sentence of a later note that gives a dose in the drug's own unit and names no drug: "Dose to 2u BID."
  private func laterDose(of item: RecordedFact, in units: [EvidenceUnit]) -> EvidenceUnit? {
    guard let dose = item.fact.attributes["dose"]?.lowercased(), dose.contains("u") else { return nil }
    return units.last { unit in
      guard unit.note.recordedAt > item.note.recordedAt, !unit.facts.contains(where: { $0.kind == .drug }),
        !unit.facts.contains(where: { $0.kind == .lab })
      else { return false }
      return WrittenDose.stands(in: QuestionMoments.words(of: unit.text), units: WrittenDose.insulinUnits)
    }
  }

  /// Where facts stand: their sentences, or lines of a table.
  private func passages(_ facts: [RecordedFact], _ finder: EvidenceFinder) -> [(unit: EvidenceUnit, range: Range<Int>)]
  {
    facts.compactMap { item in
      let range = item.fact.valueRange ?? item.fact.range
      return finder.units.first { $0.note.id == item.note.id && $0.range.overlaps(range) }
        .map { (unit: $0, range: Passage.lines(of: $0, around: [item.fact.range, range])) }
    }
  }

  /// Two values of one day.
  func answer(disagreeing values: [MeasureAnswer.Value], finder: EvidenceFinder) -> Answer {
    compose(
      .conflicting, passages(values.map(\.item), finder),
      Explanation("two values of one day", value: Double(values.count)))
  }

  /// The sentences in which facts tell of what was asked, with a line over all of them where there is something to say of them.
  func answer(
    _ answerClass: Answer.Class = .found, telling facts: [RecordedFact], head: String? = nil, finder: EvidenceFinder
  ) -> Answer {
    var answer = compose(
      answerClass, passages(facts, finder), Explanation("the events asked about", value: Double(facts.count)))
    guard let head, !answer.citations.isEmpty else { return answer }
    answer.sentences.insert(CitedSentence(text: head, citations: Array(answer.citations.indices)), at: 0)
    answer.text = answer.sentences.map(\.text).joined(separator: " ")
    return answer
  }

  /// Both sides of a contradiction.
  func answer(disagreeing units: [EvidenceUnit]) -> Answer {
    compose(
      .conflicting, units.map { (unit: $0, range: $0.range) },
      Explanation("a state that can't be left, and what speaks against it", value: Double(units.count)))
  }

  /// What stands at the moments asked about.
  func answer(_ answerClass: Answer.Class = .found, at units: [EvidenceUnit]) -> Answer {
    answer(answerClass, at: units.map { (unit: $0, range: $0.range) })
  }

  func answer(_ answerClass: Answer.Class = .found, at passages: [(unit: EvidenceUnit, range: Range<Int>)]) -> Answer {
    compose(answerClass, passages, Explanation("the moments asked about", value: Double(passages.count)))
  }

  /// Whether a reading can be one side of a conflict: of this patient, and not mere advice.
  func isAdmissible(_ reading: Reading) -> Bool {
    (reading.isAboutPatient || question.asks(for: .others)) && !reading.isHypothetical
  }

  /// The sentences to show: the best, what stands beside it in its note, and other notes that fit nearly as well.
  private func chosen(_ readings: [Reading], of ranked: [Reading]) -> [Reading] {
    guard let best = readings.first else { return [] }
    if let said = first(of: ranked) ?? measured(ranked) { return said }
    if question.periods.count > 1 {
      // Then against now: the best of each time.
      let each = question.periods.flatMap { period in
        readings.filter { period.contains($0.match.unit.note.recordedAt) }.prefix(2)
      }
      if !each.isEmpty { return each.sorted(by: Reading.isEarlier) }
    }
    if question.asks(for: .why) {
      // The reason for something often stands in the sentences before it or the one after.
      let place = best.match.unit.position
      let around = ranked.filter {
        (place - 4...place + 1).contains($0.match.unit.position) && $0.match.unit.note.id == best.match.unit.note.id
      }
      // Another note may tell of the same event and give the reason too.
      let other = readings.first { $0.match.unit.note.id != best.match.unit.note.id }
        .flatMap { $0.share >= best.share * limits.noteShare ? $0 : nil }
      return (around + (other.map { [$0] } ?? [])).sorted(by: Reading.isEarlier)
    }
    var notes = [best.match.unit.note.id]
    let noteLimit = asksForMany ? Int(limits.notesOfList) : Int(limits.notes)
    var counts: [String: Int] = [:]
    var chosen: [Reading] = []
    for reading in readings {
      let id = reading.match.unit.note.id
      let isNewNote = !notes.contains(id)
      let least = best.share * (isNewNote ? (asksForMany ? limits.listShare : limits.noteShare) : limits.sentenceShare)
      guard reading.share >= least,
        counts[id, default: 0] < (id == notes[0] ? Int(limits.sentencesOfNote) : Self.sentencesOfFurtherNote)
      else { continue }
      if isNewNote {
        guard notes.count < noteLimit else { continue }
        notes.append(id)
      }
      counts[id, default: 0] += 1
      chosen.append(reading)
    }
    if question.wantsValue {
      for head in chosen where !head.signs.contains(.number) {
        chosen += rows(under: head, of: ranked).filter { row in
          !chosen.contains { $0.match.unit.position == row.match.unit.position }
        }
      }
    }
    if isOpen {
      // What happened goes on in the next sentences.
      let after = best.match.unit.position + 1
      for position in after..<(after + Int(limits.following)) {
        guard !chosen.contains(where: { $0.match.unit.position == position }),
          let next = ranked.first(where: { $0.match.unit.position == position }),
          next.match.unit.note.id == best.match.unit.note.id
        else { break }
        chosen.append(next)
      }
    }
    return chosen.sorted(by: Reading.isEarlier)
  }

  /// Whether neither "no" nor a value is an answer: why, what happened, how did it go.
  private var isOpen: Bool {
    !question.isYesOrNo && question.roles.isDisjoint(with: [.amount, .when, .last, .count, .frequency, .side, .trend])
  }

  private static let sentencesOfFurtherNote = 2

  var asksForMany: Bool {
    question.asksForSeries || !question.roles.isDisjoint(with: [.trend, .count, .comparison, .list])
  }

  func compose(
    _ answerClass: Answer.Class, _ readings: [Reading], _ ranking: EvidenceRanking, more: [Explanation] = []
  ) -> Answer {
    let passages = readings.map { reading in
      (
        unit: reading.match.unit,
        range: Passage.lines(of: reading.match.unit, around: reading.match.parts.map(\.range))
      )
    }
    return compose(answerClass, passages, explanation(ranking, more: more))
  }

  func compose(
    _ answerClass: Answer.Class, _ passages: [(unit: EvidenceUnit, range: Range<Int>)], _ explanation: Explanation
  ) -> Answer {
    var citations: [Citation] = []
    var sentences: [CitedSentence] = []
    for (unit, range) in passages {
      guard var citation = Citation(unit.note, range: range) else { continue }
      citation.copiedFrom = unit.copiedFrom?.recordedAt
      citation.isOfOtherPatient = unit.isOfOtherPatient
      if citations.contains(citation) { continue }
      citations.append(citation)
      sentences.append(
        CitedSentence(
          text: Passage.sentence(citation, in: zone, patient: patients[unit.note.patientID]),
          citations: [citations.count - 1]))
    }
    return Answer(
      answerClass, text: sentences.map(\.text).joined(separator: " "), sentences: sentences, citations: citations,
      explanation: explanation)
  }

  /// Nothing says it. What comes nearest is named in the explanation, never in the answer.
  func silence(_ ranking: EvidenceRanking, _ features: Measures<SilenceFeature>) -> Answer {
    let words = question.groups.filter { $0.force == .specific }.map(\.text)
    let about = words.isEmpty ? question.groups.map(\.text) : words
    return Answer(
      .notRecorded, text: "The record does not say: nothing in it is about \(about.joined(separator: ", ")).",
      explanation: explanation(ranking, more: Self.why("silence", features)))
  }

  /// What was understood, and the best sentences with what speaks for each.
  private func explanation(_ ranking: EvidenceRanking, more: [Explanation] = []) -> Explanation {
    let finder = ranking.finder
    let asked = finder.groups.enumerated().map { index, group in
      Explanation("asked about '\(group.text)'", value: finder.weights[index])
    }
    let shown = ranking.readings.prefix(6).map { reading in
      let unit = reading.match.unit
      let words = reading.match.parts.map { part in
        Explanation(
          "'\(finder.groups[part.group].text)'\(part.reason.map { " by \($0)" } ?? "")", value: part.closeness)
      }
      return Explanation(
        "\(unit.note.id): \(reading.assertion.polarity.rawValue), \(reading.assertion.temporality.rawValue), \(reading.assertion.experiencer.rawValue)",
        value: reading.share, evidence: [Evidence(noteID: unit.note.id, range: unit.range, quote: unit.text)],
        details: words + reading.features.named.map { Explanation($0.name, value: $0.value) })
    }
    return Explanation(
      "question understood", value: ranking.readings.first?.share ?? 0, details: asked + more + shown)
  }
}
