public import Clinical
import Store
public import Sync

// A device: what it has to tell, and how it takes what the hub told.

extension Practice.Sync {
  /// The part that this file takes.
  ///
  /// - Throws: ``PracticeError`` in a file that is no clone.
  func ownReplica() throws -> SyncSelf {
    guard let own = try connection.operationLog.own(), !own.isHub else {
      throw PracticeError(
        .invalidArgument, "this practice file is no clone of a hub",
        hint: "Maybe make one: vetnet clone FROM --practice FILE")
    }
    return own
  }

  func replicaHello() throws -> ReplicaHello {
    try reading {
      let own = try ownReplica()
      return ReplicaHello(
        schema: Self.schemaName, practice: own.practice, replica: own.replica, sequence: own.sequence,
        pulled: own.hubSequence,
        pulledStamp: own.hubSequence > 0 ? try connection.operationLog.operation(hub: own.hubSequence)?.stamp : nil)
    }
  }

  /// Takes what the hub told: keeps it in the log, and has each record follow its operations. This device's own that the hub has yet to
  /// take stay on top.
  ///
  /// - Throws: ``SyncError`` with `malformed` for a reply that leaves something out between what was heard and what it tells.
  func follow(_ reply: PullReply, now: Timestamp) throws -> Applied {
    practice.merging.logManner.isFollowing = true
    defer { practice.merging.logManner = LogManner() }
    return try writing {
      try refoldAfterUpgrade()
      var own = try ownReplica()
      guard reply.after <= own.hubSequence else {
        throw SyncError(
          .malformed, "the hub's reply begins after change \(reply.after), and \(own.hubSequence) was the last heard of"
        )
      }
      guard reply.through > own.hubSequence else { return Applied() }
      var applied = Applied()
      var dirty: [RecordName] = []
      var known: Set<RecordName> = []
      func mark(_ name: RecordName) { if known.insert(name).inserted { dirty.append(name) } }
      for receipt in reply.receipts {
        let settled = try connection.operationLog.settle(
          replica: own.replica, sequence: receipt.sequence, hubSequence: receipt.hubSequence, clock: receipt.clock,
          outcome: receipt.outcome)
        if let settled { mark(settled.record) }
      }
      for operation in reply.operations.sorted(by: { ($0.hubSequence ?? 0) < ($1.hubSequence ?? 0) }) {
        guard let number = operation.hubSequence, operation.replica != own.replica else { continue }
        own.clock = max(own.clock, operation.clock)
        guard number > own.hubSequence,
          try connection.operationLog.operation(replica: operation.replica, sequence: operation.sequence) == nil
        else { continue }
        try connection.operationLog.append(operation)
        applied.received += 1
        mark(operation.record)
      }
      own.hubSequence = reply.through
      try connection.operationLog.keep(own)
      applied.applied = try follow(dirty)
      return applied
    }
  }

  /// Indexes what a sync brought: what is derived from notes doesn't travel.
  func indexAfterSync(now: Timestamp) throws {
    try practice.index.indexNewNotes(after: "the changes are taken", hint: "Run vetnet reindex.", now: now)
  }

  /// Has records follow their operations. One that refers to another which comes later waits for it.
  ///
  /// - Returns: how many are other than before.
  private func follow(_ names: [RecordName]) throws -> Int {
    var count = 0
    var waiting = names
    while !waiting.isEmpty {
      var still: [RecordName] = []
      for name in waiting {
        do {
          if try follow(name) { count += 1 }
        } catch let error as StoreError where error.code == .unknownRecord {
          still.append(name)
        }
      }
      // What refers to nothing at all stays in the log until that is here.
      guard still.count < waiting.count else { break }
      waiting = still
    }
    for name in try connection.loggedRecords.lingering() {
      let operations = try connection.operationLog.operations(of: name)
      guard RecordFold(operations, rule: practice.merging.rules.rule(of: name.kind)).gone != nil else { continue }
      _ = try connection.replicated.remove(name, erasedAt: nil)
    }
    _ = try connection.appointments.retryConflicts()
    return count
  }

