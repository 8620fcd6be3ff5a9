public import Clinical
import Store
public import Sync

/// What a device gets when it is admitted: with it a copy of the hub's file becomes a clone.
public struct SyncAdmission: Codable, Sendable {
  /// The same in the hub's file and in every clone of it.
  public let practice: String
  /// Of the device, from 1.
  public let number: Int
  public let name: String
  /// 32 bytes that the device shares with the hub: as secret as a passphrase.
  public let key: [UInt8]

  public init(practice: String, number: Int, name: String, key: [UInt8]) {
    self.practice = practice
    self.number = number
    self.name = name
    self.key = key
  }
}

/// Admits a device to the practice; a file that takes no part yet becomes the hub.
public struct AdmitReplica: Operation {
  public static let name = "sync.admit"
  public static let permission = Permission.export
  public static let reads: Set<RecordKind> = []
  public static let changes: Set<RecordKind> = [.setting]

  /// What the device is to be called.
  public var device: String

  public init(device: String) {
    self.device = device
  }

  public func run(_ passage: Passage) throws -> SyncAdmission {
    let practice = passage.practice
    let admission = try practice.sync.admitReplica(
      named: device, user: practice.sync.userRow(passage.actor), now: passage.now)
    passage.details["device"] = String(admission.number)
    return admission
  }
}

/// Takes nothing from a device any more, and tells it nothing.
public struct RevokeReplica: Operation {
  public static let name = "sync.revoke"
  public static let permission = Permission.manageUsers
  public static let reads: Set<RecordKind> = []
  public static let changes: Set<RecordKind> = [.setting]

  public var device: String

  public init(device: String) {
    self.device = device
  }

  public func run(_ passage: Passage) throws {
    try passage.practice.sync.revokeReplica(named: device, now: passage.now)
  }
}

/// At the hub: how far it and a device have heard of each other.
public struct GreetReplica: Operation {
  public static let name = "sync.hello"
  public static let permission = Permission.sync
  public static let reads: Set<RecordKind> = []

  public var hello: ReplicaHello

  public init(hello: ReplicaHello) {
    self.hello = hello
  }

  public func run(_ passage: Passage) throws -> HubHello { try passage.practice.sync.hello(hello) }
}

/// At the hub: takes what a device changed, by the rules of each kind, each change once.
public struct TakeChanges: Operation {
  public static let name = "sync.push"
  public static let permission = Permission.sync
  public static let reads: Set<RecordKind> = [.client, .patient, .appointment, .note, .intake, .staff, .resource]
  public static let changes: Set<RecordKind> = [.client, .patient, .appointment, .note, .intake, .inbox, .index]

  public var request: PushRequest

  public init(request: PushRequest) {
    self.request = request
  }

  public func run(_ passage: Passage) throws -> PushReply {
    passage.details["device"] = String(request.replica)
    passage.details["changes"] = String(request.operations.count)
    let reply = try passage.practice.sync.take(request, asking: .role(passage.actor.role), now: passage.now)
    if request.operations.contains(where: { $0.kind == RecordKind.note.rawValue }) {
      try passage.practice.sync.indexAfterSync(now: passage.now)
    }
    return reply
  }
}

/// At the hub: tells a device what it has yet to hear.
public struct TellChanges: Operation {
  public static let name = "sync.pull"
  public static let permission = Permission.sync
  public static let reads: Set<RecordKind> = [.client, .patient, .appointment, .note, .intake]
  public static let changes: Set<RecordKind> = [.setting]

  public var request: PullRequest

  public init(request: PullRequest) {
    self.request = request
  }

  public func run(_ passage: Passage) throws -> PullReply {
    let reply = try passage.practice.sync.tell(request, now: passage.now)
    passage.details["device"] = String(request.replica)
    passage.details["through"] = String(reply.through)
    return reply
  }
}

/// At a clone: who it is, and how far it has heard.
public struct PresentReplica: Operation {
  public static let name = "sync.present"
  public static let permission = Permission.sync
  public static let reads: Set<RecordKind> = []

  public init() {}

  public func run(_ passage: Passage) throws -> ReplicaHello { try passage.practice.sync.replicaHello() }
}

/// At a clone: its own changes after a number.
public struct ListOwnChanges: Operation {
  public static let name = "sync.changes"
  public static let permission = Permission.sync
  public static let reads: Set<RecordKind> = [.client, .patient, .appointment, .note, .intake]

  public var after: Int64
  public var limit: Int

  public init(after: Int64, limit: Int) {
    self.after = after
    self.limit = limit
  }

  public func run(_ passage: Passage) throws -> [RecordOperation] {
    try passage.practice.sync.ownOperations(after: after, limit: limit)
  }
}

