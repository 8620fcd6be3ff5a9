import Clinical

/// The five letters of a case, each with the words that say so. Silence stays ``ABCDEStatus/notStated``.
struct PrimarySurvey {
  private(set) var statuses: [ABCDELetter: ABCDEStatus] = [:]
  private(set) var evidence: [ABCDELetter: [Evidence]] = [:]

  init(
    fired: [TriageResult.Fired], signs: [TriageProtocol.Normal], normals: [TriageProtocol.Normal],
    vitals: VitalRanges.Judgement,
    matcher: PatternMatcher
  ) {
    for letter in ABCDELetter.allCases { statuses[letter] = .notStated }
    for status in [ABCDEStatus.critical, .abnormal] {
      for finding in fired {
        for letter in ABCDELetter.allCases where finding.letters[letter] == status {
          note(letter, status, finding.evidence)
        }
      }
    }
    for sign in signs where statuses[sign.letter] == .notStated || statuses[sign.letter] == sign.status {
      guard let (_, match) = matcher.firstActive(sign.patterns, benefitOfDoubt: false) else { continue }
      note(sign.letter, sign.status, match.words.map(matcher.reading.evidence))
    }
    for normal in normals where statuses[normal.letter] == .notStated {
      guard let (_, match) = matcher.firstActive(normal.patterns, benefitOfDoubt: false) else { continue }
      note(normal.letter, .normal, match.words.map(matcher.reading.evidence))
    }
    for normal in vitals.normal where statuses[normal.letter] == .notStated {
      note(normal.letter, .normal, [matcher.reading.evidence(normal.words)])
    }
  }

  private mutating func note(_ letter: ABCDELetter, _ status: ABCDEStatus, _ words: [Evidence]) {
    if statuses[letter] == .notStated { statuses[letter] = status }
    if statuses[letter] == status { evidence[letter, default: []] += words }
  }

  /// Levels that the letters themselves give under protocols that say so.
  func levels(_ table: [ABCDEStatus: [ABCDELetter: Urgency]]) -> [TriageResult.Fired] {
    ABCDELetter.allCases.compactMap { letter in
      guard let status = statuses[letter], let level = table[status]?[letter] else { return nil }
      return TriageResult.Fired(
        id: "survey-\(letter.rawValue)", group: "primary survey", level: level, baseLevel: level, letters: [:],
        evidence: evidence[letter] ?? [], reason: "\(letter.rawValue) \(status.rawValue)",
        floor: TriageFloor.of(level: level, base: level))
    }
  }
}
