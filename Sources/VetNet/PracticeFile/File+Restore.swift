public import Clinical
import FoundationEssentials
import Store

/// A backup that was brought back.
public struct RestoreReport: Encodable, Sendable {
  public let backup: String
  public let practice: String
  /// BLAKE2b-256 of the backup's bytes.
  public let digest: String
  public let records: Int
  /// Where what was there is kept; nil where there was nothing, and for a dry run.
  public let kept: String?
  /// How many changes what was there holds that the backup doesn't; nil where there was nothing that could be read.
  public let changesBehind: Int?
  public let restored: Bool

  private enum CodingKeys: String, CodingKey {
    case backup, practice, digest, records, kept, restored
    case changesBehind = "changes_behind"
  }

  public var lines: [String] {
    var lines = [
      "\(practice): \(restored ? "restored" : "would be restored") from \(backup), \(records) records; checked before\(restored ? " and after" : "")"
    ]
    if let kept { lines.append("what was there is kept: \(kept)") }
    if let changesBehind, changesBehind > 0 {
      lines.append("it holds \(changesBehind) changes that the backup doesn't")
    }
    return lines
  }
}

extension Practice.File {
  /// Puts a backup in the place of a practice file: checked before, put there in one step, and checked after. What was there is
  /// kept beside it.
  ///
  /// The practice file need not exist. One that holds changes which the backup doesn't, or is another practice's, is replaced
  /// with `replacesNewer` only.
  ///
  /// - Throws: ``PracticeError``: `integrity` when the backup is not what was written, `locked` while the practice file is in
  ///   use, `failed` when it is newer. What was there is as it was then.
  /// The restored practice has the restoring on record. Its audit log goes on under the key beside `path`, if it was made
  /// with it; else that key is kept beside what was there.
  public static func restore(
    _ operation: RestoreBackup, at path: String, models: ModelDirectory, by actor: Actor, now: Timestamp
  ) throws -> RestoreReport {
    // What can be opened says who may replace it; what can't is anybody's who may write it.
    if Practice.People.isClosed(at: path), try !Practice.open(at: path, models: models, access: .read).admits(actor) {
      throw PracticeError.notSignedIn(RestoreBackup.name, RestoreBackup.permission)
    }
    guard actor.role.may(RestoreBackup.permission) else {
      throw PracticeError.notPermitted(RestoreBackup.name, RestoreBackup.permission, to: actor)
    }
    return try restore(
      operation.backup, to: path, models: models, replacesNewer: operation.replacesNewer, isDryRun: operation.isDryRun,
      actor: actor, now: now)
  }

  static func restore(
    _ backup: String, to path: String, models: ModelDirectory, replacesNewer: Bool = false, isDryRun: Bool = false,
    actor: Actor = .local, now: Timestamp
  ) throws -> RestoreReport {
    guard FileBytes.count(of: backup) != nil else {
      throw PracticeError(.notFound, "there is no file '\(backup)' to restore")
    }
    guard !FileBytes.areSame(backup, path) else {
      throw PracticeError(.invalidArgument, "'\(backup)' is the practice file itself")
    }
    // Its last changes may lie in the log, which a copy of the file alone would leave behind.
    guard (FileBytes.count(of: backup + "-wal") ?? 0) == 0 else {
      throw PracticeError(
        .locked, "'\(backup)' has a log beside it: it is a practice file in use, and no backup",
        hint: "Maybe make one of it: vetnet backup FILE --practice '\(backup)'")
    }
    if let obstacle = FileRights.creationObstacle(path) { throw obstacle }
    let prepared: Restore.Prepared
    do {
      prepared = try Restore.prepare(backup, for: path, at: now)
    } catch {
      throw words(for: error, backup, path)
    }
    let there = try replaced(path, by: prepared.state, backup: backup, replacesNewer: replacesNewer)
    let proof = prepared.backup
    let behind = there.map { max(0, $0.changeNumber - prepared.state.changeNumber) }
    guard !isDryRun else {
      return RestoreReport(
        backup: proof.file, practice: path, digest: proof.digest.hexadecimal, records: proof.recordCount, kept: nil,
        changesBehind: behind, restored: false)
    }
    let keptName =
      "\(path).before-restore-\(backupName(at: now).dropFirst("practice-".count).dropLast(".vetnet".count))"
    let kept: String?
    let key = AuditKey(practice: path)
    do {
      try record(proof, in: prepared.open(), key: key, setAside: keptName, by: actor, at: now)
      kept = try Restore.put(prepared, at: path, keeping: keptName)
    } catch {
      key.putBack()
      throw words(for: error, backup, path)
    }
    let result = try Practice.open(at: path, models: models, access: .read).integrity.verify()
    guard result.ok else {
      let failed = result.checks.flatMap(\.failed).prefix(3).joined(separator: "; ")
      throw PracticeError(
        .integrity, "'\(path)' was restored and is not what it was when it was checked: \(failed)",
        hint: kept.map { "What was there before is kept: \($0)" } ?? "Maybe the disk fails; use another.")
    }
    return RestoreReport(
      backup: proof.file, practice: path, digest: proof.digest.hexadecimal, records: proof.recordCount, kept: kept,
      changesBehind: behind, restored: true)
  }

