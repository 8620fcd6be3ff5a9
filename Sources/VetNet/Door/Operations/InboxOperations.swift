public import Clinical
import Store

extension Passage {
  /// Says which item is touched, and the patients that it shows.
  func touchInbox(_ item: InboxItem) {
    touch(.inbox, item.id)
    touch(.patient, item.proposals.map(\.patient.id) + item.namesakes.map(\.id))
    touch(.patient, item.filed?.patient.id)
    if let filed = item.filed {
      touch(filed.kind == "note" ? .note : filed.kind == "intake" ? .intake : .appointment, filed.id)
    }
  }
}

/// Puts what could not be filed for certain into the inbox: several at once, all or nothing. What came before is left as it is.
public struct AddToInbox: Operation {
  public static let name = "inbox.add"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.patient, .appointment]
  public static let changes: Set<RecordKind> = [.inbox]

  public var items: [IncomingItem]

  public init(items: [IncomingItem]) {
    self.items = items
  }

  public func run(_ passage: Passage) throws -> InboxReceipt {
    passage.details["items"] = String(items.count)
    for item in items { passage.touch(.patient, item.candidates.map(\.patientID)) }
    let receipt = try passage.practice.inbox.receive(items, now: passage.now)
    passage.touch(.inbox, receipt.ids)
    return receipt
  }
}

/// What waits, the most urgent first.
public struct ListInbox: Operation {
  public static let name = "inbox.list"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.inbox, .patient, .appointment]

  public var states: [InboxItem.State]
  public var kind: IncomingItem.Kind?
  /// The first so many; nil for all.
  public var most: Int?

  public init(
    states: [InboxItem.State] = InboxItem.State.open, kind: IncomingItem.Kind? = nil, most: Int? = nil
  ) {
    self.states = states
    self.kind = kind
    self.most = most
  }

  public func run(_ passage: Passage) throws -> [InboxItem] {
    let items = try passage.practice.inbox.inbox(states, kind: kind, most: most)
    for item in items { passage.touchInbox(item) }
    return items
  }
}

/// One item with everything that came, who it may be about, and what was decided.
public struct ShowInboxItem: Operation {
  public static let name = "inbox.show"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.inbox, .patient, .appointment]

  public var id: String

  public init(id: String) {
    self.id = id
  }

  public var subjects: [RecordReference] { [RecordReference(.inbox, id)] }

  public func run(_ passage: Passage) throws -> InboxItem {
    let item = try passage.practice.inbox.inboxItem(id)
    passage.touchInbox(item)
    return item
  }
}

/// Files an item to a patient: it becomes a note or an intake, or its appointment gets its patient.
public struct AssignInboxItem: Operation {
  public static let name = "inbox.assign"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.inbox, .patient]
  public static let changes: Set<RecordKind> = [.inbox, .note, .intake, .appointment, .index]

  public var id: String
  public var patient: String
  /// Of the note; nil for what the item says, else when it came in.
  public var date: Timestamp?
  /// The item's revision that it is based on; nil for whatever it is now.
  public var seen: Int?
  public var isDryRun: Bool

  public init(id: String, patient: String, date: Timestamp? = nil, seen: Int? = nil, isDryRun: Bool = false) {
    self.id = id
    self.patient = patient
    self.date = date
    self.seen = seen
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.inbox, id), RecordReference(.patient, patient)] }

  public func run(_ passage: Passage) throws -> InboxItem {
    let target = try passage.practice.records.patient(patient).id
    passage.touch(.patient, target)
    passage.touch(.inbox, InboxItem.row(id).map(InboxItem.id))
    return try passage.practice.inbox.fileInboxItem(
      id, to: target, date: date, seen: seen, now: passage.now, isDryRun: isDryRun)
  }
}

/// Rejects an item with a reason, or puts it off.
public struct SetInboxItemAside: Operation {
  public static let name = "inbox.aside"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.inbox]
  public static let changes: Set<RecordKind> = [.inbox]

  public var id: String
  /// For good, or for now.
  public var isRejected: Bool
  public var reason: String?
  /// When one that is put off comes back; nil for when somebody takes it up.
  public var until: Timestamp?
  /// The item's revision that it is based on; nil for whatever it is now.
  public var seen: Int?
  public var isDryRun: Bool

  public init(
    id: String, isRejected: Bool, reason: String? = nil, until: Timestamp? = nil, seen: Int? = nil,
    isDryRun: Bool = false
  ) {
    self.id = id
    self.isRejected = isRejected
    self.reason = reason
    self.until = until
    self.seen = seen
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.inbox, id)] }

  public func run(_ passage: Passage) throws -> InboxItem {
    passage.touch(.inbox, InboxItem.row(id).map(InboxItem.id))
    passage.details["state"] = isRejected ? "rejected" : "later"
    if let reason { passage.details["reason_digest"] = Passage.digest(reason) }
    var deed = InboxRow.Deed((isRejected ? InboxItem.State.rejected : .later).rawValue, reason: reason)
    if !isRejected { deed.until = until }
    return try passage.practice.inbox.setInboxItemAside(id, deed, seen: seen, now: passage.now, isDryRun: isDryRun)
  }
}

/// Takes the last decision of the inbox back, about one item or about any; what was filed is unfiled.
public struct UndoInbox: Operation {
  public static let name = "inbox.undo"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.inbox]
  public static let changes: Set<RecordKind> = [.inbox, .note, .intake, .appointment, .plan, .index]

  /// Nil for whichever was decided last.
  public var id: String?
  /// The item's revision that it is based on; nil for whatever it is now.
  public var seen: Int?
  public var isDryRun: Bool

  public init(id: String? = nil, seen: Int? = nil, isDryRun: Bool = false) {
    self.id = id
    self.seen = seen
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { id.map { [RecordReference(.inbox, $0)] } ?? [] }

  public func run(_ passage: Passage) throws -> InboxItem {
    if let id { passage.touch(.inbox, InboxItem.row(id).map(InboxItem.id)) }
    return try passage.practice.inbox.undoInbox(id, seen: seen, now: passage.now, isDryRun: isDryRun)
  }
}
