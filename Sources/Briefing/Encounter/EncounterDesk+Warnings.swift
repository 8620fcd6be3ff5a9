import Assessment
import Clinical

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
    let complaints = Set(found.complaints)
    let present = Set(picture.presenting.map(\.name))
    var rows: [String: SourceReference] = [:]
    for row in builder.knowledge.differentials.rows
    where complaints.contains(row.complaint) && row.species.contains(species) && row.severity >= .high {
      for support in row.supports {
        if case .finding(let name) = support, rows[name] == nil { rows[name] = row.reference }
      }
      for name in row.ways.flatMap({ $0 }) where rows[name] == nil { rows[name] = row.reference }
    }
    var found: [EncounterReading.Warning] = []
    var told: Set<String> = []
    for sign in context.warningSigns where found.count < Self.limit {
      let names = builder.knowledge.signs.findings(of: sign.id)
      guard let name = names.first(where: { rows[$0] != nil && !present.contains($0) }), let row = rows[name],
        told.insert(name).inserted
      else { continue }
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
