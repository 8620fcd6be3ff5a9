extension AssertionClassifier {
  /// The date of the earlier entry that `target` stands in, where that makes it past.
  ///
  /// What lasts ("3/21: asthma") and drugs of which more is said ("on Flovent since") are as likely so today: a problem taken for over
  /// costs more than one taken for current.
  func earlierDate(over target: Range<Int>, _ time: CueMatch?, _ context: AssertionContext) -> Range<Int>? {
    guard let first = target.first, let date = context.entries.earlierDate(over: first) else { return nil }
    if lasts(target, in: context) || stands(target, in: context) { return nil }
    let isDrug = target.contains { context.text.words[$0].classes.isSuperset(of: .drug) }
    return time != nil && isDrug ? nil : date
  }

  /// Whether the words name what stays until somebody takes it away: an entry that names a tumour is none that it is gone.
  private func stands(_ target: Range<Int>, in context: AssertionContext) -> Bool {
    target.contains { context.text.words[$0].classes.isSuperset(of: .standing) }
  }

  /// Whether the words name a condition that goes on when nobody says that it ended.
  func lasts(_ target: Range<Int>, in context: AssertionContext) -> Bool {
    target.contains { context.text.words[$0].classes.isSuperset(of: .lasting) }
  }
}
