import Clinical
import TextAnalysis

extension AssertionClassifier {
  /// The verb of taking in by the mouth that has `target` for its object: the "ate" of "she ate my husband's tablets".
  ///
  /// A verb reaches no further than its clause: not past a comma, a "but", another subject ("eating fine and my other dog is
  /// fitting") or an animal that does something itself. Whose the thing was ("next door's", "the other dog's") stops nothing.
  ///
  /// - Parameters:
  ///   - target: UTF-8 bytes of the text.
  ///   - reach: how many words may lie between.
  ///   - context: the text, as ``context(of:)`` read it.
  /// - Returns: the verb's UTF-8 bytes; nil when there is none so near.
  public func ingestion(
    before target: Range<Int>, within reach: Int, in context: AssertionContext
  ) -> Range<Int>? {
    let text = context.text
    guard let first = text.wordRange(of: target).first else { return nil }
    let sentence = text.sentence(ofWord: first)
    var index = first - 1
    while index >= max(sentence.lowerBound, first - reach - 1) {
      let word = text.words[index]
      if word.classes.isSuperset(of: .ingest) { return text.byteRange(of: index..<(index + 1)) }
      if ScannedText.isBorder(word) || word.classes.isSuperset(of: .stop)
        || word.classes.isSuperset(of: .subject)
      {
        return nil
      }
      // "The cat food" and "the dog's wormer" are things; "the other dog is fitting" is somebody.
      let isOwned = index + 1 == first || text.isPossessive(index)
      if word.classes.isSuperset(of: .animal), !isOwned { return nil }
      index -= 1
    }
    return nil
  }
}

extension ScannedText {
  /// Whether a word ends in 's or s'.
  func isPossessive(_ index: Int) -> Bool {
    WordForm.endsInPossessive(bytes[words[index].range])
      || (index + 1 < words.count && WordForm.apostropheLength(bytes, at: Int(words[index].end)) != nil)
  }
}
