public import Clinical
import Store
import Sync

/// What a person has to know of a conflict beside the two values, to decide it.
public struct ConflictBackground: Hashable, Sendable {
  /// Who said a value, and where.
  public struct Said: Hashable, Sendable {
    public let actor: String
    /// By the clock of the machine where it was said, which may be wrong.
    public let at: Timestamp
    /// What the device is called; nil for the hub itself.
    public let device: String?
    /// The time that a visit was to have by that, and whoever was to see it, by id; nil where that wasn't said.
    public let start: Timestamp?
    public let clinicianID: String?
  }

  /// Who said what is `ours`, and `theirs`; nil where the log doesn't say.
  public let ours: Said?
  public let theirs: Said?
  /// The name of the animal that it is about, or of the owner; nil for one that is gone, or that has none.
  public let name: String?
  /// The animal, as this file shows it.
  public let patientID: String?
  /// Whether one of the values can be chosen; where not, somebody changes the record itself.
  public let isChoosable: Bool
  /// Of a visit: its time, or the one that was wished for.
  public let start: Timestamp?
  /// When it was settled, by the clock of where it was.
  public let settledAt: Timestamp?
}

extension SyncConflict {
  /// A value for people: texts whole, moments by the practice's clock.
  public func words(of content: FieldContent, in zone: PracticeTimeZone) -> String {
    if let text = content.text { return text }
    guard ["start", "recorded_at", "received_at"].contains(field), let seconds = content.integer else {
      return ImportChange.words(content)
    }
    return zone.describe(Timestamp(seconds: Int64(seconds)))
  }
}

extension Practice.Sync {
  func background(
    of name: RecordName, field: String, ours: RecordOperation?, theirs: RecordOperation?, settled: RecordOperation?
  ) throws -> ConflictBackground {
    let row = try connection.replicated.ownRow(name)
    let subject = try conflictSubject(of: name, row)
    let subjectRow = try subject.flatMap { try connection.replicated.row($0) }
    var named: FieldContent?
    if let table = subject.flatMap({ RecordTable(rawValue: $0.kind) }), let subjectRow {
      named = try connection.replicated.fields(table, row: subjectRow)?["name"]
    }
    let isVisit = name.kind == RecordTable.appointment.rawValue
    return ConflictBackground(
      ours: try ours.map(said), theirs: try theirs.map(said), name: named?.text,
      patientID: subject?.kind == RecordTable.patient.rawValue
        ? try subjectRow.flatMap { try connection.recordIDs.shown(.patient, $0) } : nil,
      isChoosable: row != nil && !(isVisit && Self.isOfBook(field)),
      start: isVisit ? try row.flatMap { try connection.appointments.appointment(row: $0)?.value.start } : nil,
      settledAt: settled.map { HybridClock.moment(of: $0.clock) })
  }

  /// The animal that a record is about, or the owner; nil for what is about neither.
  private func conflictSubject(of name: RecordName, _ row: Int64?) throws -> RecordName? {
    switch RecordTable(rawValue: name.kind) {
    case .patient, .client: return name
    case let table?:
      guard let row, let content = try connection.replicated.fields(table, row: row)?["patient_id"] else { return nil }
      return ReplicatedRecords.reference(content, to: .patient)
    case nil: return nil
    }
  }

  private func said(_ operation: RecordOperation) throws -> ConflictBackground.Said {
    let isVisit = operation.kind == RecordTable.appointment.rawValue
    let clinician = operation.fields["clinician_id"].flatMap { ReplicatedRecords.reference($0, to: .staff) }
    return ConflictBackground.Said(
      actor: operation.actor, at: HybridClock.moment(of: operation.clock), device: try deviceName(operation.replica),
      start: isVisit ? operation.fields["start"]?.integer.map { Timestamp(seconds: Int64($0)) } : nil,
      clinicianID: isVisit
        ? try clinician.flatMap { try connection.replicated.row($0) }.flatMap {
          try connection.recordIDs.shown(.staff, $0)
        } : nil)
  }

  /// What a replica is called; nil for the hub.
  private func deviceName(_ replica: Int) throws -> String? {
    guard replica != 0 else { return nil }
    if let own = try connection.operationLog.own(), own.replica == replica, let name = own.name { return name }
    return try connection.replicas.replica(replica)?.name ?? "device \(replica)"
  }
}
