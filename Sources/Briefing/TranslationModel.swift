public import Clinical

/// Which terms of sentences go with which terms of the questions that they answer, learned from questions with their answers:
/// "insur" with "petplan", "fed" with "diet".
///
/// Data: `Models/briefing/answer-translations.tsv`, columns `word`, a term of questions; `rarity`, the
/// negative logarithm of its share of their words; `terms`, of sentences, each with the
/// logarithm of how many times likelier the word is in a question where the term stands in its answer. Terms that begin with a
/// colon are kinds of fact.
///
/// - Source: A. Berger, R. Caruana, D. Cohn, D. Freitag, V. Mittal, "Bridging the lexical chasm: statistical approaches to
///   answer-finding", SIGIR 2000, 192-199; the estimate is Model 1 of P. Brown et al., "The mathematics of statistical machine
///   translation", Computational Linguistics 1993;19:263-311.
public struct TranslationModel: Sendable {
  /// From this logarithm on a term speaks for a word as much as any can.
  static let fullLift = 4.0
  /// What is less likely than this says nothing.
  static let leastLift = 1.0

  /// By word, its cell as it is written: a question reads few of them.
  private var cells: [String: (rarity: Double, terms: String)]

  /// Knows no word.
  public init() { cells = [:] }

  /// - Parameter words: of each, the negative logarithm of its share of all words of questions, and its terms.
  init(words: [String: (rarity: Double, terms: [(term: String, lift: Double)])]) {
    cells = words.mapValues { word in
      let terms = word.terms.map { "\($0.term) \(Self.rounded($0.lift))" }
      return (Self.rounded(word.rarity), terms.joined(separator: "|"))
    }
  }

  private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

  /// - Throws: ``DataTableError`` for a word that stands twice, and for a rarity that is no number. Terms are read when asked
  ///   for: a question has few words.
  public init(table: DataTable) throws(DataTableError) {
    cells = [:]
    for row in table.rows {
      let cell = (rarity: try row.number("rarity"), terms: row["terms"])
      guard cells.updateValue(cell, forKey: row["word"]) == nil else { throw row.error("word", "stands twice") }
    }
  }

  /// The table that ``init(table:)`` reads.
  public func text(head: [(String, String)]) -> String {
    let lines = head.map { "# \($0.0): \($0.1)" } + ["word\trarity\tterms"]
    let rows = cells.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value.rarity)\t\($0.value.terms)" }
    return (lines + rows).joined(separator: "\n") + "\n"
  }

  /// How much a word of a question says, by its rarity, and how closely each term of sentences means it, 0...1; nil for a word
  /// that no answer taught.
  func meanings(of word: String) -> (rarity: Double, terms: [(term: String, closeness: Double)])? {
    guard let cell = cells[word], let lifts = Self.lifts(of: cell.terms) else { return nil }
    return (cell.rarity, lifts.map { ($0.term, min(1, $0.lift / Self.fullLift)) })
  }

  private static func lifts(of cell: String) -> [(term: String, lift: Double)]? {
    var lifts: [(term: String, lift: Double)] = []
    for part in cell.utf8.split(separator: UInt8(ascii: "|")) {
      guard let space = part.lastIndex(of: UInt8(ascii: " ")),
        let lift = Double(String(decoding: part[part.index(after: space)...], as: UTF8.self))
      else { return nil }
      lifts.append((String(decoding: part[..<space], as: UTF8.self), lift))
    }
    return lifts
  }
}
