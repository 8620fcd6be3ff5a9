import Clinical

/// Words after which a full stop ends no sentence, or not always.
struct SentenceAbbreviations: Sendable {
  enum Rule: String {
    /// `Dr.`, `approx.`, `vs.`: a sentence goes on.
    case inside
    /// `b.i.d.`, `wks.`, `no.`: ends a sentence only where a capital follows.
    case either
  }

  private let rules: [String: Rule]

  init(table: DataTable) throws(DataTableError) {
    var rules: [String: Rule] = [:]
    for row in table.rows {
      guard let rule = Rule(rawValue: row["rule"]) else { throw row.error("rule", "is no rule") }
      for form in row.list("form") {
        let key = form.hasSuffix(".") ? String(form.dropLast()) : form
        guard !key.isEmpty else { throw row.error("form", "is empty") }
        rules[key.lowercased()] = rule
      }
    }
    self.rules = rules
  }

  /// - Parameter word: in lower case, without its last point.
  subscript(word: String) -> Rule? { rules[word] }
}
