import Chart
public import Clinical
import TextAnalysis

/// What spreads between animals and people, and how notes speak of all animals and of whoever brings them. Data:
/// `Models/briefing/household.tsv`.
public struct HouseholdTable: Sendable {
  /// A problem that others can catch.
  struct Spread: Sendable {
    /// `animals`, `people`, or `animals and people`.
    let to: String
    /// After the last word on it; nil for as long as it is open.
    let days: Int?
    let reference: SourceReference
  }

  private static let path = "briefing/household.tsv"

  private var spreads: [String: Spread] = [:]
  let shared: WordPhrases
  let came: WordPhrases
  /// How long words for all animals, and of who came, count.
  let days: Int

  /// A table that knows nothing.
  public init() {
    shared = WordPhrases([])
    came = WordPhrases([])
    days = 0
  }

  /// - Throws: ``DataTableError`` for a kind or a spread that is none, and for a problem that `findings` doesn't have.
  public init(table: DataTable, findings: DataTable) throws(DataTableError) {
    let names = Set(findings.rows.map { $0["name"] })
    var phrases: [String: [String]] = [:]
    var days = 0
    for row in table.rows {
      switch row["kind"] {
      case "spread":
        guard ["animals", "people", "animals and people"].contains(row["spread"]) else {
          throw row.error("spread", "is neither animals, people nor animals and people")
        }
        guard let limit = Int(row["days"]), limit >= 0 else { throw row.error("days", "is no number of days") }
        for name in row.list("phrases") {
          guard names.contains(name) else { throw row.error("phrases", "names no finding") }
          spreads[name] = Spread(
            to: row["spread"], days: limit == 0 ? nil : limit,
            reference: SourceReference(
              table: Self.path, row: row["id"], source: row["source"], isVerified: row["verified"] == "yes"))
        }
      case "shared", "came":
        phrases[row["kind"], default: []] += row.list("phrases")
        days = max(days, Int(row["days"]) ?? 0)
      default: throw row.error("kind", "is neither spread, shared nor came")
      }
    }
    shared = WordPhrases(phrases["shared"] ?? [])
    came = WordPhrases(phrases["came"] ?? [])
    self.days = days
  }

  /// Nil for a problem that others don't catch.
  func spread(of problem: String) -> Spread? { spreads[problem] }
}
