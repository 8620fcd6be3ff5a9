import Clinical
import Store
import Sync

/// What the hub makes of one operation of a device.
struct Verdict {
  var outcome: RecordOperation.Outcome = .taken
  /// Fields of which the hub says again what stands, because the device believes otherwise.
  var restated: Set<String> = []
  /// For a person.
  var conflicts: [ConflictNote] = []
  /// Whether the words of the operation are not kept: it is about somebody who was erased.
  var isStripped = false

  /// The field that a person is shown of an operation that doesn't count: its words, where it has any.
  private static func told(of operation: RecordOperation) -> String {
    operation.fields["text"] == nil ? operation.fields.keys.sorted().first ?? "record" : "text"
  }

  /// The operation doesn't count: what stands is said again.
  static func setAside(_ operation: RecordOperation, _ reason: String?, kept: SyncConflict.Kept = .ours) -> Self {
    var verdict = Verdict(outcome: .setAside, restated: Set(operation.fields.keys))
    if let reason {
      verdict.conflicts = [
        ConflictNote(
          record: operation.record, field: told(of: operation), kept: kept, reason: reason, theirs: operation)
      ]
    }
    return verdict
  }
}

extension Practice.Sync {
  /// The name of the last migration: what this program's files have.
  static var schemaName: String { Migrator.practice.migrations.last?.name ?? "" }

  // MARK: Knowing each other

  /// The part that this file takes; it becomes the hub where it takes none yet, and all records are put down as they are.
  ///
  /// - Complexity: reads every record once, the first time.
  func beginHub() throws -> SyncSelf {
    try writing {
      if let own = try connection.operationLog.own() {
        guard own.isHub else {
          throw PracticeError(
            .invalidArgument, "this file is a clone itself", hint: "Maybe name the hub's file, or its address.")
        }
        return own
      }
      let own = SyncSelf(
        practice: practice.secrets.randomness().prefix(8).map {
          String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }.joined(),
        replica: 0)
      try connection.operationLog.keep(own)
      for table in RecordTable.allCases {
        var last: Int64 = 0
        while true {
          let page = try connection.recordIDs.page(table, after: last, limit: 500)
          for record in page {
            guard let fields = try connection.replicated.fields(table, row: record.rowID) else { continue }
            try connection.loggedRecords.keep(
              RecordName(kind: table.rawValue, source: record.source, id: record.externalID), row: record.rowID,
              fields: LoggedRecords.remembered(fields, of: table.rawValue))
          }
          guard let end = page.last, page.count == 500 else { break }
          last = end.rowID
        }
      }
      return own
    }
  }

  /// Gives a device the next number.
  ///
  /// - Throws: ``PracticeError`` for a name that is empty, or another's.
  func admitReplica(named name: String, user: Int64?, now: Timestamp) throws -> SyncAdmission {
    guard !name.isEmpty, name.utf8.count <= 100, !name.unicodeScalars.contains(where: { $0.value < 32 }) else {
      throw PracticeError(.invalidArgument, "the device's name is empty, too long or not on one line")
    }
    return try writing {
      let own = try beginHub()
      guard try connection.replicas.replica(named: name) == nil else {
        throw PracticeError(
          .invalidArgument, "there is a device '\(name)' already", hint: "Maybe give this one another name: --name NAME"
        )
      }
      let replica = try connection.replicas.add(
        name, key: practice.secrets.randomness(), user: user, hubSequence: own.hubSequence, at: now)
      return SyncAdmission(practice: own.practice, number: replica.number, name: name, key: replica.key)
    }
  }

  /// A device that may sync.
  ///
  /// - Throws: ``SyncError`` with `refused`, and ``PracticeError`` in a file that is no hub.
  func admitted(_ number: Int) throws -> ReplicaStore.Replica {
    guard try connection.operationLog.own()?.isHub == true else {
      throw PracticeError(.invalidArgument, "this file is no hub", hint: "vetnet clone FILE makes it one.")
    }
    guard let replica = try connection.replicas.replica(number) else {
      throw SyncError(.refused, "the hub knows no device \(number)")
    }
    guard replica.revokedAt == nil else {
      throw SyncError(
        .refused, "the device '\(replica.name)' was revoked: its changes are not taken, and it is told nothing")
    }
    return replica
  }

  func hello(_ hello: ReplicaHello) throws -> HubHello {
    try reading {
      let replica = try admitted(hello.replica)
      guard let own = try connection.operationLog.own() else {
        throw SyncError(.refused, "this file is no hub: vetnet clone of it makes it one")
      }
      if own.practice == hello.practice, hello.pulled <= own.hubSequence, let heard = hello.pulledStamp {
        let here = try connection.operationLog.operation(hub: hello.pulled)
        guard here.map({ $0.replica == heard.replica && $0.sequence == heard.sequence }) == true else {
          throw SyncError(
            .olderHub,
            "change \(hello.pulled) is another one here than the device has heard of: the hub was put back to an older state; clone it anew"
          )
        }
      }
      return HubHello(
        schema: Self.schemaName, practice: own.practice, name: try connection.settings.value(Setting.name),
        hubSequence: own.hubSequence, acknowledged: replica.acknowledged)
    }
  }

  // MARK: Taking

