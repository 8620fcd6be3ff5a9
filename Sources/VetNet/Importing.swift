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
  /// Whether the notes are chunked, embedded and indexed at once.
  public var indexes: Bool

  public init(
    source: String = defaultSource, kind: String? = nil, dateOrder: String? = nil, rejectsPath: String? = nil,
    isDryRun: Bool = false, indexes: Bool = true
  ) {
    self.source = source
    self.kind = kind
    self.dateOrder = dateOrder
    self.rejectsPath = rejectsPath
    self.isDryRun = isDryRun
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
    public var unchanged = 0
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

  private enum CodingKeys: String, CodingKey {
    case records, rejected, conflicts
    case rejectsFile = "rejects_file"
    case indexedNotes = "indexed_notes"
    case failedToIndex = "failed_to_index"
    case isDryRun = "dry_run"
  }

  /// Rows that are in the file, whether this import changed them or not.
  var standingRows: Int { records.values.reduce(0) { $0 + $1.inserted + $1.updated + $1.unchanged } }

  /// How much of an import that did not end is kept.
  var standing: String {
    guard standingRows > 0 else { return "nothing of this import is kept" }
    let all = records.values
    return "\(standingRows) rows of this import stand and are whole (\(all.reduce(0) { $0 + $1.inserted }) new, "
      + "\(all.reduce(0) { $0 + $1.updated }) changed, \(all.reduce(0) { $0 + $1.unchanged }) unchanged)"
  }

  /// For a person: a line a kind of record, then what needs attention.
  public var lines: [String] {
    var lines = records.sorted { $0.key < $1.key }.map { kind, counts in
      "\(kind): \(counts.inserted) new, \(counts.updated) changed, \(counts.unchanged) unchanged"
    }
    if indexedNotes > 0 { lines.append("indexed: \(indexedNotes) notes") }
    if failedToIndex > 0 { lines.append("\(failedToIndex) notes could not be indexed; vetnet status lists them") }
    if conflicts > 0 { lines.append("\(conflicts) appointments overlap others; vetnet doctor lists them") }
    if rejected > 0 { lines.append("\(rejected) rows rejected\(rejectsFile.map { ", kept in \($0)" } ?? "")") }
    if lines.isEmpty { lines.append("nothing to import") }
    return isDryRun ? ["dry run, nothing was changed:"] + lines : lines
  }
}
