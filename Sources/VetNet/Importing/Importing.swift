import Clinical

/// How an import is to be done.
public struct ImportOptions: Sendable, Codable {
  /// The source that records belong to when nobody names another.
  public static let defaultSource = "practice"

  /// Ids are unique within a source; nil for the one that a file names, which rejects files do, else the default.
  public var source: String?
  /// What a file holds when its name doesn't say: `notes`, `patients`, …
  public var kind: String?
  /// `dmy` or `mdy`, for CSV files that write 03/04/2025.
  public var dateOrder: String?
  /// Such as `windows-1252`; nil to find out from each file.
  public var encoding: String?
  /// Whether a note or birth dated after today is an error; not for measuring on records of another time.
  public var refusesFuture = true
  /// The mapping file by which tables of another program are read; nil for files that say by themselves what they are.
  public var mapping: String?
  /// Where rejected rows go; nil for a file beside the practice file.
  public var rejectsPath: String?
  public var isDryRun: Bool
  /// Whether an empty cell, or a null, clears what is on file; else it says nothing.
  public var clearsEmpty: Bool
  /// Whether the notes are chunked, embedded and indexed at once.
  public var indexes: Bool
  /// The registered calendar that the files are; nil for files that stand for themselves.
  public var calendar: String?

  public init(
    source: String? = nil, kind: String? = nil, dateOrder: String? = nil, encoding: String? = nil,
    rejectsPath: String? = nil, isDryRun: Bool = false, clearsEmpty: Bool = false, indexes: Bool = true
  ) {
    self.source = source
    self.kind = kind
    self.dateOrder = dateOrder
    self.encoding = encoding
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
  /// Whether bytes are counted, not rows or notes.
  public let isBytes: Bool

  public init(done: Int, total: Int, detail: String, isBytes: Bool = false) {
    self.done = done
    self.total = total
    self.detail = detail
    self.isBytes = isBytes
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

    /// Rows that are in the file.
    var standing: Int { inserted + updated + moved + unchanged }

    /// What the journal keeps.
    var changed: [String: Int] { ["inserted": inserted, "updated": updated, "moved": moved].filter { $0.value > 0 } }
  }

  /// By kind of record.
  public internal(set) var records: [String: Counts] = [:]
  /// Rows that are not on file.
  public internal(set) var rejected = 0
  /// Rows that are on file without one of their fields, which could not be read.
  public internal(set) var incomplete = 0
  /// Files of which nothing was imported.
  public internal(set) var refusedFiles = 0
  /// Why rows were rejected or lost a field, the same reasons gathered.
  var reasons: [RejectGroups.Group] = []
  /// How many files were in which encoding.
  public internal(set) var encodings: [String: Int] = [:]
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
  /// What became of events of other programs' calendars; nil where there were none.
  public internal(set) var calendar: CalendarTotals?

  private enum CodingKeys: String, CodingKey {
    case records, rejected, incomplete, reasons, encodings, conflicts, changes, calendar
    case refusedFiles = "refused_files"
    case importID = "import"
    case rejectsFile = "rejects_file"
    case indexedNotes = "indexed_notes"
    case failedToIndex = "failed_to_index"
    case isDryRun = "dry_run"
  }

  /// Rows that are in the file, whether this import changed them or not.
  var standingRows: Int { records.values.reduce(0) { $0 + $1.standing } }

  /// How much of an import that did not end is kept.
  var standing: String {
    guard standingRows > 0 else { return "nothing of this import is kept" }
    let all = records.values
    return "\(standingRows) rows of this import stand and are whole (\(all.reduce(0) { $0 + $1.inserted }) new, "
      + "\(all.reduce(0) { $0 + $1.updated + $1.moved }) changed, \(all.reduce(0) { $0 + $1.unchanged }) unchanged)"
  }

  /// Whether everything that was given is on file in full.
  public var isComplete: Bool { rejected == 0 && incomplete == 0 && refusedFiles == 0 && failedToIndex == 0 }

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
    lines += calendar?.lines ?? []
    if rejected + incomplete > 0 {
      let stand = standingRows
      lines.append(
        "of \(stand + rejected) rows \(stand) stand" + (incomplete > 0 ? ", \(incomplete) of them incomplete" : "")
          + (rejected > 0 ? ", and \(rejected) \(rejected == 1 ? "was" : "were") rejected" : ""))
    }
    if let rejectsFile {
      lines.append("to correct them: edit the rows in \(rejectsFile), then vetnet import it")
    }
    if refusedFiles > 0 {
      lines.append("\(refusedFiles) \(refusedFiles == 1 ? "file was" : "files were") not imported")
    }
    if lines.isEmpty { lines.append("nothing to import") }
    return isDryRun ? ["dry run, nothing was changed:"] + lines : lines
  }
}
