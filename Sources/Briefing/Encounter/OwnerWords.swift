public import Clinical
import Formulary

/// What findings are called for an owner. Data: `Models/lexicon/owner-words.tsv`.
public struct OwnerWords: Sendable {
  private var plain: [String: (words: String, reference: SourceReference)] = [:]

  /// - Throws: ``DataTableError`` for a finding that `extraction/findings.tsv` does not have, or one without words.
  public init(table: DataTable, findings: DataTable) throws(DataTableError) {
    let names = Set(findings.rows.map { $0["name"] })
    var seen: Set<String> = []
    for row in table.rows {
      guard names.contains(row["id"]) else { throw row.error("id", "is no finding of extraction/findings.tsv") }
      guard !row["plain"].isEmpty else { throw row.error("plain", "is empty") }
      plain[row["id"]] = (row["plain"], try SourceReference.row(row, in: table, &seen))
    }
  }

  /// The words for a finding, and the row they stand in; its own name where there is none.
  func words(for finding: String) -> (words: String, reference: SourceReference?) {
    plain[finding].map { ($0.words, $0.reference) } ?? (finding, nil)
  }
}
