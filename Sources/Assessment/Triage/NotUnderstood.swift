import Clinical

extension CaseAssessment {
  /// Takes back what a text that could not be read seemed to say: no level below yellow, and what to do is to ask. What was found in it
  /// all the same, a drug's name or a word that is the same in both languages, keeps its level.
  ///
  /// - Parameter reason: in a sentence, without words of the text.
  public mutating func takeAsNotUnderstood(because reason: String) {
    triage.implausible.insert("not understood: \(reason)", at: 0)
    guard triage.urgency <= .yellow else { return }
    triage.urgency = .yellow
    triage.targetMinutes = Urgency.yellow.targetMinutes
    triage.action = "Not understood: ring, or have somebody read it, and triage again."
    triage.basis = LevelBasis(.unknown, "not understood: \(reason)")
    triage.explanation = Explanation(
      "urgency: yellow", value: Double(Urgency.yellow.rank),
      details: [Explanation("not understood: \(reason)", value: Double(Urgency.yellow.rank)), triage.explanation])
  }
}
