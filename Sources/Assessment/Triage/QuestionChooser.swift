import Clinical

/// What reception should ask next: first what could still make the case worse.
struct QuestionChooser {
  let triageProtocol: TriageProtocol
  let matcher: PatternMatcher
  let facts: PatientFacts

  /// Fitting questions, the most informative first: about the patient's kind of problem before general ones, about unknown
  /// letters of the primary survey before known. A red case gets none but the urgent ones: nobody should be kept talking.
  func questions(
    urgency: Urgency, fired: [TriageResult.Fired], suppressed: [TriageResult.Suppressed],
    abcde: [ABCDELetter: ABCDEStatus]
  ) -> [String] {
    let groups = Set(fired.map(\.group))
    let isRoutine = urgency == .blue
    var scored: [(score: Int, text: String)] = []
    for question in triageProtocol.questions {
      var score = 0
      if !question.when.species.isEmpty {
        guard let species = facts.species, question.when.species.contains(species) else { continue }
        score += 1
      }
      if !question.when.sexes.isEmpty, !question.when.sexes.contains(facts.sex) { continue }
      if !question.when.missing.isEmpty {
        guard question.when.missing.contains(where: isMissing) else { continue }
        score += 1
      }
      if !question.when.unknownLetters.isEmpty {
        guard question.when.unknownLetters.contains(where: { abcde[$0] == .notStated }) else { continue }
        score += 1
      }
      if !question.when.groups.isEmpty {
        guard question.when.groups.contains(where: groups.contains) else { continue }
        score += 3
      }
      if !question.when.patterns.isEmpty {
        guard matcher.firstActive(question.when.patterns, benefitOfDoubt: true) != nil else { continue }
        score += 3
      }
      if question.isUrgent { score += 2 }
      if urgency == .red, !question.isUrgent, question.when.groups.isEmpty { continue }
      if isRoutine, question.when.groups.isEmpty, question.when.patterns.isEmpty, question.when.missing.isEmpty {
        continue
      }
      scored.append((score, question.text))
    }
    // Equal scores keep the protocol's order.
    return aboutOthers(suppressed)
      + scored.enumerated().sorted { ($0.element.score, $1.offset) > ($1.element.score, $0.offset) }
      .map(\.element.text)
  }

  /// Where another animal's words sound urgent: whether it is the one to come. It may have been dead for years, but nobody
  /// who reads the level should have to find out from the words that were not counted.
  private func aboutOthers(_ suppressed: [TriageResult.Suppressed]) -> [String] {
    let other = suppressed.first { $0.reason == .otherAnimal && $0.level >= .orange }
    guard let other, !other.evidence.isEmpty else { return [] }
    let quotes = other.evidence.map { "“\($0.quote)”" }.joined(separator: ", ")
    return ["Is another animal unwell now (\(quotes)), and has it been triaged as well?"]
  }

  private func isMissing(_ field: String) -> Bool {
    switch field {
    case "weight": facts.weightKilograms == nil
    case "species": facts.species == nil
    case "age": facts.age == nil
    case "sex": facts.sex == .unknown
    default: !facts.hasHistory
    }
  }
}
