import CSQLite
import Glibc

extension Connection {
  /// Makes a whole file of the state that the open transaction reads, while others go on writing.
  ///
  /// SQLite's backup begins anew whenever somebody writes between two of its steps, and beside a busy practice would never
  /// end. Within a transaction it reads one state, which no writer can change: it doesn't have to.
  ///
  /// - Parameters:
  ///   - path: an empty file; nobody else knows it. It isn't brought to the disk.
  ///   - sealing: what the copy is sealed with; nil for a plain one.
  ///   - continuing: called between the steps, of 4 MB each, with the pages that are done and all; what it throws ends the copy.
  /// - Throws: ``StoreError``, or what `continuing` throws.
  /// - Complexity: reads and writes the whole file once.
  func copyState(
    to path: String, sealing: Sealing? = nil, continuing: (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    precondition(transactionDepth > 0, "the copy is one state only within a transaction")
    let pageSize = try number("PRAGMA page_size")
    try sealing?.forAnotherFile(pageSize: Int(pageSize)).begin(path)
    let target = try Self.connect(path, access: .readWrite)
    // The first page has to say on disk that pages have room for checksums, before any other gets there.
    try target.executeScript("PRAGMA page_size = \(pageSize)", context: "setting the page size of a copy")
    if reservesSums { try target.reserveBytes() }
    // A copy that breaks off is thrown away.
    try target.executeScript(
      "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA application_id = \(Self.applicationID)",
      context: "beginning a copy")
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw StoreError.sqlite(sqlite3_extended_errcode(target.handle), context: "beginning a copy")
    }
    var isFinished = false
    defer { if !isFinished { sqlite3_backup_finish(backup) } }
    var result = SQLITE_OK
    var waits = 0
    while true {
      result = sqlite3_backup_step(backup, Int32(max(1, 4_194_304 / pageSize)))
      switch result {
      case SQLITE_OK:
        let total = Int(sqlite3_backup_pagecount(backup))
        try continuing(total - Int(sqlite3_backup_remaining(backup)), total)
        continue
      case SQLITE_BUSY, SQLITE_LOCKED:
        waits += 1
        guard waits < 100 else { break }
        usleep(50_000)
        continue
      default: break
      }
      break
    }
    isFinished = true
    let end = sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE, end == SQLITE_OK else {
      throw StoreError.sqlite(result == SQLITE_DONE ? end : result, context: "copying the file")
    }
  }

  /// Opens a file that nobody writes, such as a backup, for reading it as it is: nothing is made beside it, and it may lie where
  /// nothing can be written. Its schema may be an older one.
  ///
  /// - Throws: ``StoreError`` with `notFound`, `notAPracticeFile`, `cannotOpen` or `corrupt`.
  static func openStill(_ path: String) throws(StoreError) -> Connection {
    guard Glibc.access(path, F_OK) == 0 else { throw StoreError(.notFound, context: path) }
    let connection = try connect(path, access: .readOnly, isStill: true)
    guard try connection.applicationMark() == applicationID else { throw connection.notAPractice }
    try connection.checkSchema()
    try connection.executeScript("PRAGMA cell_size_check = ON", context: "configuring \(path)")
    return connection
  }

  /// ``openStill(_:)``, for a file of today's schema, all of which lies in it.
  ///
  /// - Throws: ``StoreError``; `busy` where a log lies beside the file, `needsMigration` and `supersededSchema` too.
  public static func openBackup(_ path: String, migrator: Migrator = .practice) throws(StoreError) -> Connection {
    guard (FileBytes.count(of: path + "-wal") ?? 0) == 0 else {
      throw StoreError(.busy, context: "opening \(path)")
    }
    let connection = try openStill(path)
    try migrator.checkUpToDate(connection)
    return connection
  }

  /// A path as a URI that tells SQLite that nobody writes the file.
  static func stillURI(_ path: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    let digits = Array("0123456789ABCDEF")
    var text = "file://"
    for byte in FilePath.absolute(path).utf8 {
      if plain.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return text + "?immutable=1"
  }
}
