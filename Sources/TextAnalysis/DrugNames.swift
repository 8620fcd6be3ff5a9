public import Clinical

/// The names under which drugs go: generic, other spellings, brands, what owners say, and the classes they belong to.
///
/// Columns of `drugs.tsv`: `id`, `generic`, `spellings`, `short`, `brands_uk`, `brands_us`, `everyday_words` (brands
/// that are ordinary words), `lay`, `classes` (ids of `drug-classes.tsv`), `species_notes`, `source`, `verified`. Columns
/// of `drug-classes.tsv`: `id`, `names`, `source`, `example`. The head of `drugs.tsv` gives the four weights, as
/// `# name weight: 0.9`.
public struct DrugNames: Sendable {
  public struct Drug: Hashable, Sendable {
    public let id: String
    public let generic: String
    /// The generic name first, then spellings, short forms and brands, without repetition.
    public let names: [String]
    public let everydayWords: Set<String>
    public let layNames: [String]
    /// Of every class the drug is in, the clinical name first.
    public let classNames: [String]
  }

  public let drugs: [Drug]
  /// What a name counts for another of the same drug, 0...1.
  public let nameWeight: Double
  /// What an owner's word counts for the drug.
  public let layWeight: Double
  /// What a class counts for its members.
  public let classWeight: Double
  /// What a drug counts for its class.
  public let memberWeight: Double

  /// - Throws: ``DataTableError`` for a drug without a generic name or of an unknown class, or a missing weight.
  public init(drugs: DataTable, classes: DataTable?) throws(DataTableError) {
    var classNames: [String: [String]] = [:]
    for row in classes?.rows ?? [] { classNames[row["id"]] = row.list("names") }
    var result: [Drug] = []
    for row in drugs.rows {
      guard !row["generic"].isEmpty else { throw row.error("generic", "is empty") }
      var names: [String] = []
      for name in [row["generic"]] + row.list("spellings") + row.list("short") + row.list("brands_uk")
        + row.list("brands_us") where !names.contains(name)
      {
        names.append(name)
      }
      var ofClasses: [String] = []
      for id in row.list("classes") {
        guard let names = classNames[id] else {
          if classes == nil { continue }
          throw row.error("classes", "names a class that does not exist")
        }
        ofClasses += names
      }
      result.append(
        Drug(
          id: row["id"], generic: row["generic"], names: names, everydayWords: Set(row.list("everyday_words")),
          layNames: row.list("lay"), classNames: ofClasses))
    }
    self.drugs = result
    nameWeight = try Self.weight("name weight", of: drugs)
    layWeight = try Self.weight("lay weight", of: drugs)
    classWeight = try Self.weight("class weight", of: drugs)
    memberWeight = try Self.weight("member weight", of: drugs)
  }

  private static func weight(_ name: String, of table: DataTable) throws(DataTableError) -> Double {
    guard let weight = table.metadata[name].flatMap(Double.init), weight > 0, weight <= 1 else {
      throw DataTableError(
        table: table.name, line: 1, column: "", problem: "the head gives no '\(name)' above 0 and at most 1")
    }
    return weight
  }
}
