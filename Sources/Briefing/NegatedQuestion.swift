/// A question whose topic is itself a no: "what does the policy exclude", "an antibiotic she can't have". A note that says so
/// answers it, and denies nothing.
extension Question {
  var asksForNo: Bool {
    let first = QuestionMoments.words(of: text).first ?? ""
    let isOpen = !isYesOrNo && words.count > 1 && !QuestionParser.openers.contains(first)
    return isOpen && !words.isDisjoint(with: Self.noes.union(Self.bars))
      || isTerseYesOrNo && !words.isDisjoint(with: Self.bars)
  }

  /// What was not done, not wanted, not covered.
  private static let noes: Set<String> = [
    "exclude", "excludes", "excluded", "exclusion", "exclusions", "decline", "declines", "declined", "refuse",
    "refuses", "refused", "omit", "omitted", "skip", "skipped", "missed", "withheld", "cancelled", "avoid", "avoided",
    "not", "never", "without", "doesn't", "doesnt", "didn't", "didnt", "don't", "dont", "wasn't", "isn't", "hasn't",
    "won't", "wouldn't",
  ]

  /// What must not or can't be.
  private static let bars: Set<String> = [
    "can't", "cant", "cannot", "couldn't", "couldnt", "mustn't", "mustnt", "shouldn't", "shouldnt",
  ]
}
