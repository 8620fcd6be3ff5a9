import Chart
import Clinical
import Extraction
import Formulary
import TextAnalysis

/// Answers from what facts say, each cited where it stands.
extension AnswerComposer {
  /// What is given, or was ended, one sentence a drug.
  func answer(from outcome: MedicationAnswer.Outcome, finder: EvidenceFinder) -> Answer {
    let (answerClass, facts): (Answer.Class, [RecordedFact]) =
      switch outcome {
      case .given(let facts): (.found, facts)
      case .ended(let facts): (.negative, facts)
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

  /// How something is borne: the sentences of each passage that the chart rests on, then what the formulary adds.
  func answer(from outcome: ToleranceAnswer.Outcome, among units: [EvidenceUnit]) -> Answer {
    var passages: [(unit: EvidenceUnit, range: Range<Int>)] = []
    for evidence in outcome.evidence {
      passages += Self.story(of: evidence, units.filter { $0.note.id == evidence.noteID })
        .map { (unit: $0, range: $0.range) }
    }
    var answer = compose(
      outcome.answerClass, passages,
      Explanation("what the chart says of how it was borne", value: Double(outcome.evidence.count)))
    for row in outcome.rows { answer.text += " Formulary: \(row.text) (unchecked)." }
    return answer
  }

  /// The sentences of a passage, with those of its note nearest to it that tell what was found or what is the matter: of the
  /// weekend "off his legs" before "sedation hit him far too hard", of the disease that a drug is banned for.
  private static func story(of evidence: ChartEvidence, _ units: [EvidenceUnit]) -> [EvidenceUnit] {
    let told = units.indices.filter { units[$0].range.overlaps(evidence.passage) }
    guard let first = told.first, let last = told.last else { return [] }
    let circumstances = units.indices.filter { place in
      !told.contains(place)
        && units[place].facts.contains {
          [.finding, .problem].contains($0.kind) && $0.assertion.isActive
        }
    }.sorted { distance($0, first, last) < distance($1, first, last) }
    return (told + circumstances.prefix(circumstanceLimit)).sorted().map { units[$0] }
  }

  private static let circumstanceLimit = 2

  private static func distance(_ place: Int, _ first: Int, _ last: Int) -> Int {
    place < first ? first - place : place - last
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
    guard let dose = item.fact.dosage?.dose?.text.lowercased(), dose.contains("u") else { return nil }
    return units.last { unit in
      guard unit.note.recordedAt > item.note.recordedAt, !unit.facts.contains(where: { $0.kind == .drug }),
        !unit.facts.contains(where: { $0.kind == .lab })
      else { return false }
      return WrittenDose.stands(
        in: question.classes.words(of: unit.text), of: [.insulinunit], question.classes)
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

  /// The sentences in which facts tell of what was asked.
  func answer(
    _ answerClass: Answer.Class = .found, telling facts: [RecordedFact], finder: EvidenceFinder
  ) -> Answer {
    compose(answerClass, passages(facts, finder), Explanation("the events asked about", value: Double(facts.count)))
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
}
