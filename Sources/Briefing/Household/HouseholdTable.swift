public import Clinical
import TextAnalysis

/// What spreads between animals and people, and how notes speak of all animals and of whoever brings them. Data:
/// `Models/briefing/household.tsv`.
public struct HouseholdTable: Sendable {
  /// A problem that others can catch.
  struct Spread: Sendable {
    let reachesAnimals: Bool
    let reachesPeople: Bool
    /// Of the animals that can catch it; empty for all.
    let species: Set<Species>
    /// After the last word on it; nil for as long as it is open.
    let days: Int?
    let reference: SourceReference

    /// `animals and people`; nil where nobody near an animal of a species can catch it.
    func words(near species: Species) -> String? {
      let animals = reachesAnimals && (self.species.isEmpty || self.species.contains(species))
      return animals ? (reachesPeople ? "animals and people" : "animals") : reachesPeople ? "people" : nil
    }
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

  /// - Parameters:
  ///   - table: `household.tsv`.
  ///   - findings: `extraction/findings.tsv`.
  ///   - classes: `extraction/word-classes.tsv`, whose slots the phrases may name.
  /// - Throws: ``DataTableError`` for a kind or a spread that is none, and for a problem that `findings` doesn't have.
  public init(table: DataTable, findings: DataTable, classes: DataTable) throws(DataTableError) {
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
        var species: Set<Species> = []
        for word in row.list("species") {
          guard let known = Species(rawValue: word) else { throw row.error("species", "is no species") }
          species.insert(known)
        }
        for name in row.list("phrases") {
          guard names.contains(name) else { throw row.error("phrases", "names no finding") }
          spreads[name] = Spread(
            reachesAnimals: row["spread"] != "people", reachesPeople: row["spread"] != "animals", species: species,
            days: limit == 0 ? nil : limit,
            reference: SourceReference(
              table: Self.path, row: row["id"], source: row["source"], isVerified: row["verified"] == "yes"))
        }
      case "shared", "came":
        phrases[row["kind"], default: []] += row.list("phrases")
        days = max(days, Int(row["days"]) ?? 0)
      default: throw row.error("kind", "is neither spread, shared nor came")
      }
    }
    let slots = WordPhrases.slots(of: classes)
    shared = WordPhrases(phrases["shared"] ?? [], slots: slots)
    came = WordPhrases(phrases["came"] ?? [], slots: slots)
    self.days = days
  }

  /// Nil for a problem that others don't catch.
  func spread(of problem: String) -> Spread? { spreads[problem] }
}
