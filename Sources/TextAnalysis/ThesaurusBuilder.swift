import Clinical

/// Turns rows into groups and the forms that ask for them.
struct ThesaurusBuilder {
  private(set) var groups: [Thesaurus.GroupPlace] = []
  private(set) var forms: ThesaurusForms

  init(analyzer: Analyzer) {
    forms = ThesaurusForms(analyzer: analyzer)
  }

  mutating func add(_ row: DataTable.Row, at place: Int) throws(DataTableError) {
    let written = row["kind"]
    guard let kind = written.isEmpty ? .lay : Expansion.Kind(rawValue: written) else {
      throw row.error("kind", "is no kind")
    }
    let weight = try row.number("weight")
    guard weight > 0, weight <= 1 else { throw row.error("weight", "is not above 0 and at most 1") }
    let formCount = row.partCount("forms")
    let targetCount = row.partCount("targets")
    guard formCount > 0 else { throw row.error("forms", "is empty") }
    let addsForms: Bool
    let direction = row["direction"]
    switch direction.isEmpty ? (targetCount > 0 ? "forward" : "both") : direction {
    case "both":
      guard formCount + targetCount > 1 else { throw row.error("forms", "has nothing to stand for") }
      addsForms = true
    case "forward":
      guard targetCount > 0 else { throw row.error("targets", "is empty") }
      addsForms = false
    default: throw row.error("direction", "is neither both nor forward")
    }
    begin(Thesaurus.GroupPlace(source: .row(place, addsForms: addsForms), kind: kind, weight: weight))
    row.forEachPart("forms") { add($0) }
  }

  /// - Parameter drugs: names as the formulary gives them.
  mutating func add(drugs: DrugNames) {
    for place in 0..<drugs.count {
      let (hasSeveralNames, hasLayNames, hasClasses) = drugs.contents(of: place)
      if hasSeveralNames {
        begin(Thesaurus.GroupPlace(source: .drugNames(place), kind: .brand, weight: drugs.nameWeight))
        drugs.forEachAskingName(of: place) { add($0) }
      }
      if hasLayNames {
        begin(Thesaurus.GroupPlace(source: .drugNames(place), kind: .lay, weight: drugs.layWeight))
        drugs.forEachLayName(of: place) { add($0) }
      }
      if hasClasses {
        begin(Thesaurus.GroupPlace(source: .drugNames(place), kind: .drug, weight: drugs.classWeight))
        drugs.forEachClassName(of: place) { add($0) }
        begin(Thesaurus.GroupPlace(source: .drugClass(place), kind: .drug, weight: drugs.memberWeight))
        drugs.forEachAskingName(of: place) { add($0) }
      }
    }
  }

  private mutating func begin(_ group: Thesaurus.GroupPlace) { groups.append(group) }

  /// Adds a form of the last group.
  private mutating func add(_ form: UnsafeBufferPointer<UInt8>) { forms.addParted(form, group: groups.count - 1) }
}

extension DataTable.Row {
  /// How many parts ``list(_:separator:)`` would give.
  fileprivate func partCount(_ column: String) -> Int {
    var count = 0
    forEachPart(column) { _ in count += 1 }
    return count
  }
}
