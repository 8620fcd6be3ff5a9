public import Clinical

/// How much speaks against a drug, least first.
public enum CautionLevel: String, CaseIterable, Comparable, Encodable, Sendable {
  /// To be looked at while it is given.
  case monitor
  case caution
  case avoid
  /// Poisonous to the species.
  case toxic

  public static func < (lhs: Self, rhs: Self) -> Bool {
    (allCases.firstIndex(of: lhs) ?? 0) < (allCases.firstIndex(of: rhs) ?? 0)
  }
}

/// Some drugs, as rows name them: ids, or `class:ID` for every drug of a class that is given for the whole body.
public struct DrugSet: Hashable, Sendable {
  /// As written.
  public let operands: [String]
  let ids: Set<String>

  public func contains(_ drug: Formulary.Drug) -> Bool { ids.contains(drug.id) }
}

extension Formulary {
  /// Drugs that should not meet.
  public struct Interaction: Hashable, Sendable {
    /// Two or three sets; a drug of each must be given.
    public let parties: [DrugSet]
    /// Empty for all.
    public let species: Set<Species>
    public let level: CautionLevel
    public let effect: String
    public let advice: String
    public let reference: SourceReference
  }

  /// What a drug can do to a species, a breed or the young.
  public struct SpeciesCaution: Hashable, Sendable {
    public let drugs: DrugSet
    public let species: [Species]
    /// In lower case; empty for every breed.
    public let breeds: [String]
    /// Only younger animals; nil for all.
    public let monthsBelow: Int?
    public let level: CautionLevel
    public let text: String
    public let reference: SourceReference
  }

  /// A disease or sign that speaks against a drug.
  public struct DiseaseCaution: Hashable, Sendable {
    public let drugs: DrugSet
    /// Names of `extraction/findings.tsv`.
    public let problems: [String]
    /// Empty for all.
    public let species: Set<Species>
    public let level: CautionLevel
    public let text: String
    public let reference: SourceReference
  }

  /// Drugs that a reaction to another drug speaks against.
  public struct CrossReaction: Hashable, Sendable {
    public let reacted: DrugSet
    public let given: DrugSet
    public let text: String
    public let reference: SourceReference
  }

  /// What to look at while a drug is given.
  public struct Monitoring: Hashable, Sendable {
    public let drugs: DrugSet
    /// Empty for all.
    public let species: Set<Species>
    public let checks: String
    /// Names of `extraction/labs.tsv`.
    public let tests: [String]
    /// After so many months the tests are asked for; nil for never.
    public let months: Int?
    public let reference: SourceReference
  }
}

