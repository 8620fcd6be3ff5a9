import CSQLite
import Glibc

/// Giving a practice file another cover: sealing a plain one, opening a sealed one for good, or sealing it under a new key.
///
/// The whole file is made anew beside, proven like a backup, and put in place of the other in one step. Killed before that step, the path
/// names what was there; after it, what was made.
public enum Resealing {
  /// A file that was made and proven, and the one that it will take the place of, which nobody else can open meanwhile.
  public struct Prepared {
    public let made: Backup.Made
    let source: Connection
    let path: String

    /// The new file, to write what is to be on record in it before it is put in place. Close it first.
    public func open() throws(StoreError) -> Connection { try Connection.open(made.file.path) }

    /// Puts the new file in place of the other.
    ///
    /// - Throws: ``StoreError``; what was there is there then.
    public func put() throws(StoreError) {
      guard (FileBytes.count(of: made.file.path + "-wal") ?? 0) == 0 else {
        throw StoreError(.busy, context: "closing the file that was made")
      }
      try made.file.synchronize()
      // The log is empty: nobody wrote since it was copied into the file. It must not lie beside the other.
      for suffix in ["-wal", "-shm", "-journal"] where access(path + suffix, F_OK) == 0 {
        guard unlink(path + suffix) == 0 else { throw .file("deleting '\(path)\(suffix)'") }
      }
      try made.put(at: path)
    }
  }

  /// Makes and proves the other file. Everybody else is kept out of the one that is there until the value is gone.
  ///
  /// - Throws: ``StoreError`` with `busy` while somebody has the file open; ``Backup/Flaw``; what `continuing` throws.
  /// - Complexity: as ``Backup/make(of:in:cover:continuing:)``.
  public static func prepare(
    _ path: String, cover: Backup.Cover, continuing: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> Prepared {
    // Brings the schema up to date, and gets deleted text out of the log.
    do { _ = try Connection.open(path) }
    let source = try Connection.openAlone(path)
    let made = try Backup.make(
      of: source, in: FilePath.folder(of: FilePath.absolute(path)), cover: cover, continuing: continuing)
    return Prepared(made: made, source: source, path: path)
  }
}

extension Connection {
  /// Opens a practice file for this connection alone, its log copied into it.
  ///
  /// - Throws: ``StoreError`` with `busy` while somebody else has it open.
  static func openAlone(_ path: String) throws(StoreError) -> Connection {
    let connection = try connect(path, access: .readWrite)
    // Before the first read of the file: SQLite then keeps the file's lock, and what it else shares with others to itself.
    try connection.executeScript("PRAGMA locking_mode = EXCLUSIVE", context: "keeping others out")
    guard try connection.applicationMark() == applicationID else { throw connection.notAPractice }
    try connection.executeScript("BEGIN IMMEDIATE; COMMIT", context: "keeping others out of \(path)")
    guard !connection.hasMoved, try connection.checkpoint() else {
      throw StoreError(.busy, context: "opening \(path) alone")
    }
    return connection
  }
}
