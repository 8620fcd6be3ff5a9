public import Clinical

/// The names under which drugs go: generic, other spellings, brands, what owners say, and the classes they belong to.
///
/// Columns of `drugs.tsv`: `id`, `generic`, `spellings`, `short`, `brands_uk`, `brands_us`, `everyday_words` (brands
/// that are ordinary words), `lay`, `classes` (ids of `drug-classes.tsv`), `species_notes`, `source`, `verified`. Columns
/// of `drug-classes.tsv`: `id`, `names`, `source`, `example`.
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

  /// What a name counts for another of the same drug, an owner's word for the drug, a class for its members, and a drug
  /// for its class. Engineering choices, ordered by how sure the step is.
  static let nameWeight = 0.9
  static let layWeight = 0.6
  static let classWeight = 0.5
  static let memberWeight = 0.3

  public let drugs: [Drug]

  /// - Throws: ``DataTableError`` for a drug without a generic name or of an unknown class.
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
  }
}
