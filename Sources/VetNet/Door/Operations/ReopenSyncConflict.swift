/// Takes back that a conflict between devices was settled: it is open again, and what stood before stands again, unless somebody changed it
/// since.
public struct ReopenSyncConflict: Operation {
  public static let name = "sync.reopen"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.client, .patient, .appointment, .note, .intake]
  public static let changes: Set<RecordKind> = [.client, .patient, .appointment, .note, .intake, .index]

  public var id: String

  public init(id: String) {
    self.id = id
  }

  public func run(_ passage: Passage) throws -> SyncConflict {
    let (conflict, putsBack) = try passage.practice.sync.reopenConflict(id, now: passage.now)
    passage.details["field"] = conflict.field
    if putsBack {
      passage.details["puts_back"] = "1"
      try passage.practice.index.indexNewNotes(
        after: "the conflict is open again", hint: "Run vetnet reindex.", now: passage.now)
    }
    return conflict
  }
}
