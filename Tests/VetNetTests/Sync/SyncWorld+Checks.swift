import Clinical
import Store
import Sync

@testable import VetNet

/// What has to be so when everybody has heard of everything.
extension SyncWorld {
  /// All that a file says of records, in a form in which equal files give equal values.
  static func dump(_ practice: Practice) throws -> [String] {
    let connection = practice.connection
    var lines: [String] = []
    for table in RecordTable.allCases {
      var last: Int64 = 0
      while true {
        let page = try connection.recordIDs.page(table, after: last, limit: 500)
        for record in page {
          let fields = try connection.replicated.fields(table, row: record.rowID) ?? [:]
          var line = "\(table.rawValue) \(record.source):\(record.externalID) \(words(fields))"
          if table == .note {
            let versions = Set(try connection.notes.versions(row: record.rowID).map(\.text))
            line += " versions \(versions.filter { .text($0) != fields["text"] }.sorted())"
          }
          lines.append(line)
        }
        guard let end = page.last, page.count == 500 else { break }
        last = end.rowID
      }
    }
    for conflict in try practice.sync.syncConflicts(settledToo: true) {
      lines.append("conflict \(conflict.id) \(conflict.kept.rawValue) \(conflict.settled ?? "open")")
    }
    return lines.sorted()
  }

  static func words(_ fields: [String: FieldContent]) -> String {
    fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(words($0.value))" }.joined(separator: ";")
  }

  static func words(_ content: FieldContent) -> String {
    switch content {
    case .none: "-"
    case .number(let number): "\(number)"
    case .text(let text): text
    case .list(let items): "[\(items.map(words).joined(separator: ","))]"
    case .object(let values): "{\(words(values))}"
    }
  }

  /// Everybody's records are the same, and nothing that somebody did is lost.
  func check(_ place: String, folds: Bool = true) throws {
    let truth = try Self.dump(hub)
    for (number, device) in devices.enumerated() {
      let own = try Self.dump(device.practice)
      if own != truth {
        let missing = Set(truth).subtracting(own).sorted().first ?? "-"
        let extra = Set(own).subtracting(truth).sorted().first ?? "-"
        note(problem: "\(place): device \(number + 1) differs: hub has \(missing), it has \(extra)")
      }
      if try !device.practice.connection.appointments.rowsWithWrongSlots().isEmpty {
        note(problem: "\(place): device \(number + 1) has wrong slots")
      }
    }
    if try !hub.connection.appointments.rowsWithWrongSlots().isEmpty {
      note(problem: "\(place): the hub has wrong slots")
    }
    try checkNothingIsLost(place)
    // A log that began with records on file tells of changes only.
    if folds { try checkFold(place) }
  }

  /// Each operation of a device is at the hub, and counts, was followed by somebody who knew of it, or is told to a person.
  private func checkNothingIsLost(_ place: String) throws {
    let all = try hub.connection.operationLog.operations(afterHub: 0, limit: .max)
    let byRecord = Dictionary(grouping: all, by: \.record).mapValues { operations in
      (operations, RecordFold(operations, rule: MergeRules.standard.rule(of: operations[0].kind)))
    }
    let told = Set(
      all.filter { $0.kind == MergeRules.conflictKind && $0.turn == .made }.flatMap { operation in
        ["ours", "theirs"].compactMap {
          operation.fields[$0].map { "\(operation.fields["field"]?.text ?? "") \(Self.words($0))" }
        }
      })
    let toldOf = Set(told.map { $0.drop { $0 != " " } })
    for device in devices {
      let own = try device.practice.connection.operationLog
      guard let part = try own.own() else { continue }
      for operation in try own.operations(of: part.replica, after: 0, limit: .max) {
        let known = try hub.connection.operationLog.operation(replica: part.replica, sequence: operation.sequence)
        guard let known, known.outcome != nil else {
          note(problem: "\(place): the hub has no \(part.replica)/\(operation.sequence)")
          continue
        }
        let reference = " [\(Double(part.replica)),\(Double(operation.sequence))]"
        if known.outcome == .setAside {
          if !toldOf.contains(reference[...]) { note(problem: "\(place): \(reference) was set aside unsaid") }
          continue
        }
        if let (others, fold) = byRecord[known.record] { try checkStands(known, others, fold, told, place) }
      }
    }
  }

