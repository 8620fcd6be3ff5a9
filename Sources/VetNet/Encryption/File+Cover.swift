public import Clinical
import FoundationEssentials
import Store

/// A practice file that was encrypted, or decrypted.
public struct CoverReport: Encodable, Sendable {
  public let practice: String
  public let encrypted: Bool
  public let records: Int
  public let bytes: Int
}

extension Practice.File {
  /// Encrypts a practice file, or an encrypted one under a new key: the whole file is made anew beside it, proven like a backup, and put in
  /// its place in one step. Nobody else can use the file meanwhile.
  ///
  /// - Throws: ``PracticeError``: `locked` while the file is in use, `integrity` when it is not what was written. It is as it was then.
  public static func encrypt(
    _ operation: EncryptPractice, at path: String, with key: NewFileKey, models: ModelDirectory, by actor: Actor,
    now: Timestamp, progress: (Progress) throws -> Void = { _ in }
  ) throws -> CoverReport {
    try cover(
      operation, at: path, .sealed(key.sealing), isDryRun: operation.isDryRun, models: models, by: actor, now: now,
      progress: progress)
  }

  /// Takes the encryption of a practice file away, as ``encrypt(_:at:with:models:by:now:progress:)`` puts it on.
  public static func decrypt(
    _ operation: DecryptPractice, at path: String, models: ModelDirectory, by actor: Actor, now: Timestamp,
    progress: (Progress) throws -> Void = { _ in }
  ) throws -> CoverReport {
    guard try PracticeLock.state(of: path) != .none else {
      throw PracticeError(.failed, "'\(path)' is not encrypted, and was left alone")
    }
    return try cover(
      operation, at: path, .plain, isDryRun: operation.isDryRun, models: models, by: actor, now: now,
      progress: progress)
  }

  private static func cover<Wanted: Operation>(
    _ operation: Wanted, at path: String, _ cover: Backup.Cover, isDryRun: Bool, models: ModelDirectory,
    by actor: Actor, now: Timestamp, progress: (Progress) throws -> Void
  ) throws -> CoverReport {
    if Practice.People.isClosed(at: path), try !Practice.open(at: path, models: models, access: .read).admits(actor) {
      throw PracticeError.notSignedIn(Wanted.name, Wanted.permission)
    }
    guard actor.role.may(Wanted.permission) else {
      throw PracticeError.notPermitted(Wanted.name, Wanted.permission, to: actor)
    }
    if let obstacle = FileRights.creationObstacle(path) { throw obstacle }
    let isEncrypted = if case .sealed = cover { true } else { false }
    if isDryRun {
      let practice = try Practice.open(at: path, models: models, access: .read)
      try requireWhole(practice.integrity.verify(), path)
      let records = try practice.reporting {
        try RecordTable.allCases.reduce(0) { sum, table in
          sum + (try practice.connection.recordIDs.count(table))
        }
      }
      return CoverReport(
        practice: path, encrypted: isEncrypted, records: records, bytes: FileBytes.count(of: path) ?? 0)
    }
    let made: Backup.Made
    do {
      let prepared = try Resealing.prepare(path, cover: cover) {
        try progress(Progress(done: $0, total: $1, detail: "pages"))
      }
      made = prepared.made
      try record(Wanted.self, in: prepared.open(), key: AuditKey(practice: path), by: actor, at: now)
      try prepared.put()
    } catch {
      throw coverWords(for: error, path)
    }
    try requireWhole(Practice.open(at: path, models: models, access: .read).integrity.verify(), path)
    return CoverReport(
      practice: path, encrypted: isEncrypted, records: made.recordCount, bytes: FileBytes.count(of: path) ?? 0)
  }

  private static func requireWhole(_ result: Verification, _ path: String) throws {
    guard result.ok else {
      let failed = result.checks.flatMap(\.failed).prefix(3).joined(separator: "; ")
      throw PracticeError(
        .integrity, "'\(path)' is not what it was when it was checked: \(failed)", hint: "Maybe restore a backup.")
    }
  }

  /// What is on record in the new file: that it was encrypted or decrypted, and by whom.
  private static func record<Wanted: Operation>(
    _ operation: Wanted.Type, in connection: Connection, key: AuditKey, by actor: Actor, at now: Timestamp
  ) throws {
    try connection.mixedTransaction {
      _ = try connection.audit.append(
        AuditEntry(.change, at: now, actor: actor.name, role: actor.role.rawValue, operation: operation.name), key: key)
    }
    key.settle()
    try connection.checkpoint()
  }

  /// Why the file is as it was, in words of who wanted it otherwise.
  private static func coverWords(for error: any Error, _ path: String) -> any Error {
    switch error {
    case let flaw as Backup.Flaw:
      let problems = flaw.problems.prefix(5).joined(separator: "; ") + (flaw.problems.count > 5 ? "; …" : "")
      return PracticeError(
        .integrity,
        "'\(path)' is not as it was written, or its disk fails to keep what is written, and was left alone: \(problems)",
        hint: "Maybe look: vetnet doctor.")
    case let error as StoreError where error.code == .diskFull:
      return PracticeError(
        .failed, "the disk is full, or refuses to be written; '\(path)' is as it was: \(error.context)",
        hint: "It needs room for two more files of the same size beside it.")
    case let error as StoreError where error.code == .busy:
      return PracticeError(
        .locked, "'\(path)' is held by another process, and was left alone", hint: "Maybe end it and try again.")
    case let error as StoreError: return PracticeError(error, path: path)
    default: return error
    }
  }
}
