public import Clinical
import TextAnalysis

/// The words of a question to the whole practice that say whose records and in which state. Data:
/// `Models/briefing/register-words.tsv`, columns `use` and `words`.
public struct RegisterWords: Sendable {
  enum Use: String, CaseIterable, Sendable {
    /// A list of patients, or their number, is asked for.
    case ask
    /// Says nothing about what they have.
    case frame
    case negation, overdue, due, recheck
    /// The past counts too; so do animals that have died.
    case ever, deceased
    case male, female, neutered, entire, older, younger, young
  }

  struct Found {
    let use: Use
    /// Positions among the words.
    let words: Range<Int>
  }

  /// By first word, longest first.
  private var phrases: [String: [(words: [String], use: Use)]] = [:]

  /// - Throws: ``DataTableError`` for a use that is not known.
  public init(table: DataTable) throws(DataTableError) {
    for row in table.rows {
      guard let use = Use(rawValue: row["use"]) else { throw row.error("use", "is no use of such words") }
      for text in row.list("words") {
        let words = WordForm.words(of: text)
        if let first = words.first { phrases[first, default: []].append((words, use)) }
      }
    }
    for first in phrases.keys { phrases[first]?.sort { $0.words.count > $1.words.count } }
  }

  /// Every use of the words of a question, also of those that have several.
  func found(in words: [String]) -> [Found] {
    words.indices.flatMap { index in
      (phrases[words[index]] ?? []).filter { words[index...].starts(with: $0.words) }
        .map { Found(use: $0.use, words: index..<(index + $0.words.count)) }
    }
  }
}
