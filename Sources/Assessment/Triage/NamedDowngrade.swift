import Clinical

/// Why a finding counts for less than its level, by name: a row of `triage/downgrades.tsv`.
///
/// Nothing else leads below a finding's floor. A downgrade reads species, weight, age, date or words of the finding's own sentence;
/// no word of being well, of playing down or of booking is one.
public struct NamedDowngrade: Sendable {
  public let id: String
  /// The discriminator that it is about.
  let finding: String
  let level: Urgency
  let pattern: Pattern
  private let why: String

  /// For the explanation.
  var reason: String { "named downgrade \(id): \(why)" }

  /// - Parameters:
  ///   - table: columns `id`, `finding`, `to`, `when` (a pattern within one sentence), `why`, `source`, `example`, `negative_example`.
  ///   - lexicon: the concepts that the patterns name.
  /// - Returns: the downgrades in the table's order.
  /// - Throws: ``DataTableError`` naming the row that can't be understood.
  static func all(in table: DataTable, lexicon: ConceptLexicon) throws(DataTableError) -> [NamedDowngrade] {
    var all: [NamedDowngrade] = []
    for row in table.rows {
      guard let level = Urgency(rawValue: row["to"]) else { throw row.error("to", "is no level") }
      guard !row["source"].isEmpty, !row["why"].isEmpty else { throw row.error("source", "is missing, or 'why' is") }
      do {
        let pattern = try Pattern(row["when"], lexicon: lexicon)
        all.append(
          NamedDowngrade(id: row["id"], finding: row["finding"], level: level, pattern: pattern, why: row["why"]))
      } catch {
        throw row.error("when", error.problem)
      }
    }
    return all
  }
}
