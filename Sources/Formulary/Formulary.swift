public import Clinical

/// What `Models/formulary` says about drugs: names, classes, and what speaks against giving them. Holds no doses.
///
/// Each row keeps its id, its source and whether anybody has checked it against a reference, so that an alert can say where it
/// comes from. What no row says is unknown, not safe.
public struct Formulary: Sendable {
  public struct Drug: Hashable, Sendable {
    public let id: String
    public let generic: String
    public let otherNames: OtherNames
    /// Ids of `drug-classes.tsv`.
    public let classes: [String]
    /// A reminder of the species it is used in.
    public let speciesNotes: String
    public let source: String
    public let isVerified: Bool
  }

  /// What a drug is called besides its generic name.
  public struct OtherNames: Hashable, Sendable {
    /// Short forms too.
    public let spellings: [String]
    public let brandsUK: [String]
    public let brandsUS: [String]
    /// What owners call it.
    public let lay: [String]

    /// Of a row of `drugs.tsv`.
    init(_ row: DataTable.Row) {
      spellings = row.list("spellings") + row.list("short")
      brandsUK = row.list("brands_uk")
      brandsUS = row.list("brands_us")
      lay = row.list("lay")
    }

    /// Brands first.
    var all: [String] { brandsUK + brandsUS + spellings + lay }
  }

  public struct DrugClass: Hashable, Sendable {
    public let id: String
    /// The clinical name first.
    public let names: [String]
  }

  /// The tables, by their places in `Models/`.
  public struct Tables: Sendable {
    public var drugs: DataTable
    public var classes: DataTable
    public var interactions: DataTable
    public var speciesCautions: DataTable
    public var diseaseCautions: DataTable
    public var crossReactions: DataTable
    public var monitoring: DataTable

    /// Loads every table through `load`, which is given paths such as `formulary/drugs.tsv`.
    ///
    /// - Throws: what `load` throws.
    public init(load: (String) throws -> DataTable) rethrows {
      drugs = try load("formulary/drugs.tsv")
      classes = try load("formulary/drug-classes.tsv")
      interactions = try load("formulary/interactions.tsv")
      speciesCautions = try load("formulary/species-cautions.tsv")
      diseaseCautions = try load("formulary/disease-cautions.tsv")
      crossReactions = try load("formulary/cross-reactions.tsv")
      monitoring = try load("formulary/monitoring.tsv")
    }

    /// In the order in which a version names them.
    public var all: [DataTable] {
      [drugs, classes, interactions, speciesCautions, diseaseCautions, crossReactions, monitoring]
    }
  }

  public let drugs: [Drug]
  public let classes: [DrugClass]
  public let interactions: [Interaction]
  public let speciesCautions: [SpeciesCaution]
  public let diseaseCautions: [DiseaseCaution]
  public let crossReactions: [CrossReaction]
  public let monitoring: [Monitoring]
  /// The place of each drug in ``drugs``.
  private let places: (byID: [String: Int], byGeneric: [String: Int])

  /// - Throws: ``DataTableError`` naming file, line and column of a row that names an unknown drug, class, species or level,
  ///   lacks its source, or is there twice.
  public init(tables: Tables) throws(DataTableError) {
    var classes: [DrugClass] = []
    for row in tables.classes.rows {
      guard !row.list("names").isEmpty else { throw row.error("names", "is empty") }
      classes.append(DrugClass(id: row["id"], names: row.list("names")))
    }
    let classIDs = Set(classes.map(\.id))
    var drugs: [Drug] = []
    var byID: [String: Int] = [:]
    for row in tables.drugs.rows {
      let list = row.list("classes")
      if let unknown = list.first(where: { !classIDs.contains($0) }) {
        throw row.error("classes", "names the class '\(unknown)', which drug-classes.tsv does not have")
      }
      guard byID.updateValue(drugs.count, forKey: row["id"]) == nil else { throw row.error("id", "stands there twice") }
      drugs.append(
        Drug(
          id: row["id"], generic: row["generic"], otherNames: OtherNames(row), classes: list,
          speciesNotes: row["species_notes"], source: row["source"], isVerified: row["verified"] == "yes"))
    }
    self.drugs = drugs
    self.classes = classes
    places = (byID, Self.places(drugs, \.generic))
    let reader = FormularyRowReader(drugs: drugs, classes: classIDs)
    interactions = try reader.interactions(tables.interactions)
    speciesCautions = try reader.speciesCautions(tables.speciesCautions)
    diseaseCautions = try reader.diseaseCautions(tables.diseaseCautions)
    crossReactions = try reader.crossReactions(tables.crossReactions)
    monitoring = try reader.monitoring(tables.monitoring)
  }

  /// The drug with an id of `drugs.tsv`.
  public func drug(id: String) -> Drug? { places.byID[id].map { drugs[$0] } }

  /// The drug with a generic name as facts write it.
  public func drug(generic: String) -> Drug? { places.byGeneric[generic].map { drugs[$0] } }

  /// The clinical name of a class.
  public func name(ofClass id: String) -> String { classes.first { $0.id == id }?.names.first ?? id }
}

extension Formulary: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(list: classes) { packer, drugClass in
      packer.add(drugClass.id)
      packer.add(texts: drugClass.names)
    }
    packer.add(list: drugs) { packer, drug in
      for text in [drug.id, drug.generic, drug.speciesNotes, drug.source] { packer.add(text) }
      drug.otherNames.pack(into: &packer)
      packer.add(texts: drug.classes)
      packer.add(drug.isVerified)
    }
    packer.add(list: interactions) { $1.pack(into: &$0) }
    packer.add(list: speciesCautions) { $1.pack(into: &$0) }
    packer.add(list: diseaseCautions) { $1.pack(into: &$0) }
    packer.add(list: crossReactions) { $1.pack(into: &$0) }
    packer.add(list: monitoring) { $1.pack(into: &$0) }
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    classes = try unpacker.list { unpacker throws(PackingError) in
      DrugClass(id: try unpacker.text(), names: try unpacker.texts())
    }
    drugs = try unpacker.list { unpacker throws(PackingError) in
      let (id, generic) = (try unpacker.text(), try unpacker.text())
      let (notes, source) = (try unpacker.text(), try unpacker.text())
      return Drug(
        id: id, generic: generic, otherNames: try OtherNames(from: &unpacker), classes: try unpacker.texts(),
        speciesNotes: notes, source: source, isVerified: try unpacker.flag())
    }
    places = (Self.places(drugs, \.id), Self.places(drugs, \.generic))
    interactions = try unpacker.list { unpacker throws(PackingError) in try Interaction(from: &unpacker) }
    speciesCautions = try unpacker.list { unpacker throws(PackingError) in try SpeciesCaution(from: &unpacker) }
    diseaseCautions = try unpacker.list { unpacker throws(PackingError) in try DiseaseCaution(from: &unpacker) }
    crossReactions = try unpacker.list { unpacker throws(PackingError) in try CrossReaction(from: &unpacker) }
    monitoring = try unpacker.list { unpacker throws(PackingError) in try Monitoring(from: &unpacker) }
  }

  private static func places(_ drugs: [Drug], _ name: (Drug) -> String) -> [String: Int] {
    Dictionary(drugs.enumerated().map { (name($1), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Formulary.OtherNames: Packable {
  package func pack(into packer: inout Packer) {
    for texts in [spellings, brandsUK, brandsUS, lay] { packer.add(texts: texts) }
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    spellings = try unpacker.texts()
    brandsUK = try unpacker.texts()
    brandsUS = try unpacker.texts()
    lay = try unpacker.texts()
  }
}
