package import Clinical
import Store

/// An import that changed something, as the practice file keeps it.
public struct ImportLogEntry: Encodable, Sendable {
  public let id: Int
  public let source: String
  public let startedAt: String
  /// Nil for one that runs, or was ended by force: what it had written by then stands.
  public let finishedAt: String?
  /// The operating system's name for who ran it.
  public let actor: String
  /// As they were given.
  public let paths: [String]
  /// By kind of record: inserted, updated, moved.
  public let records: [String: [String: Int]]
  public let rejected: Int
  /// Nil while it stands.
  public let undoneAt: String?
  public let undoneBy: String?
  /// Of one that was taken back, fields and records that stayed; nil while it stands.
  public let undoKept: Int?
  /// What it overwrote; only where one import is asked for.
  public internal(set) var changes: [ImportChange]?

  private enum CodingKeys: String, CodingKey {
    case id, source, actor, paths, records, rejected, changes
    case startedAt = "started_at"
    case finishedAt = "finished_at"
    case undoneAt = "undone_at"
    case undoneBy = "undone_by"
    case undoKept = "undo_kept"
  }

  init(_ entry: ImportEntry, zone: PracticeTimeZone) {
    id = Int(entry.id)
    source = entry.source
    startedAt = zone.iso8601(entry.startedAt)
    finishedAt = entry.finishedAt.map(zone.iso8601)
    actor = entry.actor
    paths = entry.paths
    records = entry.counts.filter { !$0.value.isEmpty }
    rejected = entry.rejected
    undoneAt = entry.undoneAt.map(zone.iso8601)
    undoneBy = entry.undoneBy
    undoKept = entry.undoneAt.map { _ in entry.keptCount }
  }

  /// For a person, on one line.
  public var description: String {
    let words = ["inserted": "new", "updated": "changed", "moved": "moved"]
    let counts = records.sorted { $0.key < $1.key }.map { kind, counts in
      let parts = ["inserted", "updated", "moved"].compactMap { key in
        counts[key].map { "\($0) \(words[key] ?? key)" }
      }
      return "\(kind) \(parts.joined(separator: ", "))"
    }
    let kept = undoKept ?? 0
    let state =
      undoneAt.map {
        "; \(kept > 0 ? "partly undone" : "undone") \($0) by \(undoneBy ?? "somebody")\(kept > 0 ? ", \(kept) kept" : "")"
      } ?? (finishedAt == nil ? "; not ended" : "")
    let rejects = rejected > 0 ? "; \(rejected) rejected" : ""
    return
      "\(id)  \(startedAt)  \(actor)  \(paths.joined(separator: " "))  \(counts.joined(separator: "; "))\(rejects)\(state)"
  }
}

/// What taking an import back did.
public struct ImportUndoSummary: Encodable, Sendable {
  public struct Kept: Encodable, Sendable {
    public let kind: String
    public let id: String
    /// Nil for a record as a whole.
    public let field: String?
    public let reason: String
  }

  public let id: Int
  /// Records that the import had made and that are gone, by kind.
  public let removed: [String: Int]
  /// Records that have their old values again, by kind.
  public let restored: [String: Int]
  /// What stays as it is, because somebody changed it since or builds on it.
  public let kept: [Kept]
  public let isDryRun: Bool

  /// `undone`, `partly undone`, or `nothing undone`.
  public var state: String {
    kept.isEmpty ? "undone" : removed.isEmpty && restored.isEmpty ? "nothing undone" : "partly undone"
  }

  private enum CodingKeys: String, CodingKey {
    case removed, restored, kept, state
    case id = "import"
    case isDryRun = "dry_run"
  }

  init(_ id: Int64, _ undone: UndoneImport, isDryRun: Bool) {
    func named(_ counts: [RecordTable: Int]) -> [String: Int] {
      Dictionary(uniqueKeysWithValues: counts.map { ($0.key.kind, $0.value) })
    }
    self.id = Int(id)
    removed = named(undone.removed)
    restored = named(undone.restored)
    kept = undone.kept.map { Kept(kind: $0.table.kind, id: $0.id, field: $0.field, reason: $0.reason) }
    self.isDryRun = isDryRun
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(state, forKey: .state)
    try container.encode(removed, forKey: .removed)
    try container.encode(restored, forKey: .restored)
    try container.encode(kept, forKey: .kept)
    try container.encode(isDryRun, forKey: .isDryRun)
  }

