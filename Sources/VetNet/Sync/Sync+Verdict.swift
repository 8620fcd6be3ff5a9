import Clinical
import Store
import Sync

// What the hub makes of an operation of a device, by the rules of its kind.

extension Practice.Sync {
  /// Decides by ``MergeRules``, and writes what stands then.
  func decide(_ operation: RecordOperation, now: Timestamp) throws -> Verdict {
    let rule = practice.merging.rules.rule(of: operation.kind)
    guard rule.place != .hubOnly else {
      return .setAside(operation, "\(operation.kind) is changed at the hub only")
    }
    if let objection = try objection(to: operation) { return .setAside(operation, objection) }
    // Of kinds that aren't known here, and of conflicts, the log is all there is.
    guard let table = RecordTable(rawValue: operation.kind) else { return Verdict() }
    let isEmptied = operation.turn == .made && operation.fields.isEmpty
    if try isEmptied || isOfErased(operation) {
      var verdict = Verdict.setAside(operation, "it is about somebody who was erased", kept: .nothing)
      verdict.isStripped = true
      return verdict
    }
    let fold = RecordFold(try connection.operationLog.operations(of: operation.record), rule: rule)
    let row = try connection.replicated.ownRow(operation.record)
    if operation.turn == .deleted { return try deletion(operation, row: row) }
    if row == nil, operation.turn != .made {
      return .setAside(operation, "\(operation.kind) \(operation.id) was deleted at the hub", kept: .nothing)
    }
    try bringBack(referredBy: operation, now: now)
    if table == .appointment, rule.place == .judgedAtHub { return try judge(operation, fold: fold, row: row, now: now) }
    return try merge(operation, fold: fold, rule: rule, now: now)
  }

  /// Whether an operation is about somebody who was erased, or about something of theirs.
  private func isOfErased(_ operation: RecordOperation) throws -> Bool {
    func isErased(_ name: RecordName) throws -> Bool {
      guard let table = RecordTable(rawValue: name.kind), try connection.replicated.row(name) == nil else {
        return false
      }
      return try connection.erased.moment(table, name.id, source: connection.sources.id(named: name.source)) != nil
    }
    if try isErased(operation.record) { return true }
    guard let content = operation.fields["patient_id"],
      let patient = ReplicatedRecords.reference(content, to: .patient)
    else { return false }
    return try isErased(patient)
  }

  /// Something filed by mistake and taken back: it goes where nobody else had a hand in it.
  private func deletion(_ operation: RecordOperation, row: Int64?) throws -> Verdict {
    let others = try connection.operationLog.operations(of: operation.record).contains {
      $0.replica != operation.replica && $0.outcome == .taken
    }
    let isTheirs = try connection.operationLog.operations(of: operation.record).contains {
      $0.replica == operation.replica && $0.turn == .made
    }
    guard !others, isTheirs else {
      var verdict = Verdict.setAside(operation, "it is deleted at the hub only")
      if let row, let table = RecordTable(rawValue: operation.kind),
        let fields = try connection.replicated.fields(table, row: row)
      {
        verdict.restated = Set(fields.keys)
        // The device has nothing of it any more.
        try connection.loggedRecords.keep(operation.record, row: nil, fields: [:])
      }
      return verdict
    }
    _ = try connection.replicated.remove(operation.record, erasedAt: nil)
    if let known = try connection.loggedRecords.entry(operation.record) {
      try connection.loggedRecords.keep(operation.record, row: nil, fields: known.fields)
    }
    return Verdict()
  }

