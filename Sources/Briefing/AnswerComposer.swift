import Clinical
import Extraction

/// From readings to an answer: which class, which sentences, in which order.
struct AnswerComposer {
  let question: Question
  let zone: PracticeTimeZone
  /// Named in sentences when the question was to the whole practice; empty for one patient.
  let patients: [String: Patient]
  let limits: Answerer.Limits

  func answer(from readings: [Reading], finder: EvidenceFinder) -> Answer {
    let relevant = readings.filter(isAdmissible)
    guard !relevant.isEmpty else { return silence(readings, finder) }
    let denials = relevant.filter(\.isDenial)
    let assertions = relevant.filter { !$0.isDenial }
    if let sides = ConflictFinder.conflict(among: relevant, question: question) {
      return compose(.conflicting, sides, finder)
    }
    if assertions.isEmpty { return compose(.negative, chosen(denials), finder) }
    if denials.isEmpty || question.asks(for: .ever) { return compose(.found, chosen(assertions), finder) }
    // Both: what comes nearest to the question decides, and between equals the later note.
    let best = relevant.map(\.match.coverage).max() ?? 0
    let nearest = relevant.filter { $0.match.coverage >= best - limits.margin }
    guard let latest = nearest.max(by: { Self.isEarlier($0, $1) }) else { return silence(readings, finder) }
    return latest.isDenial && (question.isYesOrNo || nearest.allSatisfy(\.isDenial))
      ? compose(.negative, chosen(denials), finder)
      : compose(.found, chosen(latest.isDenial ? relevant : assertions), finder)
  }

  /// What is given, or was ended, one sentence a drug.
  func answer(from outcome: MedicationAnswer.Outcome, finder: EvidenceFinder) -> Answer {
    let (answerClass, facts): (Answer.Class, [RecordedFact]) =
      switch outcome {
      case .given(let facts): (.found, facts)
      case .ended(let facts): (.negative, facts)
      }
    let passages = facts.compactMap { item in
      finder.units.first { $0.note.id == item.note.id && $0.range.overlaps(item.fact.range) }
        .map { (unit: $0, range: Passage.lines(of: $0, around: [item.fact.range])) }
    }
    return compose(answerClass, passages, Explanation("the latest mention of each drug", value: Double(passages.count)))
  }

  /// Whether a reading can be evidence: of this patient, and not mere advice, unless that is what was asked.
  private func isAdmissible(_ reading: Reading) -> Bool {
    if !reading.isAboutPatient, !question.asks(for: .others) { return false }
    if reading.isHypothetical {
      // Plans and due dates are what a question about them, or about what was advised, is after.
      return question.asks(for: .advice) || !question.isYesOrNo
    }
    return true
  }

  /// The sentences to show: near the best, in the order that the question asks for.
  private func chosen(_ readings: [Reading]) -> [Reading] {
    let best = readings.map(\.match.coverage).max() ?? 0
    let factual = readings.filter(hasWantedFact)
    let valued = question.wantsValue ? readings.filter { $0.match.parts.contains { $0.fact?.hasValue == true } } : []
    let pool = asksForLatest && !valued.isEmpty ? valued : factual.isEmpty ? readings : factual
    let near = pool.filter { $0.match.coverage >= best - limits.margin }
    let candidates = near.isEmpty ? pool : near
    let inTime = candidates.sorted { Self.isEarlier($0, $1) }
    if question.asks(for: .trend) || question.asks(for: .count) { return Array(inTime.suffix(12)) }
    if question.asks(for: .first) || (question.asks(for: .when) && !question.asks(for: .last) && question.kinds.isEmpty)
    {
      return Array(inTime.prefix(question.asks(for: .first) ? 1 : limits.maximumSentences))
    }
    if question.asks(for: .why),
      let best = readings.max(by: {
        ($0.match.ownCoverage, $0.match.unit.position) < ($1.match.ownCoverage, $1.match.unit.position)
      })
    {
      return [best]
    }
    if asksForLatest {
      return Array(inTime.suffix(question.asks(for: .current) ? limits.maximumSentences : 1).reversed())
    }
    let ranked = candidates.sorted {
      ($1.match.coverage, $0.match.unit.position) < ($0.match.coverage, $1.match.unit.position)
    }
    return ranked.prefix(limits.maximumSentences).sorted { Self.isEarlier($0, $1) }
  }

  private var asksForLatest: Bool { question.asks(for: .last) || question.asks(for: .next) || wantsCurrentValue }

  /// A value without a word about when means the one that holds now.
  private var wantsCurrentValue: Bool {
    let measured: Set<FactKind> = [
      .weight, .bodyCondition, .temperature, .heartRate, .respiratoryRate, .vaccination, .parasiteControl,
    ]
    return !question.kinds.isDisjoint(with: measured) && !question.isYesOrNo
  }

