import Clinical
import Extraction

/// Answers that name patients.
extension AnswerComposer {
  /// For a question to the whole practice: each patient that fits, with the sentence that says so.
  func answerByPatient(from ranking: EvidenceRanking, model: AnswerModel) -> Answer {
    let judge = AnswerJudge(ranking: ranking)
    // The model of silence is fitted to what is measured of one patient's record; here what a list needs decides alone.
    guard !ranking.readings.isEmpty else { return self.silence(ranking, judge.silence) }
    // What is asked for is what the tables know; "on our books" and "for the food rep" are not.
    let finder = ranking.finder
    let things = finder.groups.indices.filter { finder.groups[$0].force == .specific && finder.holders[$0] > 0 }
    let terms = things.filter { finder.groups[$0].isTerm || finder.groups[$0].isName }
    let focus = terms.isEmpty ? things : terms
    // Who is named has to be told of, and of "spinal fracture" both words.
    let required = Set(focus.filter { finder.groups[$0].isName }).union(phraseMembers(of: finder.groups))
    guard required.isSubset(of: things) else { return self.silence(ranking, judge.silence) }
    // What was once so stays so: a second operation that is declined does not undo the first.
    let isOfEnd = AskedPolarity.isOfAnEnd(question.text, classes: question.classes)
    let isOfPast =
      isOfEnd || question.asks(for: .ever) || question.isAboutPast || question.has(.hadbeen)
    // What merely may be meant is too little to name a patient by, and so is a hormone's level for a drug.
    func tells(_ reading: Reading) -> [Int] {
      focus.filter { group in
        guard reading.match.own[group] >= Self.termCloseness else { return false }
        guard finder.groups[group].isDrug else { return true }
        guard reading.match.parts.contains(where: { $0.group == group && $0.fact?.kind == .drug }) else { return false }
        return isOfEnd ? reading.tellsAnEnd : isOfPast || !reading.tellsAnEnd
      }
    }
    func isTold(_ reading: Reading) -> Bool {
      var assertion = reading.assertion
      if isOfPast, assertion.temporality == .historical { assertion.temporality = .current }
      return assertion.isActive
    }
    let admissible = ranking.readings.filter(isAdmissible)
    var held: [String: Set<Int>] = [:]
    for reading in admissible where isTold(reading) {
      held[reading.match.unit.note.patientID, default: []].formUnion(tells(reading))
    }
    // Who fits most of what is asked; of several things the rarest is told.
    held = held.filter { $0.value.isSuperset(of: required) }
    let most = held.values.map(\.count).max() ?? 0
    let main = focus.max { (finder.weights[$0], $1) < (finder.weights[$1], $0) }
    var latest: [String: Reading] = [:]
    var telling: [String: Reading] = [:]
    for reading in admissible where most > 0 && held[reading.match.unit.note.patientID]?.count == most {
      let patient = reading.match.unit.note.patientID
      let told = tells(reading)
      guard !told.isEmpty || main.map({ reading.match.own[$0] >= Self.termCloseness }) == true else { continue }
      if telling[patient] == nil, isTold(reading), !told.isEmpty { telling[patient] = reading }
      if latest[patient].map({ Reading.isEarlier($0, reading) }) ?? true { latest[patient] = reading }
    }
    let fitting = telling.filter { isOfPast || latest[$0.key].map { !$0.isDenial && !$0.tellsAnEnd } == true }.values
      .sorted { ($1.score, $0.match.unit.position) < ($0.score, $1.match.unit.position) }
    guard !fitting.isEmpty else { return self.silence(ranking, judge.silence) }
    return compose(.found, Array(fitting.prefix(Self.patientLimit)), ranking)
  }

  /// The terms that stand in the question side by side.
  private func phraseMembers(of groups: [Question.Group]) -> Set<Int> {
    let text = question.text.lowercased()
    return groups.indices.dropFirst().reduce(into: []) { members, index in
      let pair = [groups[index - 1], groups[index]]
      guard pair.allSatisfy({ $0.force == .specific && !$0.isOrdinary && $0.isTerm && $0.kinds.isEmpty }),
        text.contains(pair.map { $0.text.lowercased() }.joined(separator: " "))
      else { return }
      members.formUnion([index - 1, index])
    }
  }

  private static let termCloseness = 0.75
  private static let patientLimit = 12
}
