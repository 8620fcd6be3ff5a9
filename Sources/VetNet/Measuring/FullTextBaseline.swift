import Clinical
import Store

/// SQLite's own full-text search: what a practice would have without VetNet, and so the baseline of evaluation and benchmarks.
/// VetNet itself never searches with it.
///
/// FTS5 with its `porter` stemmer over `unicode61`; a question is the OR of its words, ranked by `bm25()`.
///
/// - Source: <https://www.sqlite.org/fts5.html>, sections 4.3.3 and 5.1.1.
public final class FullTextBaseline {
  /// A text to be found.
  public struct Row: Sendable {
    public var id: String
    public var patientID: String?
    public var text: String

    public init(id: String, patientID: String? = nil, text: String) {
      self.id = id
      self.patientID = patientID
      self.text = text
    }
  }

  public struct Match: Hashable, Sendable {
    public let id: String
    /// `bm25()` with its sign turned: greater is better.
    public let score: Double
  }

  private let connection: Connection

  /// - Parameter path: where to make the file, with the practice file's settings for durability; nil for memory.
  /// - Throws: ``PracticeError`` when there is a file already, or it can't be made.
  public init(path: String? = nil) throws {
    connection = try Practice.reporting(path ?? ":memory:") {
      let connection = try path.map { try Connection.create($0) } ?? Connection.inMemory()
      try connection.execute(
        """
        CREATE VIRTUAL TABLE baseline USING fts5(
          id UNINDEXED, patient_id UNINDEXED, text, tokenize = 'porter unicode61')
        """)
      return connection
    }
  }

  /// Adds rows in one transaction.
  public func insert(_ rows: [Row]) throws {
    try Practice.reporting(connection.path) {
      try connection.transaction { () throws(StoreError) in
        for row in rows {
          try connection.execute(
            "INSERT INTO baseline (id, patient_id, text) VALUES (?, ?, ?)", row.id, row.patientID, row.text)
        }
      }
    }
  }

  public func count() throws -> Int {
    try Practice.reporting(connection.path) { try connection.first("SELECT count(*) FROM baseline") { $0.int(0) } ?? 0 }
  }

  /// The best rows for a question, best first; of equal scores the one that was inserted first.
  ///
  /// - Parameters:
  ///   - question: in plain words; what FTS5 would take for an operator is a word like any other.
  ///   - patientID: only this patient's rows; nil for all.
  ///   - limit: at most so many.
  /// - Returns: rows with at least one of the words.
  /// - Throws: ``PracticeError`` when the search fails.
  public func matches(for question: String, patientID: String? = nil, limit: Int) throws -> [Match] {
    let expression = Self.expression(for: question)
    guard !expression.isEmpty else { return [] }
    return try Practice.reporting(connection.path) {
      try connection.rows(
        """
        SELECT id, -bm25(baseline) FROM baseline
        WHERE baseline MATCH ?1 AND (?2 IS NULL OR patient_id = ?2)
        ORDER BY bm25(baseline), rowid LIMIT ?3
        """, expression, patientID, limit
      ) { Match(id: $0.text(0), score: $0.double(1)) }
    }
  }

  /// The words of a question in FTS5's query language, joined by OR: `"cat" OR "straining"`. A word that stands there
  /// twice counts twice. Empty when there is no word in it.
  static func expression(for question: String) -> String {
    question.unicodeScalars.split { !isWordCharacter($0) }.map { "\"\(String($0))\"" }.joined(separator: " OR ")
  }

  /// What `unicode61` takes for part of a word; its accents are those that letters stand before.
  private static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .privateUse, .nonspacingMark:
      true
    default: false
    }
  }
}
