public import Clinical
import FoundationEssentials
import Glibc
import LinearAlgebra
import Store

/// One practice: its file, and the models that read it. Everything a command does is an ``Operation`` that it performs; what the work
/// consists of is sorted into subjects, such as ``records`` and ``calendar``.
///
/// A `Practice` belongs to one thread. Several processes may have the same file open: readers see one state of it each,
/// writers take turns.
public final class Practice {
  public enum Access: Sendable { case read, write }

  public let models: ModelDirectory
  let connection: Connection
  /// Who hears of changes that pass the door.
  public let changes = ChangeListeners()
  /// What the door keeps between operations, and while one passes.
  public let door: DoorState
  /// The zone, and what stands before the settings of the file.
  let settled: SettledValues
  /// What was offered to open the file or a backup, and what makes keys and tries them.
  public let secrets: PracticeSecrets
  /// What was read and judged before.
  public let memos = PracticeMemos()
  /// How changes get into the log, and are merged.
  package let merging = MergingState()

  private init(
    models: ModelDirectory, timeZone: PracticeTimeZone, connection: Connection, isStill: Bool = false
  ) {
    self.models = models
    self.connection = connection
    door = DoorState(isStill: isStill)
    settled = SettledValues(timeZone)
    secrets = PracticeSecrets(of: connection.path)
    connection.logChanges = { [weak self] (written) throws(StoreError) in try self?.sync.log(written) }
  }

  /// Where the file is; `:memory:` for one in memory.
  public var path: String { connection.path }

  /// The zone the practice works in; a setting of the file.
  public var timeZone: PracticeTimeZone { settled.timeZone }

  /// Creates an empty practice file, readable by its owner only, with the folders above it.
  ///
  /// - Throws: ``PracticeError`` when a file is there already, or can't be made.
  public static func create(
    at path: String, name: String?, timeZone: PracticeTimeZone, encryptedBy key: NewFileKey? = nil, now: Timestamp
  ) throws {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    if !FileManager.default.fileExists(atPath: folder) {
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw FileRights.creationObstacle(path) ?? PracticeError(.failed, "can't create the folder '\(folder)'")
      }
    }
    func fill(_ connection: Connection) throws(StoreError) {
      try connection.transaction { () throws(StoreError) in
        try connection.settings.set(Setting.timeZone, to: timeZone.identifier)
        if let name { try connection.settings.set(Setting.name, to: name) }
        try connection.settings.set(Setting.createdAt, to: String(now.seconds))
      }
    }
    try reporting(path) {
      if let key {
        try Connection.createSealed(path, key.sealing) { try fill($0) }
      } else {
        try fill(Connection.create(path))
      }
    }
  }

  /// Checks, without writing, that `create` could make a file there.
  ///
  /// - Throws: ``PracticeError`` when something already stands at the path, or the nearest folder that exists can't be written.
  public static func checkCreation(at path: String) throws {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw PracticeError(.failed, "'\(path)' already exists", hint: "Maybe name another file with --practice.")
    }
    if let obstacle = FileRights.creationObstacle(path) { throw obstacle }
  }

  /// Opens a practice file; one from an older VetNet is brought up to date first.
  ///
  /// - Throws: ``PracticeError`` saying whether it is missing, held by another process, damaged, or from a newer VetNet.
  public static func open(at path: String, models: ModelDirectory, access: Access) throws -> Practice {
    // SQLite would open a file that can't be written for reading, and fail later.
    if access == .write, FileManager.default.fileExists(atPath: path),
      let obstacle = FileRights.obstacle(path, writing: true)
    {
      throw obstacle
    }
    return try reporting(path) {
      let connection: Connection
      do {
        connection = try Connection.open(path, access: access == .read ? .readOnly : .readWrite)
      } catch let error as StoreError where error.code == .needsMigration {
        // Reading needs the schema of today; bringing it up to date is the only write a reader may do.
        _ = try Connection.open(path, access: .readWrite)
        connection = try Connection.open(path, access: .readOnly)
      }
      // A question is over before a second thread is awake; a batch has work for all of them.
      BLAS.setThreads(access == .read ? 1 : ProcessInfo.processInfo.activeProcessorCount)
      let zone = try connection.settings.value(Setting.timeZone).flatMap(PracticeTimeZone.init(identifier:))
      return Practice(models: models, timeZone: zone ?? .utc, connection: connection)
    }
  }

  /// Opens a backup to look at it: nothing is changed in it or made beside it, and it may lie where nothing can be written.
  ///
  /// In one that has users they decide, as they were when it was made; that one of them signed in is not put on record.
  ///
  /// - Throws: ``PracticeError``: `notFound`, `locked` where a log lies beside it, `key` where it is encrypted and not unlocked, `invalidArgument` for an older schema, which only a
  ///   copy could be brought up from, `integrity` or `newerSchema`.
  public static func openBackup(at path: String, models: ModelDirectory) throws -> Practice {
    guard FileBytes.count(of: path) != nil else { throw PracticeError(.notFound, "there is no file '\(path)'") }
    return try reporting(path) {
      do {
        let connection = try Connection.openBackup(path)
        let zone = try connection.settings.value(Setting.timeZone).flatMap(PracticeTimeZone.init(identifier:))
        return Practice(models: models, timeZone: zone ?? .utc, connection: connection, isStill: true)
      } catch let error as StoreError where error.code == .busy {
        throw PracticeError(
          .locked, "'\(path)' has a log beside it: it is a practice file in use, and no backup",
          hint: "Maybe name it with --practice.")
      } catch let error as StoreError where error.code == .needsMigration {
        throw PracticeError(
          .invalidArgument, "'\(path)' was made by an older VetNet, and is left as it is",
          hint: "vetnet restore '\(path)' --dry-run checks it in a copy that is brought up to date.")
      }
    }
  }

  /// A practice without records that lives in memory: for assessing a text that is nobody's on file, and for tests.
  public static func inMemory(models: ModelDirectory, timeZone: PracticeTimeZone) throws -> Practice {
    try reporting(":memory:") {
      Practice(models: models, timeZone: timeZone, connection: try Connection.inMemory())
    }
  }

  /// Runs `work` and says the store's errors in the practice's words.
  func reporting<Value>(_ work: () throws -> Value) throws -> Value { try Self.reporting(path, work) }

  /// Runs `work` on one state of the file, however many statements it takes.
  package func reading<Value>(_ work: () throws -> Value) throws -> Value {
    try reporting { try connection.mixedTransaction(.deferred, work) }
  }

  /// Runs `work` whole or not at all, holding the write lock.
  func writing<Value>(_ work: () throws -> Value) throws -> Value {
    try reporting { try connection.mixedTransaction(.immediate, work) }
  }

  /// - Throws: ``PracticeError`` when a signal asks for the end of the work.
  func continueUnlessStopped() throws {
    guard let signal = door.stopSignal() else { return }
    throw PracticeError(.stopped(signal: signal), "stopped by \(signal == SIGTERM ? "SIGTERM" : "Ctrl-C")")
  }

  static func reporting<Value>(_ path: String, _ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as StoreError {
      throw PracticeError(error, path: path)
    }
  }
}

