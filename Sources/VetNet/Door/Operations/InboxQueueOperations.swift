public import Clinical
import Store

/// How much of the inbox there is to do: numbers only.
public struct CountInbox: Operation {
  public static let name = "inbox.count"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.file]

  public init() {}

  public func run(_ passage: Passage) throws -> InboxTally { try passage.practice.inbox.inboxTally(now: passage.now) }
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
    let decided = try passage.practice.inbox.decidedInboxItems(most)
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
  /// When those that are put off come back; nil for when somebody takes them up.
  public var until: Timestamp?

  public init(ids: [String], isRejected: Bool, reason: String? = nil, until: Timestamp? = nil) {
    self.ids = ids
    self.isRejected = isRejected
    self.reason = reason
    self.until = until
  }

  public var subjects: [RecordReference] { ids.map { RecordReference(.inbox, $0) } }

  public func run(_ passage: Passage) throws -> [InboxItem] {
    passage.touch(.inbox, ids.compactMap { InboxItem.row($0).map(InboxItem.id) })
    passage.details["state"] = isRejected ? "rejected" : "later"
    if let reason { passage.details["reason_digest"] = Passage.digest(reason) }
    var deed = InboxRow.Deed((isRejected ? InboxItem.State.rejected : .later).rawValue, reason: reason)
    if !isRejected { deed.until = until }
    return try passage.practice.inbox.setInboxItemsAside(ids, deed, now: passage.now)
  }
}

/// Files several items, each to the patient whom somebody named for it, all or none.
public struct FileSeveral: Operation {
  public static let name = "inbox.file-several"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.inbox, .patient]
  public static let changes: Set<RecordKind> = [.inbox, .note, .intake, .appointment, .index]

  public struct Pair: Codable, Hashable, Sendable {
    public var id: String
    public var patient: String
    /// The item's revision that it is based on; nil for whatever it is now.
    public var seen: Int?

    public init(id: String, patient: String, seen: Int? = nil) {
      self.id = id
      self.patient = patient
      self.seen = seen
    }
  }

  public var pairs: [Pair]

  public init(pairs: [Pair]) {
    self.pairs = pairs
  }

  public var subjects: [RecordReference] {
    pairs.flatMap { [RecordReference(.inbox, $0.id), RecordReference(.patient, $0.patient)] }
  }

  public func run(_ passage: Passage) throws -> [InboxItem] {
    passage.touch(.inbox, pairs.compactMap { InboxItem.row($0.id).map(InboxItem.id) })
    return try passage.practice.inbox.fileInboxItems(pairs, now: passage.now)
  }
}

/// Files an item to a patient and books a visit for it, in one step, at the level that it waited with.
public struct BookInboxItem: Operation {
  public static let name = "inbox.book"
  public static let permission = Permission.writeBook
  public static let reads: Set<RecordKind> = [.inbox, .patient, .appointment, .staff, .resource]
  public static let changes: Set<RecordKind> = [.inbox, .note, .intake, .appointment, .plan, .index]

  public var id: String
  public var patient: String
  /// When and with whom; its patient is the item's, its level and reason too where it names none.
  public var booking: Booking
  public var seen: Int?
  public var isDryRun: Bool

  public init(id: String, patient: String, booking: Booking, seen: Int? = nil, isDryRun: Bool = false) {
    self.id = id
    self.patient = patient
    self.booking = booking
    self.seen = seen
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.inbox, id), RecordReference(.patient, patient)] }
  public var place: String? { booking.limits?.locationID?.value }

  public func run(_ passage: Passage) throws -> InboxItem {
    guard passage.actor.role.may(.fileInbox) else {
      throw PracticeError.notPermitted(Self.name, .fileInbox, to: passage.actor)
    }
    let target = try passage.practice.records.patient(patient).id
    passage.touch(.patient, target)
    passage.touch(.inbox, InboxItem.row(id).map(InboxItem.id))
    return try passage.practice.inbox.bookInboxItem(
      id, for: target, booking, seen: seen, now: passage.now, isDryRun: isDryRun)
  }
}

/// Keeps what the sender of an item is asked back; it waits for the answer until a time, and comes back then.
public struct AskBack: Operation {
  public static let name = "inbox.ask-back"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.inbox]
  public static let changes: Set<RecordKind> = [.inbox]

  public var id: String
  /// The draft of the reply; VetNet sends nothing.
  public var text: String
  /// Nil for what the level tells.
  public var until: Timestamp?
  public var seen: Int?
  public var isDryRun: Bool

  public init(id: String, text: String, until: Timestamp? = nil, seen: Int? = nil, isDryRun: Bool = false) {
    self.id = id
    self.text = text
    self.until = until
    self.seen = seen
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.inbox, id)] }

  public func run(_ passage: Passage) throws -> InboxItem {
    passage.touch(.inbox, InboxItem.row(id).map(InboxItem.id))
    passage.details["text_digest"] = Passage.digest(text)
    return try passage.practice.inbox.askBack(
      id, text, until: until, seen: seen, now: passage.now, isDryRun: isDryRun)
  }
}

/// Takes back what was decided as one, all of it or nothing.
public struct UndoInboxBatch: Operation {
  public static let name = "inbox.undo-several"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.inbox]
  public static let changes: Set<RecordKind> = [.inbox, .note, .intake, .appointment, .plan, .index]

  public var batch: Int64

  public init(batch: Int64) {
    self.batch = batch
  }

  public func run(_ passage: Passage) throws -> [InboxItem] {
    let items = try passage.practice.inbox.undoInbox(batch: batch, now: passage.now)
    passage.touch(.inbox, items.map(\.id))
    return items
  }
}

/// Where somebody is in the queue, what comes next, and who else works on it.
public struct ShowInboxSession: Operation {
  public static let name = "inbox.session"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.file]

  /// Behind this item; nil for where whoever asks stopped.
  public var after: String?
  /// The next so many.
  public var most: Int

  public init(after: String? = nil, most: Int = 5) {
    self.after = after
    self.most = most
  }

  public func run(_ passage: Passage) throws -> InboxSession {
    try passage.practice.inbox.inboxSession(after: after, most: most, now: passage.now)
  }
}

/// Remembers which item somebody has open, and which they have chosen: they go on there on any device, and others see it.
public struct KeepInboxPlace: Operation {
  public static let name = "inbox.place"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.inbox]
  public static let changes: Set<RecordKind> = [.inbox]

  /// Empty for none, nil to leave it as it is.
  public var item: String?
  /// Nil to leave them as they are.
  public var chosen: [String]?

  public init(item: String? = nil, chosen: [String]? = nil) {
    self.item = item
    self.chosen = chosen
  }

  public var subjects: [RecordReference] {
    (item ?? "").isEmpty ? [] : item.map { [RecordReference(.inbox, $0)] } ?? []
  }

  public func run(_ passage: Passage) throws -> InboxSession {
    passage.touch(.inbox, item.flatMap { InboxItem.row($0).map(InboxItem.id) })
    return try passage.practice.inbox.keepInboxPlace(item, chosen: chosen, now: passage.now)
  }
}
