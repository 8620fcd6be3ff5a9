public import Answering
import Clinical

/// Tells a text in a language that VetNet can't read from English, shorthand included.
///
/// Counts the words that only one language has: its articles, pronouns and prepositions, and the words of every message to a vet
/// (`Models/language/function-words.tsv`). Shorthand has few such words, and so is never called foreign; neither is a text with
/// some foreign words, such as a name or a pedigree. A script other than the Latin one is known by its letters.
struct LanguageGuess {
  /// Of languages that can't be read.
  private let names: [String]
  /// Of each word that English hasn't the languages that have it, as places in ``names``.
  private let speakers: [String: [Int]]
  private let english: Set<String>

  /// - Throws: ``DataTableError`` where the table has no row for English.
  init(table: DataTable) throws(DataTableError) {
    var languages: [(name: String, words: Set<String>)] = []
    var english: Set<String> = []
    for row in table.rows {
      let words = Set(row.list("words"))
      if row["id"] == "english" { english = words } else { languages.append((row["language"], words)) }
    }
    guard !english.isEmpty else {
      throw DataTableError(table: "language/function-words.tsv", line: 1, column: "id", problem: "has no row 'english'")
    }
    self.english = english
    names = languages.map(\.name)
    var speakers: [String: [Int]] = [:]
    for (place, language) in languages.enumerated() {
      for word in language.words.subtracting(english) { speakers[word, default: []].append(place) }
    }
    self.speakers = speakers
  }

  /// Words beyond these change nothing.
  private static let wordLimit = 300
  /// Of a text's words, the share that has to be one language's alone.
  private static let share = 0.34

  /// The language of a text that VetNet can't read, as a person calls it; nil for English, for what may be English, and for texts too
  /// short to tell.
  func foreignLanguage(of text: String) -> String? {
    let words = Self.words(text)
    if let script = Self.script(words) { return script }
    let own = words.count { english.contains($0) }
    var found = [[String]](repeating: [], count: names.count)
    for word in words {
      for place in speakers[word] ?? [] { found[place].append(word) }
    }
    var best: (name: String, count: Int, distinct: Int)?
    for (place, foreign) in found.enumerated() where !foreign.isEmpty {
      let candidate = (name: names[place], count: foreign.count, distinct: Set(foreign).count)
      if (candidate.distinct, candidate.count) > (best?.distinct ?? 0, best?.count ?? 0) { best = candidate }
    }
    guard let best, best.count > 2 * own, Double(best.count) >= Self.share * Double(words.count) else { return nil }
    // Three words are no accident; two are none where the text has hardly more, and nothing of English.
    return best.distinct >= 3 || best.distinct == 2 && words.count <= 6 && own == 0 ? best.name : nil
  }

  /// Runs of letters, small, without digits.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    for word in text.prefix(4000).lowercased().split(whereSeparator: { !$0.isLetter }).prefix(wordLimit) {
      words.append(String(word))
    }
    return words
  }

  private static let scripts: [(range: ClosedRange<UInt32>, name: String)] = [
    (0x0370...0x03FF, "Greek"), (0x0400...0x052F, "a language in Cyrillic letters"), (0x0590...0x05FF, "Hebrew"),
    (0x0600...0x06FF, "a language in Arabic letters"), (0x0900...0x097F, "a language in Devanagari letters"),
    (0x0980...0x09FF, "Bengali"), (0x0A00...0x0A7F, "Punjabi"), (0x0E00...0x0E7F, "Thai"),
    (0x3040...0x30FF, "Japanese"), (0x4E00...0x9FFF, "Chinese or Japanese"), (0xAC00...0xD7A3, "Korean"),
  ]

  /// The script of most letters, where that is not the Latin one.
  private static func script(_ words: [String]) -> String? {
    var total = 0
    var counts = [Int](repeating: 0, count: scripts.count)
    for word in words {
      // ASCII alone: each letter is one unit in either.
      if word.utf16.count == word.utf8.count {
        total += word.utf8.count
        continue
      }
      for scalar in word.unicodeScalars {
        total += 1
        if scalar.value < 0x0370 { continue }
        if let index = scripts.firstIndex(where: { $0.range.contains(scalar.value) }) { counts[index] += 1 }
      }
    }
    guard total >= 4, let most = counts.indices.max(by: { counts[$0] < counts[$1] }), 2 * counts[most] > total else {
      return nil
    }
    return scripts[most].name
  }
}

extension ModelDirectory {
  /// The language of a text that VetNet can't read, as a person calls it; nil for English, for what may be, and for too few words.
  ///
  /// - Throws: ``PracticeError`` where the table of languages can't be used.
  public func unreadableLanguage(of text: String) throws -> String? {
    try languageGuess().foreignLanguage(of: text)
  }

  func languageGuess() throws -> LanguageGuess { try stage("language guess", files.languageGuess) }
}

extension ModelFiles {
  func languageGuess() throws -> LanguageGuess {
    let table = try table("language/function-words.tsv", uniqueKey: "id")
    return try usable { () throws(DataTableError) in try LanguageGuess(table: table) }
  }
}

extension Answer {
  private static let notUnderstoodReason = "the question is in a language that can't be read"

  /// Whether the question could not be read at all: then the record was not asked.
  public var isNotUnderstood: Bool { explanation.description == Self.notUnderstoodReason }

  static func notUnderstood(_ language: String) -> Answer {
    Answer(
      .notRecorded,
      text: "Not understood: the question seems to be \(language), which VetNet can't read. Ask in English.",
      explanation: Explanation(notUnderstoodReason, value: 0))
  }
}
