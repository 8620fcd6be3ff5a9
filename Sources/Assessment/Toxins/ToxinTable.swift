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
    let milligramsPerGram: Double?
    let milligramsPerItem: Double?
    let gramsPerItem: Double?
    /// Milligrams of active substance per kilogram from which a level holds; empty where no dose arithmetic is known.
    let thresholds: [(level: Urgency, dose: Double)]
    let unknownLevel: Urgency
    let signsLevel: Urgency
    let late: (hours: Double, level: Urgency)?
    let needsIngestion: Bool
    let source: String

    /// The level of a dose in mg/kg.
    func level(dose: Double) -> Urgency {
      thresholds.filter { dose >= $0.dose }.map(\.level).max() ?? .green
    }
  }

  let toxins: [Toxin]
  let lexicon: ConceptLexicon
  /// The version of the table.
  public let version: String

  /// - Parameters:
  ///   - table: `toxins.tsv`.
  ///   - knownWords: as for ``ConceptLexicon``.
  /// - Throws: ``DataTableError`` for an unknown species or level, or a threshold that is no number.
  public init(table: DataTable, knownWords: DataTable) throws(DataTableError) {
    lexicon = try ConceptLexicon(table: table, knownWords: knownWords)
    version = lexicon.version
    var toxins: [Toxin] = []
    for row in table.rows {
      guard let concept = lexicon.index(of: row["id"]) else { throw row.error("id", "is no concept") }
      var thresholds: [(Urgency, Double)] = []
      for (column, level) in [("yellow_from", Urgency.yellow), ("orange_from", .orange), ("red_from", .red)]
      where !row[column].isEmpty { thresholds.append((level, try row.number(column))) }
      var late: (Double, Urgency)?
      if !row["late_hours"].isEmpty { late = (try row.number("late_hours"), try Self.level(row, "late_level")) }
      guard ["near", "text"].contains(row["context"]) else { throw row.error("context", "is neither near nor text") }
      toxins.append(
        Toxin(
          id: row["id"], name: row["name"], concept: concept, species: try Self.species(row),
          milligramsPerGram: try Self.optional(row, "mg_per_gram"),
          milligramsPerItem: try Self.optional(row, "mg_per_item"),
          gramsPerItem: try Self.optional(row, "grams_per_item"), thresholds: thresholds,
          unknownLevel: try Self.level(row, "unknown_level"), signsLevel: try Self.level(row, "signs_level"),
          late: late, needsIngestion: row["context"] == "near", source: row["source"]))
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
