import TextAnalysis

/// The words by which a question asks how far something went up or down, or where it stood highest and lowest.
///
/// A closed class: verbs of rising and falling, superlatives of size. What rises or falls is named beside them, or is the weight.
enum ChangeWords {
  enum Direction { case up, down, either }

  private static let directions: [String: Direction] = {
    var directions: [String: Direction] = [:]
    for word in [
      "gain", "gained", "gaining", "rise", "risen", "rose", "climb", "climbed", "increase", "increased", "grown",
      "grew", "up", "on",
    ] { directions[word] = .up }
    for word in [
      "lose", "lost", "losing", "loss", "drop", "dropped", "fall", "fallen", "fell", "decrease", "decreased", "shed",
      "slimmed", "down", "off",
    ] { directions[word] = .down }
    for word in ["change", "changed", "differ", "difference"] { directions[word] = .either }
    return directions
  }()

  /// Words that say a direction only behind a verb of moving: "come down", "put on", "gone up".
  private static let particles: Set = ["up", "down", "on", "off"]
  private static let movers: Set = [
    "put", "puts", "putting", "go", "went", "gone", "come", "came", "brought", "get", "got", "taken", "take",
  ]
  /// What is gained and lost where nothing else is named.
  private static let ofWeight: Set = ["gain", "gained", "gaining", "lose", "lost", "losing", "shed", "slimmed", "put"]

  struct Found {
    let direction: Direction
    /// In the question's bytes.
    let ranges: [Range<Int>]
    let impliesWeight: Bool
  }

  /// The verb of change among a question's words; nil where there is none.
  static func change(in words: [Token]) -> Found? {
    for (index, word) in words.enumerated() {
      guard let direction = directions[word.text] else { continue }
      guard particles.contains(word.text) else {
        return Found(direction: direction, ranges: [word.range], impliesWeight: ofWeight.contains(word.text))
      }
      if index > 0, movers.contains(words[index - 1].text) {
        let mover = words[index - 1]
        return Found(
          direction: direction, ranges: [mover.range, word.range],
          impliesWeight: mover.text.hasPrefix("put") || mover.text.hasPrefix("putt"))
      }
    }
    return nil
  }

  /// Whether the highest or the lowest is meant; nil for other words.
  static func isLeast(_ word: String) -> Bool? {
    if lowest.contains(word) { return true }
    return highest.contains(word) ? false : nil
  }

  private static let highest: Set = [
    "highest", "heaviest", "peak", "peaked", "top", "biggest", "largest", "greatest", "most", "maximum", "max",
    "fastest", "fattest", "worst", "longest",
  ]
  private static let lowest: Set = [
    "lowest", "lightest", "least", "smallest", "fewest", "minimum", "min", "nadir", "thinnest", "slowest", "skinniest",
    "shortest",
  ]
}
