import Clinical

/// How an import is to be done.
public struct ImportOptions: Sendable {
  /// The source that records belong to when nobody names another.
  public static let defaultSource = "practice"

  /// Ids are unique within a source.
  public var source: String
  /// What a file holds when its name doesn't say: `notes`, `patients`, …
  public var kind: String?
  /// `dmy` or `mdy`, for CSV files that write 03/04/2025.
  public var dateOrder: String?
  /// Where rejected rows go; nil for a file beside the practice file.
  public var rejectsPath: String?
  public var isDryRun: Bool
  /// Whether an empty cell, or a null, clears what is on file; else it says nothing.
  public var clearsEmpty: Bool
  /// Whether the notes are chunked, embedded and indexed at once.
  public var indexes: Bool

  public init(
    source: String = defaultSource, kind: String? = nil, dateOrder: String? = nil, rejectsPath: String? = nil,
    isDryRun: Bool = false, clearsEmpty: Bool = false, indexes: Bool = true
  ) {
    self.source = source
    self.kind = kind
    self.dateOrder = dateOrder
    self.rejectsPath = rejectsPath
    self.isDryRun = isDryRun
    self.clearsEmpty = clearsEmpty
    self.indexes = indexes
  }
}

/// How far long work has come.
public struct Progress: Sendable {
  public let done: Int
  /// 0 when unknown.
  public let total: Int
  public let detail: String

  public init(done: Int, total: Int, detail: String) {
    self.done = done
    self.total = total
    self.detail = detail
  }
}

/// What an import did.
public struct ImportSummary: Encodable, Sendable {
  public struct Counts: Encodable, Equatable, Sendable {
    public var inserted = 0
    public var updated = 0
    /// Notes that stood under another patient.
    public var moved = 0
    public var unchanged = 0

    public init(inserted: Int = 0, updated: Int = 0, moved: Int = 0, unchanged: Int = 0) {
      self.inserted = inserted
      self.updated = updated
      self.moved = moved
      self.unchanged = unchanged
    }

    /// What the journal keeps.
    var changed: [String: Int] { ["inserted": inserted, "updated": updated, "moved": moved].filter { $0.value > 0 } }
  }

  /// By kind of record.
  public internal(set) var records: [String: Counts] = [:]
  public internal(set) var rejected = 0
  /// Nil when no row was rejected.
  public internal(set) var rejectsFile: String?
  /// Future appointments that overlap others and were kept as conflicts to resolve.
  public internal(set) var conflicts = 0
  public internal(set) var indexedNotes = 0
  public internal(set) var failedToIndex = 0
  public internal(set) var isDryRun = false
  /// What a dry run found that it would overwrite.
  public internal(set) var changes: [ImportChange] = []
  /// Under which `import undo` knows it; nil when nothing was changed.
  public internal(set) var importID: Int?

  private enum CodingKeys: String, CodingKey {
    case records, rejected, conflicts, changes
    case importID = "import"
    case rejectsFile = "rejects_file"
    case indexedNotes = "indexed_notes"
    case failedToIndex = "failed_to_index"
    case isDryRun = "dry_run"
  }

  /// The most that a person is shown; `--json` has all.
  private static let shownChanges = 40

  private var changeLines: [String] {
    guard !changes.isEmpty else { return [] }
    let rest = changes.count - Self.shownChanges
    return ["would overwrite:"] + changes.prefix(Self.shownChanges).map { "  \($0.description)" }
      + (rest > 0 ? ["  and \(rest) more fields; --json lists all"] : [])
  }

  /// For a person: a line a kind of record, then what needs attention.
  public var lines: [String] {
    var lines = records.sorted { $0.key < $1.key }.map { kind, counts in
      "\(kind): \(counts.inserted) new, \(counts.updated) changed, "
        + (counts.moved > 0 ? "\(counts.moved) moved, " : "") + "\(counts.unchanged) unchanged"
    }
    lines += changeLines
    if indexedNotes > 0 { lines.append("indexed: \(indexedNotes) notes") }
    if failedToIndex > 0 { lines.append("\(failedToIndex) notes could not be indexed; vetnet status lists them") }
    if conflicts > 0 { lines.append("\(conflicts) appointments overlap others; vetnet doctor lists them") }
    if rejected > 0 { lines.append("\(rejected) rows rejected\(rejectsFile.map { ", kept in \($0)" } ?? "")") }
    if lines.isEmpty { lines.append("nothing to import") }
    return isDryRun ? ["dry run, nothing was changed:"] + lines : lines
  }
}
