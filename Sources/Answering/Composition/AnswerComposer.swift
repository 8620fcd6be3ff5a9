import Clinical
import Extraction

/// From ranked sentences to an answer: which class, which sentences, in which order.
struct AnswerComposer {
  let question: Question
  let zone: PracticeTimeZone
  /// Named in sentences when the question was to the whole practice; empty for one patient.
  let patients: [String: Patient]
  let limits: AnswerLimits

  func answer(from ranking: EvidenceRanking, model: AnswerModel) -> Answer {
    let judge = AnswerJudge(ranking: ranking)
    let measures = judge.silenceMeasures
    let silence = measures.record
    let isSilent = model.isSilent(measures) && !judge.isReported && !judge.isPlainlyStated
    guard !ranking.readings.isEmpty, !isSilent || judge.isOfReaction, !judge.lacksValueOfOther(silence) else {
      return self.silence(ranking, silence)
    }
    guard !isSilent else { return compose(.found, chosen(ranking.readings, of: ranking.readings), ranking) }
    if let two = ConflictFinder(question: question, limits: limits).plain(among: ranking.readings.filter(isAdmissible))
    {
      return compose(.conflicting, two, ranking)
    }
    let pairs = ConflictPairs(question: question, finder: ranking.finder, limits: limits).pairs(among: ranking.readings)
    if let pair = model.conflict(among: pairs) {
      return compose(
        .conflicting, [pair.first, pair.second], ranking, more: Self.why("a disagreement", pair.features))
    }
    // What is pending "is not back": that is no "no".
    let isPending = question.kinds.contains(.pendingResult)
    guard judge.isDenied, !isPending, !judge.isOfPlainReaction else {
      return compose(.found, chosen(ranking.readings, of: ranking.readings), ranking, more: Self.why(judge.reply))
    }
    // "The record says no" of a thing that the record has a word for, and of none else.
    guard !judge.asksForNothingNamed else { return self.silence(ranking, silence) }
    let later = judge.doneLater
    guard later.isEmpty else { return answer(at: later) }
    let least = (ranking.readings.first?.share ?? 0) * limits.shares.denial
    let denials = ranking.readings.filter {
      $0.share >= least && ($0.isDenial || $0.tellsAnEnd || !$0.signs.isDisjoint(with: [.refusal, .prohibition]))
    }
    let shown = chosen(denials.isEmpty ? ranking.readings : denials, of: ranking.readings)
    let positive = judge.positiveTests(after: shown)
    guard positive.isEmpty else {
      let known = Set(shown.map(\.match.place))
      return compose(.found, shown + positive.filter { !known.contains($0.match.place) }, ranking)
    }
    return compose(.negative, shown, ranking, more: Self.why(judge.reply))
  }

  /// What speaks for one of the decisions.
  private static func why<Feature>(_ what: String, _ features: Measures<Feature>) -> [Explanation] {
    let details = features.named.map { Explanation($0.name, value: $0.value) }
    return details.isEmpty ? [] : [Explanation("what speaks for \(what)", value: 1, details: details)]
  }

  /// How likely the best sentences say no, or don't answer.
  private static func why(_ reply: Reply?) -> [Explanation] {
    guard let reply else { return [] }
    return [
      Explanation("the best sentences say no", value: reply.no),
      Explanation("the best sentences don't answer", value: reply.other),
    ]
  }

  /// Whether a reading can be one side of a conflict: of this patient, and not mere advice.
  func isAdmissible(_ reading: Reading) -> Bool {
    (reading.isAboutPatient || question.asks(for: .others)) && !reading.isHypothetical
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
    Answer(
      .notRecorded, text: "The record does not say: \(whatIsMissing(ranking.finder)).",
      explanation: explanation(ranking, more: Self.why("silence", features)))
  }

  /// "Nothing in it is about …" is said of what no sentence names, and of nothing else.
  private func whatIsMissing(_ finder: EvidenceFinder) -> String {
    let specific = finder.groups.indices.filter { finder.groups[$0].force == .specific }
    let asked = specific.isEmpty ? Array(finder.groups.indices) : specific
    let missing = asked.filter { finder.holders[$0] == 0 }
    func names(_ groups: [Int]) -> String { groups.map { finder.groups[$0].text }.joined(separator: ", ") }
    return missing.isEmpty
      ? "what stands in it about \(names(asked)) was judged not to answer this"
      : "nothing in it is about \(names(missing))"
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
