package import Clinical

/// The five letters as the exemplars would have them, each with the words that carry it.
///
/// A letter that is said to be normal, abnormal or critical shows words of the text; one for which no words speak stays
/// ``ABCDEStatus/notStated``: silence is not normal.
package struct LearnedSurvey {
  private(set) var statuses: [ABCDELetter: ABCDEStatus] = [:]
  private(set) var evidence: [ABCDELetter: [Evidence]] = [:]

  private static let shownSpans = 2

  /// A character for each status in tables: `-` not stated, `n` normal, `a` abnormal, `c` critical.
  package static let codes: [(code: Character, status: ABCDEStatus)] = [
    ("-", .notStated), ("n", .normal), ("a", .abnormal), ("c", .critical),
  ]

  /// The outputs of ``CaseModel/Task/survey``: letter by letter, each with its statuses.
  package static let outputs: [(letter: ABCDELetter, status: ABCDEStatus)] = ABCDELetter.allCases.flatMap { letter in
    codes.map { (letter, $0.status) }
  }

  package static func name(_ letter: ABCDELetter, _ status: ABCDEStatus) -> String {
    "\(letter.rawValue) \(status.rawValue)"
  }

  /// The likeliest status of each letter.
  ///
  /// - Parameters:
  ///   - scores: of ``outputs``.
  ///   - rules: what the rules say, which weighs on its own.
  /// - Returns: a status for each letter.
  package static func statuses(_ scores: [Double], rules: [ABCDELetter: ABCDEStatus]) -> [ABCDELetter: ABCDEStatus] {
    var best: [ABCDELetter: (status: ABCDEStatus, score: Double)] = [:]
    for (output, score) in zip(outputs, scores) {
      let total = score + (rules[output.letter] == output.status ? ruleShare : 0)
      if total > best[output.letter]?.score ?? -.infinity { best[output.letter] = (output.status, total) }
    }
    var statuses = best.mapValues(\.status)
    // What the rules read as a threat to life is never called normal.
    for (letter, status) in rules where status == .critical && statuses[letter] == .normal {
      statuses[letter] = .critical
    }
    return statuses
  }

  /// What the rules' word for a status is worth beside scores from −1 to 1.
  static let ruleShare = 0.1

  init(model: CaseModel, seen: LearnedTriage.Case, reading: IntakeReading, triage: TriageResult) {
    let scores = model.scores(seen.vector, .survey)
    let chosen = Self.statuses(scores, rules: triage.abcde)
    let isReassured = reading.isReassured(triage)
    for letter in ABCDELetter.allCases {
      let status = chosen[letter] ?? .notStated
      // Messages about jabs come with well animals; without a known word that says so, nothing is known.
      if status == .notStated || (status == .normal && !isReassured) {
        statuses[letter] = .notStated
        continue
      }
      var spans = triage.abcde[letter] == status ? triage.abcdeEvidence[letter] ?? [] : []
      if spans.isEmpty { spans = Self.spans(letter, status, model, seen, reading) }
      var places: Set<Range<Int>> = []
      spans.removeAll { !places.insert($0.range).inserted }
      statuses[letter] = spans.isEmpty ? .notStated : status
      if !spans.isEmpty { evidence[letter] = spans }
    }
  }

  /// The words that speak most for a status and against silence, at most ``shownSpans`` places.
  private static func spans(
    _ letter: ABCDELetter, _ status: ABCDEStatus, _ model: CaseModel, _ seen: LearnedTriage.Case,
    _ reading: IntakeReading
  ) -> [Evidence] {
    func place(_ status: ABCDEStatus) -> Int {
      outputs.firstIndex { $0.letter == letter && $0.status == status } ?? 0
    }
    var spans: [Range<Int>] = []
    let parts = model.contributions(
      seen.vector, seen.features, .survey, output: place(status), minus: place(.notStated))
    for part in parts where part.amount > 0 {
      guard let words = part.feature.words, !words.isEmpty, part.feature.block != .survey else { continue }
      guard !spans.contains(where: { $0.overlaps(words) }) else { continue }
      spans.append(words)
      if spans.count == shownSpans { break }
    }
    return spans.sorted { $0.lowerBound < $1.lowerBound }.map(reading.evidence)
  }
}
