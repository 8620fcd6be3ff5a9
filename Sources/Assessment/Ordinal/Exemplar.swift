public import Clinical

/// An intake whose urgency readers have settled; a row of `triage/exemplars.tsv`.
public struct Exemplar: Hashable, Sendable {
  public let intake: Intake
  /// Cases of one situation are never split between fitting and checking.
  public let situation: String
  public let urgency: Urgency
  public let visitType: VisitType

  public init(intake: Intake, situation: String, urgency: Urgency, visitType: VisitType) {
    self.intake = intake
    self.situation = situation
    self.urgency = urgency
    self.visitType = visitType
  }

  /// - Parameter table: columns `id`, `situation`, `species`, `breed`, `age`, `sex`, `weight_kg`, `channel`, `urgency`, `visit_type`,
  ///   `text`; all but id, urgency, visit type and text may be empty.
  /// - Returns: the exemplars in the table's order.
  /// - Throws: ``DataTableError`` naming the row that can't be read.
  public static func all(in table: DataTable) throws(DataTableError) -> [Exemplar] {
    var exemplars: [Exemplar] = []
    for row in table.rows {
      guard let urgency = Urgency(rawValue: row["urgency"]) else { throw row.error("urgency", "is no level") }
      let visitType = VisitType(rawValue: row["visit_type"])
      guard VisitType.builtIn.contains(visitType) else { throw row.error("visit_type", "is no visit type") }
      if row["text"].isEmpty { throw row.error("text", "is empty") }
      let intake = Intake(
        id: row["id"], channel: row["channel"].isEmpty ? nil : row["channel"],
        species: Species(describing: row["species"]), breed: row["breed"].isEmpty ? nil : row["breed"],
        age: row["age"].isEmpty ? nil : row["age"], sex: Sex(describing: row["sex"]) ?? .unknown,
        weightKilograms: row["weight_kg"].isEmpty ? nil : try row.number("weight_kg"), text: row["text"])
      let situation = row["situation"]
      exemplars.append(
        Exemplar(
          intake: intake, situation: situation.isEmpty ? row["id"] : situation, urgency: urgency, visitType: visitType))
    }
    return exemplars
  }
}
