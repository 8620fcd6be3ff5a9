extension AssertionClassifier {
  /// The last word of a word class that stands before `target` in its sentence.
  ///
  /// - Parameters:
  ///   - name: a row of `word-classes.tsv`.
  ///   - target: UTF-8 bytes of the text.
  ///   - reach: how many words may lie between.
  ///   - context: the text, as ``context(of:)`` read it.
  /// - Returns: the word's UTF-8 bytes; nil when there is none so near, or no such class.
  public func word(
    ofClass name: String, before target: Range<Int>, within reach: Int, in context: AssertionContext
  ) -> Range<Int>? {
    guard let set = wordClasses.set(named: name), let first = context.text.wordRange(of: target).first else {
      return nil
    }
    let sentence = context.text.sentence(ofWord: first)
    let near = max(sentence.lowerBound, first - reach - 1)..<first
    guard let index = near.last(where: { context.text.words[$0].classes.isSuperset(of: set) }) else { return nil }
    return context.text.byteRange(of: index..<(index + 1))
  }
}
