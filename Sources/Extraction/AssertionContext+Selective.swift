extension Lanes {
  /// What holds for some targets only takes no words from what holds for all: "Wood's neg, culture pending", asked about the culture.
  ///
  /// - Returns: the other matches.
  func appendSelective(
    _ found: [PhraseMatcher.Match], at index: Int, from start: Int, _ rules: [AssertionRule], _ cues: inout [CueMatch]
  ) -> [PhraseMatcher.Match] {
    let block = found.filter { rules[$0.payload].direction == .block && rules[$0.payload].polarity != nil }
    let isHidden = index < max(blockedUntil, block.map(\.end).max() ?? 0)
    return found.filter { match in
      let rule = rules[match.payload]
      guard rule.isSelective else { return true }
      for axis in AssertionRule.Axis.allCases where match.end > index && !isHidden {
        for looksBack in [false, true] where rule.speaks(of: axis, lookingBack: looksBack) {
          cues.append(CueMatch(rule: match.payload, axis: axis, looksBack: looksBack, words: start..<match.end))
        }
      }
      return false
    }
  }
}