  /// The state of what the backup is to replace; nil where nothing is there that can be read.
  private static func replaced(
    _ path: String, by state: FileState, backup: String, replacesNewer: Bool
  ) throws -> FileState? {
    guard (FileBytes.count(of: path) ?? 0) > 0 else { return nil }
    let there: FileState
    do {
      there = try FileState(path: path, isStill: false)
    } catch let error where [.busy, .keyNeeded].contains(error.code) {
      throw PracticeError(error, path: path)
    } catch {
      // Damaged, most likely: why somebody restores. It is kept as it is.
      return nil
    }
    guard !replacesNewer else { return there }
    guard there.isOfSamePractice(as: state) else {
      throw PracticeError(
        .failed, "'\(path)' is another practice's than '\(backup)', and was left alone",
        hint: "--replace-newer restores all the same, and keeps what is there beside it.")
    }
    guard there.changeNumber <= state.changeNumber else {
      let latest = there.latestNote.map { ", its latest note is of \(PracticeTimeZone.current.describe($0))" } ?? ""
      throw PracticeError(
        .failed,
        "'\(path)' is newer: it holds \(there.changeNumber - state.changeNumber) changes that '\(backup)' doesn't\(latest)",
        hint: "--replace-newer restores all the same, and keeps what is there beside it.")
    }
    return there
  }

  /// What is on record in the restored file: that it was restored, from what, and that the backup was good.
  private static func record(
    _ proof: ProvenBackup, in connection: Connection, key: AuditKey, setAside kept: String, by actor: Actor,
    at now: Timestamp
  ) throws {
    // The key of another practice, or of another life of this one, would find nothing authentic.
    if try connection.audit.isForeign(to: key) { key.setAside(beside: kept) }
    try connection.mixedTransaction {
      try connection.backups.append(proof)
      // Who was signed in then need not be now.
      try connection.sessions.endAll()
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let details = RestoreDetails(digest: proof.digest.hexadecimal, records: proof.recordCount)
      try connection.audit.append(
        AuditEntry(
          .change, at: now, actor: actor.name, role: actor.role.rawValue, operation: RestoreBackup.name,
          details: String(decoding: try encoder.encode(details), as: UTF8.self)), key: key)
    }
    key.settle()
    try connection.checkpoint()
  }

  private struct RestoreDetails: Encodable {
    let digest: String
    let records: Int
  }

  /// Why nothing was restored, in words of who wanted it.
  private static func words(for error: any Error, _ backup: String, _ path: String) -> any Error {
    switch error {
    case let flaw as Backup.Flaw:
      let problems = flaw.problems.prefix(5).joined(separator: "; ") + (flaw.problems.count > 5 ? "; …" : "")
      return PracticeError(
        .integrity,
        "'\(backup)' is not what was written, or its disk fails to read it, and was not restored: \(problems)",
        hint: "Maybe restore an earlier backup; '\(path)' was left alone.")
    case let error as StoreError where error.code == .diskFull:
      return PracticeError(
        .failed, "the disk is full, or refuses to be written; nothing was restored: \(error.context)",
        hint: "Restoring needs room for the backup, and for what is there now, beside '\(path)'.")
    case let error as StoreError where error.code == .busy:
      return PracticeError(
        .locked, "'\(path)' is held by another process; nothing was restored", hint: "Maybe end it and try again.")
    case let error as StoreError where [.cannotOpen, .notFound].contains(error.code):
      return PracticeError(.failed, "nothing was restored: \(error.context)")
    case let error as StoreError: return PracticeError(error, path: backup)
    default: return error
    }
  }
}
