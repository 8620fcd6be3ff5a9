/// Makes two records of one animal one: the first's id stays, the second's finds it.
public struct MergePatients: Operation {
  public static let name = "patient.merge"
  public static let permission = Permission.writeRecord
  public static let isOfHub = true
  public static let reads: Set<RecordKind> = [.patient, .client]
  public static let changes: Set<RecordKind> = [
    .patient, .note, .intake, .appointment, .assessment, .encounter, .inbox, .photo, .index,
  ]

  /// Whose fields hold.
  public enum Side: String, Codable, Sendable { case first, second }

  public var first: String
  public var second: String
  /// Nil where they must not differ.
  public var keep: Side?
  public var reason: String
  public var isDryRun: Bool

  public init(first: String, second: String, keep: Side? = nil, reason: String, isDryRun: Bool = false) {
    self.first = first
    self.second = second
    self.keep = keep
    self.reason = reason
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.patient, first), RecordReference(.patient, second)] }

  public func run(_ passage: Passage) throws -> PatientMergeReport {
    passage.details["reason_digest"] = Passage.digest(reason)
    let report = try passage.practice.records.mergePatients(
      first, second, keep: keep, reason: reason, now: passage.now, isDryRun: isDryRun)
    passage.touch(.patient, [report.patient, report.other])
    passage.details["done"] = String(report.done)
    return report
  }
}

/// Takes a merge back.
public struct SplitPatient: Operation {
  public static let name = "patient.split"
  public static let permission = Permission.writeRecord
  public static let isOfHub = true
  public static let reads: Set<RecordKind> = [.patient]
  public static let changes: Set<RecordKind> = [
    .patient, .note, .intake, .appointment, .assessment, .encounter, .inbox, .photo, .index,
  ]

  /// The one that went.
  public var id: String
  /// Notes written since that are about it.
  public var notes: [String]
  public var reason: String
  public var isDryRun: Bool

  public init(id: String, notes: [String] = [], reason: String, isDryRun: Bool = false) {
    self.id = id
    self.notes = notes
    self.reason = reason
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.patient, id)] }

  public func run(_ passage: Passage) throws -> PatientMergeReport {
    passage.details["reason_digest"] = Passage.digest(reason)
    let report = try passage.practice.records.splitPatient(
      id, notes: notes, reason: reason, now: passage.now, isDryRun: isDryRun)
    passage.touch(.patient, [report.patient, report.other])
    return report
  }
}
