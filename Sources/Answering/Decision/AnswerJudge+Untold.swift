import Clinical
import Extraction
import TextAnalysis

/// Something near is written, and not what is asked: of another time, as a plan only, or a lump where it is asked for its removal.
extension AnswerJudge {
  func measureUntold(_ features: inout Measures<SilenceFeature>) {
    let naming = self.naming
    guard !naming.isEmpty else { return }
    if !question.periods.isEmpty, !question.isAboutPresent, question.roles.isDisjoint(with: [.when, .next]),
      !ranking.readings.contains(where: { $0.features[.outOfPeriod] == 0 && $0.features[.own] >= Self.something })
    {
      features[.untoldThen] = 1
    }
    if question.isYesOrNo, asksForRemoval, !naming.contains(where: tellsOfRemoval) { features[.untoldAsRemoved] = 1 }
    if asksForResult {
      let then = naming.filter { reading in
        question.periods.isEmpty || question.periods.contains { $0.contains(reading.match.unit.note.recordedAt) }
      }
      if !then.isEmpty, then.allSatisfy({ isAhead($0) || isSampled($0) }) { features[.onlySampled] = 1 }
    }
    guard asksWhatCame, naming.allSatisfy(isAhead) else { return }
    features[.onlyPlanned] = 1
  }

  /// The sentences that name the rarest thing asked for; of "has the spleen been removed" the spleen.
  private var naming: [Reading] {
    let groups = finder.groups
    let removals = Set(question.tests.removalAsked.filter { $0.count == 1 }.flatMap { $0 })
    let asked = groups.indices.filter {
      question.isAsked(groups[$0]) && groups[$0].force != .weak && !groups[$0].isName && finder.holders[$0] > 0
        && !removals.contains(groups[$0].text.lowercased())
    }
    // A part of the body is the topic only where nothing else is.
    let specific = asked.filter { groups[$0].force == .specific }
    guard let rarest = (specific.isEmpty ? asked : specific).max(by: { finder.weights[$0] < finder.weights[$1] }) else {
      return []
    }
    return ranking.readings.filter { $0.match.own[rarest] >= Match.naming && !$0.match.unit.isOfOtherPatient }
  }

  /// A sentence of the time asked about that names so much of the question may tell it in other words.
  private static let something = 0.4

  private var asksForRemoval: Bool {
    // "Any fits since the lump was taken off?" asks for fits.
    guard !question.has([.since, .before, .after, .when]) else { return false }
    let words = WordPhrases.words(of: question.text.lowercased())
    return question.tests.removalAsked.contains { phrase in
      words.indices.contains { words[$0...].starts(with: phrase) }
    }
  }

  /// A sentence, or the one before or after it, tells that something was taken out or off, or that it was not to be.
  private func tellsOfRemoval(_ reading: Reading) -> Bool {
    let unit = reading.match.unit
    if isTurnedDown(in: unit.note) { return true }
    let near = [unit.position - 1, unit.position, unit.position + 1].filter {
      finder.units.indices.contains($0) && finder.units[$0].note.id == unit.note.id
    }
    return near.contains { place in
      WordPhrases.words(of: finder.units[place].text.lowercased()).contains {
        question.tests.removalTold.contains($0) || $0.hasSuffix("ectomy")
      }
    }
  }

  /// What a test showed, or the value that it gave.
  var asksForResult: Bool {
    (!question.isYesOrNo || question.isTerseYesOrNo)
      && question.roles.isDisjoint(with: [.next, .advice, .why, .who, .when, .permission, .count])
      && (TestQuestion(question, groups: finder.groups).asksForTest || question.has([.figure, .result])
        || naming.contains { reading in
          reading.match.parts.contains { $0.fact.map { [.lab, .pendingResult].contains($0.kind) } == true }
        })
  }

  /// "Level taken", "swab sent": without a value, a finding or a word that all was well.
  private func isSampled(_ reading: Reading) -> Bool {
    let unit = reading.match.unit
    guard !reading.isDenial, reading.signs.isDisjoint(with: [.health, .refusal]),
      !reading.match.parts.contains(where: { $0.fact?.hasValue == true && $0.fact?.lab?.result != .pending }),
      !EvidenceRanking.hasNumberBeside(reading.match, question.classes)
    else { return false }
    return unit.facts.contains { $0.kind == .pendingResult }
      || question.classes.words(in: unit).has([.sent, .sampled, .awaited])
  }

  /// Offered, asked about, to be done; not declined or left undone, which would be a no.
  private func isAhead(_ reading: Reading) -> Bool {
    guard !reading.isDenial, !isTurnedDown(in: reading.match.unit.note) else { return false }
    return reading.isHypothetical || reading.signs.contains(.question)
      || !reading.nearSigns.isDisjoint(with: [.proposal, .plan])
  }

  /// A sentence of the note says that something was declined or left undone: perhaps this.
  func isTurnedDown(in note: ClinicalNote) -> Bool {
    ranking.readings.contains { $0.match.unit.note.id == note.id && ($0.isDenial || $0.signs.contains(.undone)) }
  }

  /// What was done, how often, what it showed: not what is planned or advised.
  var asksWhatCame: Bool {
    question.roles.isDisjoint(with: [.next, .advice, .why, .permission, .who])
      && !question.has(.talkedover)
      && (question.isAboutPast || question.has([.have, .result, .cameofit])
        || !question.roles.isDisjoint(with: [.count, .account, .ever]))
  }
}
