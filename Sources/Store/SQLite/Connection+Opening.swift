import CSQLite
import Glibc

extension Connection {
  /// `VetN` in the file's head: what tells a practice file from other SQLite files.
  static let applicationID: Int64 = 0x5665_744E

  /// How long a statement waits for another process, before ``StoreError/Code/busy``.
  static let busyTimeoutMilliseconds: Int32 = 5000

  /// Opens a practice file, and brings its schema up to date when it is opened for writing.
  ///
  /// - Throws: ``StoreError`` with `notFound`, `notAPracticeFile`, `supersededSchema` (written by a newer VetNet),
  ///   `needsMigration` (older, and opened for reading only), `cannotOpen`, `corrupt` or `busy`.
  public static func open(
    _ path: String, access: Access = .readWrite, migrator: Migrator = .practice
  ) throws(StoreError) -> Connection {
    guard Glibc.access(path, F_OK) == 0 else { throw StoreError(.notFound, context: path) }
    let recordsReadings = access == .readOnly && Glibc.access(path, W_OK) == 0
    var connection = try connect(path, access: access, recordsReadings: recordsReadings)
    // A file that isn't a database fails at this first read of it.
    guard try connection.applicationMark() == applicationID else { throw connection.notAPractice }
    // From that read on nobody can put another file in its place; until then somebody may have (see `FileLock`), and what is
    // open here is the one that was set aside.
    if connection.hasMoved {
      connection = try connect(path, access: access, recordsReadings: recordsReadings)
      guard try connection.number("PRAGMA application_id") == applicationID, !connection.hasMoved else {
        throw StoreError(.busy, context: "opening \(path)")
      }
    }
    try connection.checkSchema(migrator)
    try connection.configure()
    switch access {
    case .readWrite:
      try migrator.migrate(connection)
      // While others are at work it stays marked: no reason not to open.
      _ = try? connection.finishErasure(waitingMilliseconds: 0)
      // Nor is a change of keys that was broken off, while somebody is at the next.
      if connection.isSealed { try? Sealing.endChange(of: path) }
      // Nor that others are at work with a file that should get checksums: the next to open it will try again.
      if !connection.reservesSums { _ = try? connection.addPageSums() }
    case .readOnly:
      try migrator.checkUpToDate(connection)
    }
    return connection
  }

  /// Opens a file that is open for reading, of today's schema, to put on record that it was read: beside a connection that is in the
  /// middle of it, or can't write (see ``recordsReadings``). It waits so long for others.
  public static func openForRecord(_ path: String, waitingMilliseconds: Int32) throws(StoreError) -> Connection {
    let connection = try connect(path, access: .readWrite)
    guard vetnet_sqlite_set_flag(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) == SQLITE_OK else {
      throw StoreError(.cannotOpen, context: path)
    }
    try connection.configure()
    try connection.recordLightly()
    sqlite3_busy_timeout(connection.handle, waitingMilliseconds)
    return connection
  }

  /// Nobody waits for the disk to see the record of a reading: a commit is handed to the operating system, which a process that is
  /// killed loses nothing of, and is on the disk with the next change, or when the log has grown to a megabyte. Neither is the log
  /// copied into the file whenever it is closed.
  private func recordLightly() throws(StoreError) {
    try executeScript("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 64", context: "configuring \(path)")
  }

  /// Lets `work` put on record what was read, on a connection that else changes nothing (``recordsReadings``); it waits so long for others.
  public func recording<Result, Failure: Error>(
    waitingMilliseconds: Int32, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(recordsReadings && transactionDepth == 0, "a record of a reading in the middle of it")
    isRecording = true
    sqlite3_busy_timeout(handle, waitingMilliseconds)
    defer {
      sqlite3_busy_timeout(handle, Self.busyTimeoutMilliseconds)
      isRecording = false
    }
    return try work()
  }

  /// Creates a practice file that only its owner can read and write.
  ///
  /// A file of no bytes at `path` counts as none: it is what a creation leaves that was killed at once.
  ///
  /// - Throws: ``StoreError`` with `alreadyExists`, or `cannotOpen` where the folder is missing or not ours to write.
  public static func create(_ path: String, migrator: Migrator = .practice) throws(StoreError) -> Connection {
    try create(path, migrator: migrator, hasPageSums: true)
  }

  /// ``create(_:migrator:)``; sealed where `sealing` says with what; without checksums of pages, as files were made before there
  /// were any.
  static func create(
    _ path: String, migrator: Migrator = .practice, sealing: Sealing? = nil, hasPageSums: Bool
  ) throws(StoreError) -> Connection {
    try createPrivateFile(path)
    do {
      try sealing?.begin(path)
      let connection = try connect(path, access: .readWrite)
      // Until there is a write-ahead log: a journal beside a sealed file is never made.
      if sealing != nil {
        try connection.executeScript("PRAGMA journal_mode = MEMORY", context: "keeping the first changes in memory")
      }
      // A 2 KB vector and its head fill 1 page of 4096 bytes to half, and 7 fill one of 16384 to 88 %: the larger page
      // halves what a search reads. It has to be set before the first table, like the id.
      try connection.executeScript("PRAGMA page_size = 16384", context: "setting the page size")
      if hasPageSums { try connection.reserveBytes() }
      try connection.executeScript("PRAGMA application_id = \(applicationID)", context: "marking the practice file")
      try connection.executeScript("PRAGMA journal_mode = WAL", context: "switching to a write-ahead log")
      try connection.configure()
      try migrator.migrate(connection)
      return connection
    } catch {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
      throw error
    }
  }

