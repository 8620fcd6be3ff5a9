import TextAnalysis

/// The word of a vocabulary that a mistyped one was probably meant to be.
enum Misspelling {
  /// One slip in words of five letters or more, two in words of nine or more; the first letter is trusted. Nil when nothing
  /// is near, and for words with digits, where one slip is another thing.
  static func nearest(to word: String, in vocabulary: Set<String>) -> String? {
    let bytes = Array(word.utf8)
    // The same word in another form that the stemmer keeps apart: catheter, catheterised.
    if bytes.count >= 6,
      let other = vocabulary.sorted().first(where: { other in
        other.utf8.count >= 6 && (word.hasPrefix(other) || other.hasPrefix(word))
          && abs(other.utf8.count - bytes.count) <= 4
      })
    {
      return other
    }
    guard bytes.count >= 5, !bytes.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    let limit = bytes.count >= 9 ? 2 : 1
    var best: (distance: Int, word: String)?
    for candidate in vocabulary.sorted() {
      let other = Array(candidate.utf8)
      guard other.first == bytes.first, abs(other.count - bytes.count) <= limit else { continue }
      guard let distance = EditDistance.between(bytes, other, limit: limit) else { continue }
      if distance < best?.distance ?? .max { best = (distance, candidate) }
    }
    return best?.word
  }
}
