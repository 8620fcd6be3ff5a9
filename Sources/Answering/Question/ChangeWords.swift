/// The words by which a question asks how far something went up or down, or where it stood highest and lowest.
///
/// Verbs of rising and falling, superlatives of size. What rises or falls is named beside them, or is the weight.
enum ChangeWords {
  enum Direction { case up, down, either }

  struct Found {
    let direction: Direction
    /// In the question's bytes.
    let ranges: [Range<Int>]
    let impliesWeight: Bool
  }

  /// The verb of change among a question's words; nil where there is none.
  static func change(in words: [ClassedWord]) -> Found? {
    for (index, word) in words.enumerated() {
      guard let direction = direction(of: word) else { continue }
      guard word.isOne(of: [.up, .on, .down, .off]) else {
        return Found(
          direction: direction, ranges: [word.range], impliesWeight: word.isOne(of: [.gaining, .losing, .heavier]))
      }
      // "Come down", "put on", "gone up": such words say a direction only behind a verb of moving.
      if index > 0, words[index - 1].isOne(of: [.moving, .putting]) {
        let mover = words[index - 1]
        return Found(
          direction: direction, ranges: [mover.range, word.range], impliesWeight: mover.isOne(of: .putting))
      }
    }
    return nil
  }

  private static func direction(of word: ClassedWord) -> Direction? {
    if word.isOne(of: [.gaining, .rising, .up, .on]) { return .up }
    if word.isOne(of: [.losing, .dropping, .falling, .down, .off]) { return .down }
    return word.isOne(of: [.changing, .differing, .heavier]) ? .either : nil
  }

  /// Whether the highest or the lowest is meant; nil for other words.
  static func isLeast(_ word: ClassedWord) -> Bool? {
    if word.isOne(of: .lowest) { return true }
    return word.isOne(of: .highest) ? false : nil
  }
}
