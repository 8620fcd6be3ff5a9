/// Erases a patient for good, with all that is about it, and the owner where that is wanted and nothing else hangs on the entry.
public struct ErasePatient: Operation {
  public static let name = "patient.erase"
  public static let permission = Permission.erase
  public static let isOfHub = true
  public static let reads: Set<RecordKind> = [.patient, .client, .backup]
  public static let changes: Set<RecordKind> = [
    .client, .patient, .appointment, .note, .intake, .assessment, .encounter, .plan, .imports, .inbox, .tag, .photo,
    .index,
  ]

  public var reference: String
  public var reason: String
  public var withClient: Bool
  public var isDryRun: Bool

  public init(reference: String, reason: String, withClient: Bool = false, isDryRun: Bool = false) {
    self.reference = reference
    self.reason = reason
    self.withClient = withClient
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.patient, reference)] }

  public func run(_ passage: Passage) throws -> EraseReport {
    passage.details["reason_digest"] = Passage.digest(reason)
    return try passage.practice.records.erasePatient(
      reference, reason: reason, withClient: withClient, isDryRun: isDryRun, passage: passage)
  }
}
