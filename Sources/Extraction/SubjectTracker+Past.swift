/// What of another animal's story is over.
extension SubjectTracker {
  /// From "had", "died", "scored" right behind the subject to a verb in the present; what people had may well go on.
  func past(_ subject: Range<Int>, before end: Int) -> Range<Int> {
    let heads = subject.reduce(into: WordClassSet()) { $0.formUnion(text.words[$1].classes) }
    guard subject.upperBound < end,
      !heads.isDisjoint(with: .creature.union(.relative).union(.group))
    else { return 0..<0 }
    // "Her dam, who had": the comma belongs to the clause.
    let start = ScannedText.isBorder(text.words[subject.upperBound]) ? subject.upperBound + 1 : subject.upperBound
    for index in start..<max(start, min(end, start + 4)) {
      let word = text.words[index]
      if ScannedText.isBorder(word) { break }
      // "Sister came in too, pollen on coat", "two geckos tested positive": what was found is so today.
      if word.isOne(of: .seen) || word.isOne(of: .condition) { break }
      let isState = word.classes.isSuperset(of: .state)
      // "Two of the litter have had it".
      let isPerfect =
        isState && index + 1 < end && text.words[index + 1].classes.isSuperset(of: .past.union(.state))
      if word.classes.isSuperset(of: .past) || isPerfect {
        let present = (index + 1..<end).first {
          text.words[$0].classes.isSuperset(of: .state) && text.words[$0].classes.isDisjoint(with: .past)
            && !($0 + 1 < end && text.words[$0 + 1].classes.isSuperset(of: .past))
        }
        return index..<(present ?? end)
      }
      if isState { break }
    }
    return 0..<0
  }
}
