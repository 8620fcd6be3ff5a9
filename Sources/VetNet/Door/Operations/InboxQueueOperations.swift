import Clinical

/// How much of the inbox there is to do: numbers only.
public struct CountInbox: Operation {
  public static let name = "inbox.count"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.file]

  public init() {}

  public func run(_ passage: Passage) throws -> InboxTally { try passage.practice.inboxTally(now: passage.now) }
}

/// What was decided last and can be taken back, the latest first.
public struct ListInboxDecisions: Operation {
  public static let name = "inbox.decisions"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.inbox, .patient, .appointment]

  /// So many at most.
  public var most: Int

  public init(most: Int = 20) {
    self.most = most
  }

  public func run(_ passage: Passage) throws -> [DecidedInboxItem] {
    let decided = try passage.practice.decidedInboxItems(most)
    for entry in decided { passage.touchInbox(entry.item) }
    return decided
  }
}

/// Rejects several items with a reason, or puts them off, all or none.
public struct SetSeveralAside: Operation {
  public static let name = "inbox.aside-several"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.inbox]
  public static let changes: Set<RecordKind> = [.inbox]

  /// So many at once, at most.
  public static let most = 200

  public var ids: [String]
  /// For good, or for now.
  public var isRejected: Bool
  public var reason: String?

  public init(ids: [String], isRejected: Bool, reason: String? = nil) {
    self.ids = ids
    self.isRejected = isRejected
    self.reason = reason
  }

  public var subjects: [RecordReference] { ids.map { RecordReference(.inbox, $0) } }

  public func run(_ passage: Passage) throws -> [InboxItem] {
    passage.touch(.inbox, ids.compactMap { InboxItem.row($0).map(InboxItem.id) })
    passage.details["state"] = isRejected ? "rejected" : "later"
    if let reason { passage.details["reason_digest"] = Passage.digest(reason) }
    return try passage.practice.setInboxItemsAside(
      ids, isRejected ? .rejected : .later, reason: reason, now: passage.now)
  }
}
