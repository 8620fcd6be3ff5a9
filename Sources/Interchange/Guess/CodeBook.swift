import Clinical

/// What codes of other programs mean, by list: `K9` in `species`.
struct CodeBook: Sendable {
  struct Meaning: Equatable {
    let value: String
    /// False for a code that only begins or abbreviates a known word.
    let isSure: Bool
  }

  private var meanings: [String: [String: String]] = [:]
  private let vocabulary: ImportVocabulary

  init(_ table: DataTable, vocabulary: ImportVocabulary) throws(DataTableError) {
    self.vocabulary = vocabulary
    for row in table.rows {
      for word in [row["value"]] + row.list("words") {
        let known = meanings[row["list"], default: [:]].updateValue(row["value"], forKey: Self.key(word))
        if let known, known != row["value"] { throw row.error("words", "gives '\(word)' a second meaning") }
      }
    }
  }

  private static func key(_ word: String) -> String {
    word.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "?" }
  }

  /// Whether the import understands the word without a mapping.
  func isUnderstood(_ word: String, in list: String) -> Bool {
    switch list {
    case "species": Species(field: word) != nil
    case "sex": Sex(describing: word) != nil
    default: vocabulary.word(for: word, in: list) != nil
    }
  }

  func meaning(of word: String, in list: String) -> Meaning? {
    switch list {
    case "species":
      if let species = Species(field: word) { return Meaning(value: species.rawValue, isSure: true) }
    case "sex": if let sex = Sex(describing: word) { return Meaning(value: sex.rawValue, isSure: true) }
    default: if let known = vocabulary.word(for: word, in: list) { return Meaning(value: known, isSure: true) }
    }
    let key = Self.key(word)
    guard !key.isEmpty, let codes = meanings[list] else { return nil }
    if let value = codes[key] { return Meaning(value: value, isSure: true) }
    let near = Set(
      codes.filter { key.count >= 3 && $0.key.count >= 4 && ($0.key.hasPrefix(key) || key.hasPrefix($0.key)) }
        .map(\.value))
    if near.count == 1, let value = near.first { return Meaning(value: value, isSure: false) }
    let short = Set(codes.filter { key.count >= 2 && key.abbreviates($0.key) }.map(\.value))
    return short.count == 1 ? short.first.map { Meaning(value: $0, isSure: false) } : nil
  }

  /// The list's meanings, for a person to choose from.
  func values(of list: String) -> [String] { Set((meanings[list] ?? [:]).values).sorted() }
}
