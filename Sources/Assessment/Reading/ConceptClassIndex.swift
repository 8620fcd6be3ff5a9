/// Which words of forms belong to the concepts that other forms name.
struct ConceptClassIndex: Sendable {
  /// What may stand where a form names the concept.
  private(set) var choices: [Int: [[Int32]]] = [:]
  /// The words of a class, by its identifier.
  private var members: [Int32: [Int32]] = [:]
  /// The classes of a word, by its identifier.
  private var ofWord: [Int32: [Int32]] = [:]

  /// - Parameters:
  ///   - concept: that is named.
  ///   - identifier: that stands for its words in forms.
  ///   - words: its forms of one word, of which some may be classes.
  ///   - longer: its other forms.
  mutating func add(_ concept: Int, _ identifier: Int32, words: [Int32], longer: [[Int32]]) {
    let words = Set(words.flatMap { members[$0] ?? [$0] }).sorted()
    members[identifier] = words
    for word in words { ofWord[word, default: []].append(identifier) }
    choices[concept] = (words.isEmpty ? [] : [[identifier]]) + longer
  }

  /// Identifiers of words with those of their classes, ascending.
  func withClasses(_ words: [Int32]) -> [Int32] {
    let classes = words.flatMap { ofWord[$0] ?? [] }
    return classes.isEmpty ? words : Set(words + classes).sorted()
  }
}
