/// The tables whose rows come from outside and are known by the id their source gave them.
public enum RecordTable: String, CaseIterable, Sendable {
  case client, patient, location, staff, resource, appointment, note, intake
}

/// A record as it lies in the file.
///
/// The value's `id` is the one to show and to accept (see ``RecordIDs``); the row ids are for joining tables and never
/// leave the program.
public struct Stored<Value: Sendable>: Sendable {
  public let rowID: Int64
  /// The patient the record is about; the row itself for a patient.
  public let patientRowID: Int64?
  public let value: Value

  public init(rowID: Int64, patientRowID: Int64?, value: Value) {
    self.rowID = rowID
    self.patientRowID = patientRowID
    self.value = value
  }
}

extension Stored: Equatable where Value: Equatable {}

/// What an upsert did.
public struct Upserted: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable { case inserted, updated, unchanged }

  public let rowID: Int64
  public let outcome: Outcome

  public init(rowID: Int64, outcome: Outcome) {
    self.rowID = rowID
    self.outcome = outcome
  }
}
