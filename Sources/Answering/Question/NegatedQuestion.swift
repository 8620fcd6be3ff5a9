import TextAnalysis

/// A question whose topic is itself a no: "what does the policy exclude", "an antibiotic she can't have". A note that says so
/// answers it, and denies nothing.
extension Question {
  var asksForNo: Bool {
    let spoken = WordForm.words(of: text)
    let first = spoken.first ?? ""
    let isBarred = zip(spoken, spoken.dropFirst()).contains { Self.bars.contains($0) && $1 == WordForm.not }
    let isOpen = !isYesOrNo && words.count > 1 && !QuestionParser.openers.contains(first)
    return isOpen && !words.isDisjoint(with: Self.noes) || isTerseYesOrNo && isBarred
  }

  /// What was not done, not wanted, not covered.
  private static let noes: Set<String> = [
    "exclude", "excludes", "excluded", "exclusion", "exclusions", "decline", "declines", "declined", "refuse",
    "refuses", "refused", "omit", "omitted", "skip", "skipped", "missed", "withheld", "cancelled", "avoid", "avoided",
    "not", "never", "without",
  ]

  /// What, with "not", must not or can't be.
  private static let bars: Set<String> = ["can", "could", "must", "should"]
}