/// Reads the rows that speak of drugs, and refuses those that name what is not there.
package struct FormularyRowReader {
  package let drugs: [Formulary.Drug]
  package let classes: Set<String>
  /// By class the drugs that a class operand stands for, in order.
  private let members: [String: [String]]

  package init(drugs: [Formulary.Drug], classes: Set<String>) {
    self.drugs = drugs
    self.classes = classes
    var members: [String: [String]] = [:]
    for drug in drugs {
      let isLocal = !Self.localClasses.isDisjoint(with: drug.classes)
      for id in Set(drug.classes) where !isLocal || Self.localClasses.contains(id) {
        members[id, default: []].append(drug.id)
      }
    }
    self.members = members
  }

  /// A drug of one of these acts where it is put; a class operand leaves it out unless it is such a class itself.
  static let localClasses: Set<String> = [
    "eyedrop", "eardrop", "eardropcleaner", "dermtopical", "glaucomadrop", "tearstimulant",
  ]

  func interactions(_ table: DataTable) throws(DataTableError) -> [Formulary.Interaction] {
    var seen: Set<String> = []
    var rows: [Formulary.Interaction] = []
    for row in table.rows {
      var parties = [try set(row, "a"), try set(row, "b")]
      if !row["c"].isEmpty { parties.append(try set(row, "c")) }
      try requireText(row, ["effect", "advice", "example"])
      rows.append(
        Formulary.Interaction(
          parties: parties, species: Set(try species(row)), level: try level(row, besides: [.toxic]),
          effect: row["effect"], advice: row["advice"], reference: try reference(row, in: table, &seen)))
    }
    return rows
  }

  func speciesCautions(_ table: DataTable) throws(DataTableError) -> [Formulary.SpeciesCaution] {
    var seen: Set<String> = []
    var rows: [Formulary.SpeciesCaution] = []
    for row in table.rows {
      let species = try species(row)
      guard !species.isEmpty else { throw row.error("species", "names no species") }
      try requireText(row, ["caution", "example"])
      rows.append(
        Formulary.SpeciesCaution(
          drugs: try set(row, "drugs"), species: species, breeds: row.list("breeds").map { $0.lowercased() },
          monthsBelow: row["months"].isEmpty ? nil : Int(try row.number("months")),
          level: try level(row, besides: [.monitor]), text: row["caution"],
          reference: try reference(row, in: table, &seen)))
    }
    return rows
  }

  func diseaseCautions(_ table: DataTable) throws(DataTableError) -> [Formulary.DiseaseCaution] {
    var seen: Set<String> = []
    var rows: [Formulary.DiseaseCaution] = []
    for row in table.rows {
      try requireText(row, ["problems", "caution", "example"])
      rows.append(
        Formulary.DiseaseCaution(
          drugs: try set(row, "drugs"), problems: row.list("problems"), species: Set(try species(row)),
          level: try level(row, besides: [.monitor, .toxic]), text: row["caution"],
          reference: try reference(row, in: table, &seen)))
    }
    return rows
  }

  func crossReactions(_ table: DataTable) throws(DataTableError) -> [Formulary.CrossReaction] {
    var seen: Set<String> = []
    var rows: [Formulary.CrossReaction] = []
    for row in table.rows {
      try requireText(row, ["text", "example"])
      rows.append(
        Formulary.CrossReaction(
          reacted: try set(row, "a"), given: try set(row, "b"), text: row["text"],
          reference: try reference(row, in: table, &seen)))
    }
    return rows
  }

  func monitoring(_ table: DataTable) throws(DataTableError) -> [Formulary.Monitoring] {
    var seen: Set<String> = []
    var rows: [Formulary.Monitoring] = []
    for row in table.rows {
      try requireText(row, ["checks", "example"])
      rows.append(
        Formulary.Monitoring(
          drugs: try set(row, "drugs"), species: Set(try species(row)), checks: row["checks"], tests: row.list("tests"),
          months: row["months"].isEmpty ? nil : Int(try row.number("months")),
          reference: try reference(row, in: table, &seen)))
    }
    return rows
  }

  private func set(_ row: DataTable.Row, _ column: String) throws(DataTableError) -> DrugSet {
    try set(row.list(column), row, column)
  }

  /// One operand that stands alone in a cell.
  package func set(_ operand: String, _ row: DataTable.Row, _ column: String) throws(DataTableError) -> DrugSet {
    try set([operand], row, column)
  }

  private func set(_ operands: [String], _ row: DataTable.Row, _ column: String) throws(DataTableError) -> DrugSet {
    guard !operands.isEmpty else { throw row.error(column, "names no drug") }
    var ids: Set<String> = []
    for operand in operands {
      let members = operand.hasPrefix("class:") ? members(ofClass: String(operand.dropFirst(6))) : member(operand)
      guard !members.isEmpty else {
        throw row.error(column, "holds '\(operand)', which is no drug and no class with a drug for the whole body")
      }
      ids.formUnion(members)
    }
    return DrugSet(operands: operands, ids: ids)
  }

  private func member(_ id: String) -> [String] { drugs.contains { $0.id == id } ? [id] : [] }

  private func members(ofClass id: String) -> [String] { classes.contains(id) ? members[id] ?? [] : [] }

  private func species(_ row: DataTable.Row) throws(DataTableError) -> [Species] {
    var found: [Species] = []
    for word in row.list("species") {
      guard let species = Species(rawValue: word) else { throw row.error("species", "holds '\(word)', no species") }
      found.append(species)
    }
    return found
  }

  private func level(_ row: DataTable.Row, besides refused: Set<CautionLevel>) throws(DataTableError) -> CautionLevel {
    guard let level = CautionLevel(rawValue: row["level"]), !refused.contains(level) else {
      throw row.error("level", "is no level of this table")
    }
    return level
  }

  private func requireText(_ row: DataTable.Row, _ columns: [String]) throws(DataTableError) {
    for column in columns where row[column].isEmpty { throw row.error(column, "is empty") }
  }

  private func reference(
    _ row: DataTable.Row, in table: DataTable, _ seen: inout Set<String>
  ) throws(DataTableError) -> SourceReference {
    try SourceReference.row(row, in: table, &seen)
  }
}

extension SourceReference {
  /// The reference of a row with `id`, `source` and `verified`; `seen` holds the ids of the rows before it.
  package static func row(
    _ row: DataTable.Row, in table: DataTable, _ seen: inout Set<String>
  ) throws(DataTableError) -> SourceReference {
    guard !row["id"].isEmpty, seen.insert(row["id"]).inserted else {
      throw row.error("id", row["id"].isEmpty ? "is empty" : "stands there twice")
    }
    guard !row["source"].isEmpty else { throw row.error("source", "is empty") }
    guard ["yes", "no"].contains(row["verified"]) else { throw row.error("verified", "is neither yes nor no") }
    return SourceReference(
      table: table.name, row: row["id"], source: row["source"], isVerified: row["verified"] == "yes")
  }
}