  /// A patient who was deleted comes back with what came late of theirs: with the fields that the log last said.
  private func bringBack(referredBy operation: RecordOperation, now: Timestamp) throws {
    guard let content = operation.fields["patient_id"],
      let patient = ReplicatedRecords.reference(content, to: .patient),
      try connection.replicated.row(patient) == nil,
      let known = try connection.loggedRecords.entry(patient), known.rowID == nil, !known.fields.isEmpty
    else { return }
    var fields = known.fields
    // An owner who went as well comes back by another way.
    if let owner = fields["owner_id"].flatMap({ ReplicatedRecords.reference($0, to: .client) }),
      try connection.replicated.row(owner) == nil
    {
      fields["owner_id"] = FieldContent.none
    }
    let row = try connection.replicated.write(fields, to: patient, by: author(of: operation))
    guard let row, let own = try connection.operationLog.own(),
      let contents = try connection.replicated.fields(.patient, row: row)
    else { return }
    // Said before what it came back for.
    var writer = OperationWriter(connection: connection, own: own, actor: practice.actorName, now: now)
    try writer.tell(patient, row: row, fields: contents, again: [], isFollowing: false)
    try connection.operationLog.keep(writer.own)
  }

  /// Fields of clients, patients, notes and intakes.
  private func merge(
    _ operation: RecordOperation, fold: RecordFold, rule: KindRule, now: Timestamp
  ) throws -> Verdict {
    var verdict = Verdict()
    for (field, held) in fold.disagreements(with: operation) {
      let isLater = held.operation.stamp < operation.stamp
      verdict.conflicts.append(
        ConflictNote(
          record: operation.record, field: field,
          kept: rule.rule(of: field) == .bothKept ? .both : isLater ? .theirs : .ours, ours: held.operation,
          theirs: operation))
    }
    var after = fold
    var counted = operation
    counted.outcome = .taken
    after.add(counted)
    let standing = operation.fields.filter { after.fields[$0.key]?.operation.stamp == operation.stamp }
    let row = try connection.replicated.write(standing, to: operation.record, by: author(of: operation))
    if let row { try keepTexts(of: operation.record, row: row, fold: after, adding: operation) }
    try follow(operation, standing)
    return verdict
  }

  /// The log now says these fields, and so does the file, unless it can't: what then stands in it is told when all is written. What only
  /// a later program can hold is no such case: it stays what the log says, until the file can say it too.
  func follow(_ operation: RecordOperation, _ fields: [String: FieldContent]) throws {
    let name = operation.record
    let logged = try connection.loggedRecords.entry(name)
    // One that was asked for and not granted as it was is still to be told as a whole.
    guard let row = try connection.replicated.ownRow(name), operation.turn == .made || logged?.rowID != nil else {
      return
    }
    var known = logged?.fields ?? [:]
    let later = fields.filter { !ReplicatedRecords.holds($0.value, in: $0.key, of: name.kind) }
    for (field, content) in LoggedRecords.remembered(fields, of: name.kind)
    where ReplicatedRecords.knows(field, of: name.kind) && later[field] == nil {
      known[field] = content == .none || content == .list([]) ? nil : content
    }
    if !later.isEmpty, let table = RecordTable(rawValue: name.kind) {
      let there = LoggedRecords.remembered(
        try connection.replicated.fields(table, row: row) ?? [:], of: name.kind)
      for field in later.keys { known[field] = there[field] }
    }
    try connection.loggedRecords.keep(name, row: row, fields: known)
  }

  /// Every text that a note was given on any device stands among its versions, but the one that is shown.
  func keepTexts(of name: RecordName, row: Int64, fold: RecordFold, adding operation: RecordOperation? = nil) throws {
    guard name.kind == RecordTable.note.rawValue,
      practice.merging.rules.rule(of: name.kind).rule(of: "text") == .bothKept
    else {
      return
    }
    let operations = try connection.operationLog.operations(of: name) + [operation].compactMap(\.self)
    // Of a record that went and was made again, what came before is not its own.
    let first = operations.lastIndex { [.deleted, .merged, .erased].contains($0.turn) }.map { $0 + 1 } ?? 0
    for said in operations[first...] where said.outcome != .setAside {
      guard let text = said.fields["text"]?.text, text != fold.contents["text"]?.text else { continue }
      try connection.replicated.keepVersion(text, of: row, by: author(of: said))
    }
  }

  func author(of operation: RecordOperation) -> RemoteAuthor {
    RemoteAuthor(
      actor: operation.actor, at: HybridClock.moment(of: operation.clock), reason: "written on another device")
  }
}
