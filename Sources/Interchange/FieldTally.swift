/// What a file's rows had beyond the format, counted so that it is said once a file: unknown keys, words taken for
/// "other", rows without ids.
final class FieldTally {
  private struct Count {
    let line: Int
    var rows: Int
    let hint: String
  }

  private struct Word: Hashable, Comparable {
    let field: String
    /// Nil for a word better not repeated, empty for none.
    let word: String?
    let meaning: String

    static func < (lhs: Self, rhs: Self) -> Bool {
      (lhs.field, lhs.word ?? "", lhs.meaning) < (rhs.field, rhs.word ?? "", rhs.meaning)
    }
  }

  /// A file may invent a key for every row: beyond so many they are only counted.
  static let limit = 100

  /// The line of the row under work.
  var line = 1
  private let file: String
  private var fields: [String: Count] = [:]
  private var words: [Word: Count] = [:]
  private var otherFields: Count?
  private var derived: Count?
  private var years: [String: Count] = [:]

  init(file: String) {
    self.file = file
  }

  /// Counts a key that is ignored, `known` being those it may be meant for.
  ///
  /// A key that doesn't look like one is counted without being named; headings may consist of several words.
  func addUnknownField(_ name: String, known: [String], isHeading: Bool = false) {
    if fields[name] != nil {
      fields[name]?.rows += 1
    } else if fields.count < Self.limit, let name = isHeading ? Harmless.heading(name) : Harmless.key(name) {
      let suggestion = nearest(to: name.lowercased(), among: known)
      fields[name] = Count(line: line, rows: 1, hint: suggestion.map { "did you mean '\($0)'?" } ?? "")
    } else {
      otherFields = Count(line: otherFields?.line ?? line, rows: (otherFields?.rows ?? 0) + 1, hint: "")
    }
  }

  /// Counts a word that was understood as `meaning` for want of better.
  func addUnknownWord(_ word: String, field: String, meaning: String) {
    var key = Word(field: field, word: Harmless.word(word), meaning: meaning)
    if words[key] == nil, words.count >= Self.limit { key = Word(field: field, word: nil, meaning: meaning) }
    words[key, default: Count(line: line, rows: 0, hint: "")].rows += 1
  }

  /// Counts a row that left out a word it should have.
  func addMissingWord(field: String, meaning: String) {
    let key = Word(field: field, word: "", meaning: meaning)
    words[key, default: Count(line: line, rows: 0, hint: "")].rows += 1
  }

  func addDerivedID() {
    derived = Count(line: derived?.line ?? line, rows: (derived?.rows ?? 0) + 1, hint: "")
  }

  /// Counts a date of which only the year was given.
  func addYearAlone(_ field: String) {
    years[field, default: Count(line: line, rows: 0, hint: "")].rows += 1
  }

  /// Everything counted, in a fixed order.
  func problems() -> [ImportFileProblem] {
    var result: [ImportFileProblem] = []
    for (name, count) in fields.sorted(by: { ($0.value.line, $0.key) < ($1.value.line, $1.key) }) {
      result.append(
        ImportFileProblem(
          .unknownField, file: file, line: count.line, count: count.rows,
          message: "'\(name)' is unknown and was ignored (\(rows(count.rows)))", hint: count.hint))
    }
    if let otherFields {
      result.append(
        ImportFileProblem(
          .unknownField, file: file, line: otherFields.line, count: otherFields.rows,
          message: "further unknown keys were ignored (\(otherFields.rows) times)"))
    }
    for (word, count) in words.sorted(by: { ($0.value.line, $0.key) < ($1.value.line, $1.key) }) {
      let what =
        switch word.word {
        case nil: "an unknown \(word.field)"
        case "": "a missing \(word.field)"
        case let text?: "the unknown \(word.field) '\(text)'"
        }
      result.append(
        ImportFileProblem(
          .unknownWord, file: file, line: count.line, count: count.rows,
          message: "\(what) is '\(word.meaning)' in a new record and changes none on file (\(rows(count.rows)))"))
    }
    for (field, count) in years.sorted(by: { ($0.value.line, $0.key) < ($1.value.line, $1.key) }) {
      result.append(
        ImportFileProblem(
          .yearAlone, file: file, line: count.line, count: count.rows,
          message: "only the year of \(field) is known: its first day was taken (\(rows(count.rows)))",
          hint: "ages are up to a year too high"))
    }
    if let derived {
      result.append(
        ImportFileProblem(
          .derivedIDs, file: file, line: derived.line, count: derived.rows,
          message: "\(rows(derived.rows)) without an id: ids were made from patient and time",
          hint: "a text that is there already is known again; another text at the same time is a record of its own"))
    }
    return result
  }

  private func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
}
