public import Clinical
import Glibc

/// Bringing a backup back.
public enum Restore {
  /// A copy of a backup that was checked, beside the place where it is to stand.
  public struct Prepared {
    let file: PrivateFile
    /// The file that was copied.
    public let backup: ProvenBackup
    /// What it held, before anything was added.
    public let state: FileState

    /// The copy, to write what is to be on record in it before it is put in place. Close it first.
    public func open() throws(StoreError) -> Connection { try Connection.open(file.path) }
  }

  /// Copies a backup, which nobody has open, beside the path where it is to stand, checks the copy, and brings its schema up
  /// to date.
  ///
  /// - Throws: ``StoreError``; ``Backup/Flaw`` when the backup is not what was written.
  public static func prepare(_ source: String, for path: String, at moment: Timestamp) throws -> Prepared {
    let file = try PrivateFile(in: FilePath.folder(of: path))
    let (digest, byteCount) = try file.copy(from: source)
    try file.synchronize()
    let problems = try Backup.proof(of: file.path)
    guard problems.isEmpty else { throw Backup.Flaw(problems: problems, isOfSource: false) }
    let state = try FileState(path: file.path, isStill: true)
    // Migrations, and checksums for a file from before there were any.
    let connection = try Connection.open(file.path)
    var records = 0
    for table in RecordTable.allCases {
      records += try connection.recordHashes.recordCount(table)
    }
    let altered = try connection.recordHashes.problems()
    guard altered.isEmpty else { throw Backup.Flaw(problems: altered, isOfSource: false) }
    return Prepared(
      file: file,
      backup: ProvenBackup(
        provenAt: moment, file: FilePath.absolute(source), digest: digest, byteCount: byteCount, recordCount: records,
        changeNumber: state.changeNumber),
      state: state)
  }

  /// Puts a copy in its place in one step; what was there is kept under another name, byte for byte.
  ///
  /// Killed before the step, the path names what was there; after it, what was restored.
  ///
  /// What was there gets the name `kept`, with a number where that is taken.
  ///
  /// - Returns: the path of what was there; nil where there was nothing.
  /// - Throws: ``StoreError`` with `busy` while somebody has what is there open.
  public static func put(
    _ prepared: Prepared, at path: String, keeping kept: String
  ) throws(StoreError) -> String? {
    try requireClosed(prepared.file.path)
    try prepared.file.synchronize()
    guard Glibc.access(path, F_OK) == 0 else {
      try removeLog(of: path)
      try prepared.file.put(at: path)
      return nil
    }
    // A sound file takes its log in. The log of one that can't be opened is kept beside it.
    if let connection = try? Connection.connect(path, access: .readWrite) { _ = try? connection.checkpoint() }
    // Until the other file stands here nobody opens this one, and whoever was about to notices.
    let lock = try FileLock(path)
    let name = try keep(path, lock.descriptor, as: kept)
    try removeLog(of: path)
    try prepared.file.put(at: path)
    _ = consume lock
    return name
  }

  /// - Throws: ``StoreError`` when a file still has a log: its last changes would stay behind.
  private static func requireClosed(_ path: String) throws(StoreError) {
    guard (FileBytes.count(of: path + "-wal") ?? 0) == 0 else {
      throw StoreError(.busy, context: "closing the copy that is to be restored")
    }
  }

  private static func keep(_ path: String, _ descriptor: Int32, as wanted: String) throws(StoreError) -> String {
    var name = wanted
    var number = 1
    while Glibc.access(name, F_OK) == 0 {
      number += 1
      name = "\(wanted)-\(number)"
    }
    if (FileBytes.count(of: path + "-wal") ?? 0) > 0 {
      let log = try PrivateFile(in: FilePath.folder(of: path))
      try log.copy(from: path + "-wal")
      try log.synchronize()
      try log.put(at: name + "-wal")
    }
    let copy = try PrivateFile(in: FilePath.folder(of: path))
    try copy.copy(from: descriptor, named: path)
    try copy.synchronize()
    try copy.put(at: name)
    return name
  }

  /// SQLite would play the log of the file that was there into the one that takes its place.
  private static func removeLog(of path: String) throws(StoreError) {
    for suffix in ["-wal", "-shm", "-journal"] where Glibc.access(path + suffix, F_OK) == 0 {
      guard unlink(path + suffix) == 0 else { throw .file("deleting '\(path)\(suffix)'") }
    }
  }
}
