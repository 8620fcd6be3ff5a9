extension ScannedText {
  /// "Blood in stool? O: no", "Fighting? Owner says no": an answer that names who gives it.
  func isReportedAnswer(_ index: Int, _ classes: WordClasses) -> Bool {
    guard index + 1 < words.count, words[index].classes.isSuperset(of: classes.replier) else { return false }
    let next = words[index + 1]
    if Self.denying.contains(next.hash) { return true }
    guard Self.saying.contains(next.hash) || bytes[Int(next.start)] == 0x3A, index + 2 < words.count else {
      return false
    }
    return words[index + 2].classes.isSuperset(of: classes.answer)
  }

  private static let saying = Set(["says", "said", "reports", "reported", "thinks"].map { Spelling.hash($0) })
  private static let denying = Set(["denies", "denied"].map { Spelling.hash($0) })

  /// "Advised dental. O declined.": a sentence that says no and names nothing is about the one before it.
  func isRefusal(at index: Int, _ classes: WordClasses) -> Bool {
    guard index + 1 < words.count, words[index].classes.isSuperset(of: classes.owner),
      words[index + 1].classes.isSuperset(of: classes.refuses)
    else { return false }
    return index + 2 >= words.count || Self.isBorder(words[index + 2])
  }

  /// "D. immitis": the initial of a species, whose full stop ends nothing.
  func isSpeciesInitial(_ index: Int, _ classes: WordClasses) -> Bool {
    index + 2 < words.count && words[index].byteCount == 1 && words[index].flags.contains(.capitalised)
      && words[index + 2].classes.isSuperset(of: classes.epithet) && !words[index + 2].flags.contains(.capitalised)
  }
}