  private func checkStands(
    _ operation: RecordOperation, _ others: [RecordOperation], _ fold: RecordFold, _ told: Set<String>, _ place: String
  ) throws {
    let rule = MergeRules.standard.rule(of: operation.kind)
    guard rule.place == .anywhere, operation.kind != MergeRules.conflictKind, fold.gone == nil else { return }
    for (field, content) in operation.fields {
      let later = others.filter {
        $0.outcome == .taken && ($0.hubSequence ?? 0) != (operation.hubSequence ?? 0)
          && ($0.fields[field] != nil || $0.turn != nil)
      }
      let isFollowed = later.contains { $0.knew(of: operation) && ($0.hubSequence ?? 0) > (operation.hubSequence ?? 0) }
      let stands = fold.fields[field]?.content == content
      let reference = "\(field) [\(Double(operation.replica)),\(Double(operation.sequence))]"
      let isQuiet = [.latestQuietly, .withdrawalStands].contains(rule.rule(of: field))
      if !stands, !isFollowed, !isQuiet, !told.contains(reference) {
        note(problem: "\(place): \(operation.kind) \(reference) is lost")
      }
      if field == "text", operation.kind == "note" { try checkText(content, of: operation.record, place) }
      if field == "retraction", content != .none { try checkRetraction(operation, later, place) }
    }
  }

  private func checkText(_ content: FieldContent, of name: RecordName, _ place: String) throws {
    guard let text = content.text, let row = try hub.connection.replicated.ownRow(name) else { return }
    let texts =
      try hub.connection.notes.versions(row: row).map(\.text) + [hub.connection.notes.note(row: row)?.value.text ?? ""]
    if !texts.contains(text) { note(problem: "\(place): a text of \(name.id) is in no version") }
  }

  /// Who reinstated a note knew of its retraction.
  private func checkRetraction(_ operation: RecordOperation, _ later: [RecordOperation], _ place: String) throws {
    let undone = later.contains { $0.fields["retraction"] == FieldContent.none && $0.knew(of: operation) }
    // By another retraction that it didn't follow itself.
    let isReplaced = later.contains { ($0.fields["retraction"] ?? .none) != .none && !operation.knew(of: $0) }
    guard !undone, !isReplaced, let row = try hub.connection.replicated.ownRow(operation.record) else { return }
    if try hub.connection.notes.retraction(row: row) == nil {
      let history = (later + [operation]).sorted { ($0.hubSequence ?? 0) < ($1.hubSequence ?? 0) }.map { other in
        let what = other.fields["retraction"].map { $0 == .none ? "back" : "withdrawn" } ?? other.turn?.rawValue ?? ""
        return
          "\(other.hubSequence ?? 0): \(other.replica)/\(other.sequence) clock \(other.clock) seen \(other.seen) \(what)"
      }
      note(
        problem:
          "\(place): the retraction \(operation.replica)/\(operation.sequence) of \(operation.id) was undone by somebody who didn't know of it: \(history)"
      )
    }
  }

  /// The log alone, in any order, says what the hub's file says.
  private func checkFold(_ place: String) throws {
    var all = try hub.connection.operationLog.operations(afterHub: 0, limit: .max)
    for place in all.indices.reversed() where place > 0 {
      all.swapAt(place, Int(random.next() % UInt64(place + 1)))
    }
    for (name, operations) in Dictionary(grouping: all, by: \.record) {
      guard let table = RecordTable(rawValue: name.kind) else { continue }
      let fold = RecordFold(operations, rule: hub.merging.rules.rule(of: name.kind))
      let row = try hub.connection.replicated.ownRow(name)
      let there = try row.flatMap { try hub.connection.replicated.fields(table, row: $0) }
      let folded = fold.gone == nil ? fold.contents.filter { $0.value != .none && $0.value != .list([]) } : nil
      if there != folded {
        note(
          problem:
            "\(place): the log says \(folded.map(Self.words) ?? "gone") of \(name.kind) \(name.id), the file \(there.map(Self.words) ?? "gone")"
        )
      }
    }
  }

  /// A file with nothing in it that hears everything from the hub is the hub's.
  func checkNewcomer(_ place: String) throws {
    let newcomer = try newDevice("late \(word())")
    while true {
      let own = try newcomer.sync.ownReplica()
      let reply = try hub.sync.tell(
        PullRequest(replica: own.replica, after: own.hubSequence, limit: 1 + Int(random.next() % 30)), now: now)
      _ = try newcomer.sync.follow(reply, now: now)
      guard reply.hasMore else { break }
    }
    if try Self.dump(newcomer) != Self.dump(hub) {
      let (one, other) = (Set(try Self.dump(hub)), Set(try Self.dump(newcomer)))
      note(
        problem:
          "\(place): a newcomer differs: hub has \(one.subtracting(other).sorted().first ?? "-"), it has \(other.subtracting(one).sorted().first ?? "-")"
      )
    }
  }
}