  /// Has one record follow its operations, but for the fields that are left as they are.
  ///
  /// - Returns: whether it is another than before.
  func follow(_ name: RecordName, leaving left: Set<String> = []) throws -> Bool {
    guard let table = RecordTable(rawValue: name.kind) else { return false }
    let operations = try connection.operationLog.operations(of: name)
    let fold = RecordFold(operations, rule: practice.merging.rules.rule(of: name.kind))
    if let gone = fold.gone {
      let erased = operations.last { $0.turn == .erased }.map { HybridClock.moment(of: $0.clock) }
      let kept = gone == .merged ? operations.last { $0.turn == .merged }?.fields["into"] : nil
      return try goneElsewhere(
        name, erasedAt: gone == .erased ? erased : nil,
        into: kept.flatMap { ReplicatedRecords.reference($0, to: .patient) })
    }
    let row = try connection.replicated.ownRow(name)
    // Of one that the hub has yet to hear of, or that was never here.
    guard row != nil || fold.isMade else { return false }
    let before = try row.flatMap { try connection.replicated.fields(table, row: $0) } ?? [:]
    let changed = fold.contents.filter { before[$0.key] ?? .none != $0.value && !left.contains($0.key) }
    guard let latest = operations.last else { return false }
    var written = row
    if !changed.isEmpty || row == nil {
      written = try connection.replicated.write(changed, to: name, by: author(of: latest))
    }
    if let written { try keepTexts(of: name, row: written, fold: fold) }
    return !changed.isEmpty || row == nil
  }

  private func goneElsewhere(_ name: RecordName, erasedAt: Timestamp?, into kept: RecordName?) throws -> Bool {
    let row = try connection.replicated.ownRow(name)
    if let kept, let row, let keptRow = try connection.replicated.row(kept) {
      try connection.replicated.merge(row, into: keptRow)
      // Whose id it is now can be said when its own record is gone.
      _ = try follow(kept)
      return true
    }
    if erasedAt != nil {
      // What was written of it here and the hub has yet to hear goes too.
      if name.kind == RecordTable.patient.rawValue, let row {
        for record in try connection.replicated.records(ofPatient: row) { try connection.operationLog.strip(record) }
      }
      try connection.operationLog.strip(name)
    }
    if try connection.replicated.remove(name, erasedAt: erasedAt), row != nil { return true }
    if row != nil, let known = try connection.loggedRecords.entry(name) {
      // Gone by the log, and here as long as something is theirs.
      try connection.loggedRecords.keep(name, row: nil, fields: known.fields)
    }
    return false
  }
}

/// The clone's own file, for a `SyncSession`.
public struct PracticeReplica: SyncReplica {
  let practice: Practice
  let actor: Actor
  let now: Timestamp

  /// - Parameters:
  ///   - practice: a clone, open for writing.
  ///   - actor: who syncs.
  ///   - now: the present moment.
  public init(_ practice: Practice, by actor: Actor, at now: Timestamp) {
    self.practice = practice
    self.actor = actor
    self.now = now
  }

  public func hello() throws -> ReplicaHello { try practice.perform(PresentReplica(), by: actor, at: now) }

  public func operations(after sequence: Int64, limit: Int) throws -> [RecordOperation] {
    try practice.perform(ListOwnChanges(after: sequence, limit: limit), by: actor, at: now)
  }

  public func apply(_ reply: PullReply) throws -> Applied {
    try practice.perform(FollowHub(reply: reply), by: actor, at: now)
  }
}

/// The hub's file, for whoever carries the messages.
public struct PracticeHub: SyncHub {
  let practice: Practice
  let actor: Actor
  let now: Timestamp

  /// - Parameters:
  ///   - practice: the hub's file, open for writing.
  ///   - actor: as whom the device acts.
  ///   - now: the present moment.
  public init(_ practice: Practice, by actor: Actor, at now: Timestamp) {
    self.practice = practice
    self.actor = actor
    self.now = now
  }

  public func hello(_ hello: ReplicaHello) throws -> HubHello {
    try practice.perform(GreetReplica(hello: hello), by: actor, at: now)
  }

  public func push(_ request: PushRequest) throws -> PushReply {
    try practice.perform(TakeChanges(request: request), by: actor, at: now)
  }

  public func pull(_ request: PullRequest) throws -> PullReply {
    try practice.perform(TellChanges(request: request), by: actor, at: now)
  }
}
