public import Clinical

/// What is asked on the telephone to learn whether a finding holds: `triage/guided-questions.tsv`.
public struct GuidedQuestions: Sendable {
  private var wordings: [String: String] = [:]

  /// - Parameter table: columns `finding`, an id of a protocol, and `question`, with `{it}` and `{its}` for the animal.
  /// - Throws: ``DataTableError`` for a row without a question, or a finding that has two.
  public init(table: DataTable) throws(DataTableError) {
    for row in table.rows {
      guard row["question"].hasSuffix("?") else { throw row.error("question", "asks nothing") }
      guard wordings.updateValue(row["question"], forKey: row["finding"]) == nil else {
        throw row.error("finding", "stands there twice")
      }
    }
  }

  func wording(of finding: String) -> String? { wordings[finding] }

  var findings: [String] { wordings.keys.sorted() }
}
