public import Clinical
import TextAnalysis

/// A word as phrases compare it, with the closed classes that it is in.
package struct ClassedWord: Sendable {
  package let text: String
  /// In UTF-8 bytes of what was read; empty where only the words were asked for.
  var range: Range<Int> = 0..<0
  let classes: QuestionClassSet

  func isOne(of one: QuestionClass) -> Bool { classes.contains(one) }

  func isOne(of any: QuestionClassSet) -> Bool { !classes.isDisjoint(with: any) }
}

extension Collection<ClassedWord> {
  /// The words with a space between them.
  var text: String { map(\.text).joined(separator: " ") }

  /// All the classes that its words are in.
  var classes: QuestionClassSet { reduce(into: []) { $0.formUnion($1.classes) } }

  func has(_ one: QuestionClass) -> Bool { contains { $0.isOne(of: one) } }

  func has(_ any: QuestionClassSet) -> Bool { contains { $0.isOne(of: any) } }

  /// Whether its words are each in the class at the same place, as far as there are classes.
  func starts(with pattern: [QuestionClass]) -> Bool { starts(with: pattern) { $0.isOne(of: $1) } }

  /// The first word of a class.
  func first(_ one: QuestionClass) -> Index? { firstIndex { $0.isOne(of: one) } }

  func first(_ any: QuestionClassSet) -> Index? { firstIndex { $0.isOne(of: any) } }
}

extension BidirectionalCollection<ClassedWord> {
  /// The last word of a class.
  func last(_ one: QuestionClass) -> Index? { lastIndex { $0.isOne(of: one) } }

  func last(_ any: QuestionClassSet) -> Index? { lastIndex { $0.isOne(of: any) } }
}

/// The words of the closed classes of questions. Data: `Models/answering/word-classes.tsv`, columns `class`, `words` in lower case
/// with "|" between them, and `purpose`.
public struct QuestionClasses: Sendable {
  /// The hashes of the words in order, and beside each its classes.
  private let words: [UInt64]
  private let sets: [QuestionClassSet]

  /// - Throws: ``DataTableError`` for a class that nothing asks for, that stands twice, is missing or has no words.
  public init(table: DataTable) throws(DataTableError) {
    let known = Dictionary(uniqueKeysWithValues: QuestionClass.allCases.map { ($0.name, $0) })
    var found: [UInt64: QuestionClassSet] = [:]
    var named: Set<QuestionClass> = []
    for row in table.rows {
      guard let one = known[row["class"]] else { throw row.error("class", "is no class that anything asks for") }
      guard named.insert(one).inserted else { throw row.error("class", "stands twice") }
      guard !row.list("words").isEmpty else { throw row.error("words", "names no word") }
      for word in row.list("words") { found[FNV1a.hash(word.utf8), default: []].insert(one) }
    }
    if let missing = QuestionClass.allCases.first(where: { !named.contains($0) }) {
      throw DataTableError(
        table: table.name, line: 0, column: "class",
        problem: "class '\(missing)' is missing; add a row '\(missing)' with its words, or put back the shipped table")
    }
    words = found.keys.sorted()
    sets = words.map { found[$0] ?? [] }
  }

  /// The classes of a word in lower case.
  ///
  /// - Complexity: O(log words).
  func classes(of word: String) -> QuestionClassSet {
    let hash = FNV1a.hash(word.utf8)
    var (low, high) = (0, words.count)
    while low < high {
      let middle = (low + high) / 2
      if words[middle] < hash { low = middle + 1 } else { high = middle }
    }
    return low < words.count && words[low] == hash ? sets[low] : []
  }

  /// All the classes that any of the words is in.
  func classes(of words: Set<String>) -> QuestionClassSet { words.reduce(into: []) { $0.formUnion(classes(of: $1)) } }

  package func isOne(_ word: String, of one: QuestionClass) -> Bool { classes(of: word).contains(one) }

  package func isOne(_ word: String, of any: QuestionClassSet) -> Bool { !classes(of: word).isDisjoint(with: any) }

  /// A word that was read already.
  func word(_ text: String, at range: Range<Int> = 0..<0) -> ClassedWord {
    ClassedWord(text: text, range: range, classes: classes(of: text))
  }

  /// The words of a text as ``WordForm/words(of:)`` reads them.
  func words(of text: String) -> [ClassedWord] { WordForm.words(of: text).map { word($0) } }

  /// The words of a text as ``WordPhrases/words(in:range:)`` reads them, with their bytes.
  func words(in text: String, range: Range<Int>? = nil) -> [ClassedWord] {
    WordPhrases.words(in: text, range: range).map { word($0.text, at: $0.range) }
  }

  /// The words of a sentence of a note, with their bytes in the note.
  func words(in unit: EvidenceUnit) -> [ClassedWord] { words(in: unit.note.text, range: unit.range) }
}

extension QuestionClasses: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(all: words)
    packer.add(list: sets) { $1.pack(into: &$0) }
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    words = try unpacker.all()
    sets = try unpacker.list { unpacker throws(PackingError) in try QuestionClassSet(from: &unpacker) }
    guard words.count == sets.count else { throw PackingError() }
  }
}
