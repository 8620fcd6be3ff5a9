extension AssertionClassifier {
  /// The date of the earlier entry that `target` stands in, where that makes it past.
  ///
  /// What lasts ("3/21: asthma") and drugs of which more is said ("on Flovent since") are as likely so today: a problem taken for over
  /// costs more than one taken for current.
  func earlierDate(over target: Range<Int>, _ time: CueMatch?, _ context: AssertionContext) -> Range<Int>? {
    guard let first = target.first, let date = context.entries.earlierDate(over: first) else { return nil }
    let classes = target.reduce(into: WordClassSet()) { $0.formUnion(context.text.words[$1].classes) }
    if classes.isSuperset(of: wordClasses.lasting) { return nil }
    return time != nil && classes.isSuperset(of: wordClasses.drug) ? nil : date
  }
}