  /// Where the question asks for a kind of fact, a sentence that has one says more than one that only names it.
  private func hasWantedFact(_ reading: Reading) -> Bool {
    !question.kinds.isEmpty && reading.match.unit.facts.contains { question.kinds.contains($0.kind) }
  }

  private static func isEarlier(_ first: Reading, _ second: Reading) -> Bool {
    (first.match.unit.note.recordedAt, first.match.unit.position) < (
      second.match.unit.note.recordedAt, second.match.unit.position
    )
  }

  /// The reason for something often stands in the two sentences before it or the one after.
  private func withReasons(_ passages: [(unit: EvidenceUnit, range: Range<Int>)], in units: [EvidenceUnit])
    -> [(unit: EvidenceUnit, range: Range<Int>)]
  {
    guard question.asks(for: .why), let first = passages.first else { return passages }
    let note = units.filter { $0.note.id == first.unit.note.id }
    guard let place = note.firstIndex(where: { $0.position == first.unit.position }) else { return passages }
    let around = note[max(0, place - 2)...min(note.count - 1, place + 1)].map {
      ($0, $0.position == first.unit.position ? first.range : $0.range)
    }
    return around
      + passages.dropFirst().filter { passage in !around.contains { $0.0.position == passage.unit.position } }
  }

  private func compose(_ answerClass: Answer.Class, _ readings: [Reading], _ finder: EvidenceFinder) -> Answer {
    let passages = readings.map { reading in
      (
        unit: reading.match.unit,
        range: Passage.lines(of: reading.match.unit, around: reading.match.parts.compactMap(\.range))
      )
    }
    return compose(answerClass, withReasons(passages, in: finder.units), explanation(readings, finder))
  }

  private func compose(
    _ answerClass: Answer.Class, _ passages: [(unit: EvidenceUnit, range: Range<Int>)], _ explanation: Explanation
  ) -> Answer {
    var citations: [Citation] = []
    var sentences: [CitedSentence] = []
    for (unit, range) in passages {
      guard let citation = Citation(unit.note, range: range) else { continue }
      if citations.contains(citation) { continue }
      citations.append(citation)
      sentences.append(
        CitedSentence(
          text: Passage.sentence(citation, in: zone, patient: patients[unit.note.patientID]),
          citations: [citations.count - 1]))
    }
    if question.asks(for: .count) {
      let notes = Set(citations.map(\.noteID)).count
      let count = CitedSentence(
        text: "\(notes) \(notes == 1 ? "note says" : "notes say") so.", citations: Array(citations.indices))
      sentences.insert(count, at: 0)
    }
    return Answer(
      answerClass, text: sentences.map(\.text).joined(separator: " "), sentences: sentences, citations: citations,
      explanation: explanation)
  }

  /// Nothing says it. What comes nearest is named in the explanation, never in the answer.
  private func silence(_ readings: [Reading], _ finder: EvidenceFinder) -> Answer {
    let words = question.groups.filter { $0.force == .specific }.map(\.text)
    let about = words.isEmpty ? question.groups.map(\.text) : words
    return Answer(
      .notRecorded, text: "The record does not say: nothing in it is about \(about.joined(separator: ", ")).",
      explanation: explanation(readings, finder, nearest: finder.matches().prefix(4)))
  }

  /// Why these sentences; with `nearest`, what came near without being evidence, for a question that found none.
  private func explanation(
    _ readings: [Reading], _ finder: EvidenceFinder, nearest: ArraySlice<Match> = []
  ) -> Explanation {
    let asked = finder.groups.enumerated().map { index, group in
      Explanation("asked about '\(group.text)'", value: finder.weights[index])
    }
    let shown = readings.prefix(8).map { reading in
      Explanation(
        "\(reading.match.unit.note.id): \(reading.assertion.polarity.rawValue), \(reading.assertion.temporality.rawValue), \(reading.assertion.experiencer.rawValue)",
        value: reading.match.coverage,
        evidence: [
          Evidence(
            noteID: reading.match.unit.note.id, range: reading.match.unit.range,
            quote: reading.match.unit.text)
        ],
        details: details(reading.match, finder))
    }
    let missed = nearest.map { match in
      Explanation(
        "not counted: \(match.unit.note.id)", value: match.coverage,
        evidence: [Evidence(noteID: match.unit.note.id, range: match.unit.range, quote: match.unit.text)],
        details: details(match, finder))
    }
    return Explanation(
      "question understood", value: readings.map(\.match.coverage).max() ?? 0, details: asked + shown + missed)
  }

  private func details(_ match: Match, _ finder: EvidenceFinder) -> [Explanation] {
    match.parts.map { part in
      Explanation(
        "'\(finder.groups[part.group].text)'\(part.reason.map { " by \($0)" } ?? "")", value: part.closeness)
    }
  }
}
