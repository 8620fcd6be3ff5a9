public import Clinical
import Store
import Sync

/// What several devices said of one field without knowing of each other, or what the hub could not do as it was asked: for a person.
public struct SyncConflict: Hashable, Sendable {
  /// What stands now.
  public enum Kept: String, Codable, Sendable {
    /// What the hub had.
    case ours
    /// What the device said.
    case theirs
    /// Both, as versions of a note; the later one is shown.
    case both
    /// A booking without a slot: it waits.
    case waiting = "waiting list"
    /// Nothing of it: the record is gone.
    case nothing
  }

  public let id: String
  public let record: RecordName
  /// As this file shows the record; the id at its source where it isn't here.
  public let shownID: String
  public let field: String
  /// Nil where the words are gone, or nothing was said.
  public let ours: FieldContent?
  public let theirs: FieldContent?
  public let kept: Kept
  /// In words of ours; nil where the values say it.
  public let reason: String?
  /// Who said what is `theirs`, and when by their clock.
  public let actor: String
  public let at: Timestamp
  /// The hub's number.
  public let number: Int64
  /// Who settled it how; nil for one that is open.
  public let settled: String?
  public let background: ConflictBackground

  /// On one line each.
  public var oursInWords: String? { ours.map(ImportChange.words) }
  public var theirsInWords: String? { theirs.map(ImportChange.words) }
}

/// What becomes of changes that several devices made, in words.
public enum SyncRules {
  /// A line each.
  public static let lines = MergeRules.standard.lines
}

/// The conflict entries of the log.
struct ConflictNote {
  let record: RecordName
  let field: String
  let kept: SyncConflict.Kept
  var reason: String?
  /// Who said what: by replica and number.
  var ours: RecordOperation?
  let theirs: RecordOperation

  var name: RecordName {
    RecordName(
      kind: MergeRules.conflictKind, source: "hub", id: "c\(theirs.replica)-\(theirs.sequence)-\(field)")
  }

  /// Names an operation, without its words.
  static func reference(_ operation: RecordOperation) -> FieldContent {
    .list([.number(Double(operation.replica)), .number(Double(operation.sequence))])
  }

  var fields: [String: FieldContent] {
    var fields: [String: FieldContent] = [
      "kind": .text(record.kind), "source": .text(record.source), "record": .text(record.id), "field": .text(field),
      "kept": .text(kept.rawValue), "theirs": Self.reference(theirs),
    ]
    if let ours { fields["ours"] = Self.reference(ours) }
    if let reason { fields["reason"] = .text(reason) }
    return fields
  }
}

extension Practice.Sync {
  /// What waits for a person, and what was settled, in the hub's order.
  func syncConflicts(settledToo: Bool = false, after number: Int64 = 0) throws -> [SyncConflict] {
    try reading {
      var byName: [RecordName: [RecordOperation]] = [:]
      var order: [RecordName] = []
      for operation in try connection.operationLog.operations(kind: MergeRules.conflictKind) {
        if byName[operation.record] == nil { order.append(operation.record) }
        byName[operation.record, default: []].append(operation)
      }
      return try order.compactMap { name in
        let fold = RecordFold(byName[name] ?? [], rule: practice.merging.rules.rule(of: MergeRules.conflictKind))
        guard let made = byName[name]?.first(where: { $0.turn == .made }), (made.hubSequence ?? 0) > number,
          let conflict = try conflict(name.id, fold, made),
          settledToo || conflict.settled == nil
        else { return nil }
        return conflict
      }
    }
  }

  private func conflict(
    _ id: String, _ fold: RecordFold, _ made: RecordOperation
  ) throws -> SyncConflict? {
    let fields = fold.contents
    guard let kind = fields["kind"]?.text, let source = fields["source"]?.text, let record = fields["record"]?.text,
      let field = fields["field"]?.text, let kept = fields["kept"]?.text.flatMap(SyncConflict.Kept.init(rawValue:))
    else { return nil }
    let name = RecordName(kind: kind, source: source, id: record)
    let ours = try operation(fields["ours"])
    let theirs = try operation(fields["theirs"])
    var shown = record
    if let table = RecordTable(rawValue: kind), let row = try connection.replicated.row(name) {
      shown = try connection.recordIDs.shown(table, row) ?? record
    }
    return SyncConflict(
      id: id, record: name, shownID: shown, field: field, ours: ours?.fields[field], theirs: theirs?.fields[field],
      kept: kept, reason: fields["reason"]?.text, actor: theirs?.actor ?? made.actor,
      at: HybridClock.moment(of: theirs?.clock ?? made.clock), number: made.hubSequence ?? 0,
      settled: fields["settled"]?.text,
      background: try background(
        of: name, field: field, ours: ours, theirs: theirs, settled: fold.fields["settled"]?.operation))
  }

  /// The operation that a reference names.
  func operation(_ reference: FieldContent?) throws -> RecordOperation? {
    guard case .list(let parts)? = reference, parts.count == 2, let replica = parts[0].integer,
      let sequence = parts[1].integer
    else { return nil }
    return try connection.operationLog.operation(replica: replica, sequence: Int64(sequence))
  }

  /// Settles a conflict: where the other value is chosen, the record gets it by a change like any other; that it was settled is on
  /// record on every device.
  ///
  /// - Throws: ``PracticeError`` with `notFound` for a conflict that isn't open, `invalidArgument` where the value can't be chosen.
  func settleConflict(_ id: String, choosing choice: SettleSyncConflict.Choice, now: Timestamp) throws -> SyncConflict {
    guard let conflict = try syncConflicts().first(where: { $0.id == id }) else {
      throw PracticeError(
        .notFound, "there is no open conflict '\(id)'", hint: "Maybe look at: vetnet sync conflicts")
    }
    try writing {
      let content: FieldContent? =
        switch choice {
        case .leave: nil
        case .ours: conflict.ours
        case .theirs: conflict.theirs
        }
      var said = ["settled": FieldContent.text("\(choice.rawValue) by \(practice.actorName)")]
      if choice != .leave {
        // To be put back where somebody takes the choice back.
        said["before"] = try standing(conflict.field, of: conflict.record) ?? FieldContent.none
        guard let content, conflict.background.isChoosable else {
          throw PracticeError(
            .invalidArgument, "'\(conflict.field)' of conflict '\(id)' can't be chosen here",
            hint: "Change the record itself, then: vetnet sync settle \(id) --keep as-it-is")
        }
        try connection.replicated.write(
          [conflict.field: content], to: conflict.record,
          by: RemoteAuthor(actor: practice.actorName, at: now, reason: "settled a conflict between devices"))
      }
      try appendToConflict(id, said, now: now)
    }
    return conflict
  }

  /// Whether a field of an appointment is the book's: a person changes it there.
  static func isOfBook(_ field: String) -> Bool { bookFields.contains(field) || field == "status" || field == "slot" }

  /// What an appointment takes of the book.
  static let bookFields: Set<String> = ["start", "duration_minutes", "clinician_id", "resource_ids"]
}
