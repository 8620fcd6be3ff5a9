/// Making a backup, and proving it.
///
/// This is the one place through which the bytes of a backup leave and come back. A backup of an encrypted practice is encrypted, and
/// opened by the same passphrases as the practice at that time.
public enum Backup {
  /// What a copy is sealed with.
  public enum Cover: Sendable {
    /// With what the practice file is sealed with, if it is.
    case asSource
    case sealed(Sealing)
    /// With nothing, whatever the practice file is.
    case plain
  }

  /// A backup that was made and proven, and is still to be put in its place.
  public struct Made {
    let file: PrivateFile
    public let digest: ContentHash
    public let byteCount: Int
    public let recordCount: Int
    /// The state it holds.
    public let state: FileState

    /// Puts it in its place in one step, with everything on the disk.
    public func put(at path: String) throws(StoreError) {
      try file.put(at: path)
    }
  }

  /// Why a copy is not what it should be.
  public struct Flaw: Error, Hashable, Sendable {
    /// In words of ours: ids and tables, never note text.
    public let problems: [String]
    /// Whether the practice file itself is what is not as it was written, and the copy is as it.
    public let isOfSource: Bool
  }

  /// Makes a backup of the state the file is in, while others go on writing, and proves it: it is restored into another file,
  /// whose structure, references, checksums and record hashes are checked, and whose tables are compared with the state that
  /// was backed up. It is made in the folder where it will stand; `continuing` is called between steps, with what is done of
  /// what, and ends it all with what it throws.
  ///
  /// - Throws: ``StoreError``, ``Flaw``, or what `continuing` throws. Nothing is left behind.
  /// - Complexity: reads the file twice and the backup three times, and needs its size twice: in `folder`, and beside the
  ///   practice file for the proof.
  public static func make(
    of connection: Connection, in folder: String, cover: Cover = .asSource,
    continuing: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> Made {
    let file = try PrivateFile(in: folder)
    let sealing: Sealing? =
      switch cover {
      case .asSource: try connection.sealing()
      case .sealed(let sealing): sealing
      case .plain: nil
      }
    let (state, summary) = try connection.mixedTransaction(.deferred) {
      // The first read settles which state it is.
      let state = try connection.fileState()
      let summary = try connection.contentSummary()
      try connection.copyState(to: file.path, sealing: sealing, continuing: continuing)
      return (state, summary)
    }
    try file.synchronize()
    try continuing(1, 1)
    // Beside the practice file: where a restore would put it, and where such text may stand.
    let restored = try PrivateFile(in: FilePath.folder(of: connection.path))
    let (digest, byteCount) = try restored.copy(from: file.path)
    try restored.synchronize()
    try continuing(1, 1)
    let problems = try proof(of: restored.path, expecting: summary)
    guard problems.isEmpty else {
      throw Flaw(problems: problems, isOfSource: try !isSound(connection))
    }
    return Made(file: file, digest: digest, byteCount: byteCount, recordCount: summary.recordCount, state: state)
  }

  /// What is wrong with a file that nobody has open, which may be of an older schema; empty for a sound one that holds what
  /// `summary` says, where that is known.
  static func proof(of path: String, expecting summary: ContentSummary? = nil) throws(StoreError) -> [String] {
    var problems: [String] = []
    let pages = try PageCheck(path: path)
    if !pages.alteredPages.isEmpty { problems.append("\(pages.alteredPages.count) pages are not as they were written") }
    do throws(StoreError) {
      let copy = try Connection.openStill(path)
      problems += try copy.integrityCheck()
      problems += try copy.foreignKeyCheck().map { "a row refers to a missing one: \($0)" }
      if try copy.exists("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'record_hash'") {
        problems += try copy.recordHashes.problems()
      }
      if let summary {
        problems += try copy.contentSummary().differences(from: summary).map {
          "the table \($0) is not the one that was backed up"
        }
      }
    } catch {
      guard [.corrupt, .notAPracticeFile, .statementFailed].contains(error.code) else { throw error }
      problems.append("it can't be read: \(error)")
    }
    return problems
  }

  private static func isSound(_ connection: Connection) throws(StoreError) -> Bool {
    guard try connection.recordHashes.problems().isEmpty, try connection.integrityCheck().isEmpty else { return false }
    return try connection.foreignKeyCheck().isEmpty
  }
}

extension RecordHashes {
  /// The records that are not what was written, in words of ours.
  func problems() throws(StoreError) -> [String] {
    var problems: [String] = []
    for table in RecordTable.allCases {
      for record in try altered(table) {
        problems.append("\(table.rawValue) \(record.externalID) is not what was written")
      }
    }
    return problems
  }
}
