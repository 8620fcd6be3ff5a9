public import Clinical

/// Harmful substances: what they are called, for whom, and from which dose.
public struct ToxinTable: Sendable {
  struct Toxin: Sendable {
    let id: String
    let name: String
    /// Index of the concept that the names form.
    let concept: Int
    /// Nil for all.
    let species: Set<Species>?
    let content: Content
    let levels: Levels
    let course: Course
    let needsIngestion: Bool

    /// What of the substance is in it, and how it is sold.
    struct Content: Sendable {
      /// What the milligrams are of: theobromine, ibuprofen.
      let substance: String
      let milligramsPerGram: Double?
      /// Of pure cocoa mass: times the cocoa content where a percentage is stated.
      let milligramsPerGramCocoa: Double?
      /// In one tablet or piece, the most that is commonly sold.
      let milligramsPerItem: Double?
      let gramsPerItem: Double?
      /// The largest pack commonly sold.
      let gramsPerPack: Double?
      let itemsPerPack: Double?
    }

    struct Levels: Sendable {
      /// Milligrams of active substance per kilogram from which a level holds; empty where no dose arithmetic is known.
      let thresholds: [(level: Urgency, dose: Double)]
      let unknown: Urgency
      let withSigns: Urgency
    }

    /// When signs show.
    struct Course: Sendable {
      /// Hours after which the first signs may show.
      let onset: Double
      /// Hours after which, without signs, none are to come.
      let lastOnset: Double
      /// The level from then on.
      let level: Urgency
    }

    /// The level of a dose in mg/kg.
    func level(dose: Double) -> Urgency {
      levels.thresholds.filter { dose >= $0.dose }.map(\.level).max() ?? .green
    }

    /// The dose from which the next level above `level` holds; nil above the last.
    func threshold(above level: Urgency) -> Double? { levels.thresholds.first { $0.level > level }?.dose }
  }

  let toxins: [Toxin]
  let weights: BodyWeights?
  /// The concept of names that animals have and poisons too, such as Lily.
  let petName: Int?
  let lexicon: ConceptLexicon
  /// The version of the table.
  public let version: String

  /// - Parameters:
  ///   - table: `toxins.tsv`.
  ///   - knownWords: as for ``ConceptLexicon``.
  ///   - alsoKnown: as for ``ConceptLexicon``.
  ///   - weights: what animals weigh whose weight isn't stated; without them no dose is counted for those.
  /// - Throws: ``DataTableError`` for an unknown species or level, a threshold that is no number, or signs that end before they
  ///   begin.
  public init(
    table: DataTable, knownWords: DataTable, alsoKnown: Set<String> = [], weights: BodyWeights? = nil
  ) throws(DataTableError) {
    self.weights = weights
    lexicon = try ConceptLexicon(table: table, knownWords: knownWords, alsoKnown: alsoKnown)
    version = lexicon.version
    petName = lexicon.index(of: "pet-name")
    var toxins: [Toxin] = []
    for row in table.rows where row["kind"] == "toxin" {
      guard let concept = lexicon.index(of: row["id"]) else { throw row.error("id", "is no concept") }
      var thresholds: [(Urgency, Double)] = []
      for (column, level) in [("yellow_from", Urgency.yellow), ("orange_from", .orange), ("red_from", .red)]
      where !row[column].isEmpty { thresholds.append((level, try row.number(column))) }
      let onset = try row.number("onset_hours")
      let lastOnset = try row.number("last_onset_hours")
      guard onset >= 0, lastOnset > onset else { throw row.error("last_onset_hours", "is not after the onset") }
      guard ["near", "text"].contains(row["context"]) else { throw row.error("context", "is neither near nor text") }
      toxins.append(
        Toxin(
          id: row["id"], name: row["name"], concept: concept, species: try Self.species(row),
          content: Toxin.Content(
            substance: row["substance"], milligramsPerGram: try Self.optional(row, "mg_per_gram"),
            milligramsPerGramCocoa: try Self.optional(row, "mg_per_gram_cocoa"),
            milligramsPerItem: try Self.optional(row, "mg_per_item"),
            gramsPerItem: try Self.optional(row, "grams_per_item"),
            gramsPerPack: try Self.optional(row, "pack_grams"), itemsPerPack: try Self.optional(row, "pack_items")),
          levels: Toxin.Levels(
            thresholds: thresholds, unknown: try Self.level(row, "unknown_level"),
            withSigns: try Self.level(row, "signs_level")),
          course: Toxin.Course(onset: onset, lastOnset: lastOnset, level: try Self.level(row, "after_level")),
          needsIngestion: row["context"] == "near"))
    }
    self.toxins = toxins
  }

  private static func optional(_ row: DataTable.Row, _ column: String) throws(DataTableError) -> Double? {
    row[column].isEmpty ? nil : try row.number(column)
  }

  private static func level(_ row: DataTable.Row, _ column: String) throws(DataTableError) -> Urgency {
    guard let level = Urgency(rawValue: row[column]) else { throw row.error(column, "is no urgency") }
    return level
  }

  private static func species(_ row: DataTable.Row) throws(DataTableError) -> Set<Species>? {
    if row["species"] == "all" { return nil }
    var result: Set<Species> = []
    for name in row.list("species") {
      guard let species = Species(rawValue: name) else { throw row.error("species", "has the unknown '\(name)'") }
      result.insert(species)
    }
    return result
  }
}