  /// A practice in memory, for trying things out.
  public static func inMemory(migrator: Migrator = .practice) throws(StoreError) -> Connection {
    let connection = try connect(inMemoryName, access: .readWrite)
    try connection.executeScript("PRAGMA application_id = \(applicationID)", context: "marking the practice file")
    try connection.configure()
    try migrator.migrate(connection)
    return connection
  }

  private static let inMemoryName = ":memory:"

  /// Why a file without a practice's mark isn't one: where it is encrypted, it was one, and nothing is left behind its head.
  var notAPractice: StoreError {
    isSealed
      ? StoreError(.corrupt, context: "it is cut off: none of its pages is there")
      : StoreError(.notAPracticeFile, context: path)
  }

  /// Whether another file has the path now, or none.
  var hasMoved: Bool {
    var moved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
  }

  /// A connection as SQLite gives it, secured; `isStill` says that nobody writes the file, see ``openStill(_:)``.
  static func connect(
    _ path: String, access: Access, isStill: Bool = false, recordsReadings: Bool = false
  ) throws(StoreError) -> Connection {
    _ = Self.stoppedCountingMemory
    // Debian's SQLite takes a name that begins with `file:` for a URI; a practice may call its folder that.
    let name = isStill ? stillURI(path) : path.hasPrefix("file:") ? "./\(path)" : path
    var flags = SQLITE_OPEN_NOMUTEX
    if isStill { flags |= SQLITE_OPEN_URI }
    let opensToWrite = access == .readWrite || recordsReadings
    flags |= opensToWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    guard SealingVFS.isRegistered else { throw StoreError(.cannotOpen, context: "registering the file system") }
    var handle: OpaquePointer?
    let result = sqlite3_open_v2(name, &handle, flags, SealingVFS.name)
    guard result == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw .opening(result, path)
    }
    let connection = Connection(handle: handle, path: path, access: access, recordsReadings: recordsReadings)
    // Until it is configured.
    connection.isRecording = recordsReadings
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, busyTimeoutMilliseconds)
    // A practice file may have been given to us by anybody: its schema must not be able to call functions with side
    // effects, nor statements of ours to damage it.
    for (option, isOn) in [
      (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false), (SQLITE_DBCONFIG_DEFENSIVE, true), (SQLITE_DBCONFIG_DQS_DML, false),
      (SQLITE_DBCONFIG_DQS_DDL, false),
      // From the first: a file that turns out to be no practice, or a newer one, is left with its log as it is.
      (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, recordsReadings),
    ] {
      guard vetnet_sqlite_set_flag(handle, option, isOn ? 1 : 0) == SQLITE_OK else {
        throw StoreError(.cannotOpen, context: "securing \(path)")
      }
    }
    // Far above whatever a practice holds: the largest value is a model's.
    for (limit, value) in [
      (SQLITE_LIMIT_LENGTH, Int32(512 << 20)), (SQLITE_LIMIT_SQL_LENGTH, 1 << 20), (SQLITE_LIMIT_EXPR_DEPTH, 500),
      (SQLITE_LIMIT_COMPOUND_SELECT, 100), (SQLITE_LIMIT_TRIGGER_DEPTH, 100), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
    ] {
      sqlite3_limit(connection.handle, limit, value)
    }
    // What would go into temporary files may be text; they can't be made, so that it has to stay in memory.
    try connection.executeScript("PRAGMA temp_store = MEMORY", context: "configuring \(path)")
    if opensToWrite && path != inMemoryName { try PageScrubber.install(on: handle) }
    return connection
  }

  /// Before the first connection of the process; later SQLite refuses it, which changes nothing.
  private static let stoppedCountingMemory = vetnet_sqlite_stop_counting_memory()

  /// What holds per connection, not per file.
  private func configure() throws(StoreError) {
    if access == .readWrite || recordsReadings { writtenRecords.watch(handle) }
    // FULL, not the NORMAL usual with a write-ahead log: NORMAL may lose the last commits in a power cut, and a
    // booking that was confirmed on the telephone has to be there afterwards. A batch commits many rows at once and
    // does not feel it.
    try executeScript(
      """
      PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON;
      PRAGMA cell_size_check = ON;
      PRAGMA synchronous = FULL;
      """, context: "configuring \(path)")
    // A batch meets the same pages again, and what it changes should fit: pages that don't are written twice. A question reads most of its pages once: a small cache is one that stays in the
    // processor's, and a question to 100,000 chunks takes an eighth less time than with a large one. Pages that the system
    // maps instead of copying saved nothing: SQLite looks each over anew whenever it is met, and they count as memory.
    let cacheKilobytes = access == .readOnly ? 2048 : 98304
    try executeScript("PRAGMA cache_size = -\(cacheKilobytes)", context: "configuring \(path)")
    if recordsReadings {
      try recordLightly()
      isRecording = false
    }
  }

  /// SQLite would create the file with the process's umask; its log and index files take over the mode they find.
  private static func createPrivateFile(_ path: String) throws(StoreError) {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(errno == EISDIR ? .alreadyExists : .cannotOpen, context: path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size == 0 else { throw StoreError(.alreadyExists, context: path) }
    guard fchmod(descriptor, 0o600) == 0 else { throw StoreError(.cannotOpen, context: path) }
  }
}