/// At a clone: takes what the hub told.
public struct FollowHub: Operation {
  public static let name = "sync.follow"
  public static let permission = Permission.sync
  public static let reads: Set<RecordKind> = []
  public static let changes: Set<RecordKind> = [
    .client, .patient, .location, .staff, .resource, .appointment, .note, .intake, .index,
  ]
  public static let isOfHub = false

  public var reply: PullReply

  public init(reply: PullReply) {
    self.reply = reply
  }

  public func run(_ passage: Passage) throws -> Applied {
    passage.details["through"] = String(reply.through)
    let applied = try passage.practice.sync.follow(reply, now: passage.now)
    if applied.applied > 0 { try passage.practice.sync.indexAfterSync(now: passage.now) }
    return applied
  }
}

/// Which part the file takes, and how far each has heard.
public struct ShowSync: Operation {
  public static let name = "sync.status"
  public static let permission = Permission.inspect
  public static let reads: Set<RecordKind> = []

  public init() {}

  public func run(_ passage: Passage) throws -> SyncStatus { try passage.practice.sync.syncStatus() }
}

/// What devices said without knowing of each other, for a person.
public struct ListSyncConflicts: Operation {
  public static let name = "sync.conflicts"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.client, .patient, .appointment, .note, .intake]

  /// Also those that were settled.
  public var all: Bool
  /// Only those that the hub told after this number.
  public var after: Int64

  public init(all: Bool = false, after: Int64 = 0) {
    self.all = all
    self.after = after
  }

  public func run(_ passage: Passage) throws -> [SyncConflict] {
    let conflicts = try passage.practice.sync.syncConflicts(settledToo: all, after: after)
    for conflict in conflicts {
      if let kind = RecordKind(rawValue: conflict.record.kind) { passage.touch(kind, conflict.shownID) }
    }
    return conflicts
  }
}

/// Settles one of them; ``ReopenSyncConflict`` takes that back.
public struct SettleSyncConflict: Operation {
  public static let name = "sync.settle"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.client, .patient, .appointment, .note, .intake]
  public static let changes: Set<RecordKind> = [.client, .patient, .appointment, .note, .intake, .index]

  public enum Choice: String, CaseIterable, Codable, Sendable {
    case ours, theirs
    /// What stands now is right.
    case leave = "as-it-is"
  }

  public var id: String
  public var choice: Choice

  public init(id: String, choice: Choice) {
    self.id = id
    self.choice = choice
  }

  public func run(_ passage: Passage) throws -> SyncConflict {
    let conflict = try passage.practice.sync.settleConflict(id, choosing: choice, now: passage.now)
    passage.details["choice"] = choice.rawValue
    passage.details["field"] = conflict.field
    if choice != .leave {
      try passage.practice.index.indexNewNotes(
        after: "the conflict is settled", hint: "Run vetnet reindex.", now: passage.now)
    }
    return conflict
  }
}

/// Takes what the other side left in a folder or on a stick, and leaves there what it has yet to hear.
public struct ExchangeWithFolder: Operation {
  public static let name = "sync.folder"
  public static let permission = Permission.sync
  public static let reads: Set<RecordKind> = [.client, .patient, .appointment, .note, .intake]
  public static let changes: Set<RecordKind> = [
    .client, .patient, .location, .staff, .resource, .appointment, .note, .intake, .inbox, .index,
  ]
  public static let isOfHub = false
  public static let conduct = Conduct.inSteps

  public var path: String

  public init(path: String) {
    self.path = path
  }

  public func run(_ passage: Passage) throws -> FolderExchange {
    let exchange = try passage.practice.sync.exchange(withFolder: path, now: passage.now)
    if exchange.counts.applied > 0 { try passage.practice.sync.indexAfterSync(now: passage.now) }
    passage.details["received"] = String(exchange.counts.received)
    passage.details["left"] = String(exchange.left)
    return exchange
  }
}

/// Makes a clone of the hub's file, with a number and a key of its own.
public struct CloneHub: Operation {
  public static let name = "sync.clone"
  public static let permission = Permission.export
  public static let reads: Set<RecordKind> = [.client, .patient, .appointment, .note, .intake]
  public static let changes: Set<RecordKind> = [.setting]
  public static let conduct = Conduct.inSteps

  /// Where the clone is to stand; nothing may be there.
  public var path: String
  /// What the device is to be called.
  public var device: String
  /// Who works on it, by name; nil for oneself. Whatever their role may, it may through a folder, and they alone sign in at it.
  public var user: String?
  public var isDryRun: Bool

  public init(path: String, device: String, user: String? = nil, isDryRun: Bool = false) {
    self.path = path
    self.device = device
    self.user = user
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws -> CloneReport {
    let report = try passage.practice.sync.clone(self, passage)
    if let number = report.number { passage.details["device"] = String(number) }
    return report
  }
}
