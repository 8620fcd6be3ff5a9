public import Clinical

/// The names under which drugs go: generic, other spellings, brands, what owners say, and the classes they belong to.
///
/// Columns of `drugs.tsv`: `id`, `generic`, `spellings`, `short`, `brands_uk`, `brands_us`, `everyday_words` (brands
/// and short forms that are ordinary words), `lay`, `classes` (ids of `drug-classes.tsv`), `species_notes`, `source`, `verified`. Columns
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

  /// What a name counts for another of the same drug, 0...1.
  public let nameWeight: Double
  /// What an owner's word counts for the drug.
  public let layWeight: Double
  /// What a class counts for its members.
  public let classWeight: Double
  /// What a drug counts for its class.
  public let memberWeight: Double
  private let table: DataTable
  /// By the hash of the class's id.
  private var classes: [UInt64: DataTable.Row] = [:]

  /// Columns of names that go for a drug wherever they stand, the generic name apart.
  private static let nameColumns = ["spellings", "short", "brands_uk", "brands_us"]

  /// - Throws: ``DataTableError`` for a drug without a generic name or of an unknown class, or a missing weight.
  public init(drugs: DataTable, classes: DataTable?) throws(DataTableError) {
    table = drugs
    for row in classes?.rows ?? [] { self.classes[row.withBytes("id", FNV1a.hash)] = row }
    nameWeight = try Self.weight("name weight", of: drugs)
    layWeight = try Self.weight("lay weight", of: drugs)
    classWeight = try Self.weight("class weight", of: drugs)
    memberWeight = try Self.weight("member weight", of: drugs)
    for row in drugs.rows {
      guard !row.withBytes("generic", \.isEmpty) else { throw row.error("generic", "is empty") }
      guard classes != nil else { continue }
      let known = self.classes
      try row.forEachPart("classes") { id throws(DataTableError) in
        guard known[FNV1a.hash(id)] != nil else { throw row.error("classes", "names a class that does not exist") }
      }
    }
  }

  public var count: Int { table.rows.count }

  /// All drugs in the table's order. Each is read anew.
  public var drugs: [Drug] { (0..<count).map(drug) }

  /// The drug of a row.
  func drug(_ place: Int) -> Drug {
    let row = table.rows[place]
    var names: [String] = []
    for name in [row["generic"]] + Self.nameColumns.flatMap({ row.list($0) }) where !names.contains(name) {
      names.append(name)
    }
    var classNames: [String] = []
    forEachClassName(of: place) { classNames.append(String(decoding: $0, as: UTF8.self)) }
    return Drug(
      id: row["id"], generic: row["generic"], names: names, everydayWords: Set(row.list("everyday_words")),
      layNames: row.list("lay"), classNames: classNames)
  }

  // What a thesaurus asks of every drug at every start of the program goes without strings.

  /// Whether a drug has more names than one, names of owners, and classes.
  func contents(of place: Int) -> (severalNames: Bool, layNames: Bool, classes: Bool) {
    let row = table.rows[place]
    let generic = row.withBytes("generic", FNV1a.hash)
    var several = false
    for column in Self.nameColumns where !several {
      row.forEachPart(column) { if FNV1a.hash($0) != generic { several = true } }
    }
    var lay = false
    row.forEachPart("lay") { _ in lay = true }
    var hasClasses = false
    forEachClassName(of: place) { _ in hasClasses = true }
    return (several, lay, hasClasses)
  }

  /// The names that mean a drug by themselves. An everyday word among the brands (Advantage, Program) is looked for, but
  /// does not by itself mean the drug. A name may come twice.
  func forEachAskingName(of place: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    let row = table.rows[place]
    var everyday: [UInt64] = []
    row.forEachPart("everyday_words") { everyday.append(FNV1a.hash($0)) }
    func asking(_ name: UnsafeBufferPointer<UInt8>) {
      if everyday.isEmpty || !everyday.contains(FNV1a.hash(name)) { body(name) }
    }
    row.withBytes("generic", asking)
    for column in Self.nameColumns { row.forEachPart(column, asking) }
  }

  func forEachLayName(of place: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    table.rows[place].forEachPart("lay", body)
  }

  /// The names of every class that a drug is in.
  func forEachClassName(of place: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    table.rows[place].forEachPart("classes") { classes[FNV1a.hash($0)]?.forEachPart("names", body) }
  }

  private static func weight(_ name: String, of table: DataTable) throws(DataTableError) -> Double {
    guard let weight = table.metadata[name].flatMap(Double.init), weight > 0, weight <= 1 else {
      throw DataTableError(
        table: table.name, line: 1, column: "", problem: "the head gives no '\(name)' above 0 and at most 1")
    }
    return weight
  }
}

extension DrugNames {
  /// Of tables that were checked when they were packed.
  init(unpacked drugs: DataTable, classes: DataTable?, from unpacker: inout Unpacker) throws(PackingError) {
    table = drugs
    for row in classes?.rows ?? [] { self.classes[row.withBytes("id", FNV1a.hash)] = row }
    nameWeight = try unpacker.value()
    layWeight = try unpacker.value()
    classWeight = try unpacker.value()
    memberWeight = try unpacker.value()
  }

  /// The weights; the tables are the thesaurus's.
  func pack(into packer: inout Packer) {
    for weight in [nameWeight, layWeight, classWeight, memberWeight] { packer.add(weight) }
  }
}
