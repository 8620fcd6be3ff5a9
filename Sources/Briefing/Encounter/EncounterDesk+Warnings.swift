import Assessment
public import Clinical

// What an owner can look for at home, from the tables of triage and differentials.

extension EncounterReading {
  /// Something that would make the patient urgent, asked so that an owner can answer.
  public struct Warning: Hashable, Sendable {
    public let question: String
    public let references: [SourceReference]
  }
}

extension EncounterDesk {
  private static let limit = 6

  /// Of the findings that make an animal of the species urgent those that go with a grave possibility of this complaint and are not
  /// there yet; none where no complaint of the table fits.
  func warnings() -> [EncounterReading.Warning] {
    let present = Set(picture.presenting.map(\.name))
    // What goes with the leading complaint first.
    var rows: [String: (order: Int, reference: SourceReference)] = [:]
    for row in builder.knowledge.differentials.rows where row.species.contains(species) && row.severity >= .high {
      guard let order = found.complaints.firstIndex(of: row.complaint) else { continue }
      let supports = row.supports.compactMap { support -> String? in
        if case .finding(let name) = support { name } else { nil }
      }
      for name in supports + row.ways.flatMap({ $0 }) where rows[name].map({ order < $0.order }) ?? true {
        rows[name] = (order, row.reference)
      }
    }
    let signs = context.warningSigns.compactMap { sign -> (sign: WarningSign, name: String, order: Int)? in
      let names = builder.knowledge.signs.findings(of: sign.id).filter { !present.contains($0) }
      guard let name = names.min(by: { rows[$0]?.order ?? .max < rows[$1]?.order ?? .max }), let row = rows[name] else {
        return nil
      }
      return (sign, name, row.order)
    }
    let ranked = signs.enumerated().sorted {
      ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
    }.map(\.element)
    var found: [EncounterReading.Warning] = []
    var told: Set<String> = []
    for (sign, name, _) in ranked where found.count < Self.limit {
      guard let row = rows[name]?.reference, told.insert(name).inserted else { continue }
      found.append(
        EncounterReading.Warning(
          question: sign.question,
          references: [
            SourceReference(
              table: "triage/guided-questions.tsv", row: sign.id, source: "written for VetNet", isVerified: false), row,
          ]))
    }
    return found
  }
}