  /// For a person.
  public var lines: [String] {
    let verb = isDryRun ? "would be" : "is"
    var lines =
      switch state {
      case "undone": ["import \(id) \(verb) undone:"]
      case "partly undone": ["import \(id) \(verb) undone in part:"]
      default: ["nothing of import \(id) \(isDryRun ? "would be" : "was") undone:"]
      }
    for (kind, count) in removed.sorted(by: { $0.key < $1.key }) { lines.append("\(kind): \(count) removed") }
    for (kind, count) in restored.sorted(by: { $0.key < $1.key }) {
      lines.append("\(kind): \(count) with their old values again")
    }
    for item in kept {
      lines.append("kept: \(item.kind) \(item.id)\(item.field.map { " \($0)" } ?? "") \(item.reason)")
    }
    if lines.count == 1 { lines.append("nothing of it was left") }
    if !kept.isEmpty, !isDryRun {
      lines.append("when what stands in the way is gone, vetnet import undo \(id) takes back the rest")
    }
    return lines
  }
}

extension RecordTable {
  /// The import format's word for the records.
  var kind: String { self == .staff ? rawValue : rawValue + "s" }
}

extension Practice.Exchange {
  /// The imports that changed something, the newest first.
  package func importLog() throws -> [ImportLogEntry] {
    try reading { try connection.imports.entries().map { ImportLogEntry($0, zone: timeZone) } }
  }

  /// One import with what it overwrote.
  ///
  /// - Throws: ``PracticeError`` with `notFound` when there is none of this id.
  package func importLog(_ id: Int) throws -> ImportLogEntry {
    try reading {
      guard let stored = try connection.imports.entry(Int64(id)) else { throw unknownImport(id) }
      var entry = ImportLogEntry(stored, zone: timeZone)
      entry.changes = try connection.imports.changes(of: Int64(id)).flatMap { record in
        record.changes.map { ImportChange(kind: record.table.kind, id: record.recordID, $0, zone: timeZone) }
      }
      return entry
    }
  }

  /// Takes a whole import back: what it made goes, what it overwrote gets its old value. What somebody changed since, or
  /// builds on, stays and is named.
  ///
  /// - Parameters:
  ///   - id: which; nil for the latest that stands.
  ///   - now: the present moment.
  ///   - isDryRun: finds out what would happen, and changes nothing.
  /// - Returns: what went, what has its old values, and what stays.
  /// - Throws: ``PracticeError`` with `notFound` when there is none, or none that stands.
  package func undoImport(_ id: Int?, now: Timestamp, isDryRun: Bool = false) throws -> ImportUndoSummary {
    struct DryRunIsOver: Error {}
    var summary: ImportUndoSummary?
    do {
      try writing {
        let entry = try id.map { try connection.imports.entry(Int64($0)) } ?? connection.imports.latestStanding()
        guard let entry else {
          if let id { throw unknownImport(id) }
          throw PracticeError(.notFound, "there is no import to undo", hint: "vetnet import log lists them.")
        }
        if let moment = entry.undoneAt, !entry.isStanding {
          throw PracticeError(
            .notFound, "import \(entry.id) was undone on \(timeZone.date(of: moment))",
            hint: "Maybe import its files again.")
        }
        practice.door.passage?.touch(.imports, String(entry.id))
        let undone = try connection.imports.undo(entry.id, at: now, actor: practice.actorName)
        let result = ImportUndoSummary(entry.id, undone, isDryRun: isDryRun)
        summary = result
        if isDryRun { throw DryRunIsOver() }
      }
    } catch is DryRunIsOver {}
    guard let summary else { throw PracticeError(.failed, "the import was not undone") }
    guard !isDryRun else { return summary }
    try reporting { _ = try connection.appointments.retryConflicts() }
    try practice.assessment.keepDurations(at: now)
    try practice.index.indexNewNotes(
      after: "import \(summary.id) is \(summary.state)", hint: "Run vetnet reindex.", now: now)
    return summary
  }

  private func unknownImport(_ id: Int) -> PracticeError {
    PracticeError(.notFound, "there is no import \(id)", hint: "vetnet import log lists them.")
  }
}
