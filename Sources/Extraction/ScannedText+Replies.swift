extension ScannedText {
  /// "Blood in stool? O: no", "Fighting? Owner says no": an answer that names who gives it.
  func isReportedAnswer(_ index: Int) -> Bool {
    guard index + 1 < words.count, words[index].classes.isSuperset(of: .replier) else { return false }
    let next = words[index + 1]
    if Self.denying.contains(next.hash) { return true }
    guard next.isOne(of: .replying) || bytes[Int(next.start)] == 0x3A, index + 2 < words.count else {
      return false
    }
    return words[index + 2].classes.isSuperset(of: .answer)
  }

  private static let denying = Set(["denies", "denied"].map { Spelling.hash($0) })

  /// "Advised dental. O declined.": a sentence that says no and names nothing is about the one before it.
  func isRefusal(at index: Int) -> Bool {
    guard index + 1 < words.count, words[index].classes.isSuperset(of: .owner),
      words[index + 1].classes.isSuperset(of: .refuses)
    else { return false }
    return index + 2 >= words.count || Self.isBorder(words[index + 2])
  }

  /// "Add benazepril? Doesn't want it.", "Chest film? Owner declined.": a reply that says no to what was asked, by its first words but
  /// for who says so.
  func isTurnedDown(at start: Int) -> Bool {
    var index = start
    let subjects: WordClassSet = .replier.union(.aux)
    while index < min(words.count, start + 3), !words[index].classes.isDisjoint(with: subjects) { index += 1 }
    guard index < words.count else { return false }
    if words[index].classes.isSuperset(of: .refuses) { return true }
    guard words[index].classes.isSuperset(of: .negator), index + 1 < words.count else { return false }
    let verb = words[index + 1].hash == Self.been && index + 2 < words.count ? index + 2 : index + 1
    return !words[verb].classes.isDisjoint(with: .willing.union(.performed))
  }

  private static let been = Spelling.hash("been")

  /// "D. immitis": the initial of a species, whose full stop ends nothing.
  func isSpeciesInitial(_ index: Int) -> Bool {
    index + 2 < words.count && words[index].byteCount == 1 && words[index].flags.contains(.capitalised)
      && words[index + 2].classes.isSuperset(of: .epithet) && !words[index + 2].flags.contains(.capitalised)
  }
}
