import Clinical

/// Turns rows into groups and the forms that ask for them.
struct ThesaurusBuilder {
  private(set) var groups: [Thesaurus.Group] = []
  private(set) var forms: ThesaurusForms

  init(analyzer: Analyzer) {
    forms = ThesaurusForms(analyzer: analyzer)
  }

  mutating func add(_ row: DataTable.Row) throws(DataTableError) {
    guard let kind = Expansion.Kind(rawValue: row["kind"]) else { throw row.error("kind", "is no kind") }
    let weight = try row.number("weight")
    guard weight > 0, weight <= 1 else { throw row.error("weight", "is not above 0 and at most 1") }
    let forms = row.list("forms")
    let targets = row.list("targets")
    guard !forms.isEmpty else { throw row.error("forms", "is empty") }
    switch row["direction"] {
    case "both":
      guard forms.count + targets.count > 1 else { throw row.error("forms", "has nothing to stand for") }
      add(row: row["id"], kind: kind, weight: weight, forms: forms, targets: forms + targets)
    case "forward":
      guard !targets.isEmpty else { throw row.error("targets", "is empty") }
      add(row: row["id"], kind: kind, weight: weight, forms: forms, targets: targets)
    default: throw row.error("direction", "is neither both nor forward")
    }
  }

  /// - Parameter drugs: names as the formulary gives them.
  mutating func add(drugs: DrugNames) {
    for drug in drugs.drugs {
      // An everyday word among the brands (Advantage, Program) is looked for, but does not by itself mean the drug.
      let forms = drug.names.filter { !drug.everydayWords.contains($0) }
      if drug.names.count > 1 {
        add(row: drug.id, kind: .brand, weight: drugs.nameWeight, forms: forms, targets: drug.names)
      }
      if !drug.layNames.isEmpty {
        add(row: drug.id, kind: .lay, weight: drugs.layWeight, forms: drug.layNames, targets: drug.names)
      }
      if !drug.classNames.isEmpty {
        add(row: drug.id, kind: .drug, weight: drugs.classWeight, forms: drug.classNames, targets: drug.names)
        add(
          row: drug.id, kind: .drug, weight: drugs.memberWeight, forms: forms,
          targets: Array(drug.classNames.prefix(1)))
      }
    }
  }

  private mutating func add(row: String, kind: Expansion.Kind, weight: Double, forms: [String], targets: [String]) {
    groups.append(Thesaurus.Group(row: row, kind: kind, weight: weight, targets: targets))
    for form in forms {
      self.forms.add(form, group: groups.count - 1)
      guard form.utf8.contains(where: Self.isJoint) else { continue }
      let parted = String(decoding: form.utf8.map { Self.isJoint($0) ? 0x20 : $0 }, as: UTF8.self)
      self.forms.add(parted, group: groups.count - 1)
    }
  }

  private static func isJoint(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/") }
}
