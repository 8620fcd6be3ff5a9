import Clinical
import Store

/// Takes names of people, places and animals out of a text before it leaves a practice, by rules: the practice's own names with slips, typed
/// patterns, words that stand before names, where in a sentence a person stands, and words with a capital that are neither everyday nor clinical.
///
/// What it finds is measured on notes written for that, by `vetnet evaluate names`; it finds most names, not all.
public struct NameRemover: Sendable {
  private let rules: NameRules
  private let directory: NameDirectory
  private let written: WrittenWords

  init(rules: NameRules, directory: NameDirectory, written: WrittenWords = WrittenWords()) {
    self.rules = rules
    self.directory = directory
    self.written = written
  }

  /// For texts of no practice.
  ///
  /// - Parameters:
  ///   - models: where the words beside names are.
  ///   - people: names that are on file.
  ///   - staff: names of those who write notes.
  ///   - places: addresses that are on file.
  ///   - animals: names of animals that are on file.
  ///   - written: how words are written where the texts are from.
  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public init(
    models: ModelDirectory, people: [String] = [], staff: [String] = [], places: [String] = [], animals: [String] = [],
    written: WrittenWords = WrittenWords()
  ) throws {
    let rules = try models.nameRules()
    self.init(
      rules: rules,
      directory: NameDirectory(people: people, staff: staff, places: places, animals: animals, rules: rules),
      written: written)
  }

  /// The text without its names. Of `subjects`, the names of whom it is about (the animal and its owner), those that are everyday words as well
  /// are taken for names wherever they may be.
  public func redact(_ text: String, about subjects: [String] = []) -> RedactedText {
    var finder = finder(of: text, about: subjects)
    finder.find()
    return RedactedText(text, removing: finder.marks.spans)
  }

  func finder(of text: String, about subjects: [String]) -> NameFinder {
    let words = NameWords(text).words
    var marks = NameMarks(text, words)
    TypedNames.mark(text, &marks)
    return NameFinder(
      rules: rules, directory: directory, written: written,
      subjects: directory.writers.union(subjects.flatMap(NameDirectory.split).map(\.foldedName)), words: words,
      marks: marks)
  }
}

extension ModelDirectory {
  func nameRules() throws -> NameRules { try stage("nameRules") { try NameRules(models: self) } }
}
