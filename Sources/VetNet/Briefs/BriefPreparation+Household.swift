import Chart
import Clinical
import Store

extension BriefPreparation {
  /// Whole herds are nobody's household.
  private static let householdLimit = 8

  /// The records of the living animals of the same owner; none where the owner is a name without an entry.
  func household(of patient: Stored<Patient>) throws -> [PatientRecord] {
    let others = try practice.connection.patients.household(of: patient.rowID)
      .filter { $0.value.deceasedAt == nil }
    guard others.count <= Self.householdLimit else { return [] }
    return try others.map { try practice.records.record(of: $0, at: now) }
  }
}