  /// Takes operations of a device, each once and in the order of its numbers, and has the file follow.
  ///
  /// All in one transaction: an answer that gets lost is given again, and nothing is taken twice. A device changes only what the role that
  /// is asked may. Notes are indexed after it.
  func take(_ request: PushRequest, asking asked: AskedRole = .nobody, now: Timestamp) throws -> PushReply {
    practice.merging.logManner.asked = asked
    defer { practice.merging.logManner = LogManner() }
    return try writing {
      try refoldAfterUpgrade()
      var messages: [RecordName] = []
      var replica = try admitted(request.replica)
      for operation in request.operations.sorted(by: { $0.sequence < $1.sequence }) {
        guard operation.replica == replica.number else {
          throw SyncError(.malformed, "an operation of device \(operation.replica) came from device \(replica.number)")
        }
        guard operation.sequence > replica.acknowledged else {
          try requireSame(operation)
          continue
        }
        // What comes after a gap waits for what is missing.
        guard operation.sequence == replica.acknowledged + 1 else { break }
        replica.clock = try take(operation, after: replica.clock, now: now)
        replica.acknowledged = operation.sequence
        if operation.kind == RecordTable.intake.rawValue, operation.turn == .made, operation.fields["patient_id"] == nil
        {
          messages.append(operation.record)
        }
      }
      try receive(messages, now: now)
      replica.seenAt = now
      try connection.replicas.keep(replica)
      _ = try connection.appointments.retryConflicts()
      // Also where nothing was written, as nothing of it was granted.
      try log([])
      practice.merging.logManner.restated = [:]
      return PushReply(acknowledged: replica.acknowledged)
    }
  }

  /// - Throws: ``SyncError`` where a number stands for something else than was taken under it.
  private func requireSame(_ operation: RecordOperation) throws {
    let known = try connection.operationLog.operation(replica: operation.replica, sequence: operation.sequence)
    guard let known, known.record == operation.record else {
      throw SyncError(
        .olderReplica,
        "change \(operation.sequence) of the device is another one here: its file was put back to an older state; clone it anew"
      )
    }
  }

  /// - Returns: the operation's clock as the hub has it.
  private func take(_ operation: RecordOperation, after earlier: Int64, now: Timestamp) throws -> Int64 {
    var taken = operation
    let heard = try connection.operationLog.own()?.clock ?? 0
    taken.clock = HybridClock.capped(operation.clock, at: now, hub: heard, notBelow: earlier)
    taken.hubSequence = nil
    taken.outcome = nil
    let verdict = try verdict(on: taken, now: now)
    // Behind what had to come back for it.
    guard var own = try connection.operationLog.own() else { return earlier }
    own.hubSequence += 1
    own.clock = max(own.clock, taken.clock)
    taken.hubSequence = own.hubSequence
    try connection.operationLog.keep(own)
    taken.outcome = verdict.outcome
    if verdict.isStripped { taken.fields = [:] }
    try connection.operationLog.append(taken)
    if !verdict.restated.isEmpty || verdict.outcome == .setAside, RecordTable(rawValue: taken.kind) != nil {
      practice.merging.logManner.restated[taken.record, default: []].formUnion(verdict.restated)
      if verdict.isStripped { practice.merging.logManner.turns[taken.record] = .erased }
    }
    try tell(verdict.conflicts, now: now)
    return taken.clock
  }

  /// Decides, and has the file follow. What can't be done for a reason that nobody thought of is set aside and told, so that it holds
  /// up nothing behind it.
  private func verdict(on operation: RecordOperation, now: Timestamp) throws -> Verdict {
    do {
      return try connection.mixedTransaction { try decide(operation, now: now) }
    } catch let error as StoreError {
      switch error.code {
      case .unknownRecord, .ambiguousID, .constraint, .alteredRecord:
        return .setAside(operation, "the hub can't do it: \(error.context)")
      default: throw error
      }
    } catch let error as PracticeError {
      return .setAside(operation, "the hub can't do it: \(error.description)")
    }
  }

  /// What was said at another device and names no patient waits in the queue, where somebody looks at it.
  private func receive(_ intakes: [RecordName], now: Timestamp) throws {
    for name in intakes {
      guard let row = try connection.replicated.ownRow(name),
        let intake = try connection.intakes.intake(row: row)?.value, intake.patientID == nil,
        intake.receivedAt.map({ $0.adding(days: Practice.Inbox.daysOfMessages) > now }) ?? true
      else { continue }
      _ = try practice.inbox.receive([try practice.inbox.waiting(intake, from: name.source, now: now)], now: now)
    }
  }

  /// Puts conflicts into the log, where every device hears of them.
  private func tell(_ conflicts: [ConflictNote], now: Timestamp) throws {
    guard !conflicts.isEmpty, let own = try connection.operationLog.own() else { return }
    var writer = OperationWriter(connection: connection, own: own, actor: practice.actorName, now: now)
    for conflict in conflicts { try writer.append(conflict.name, turn: .made, fields: conflict.fields) }
    try connection.operationLog.keep(writer.own)
  }

  // MARK: Telling

  /// What a device has yet to hear. `isHeard` says that the device has heard all before it.
  func tell(_ request: PullRequest, isHeard: Bool = true, now: Timestamp) throws -> PullReply {
    try writing {
      var replica = try admitted(request.replica)
      let own = try connection.operationLog.own()
      let all = try connection.operationLog.operations(
        afterHub: request.after, limit: max(1, min(request.limit, SyncProtocol.batch)))
      let through = all.last?.hubSequence ?? max(request.after, own?.hubSequence ?? 0)
      if isHeard { replica.pulled = max(replica.pulled, min(request.after, own?.hubSequence ?? 0)) }
      replica.seenAt = now
      try connection.replicas.keep(replica)
      return PullReply(
        operations: all.filter { $0.replica != request.replica },
        receipts: all.filter { $0.replica == request.replica }.compactMap(Receipt.init), after: request.after,
        through: through, hasMore: through < own?.hubSequence ?? 0)
    }
  }
}

extension Receipt {
  init?(_ operation: RecordOperation) {
    guard let number = operation.hubSequence, let outcome = operation.outcome else { return nil }
    self.init(sequence: operation.sequence, hubSequence: number, clock: operation.clock, outcome: outcome)
  }
}