/// Keys of the `setting` table.
enum Setting {
  static let timeZone = "time_zone"
  static let name = "practice_name"
  static let createdAt = "created_at"
  /// The share of predicted lengths that plans reserve for; absent for the shipped one.
  static let planQuantile = "plan_quantile"
  /// How many days the content of accesses is kept in the audit log; absent for all.
  static let auditAccessDays = "audit_access_days"
  /// After so many minutes without use a session ends; absent for ``Practice/People/defaultIdleMinutes``.
  static let sessionIdleMinutes = "session_idle_minutes"
  /// Of a clone: where it found its hub last.
  static let syncHub = "sync_hub"
  /// `on` where users may be unlocked by their account of the operating system.
  static let accountUnlock = "account_unlock"
  /// Which device an encrypted file is, with its key; see ``DeviceIdentity``.
  static let deviceIdentity = "device_identity"
}

extension PracticeError {
  /// The store's error in the words of somebody who has a file, not a database.
  init(_ error: StoreError, path: String) {
    switch error.code {
    case .notFound:
      self.init(
        .noPracticeFile, "there is no practice file at '\(path)'", hint: "Maybe run: vetnet init --practice '\(path)'")
    case .alreadyExists:
      self.init(.failed, "'\(path)' exists already and was left alone", hint: "Maybe choose another --practice FILE.")
    case .busy:
      self.init(.locked, "'\(path)' is held by another process", hint: "Maybe wait for it and try again.")
    case .jobRunning:
      self.init(.locked, error.context, hint: "Maybe wait for it; a job whose process is gone is taken over.")
    case .notAPracticeFile:
      self.init(.integrity, "'\(path)' is not a practice file")
    case .corrupt:
      self.init(
        .integrity, "'\(path)' is damaged, or its disk fails to read it: \(error.context)",
        hint: "Maybe restore a backup; vetnet doctor says more.")
    case .keyNeeded: self = .keyNeeded(path)
    case .auditKeyUnreadable:
      self.init(
        .failed, "the audit log's key '\(error.context)' can't be read, and without it nothing is written",
        hint: "Maybe look at its rights, or what the system says of the disk.")
    case .keyRefused: self.init(.failed, error.context)
    case .supersededSchema:
      self.init(
        .newerSchema, "'\(path)' was written by a newer VetNet", hint: "Maybe update vetnet; the file was not touched.")
    case .diskFull:
      self.init(
        .failed, "the disk is full, or refuses to be written; what was being written to '\(path)' is not kept",
        hint: "Maybe free some space and try again.")
    case .diskFails:
      self.init(
        .failed, "the disk that '\(path)' lies on fails; what was being done may not be kept",
        hint: "Maybe look what the system says of the disk, then run: vetnet verify --practice '\(path)'")
    case .readOnly, .cannotOpen:
      self =
        FileRights.obstacle(path, writing: error.code == .readOnly)
        ?? PracticeError(
          .failed, "'\(path)' can't be opened, or what SQLite keeps beside it can't be made",
          hint: "Maybe the disk is full or fails: look what the system says of it.")
    case .unknownRecord, .ambiguousID:
      self.init(.notFound, error.context)
    case .changedMeanwhile:
      self.init(.locked, "somebody else changed it meanwhile: \(error.context)", hint: "Maybe look again and repeat.")
    case .alteredRecord:
      self.init(
        .integrity, "\(error.context) is not as it was written, and was left alone", hint: "Maybe look: vetnet doctor.")
    default:
      self.init(.failed, "'\(path)': \(error)")
    }
  }
}
