package import Clinical
import FoundationEssentials
import Glibc
import Store

/// A backup that was made and proven.
public struct BackupReport: Encodable, Sendable {
  /// The whole path.
  public let file: String
  /// BLAKE2b-256 of the file's bytes, as `b2sum -l 256` prints it; nil for a dry run.
  public let digest: String?
  public let bytes: Int?
  public let records: Int?
  /// When it was proven, in the practice's time; nil for a dry run.
  public let provenAt: String?
  /// Whether it needs a key to be opened.
  public let encrypted: Bool
  /// Older backups that were deleted for it.
  public let removed: [String]

  private enum CodingKeys: String, CodingKey {
    case file, digest, bytes, records, removed, encrypted
    case provenAt = "proven_at"
  }

  public var lines: [String] {
    guard let digest, let bytes, let records else {
      return ["would back up to \(file)\(encrypted ? ", encrypted" : "")"] + removed.map { "would delete \($0)" }
    }
    return [
      "\(file): \(records) records, \(bytes) bytes\(encrypted ? ", encrypted" : ""); restored beside and found to be what was backed up",
      "BLAKE2b-256 \(digest)",
    ] + removed.map { "deleted \($0)" }
  }
}

extension Practice.File {
  /// Makes a backup of the practice as it is now, while others go on working, and proves it before it takes its place: it is
  /// restored into another file, checked, and compared with the state that was backed up.
  ///
  /// The destination is a file, or a folder, in which the backup is named after `now` (UTC). With a folder, `keep` says how many
  /// backups of this practice stay there: the oldest beyond them are deleted after the new one is proven. `progress` is
  /// called between steps, with pages copied and all.
  ///
  /// - Throws: ``PracticeError``: `integrity` when the practice file, or the copy, is not what was written. Nothing has been
  ///   replaced or deleted then.
  @discardableResult
  package func backup(
    to destination: String, keep: Int? = nil, isEncrypted: Bool = false, isDryRun: Bool = false, now: Timestamp,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> BackupReport {
    let isFolder = Folder.exists(destination)
    if destination.hasSuffix("/"), !isFolder {
      throw PracticeError(.failed, "there is no folder '\(destination)'", hint: "Maybe make it first: mkdir -p")
    }
    if keep != nil, !isFolder {
      throw PracticeError(.invalidArgument, "--keep needs a folder for the backups, and '\(destination)' is none")
    }
    let folder =
      isFolder ? FilePath.folder(of: FilePath.absolute(destination + "/x")) : FilePath.folder(of: destination)
    let file = FilePath.absolute(isFolder ? "\(folder)/\(Self.backupName(at: now))" : destination)
    try refuseToReplace(file)
    let cover = try backupCover(isEncrypted: isEncrypted)
    guard !isDryRun else {
      return BackupReport(
        file: file, digest: nil, bytes: nil, records: nil, provenAt: nil, encrypted: isEncrypted || isEncryptedFile,
        removed: try reporting { try outdated(in: folder, keep: keep, new: file) })
    }
    let made: Backup.Made
    do {
      made = try Backup.make(of: connection, in: folder, cover: cover) { done, total in
        try continueUnlessStopped()
        progress(done, total)
      }
    } catch {
      throw Self.words(for: error, practice: path, backup: file)
    }
    let proof = ProvenBackup(
      provenAt: now, file: file, digest: made.digest, byteCount: made.byteCount, recordCount: made.recordCount,
      changeNumber: made.state.changeNumber)
    do {
      try made.put(at: file)
    } catch {
      throw Self.words(for: error, practice: path, backup: file)
    }
    do {
      try reporting { try connection.backups.append(proof) }
    } catch let error as PracticeError {
      throw error.adding("the backup '\(file)' is made and proven, but not on record here")
    }
    var removed: [String] = []
    for old in try reporting({ try outdated(in: folder, keep: keep, new: file) }) {
      do {
        try Folder.remove(old)
      } catch {
        throw PracticeError(
          .failed, "the backup '\(file)' is made and proven, but an older one can't be deleted: \(error.context)")
      }
      try reporting { try connection.backups.markRemoved(file: old, at: now) }
      removed.append(old)
    }
    return BackupReport(
      file: file, digest: proof.digest.hexadecimal, bytes: proof.byteCount, records: proof.recordCount,
      provenAt: timeZone.iso8601(now), encrypted: isEncrypted || isEncryptedFile, removed: removed)
  }

  /// `practice-20261123-183000.vetnet`, in UTC: names sort as their times do, when the clocks go back too.
  static func backupName(at moment: Timestamp) -> String {
    let text = PracticeTimeZone.utc.iso8601(moment).prefix(19).filter { $0 != "-" && $0 != ":" }
    return "practice-\(text.replacing("T", with: "-")).vetnet"
  }

  /// Only an older backup of the same practice is replaced.
  private func refuseToReplace(_ file: String) throws {
    guard !FileBytes.areSame(file, path) else {
      throw PracticeError(.invalidArgument, "'\(file)' is the practice file itself")
    }
    guard FileBytes.count(of: file) != nil else {
      if let obstacle = FileRights.creationObstacle(file) { throw obstacle }
      return
    }
    let known: FileState
    do {
      known = try FileState(path: file, isStill: true)
    } catch {
      throw PracticeError(
        .failed, "'\(file)' is no backup that can be read, and was left alone", hint: "Maybe name another file.")
    }
    let own = try reporting { try connection.fileState() }
    guard known.isOfSamePractice(as: own) else {
      throw PracticeError(
        .failed, "'\(file)' is of another practice, and was left alone", hint: "Maybe name another file.")
    }
    guard known.changeNumber <= own.changeNumber else {
      throw PracticeError(
        .failed,
        "'\(file)' holds \(known.changeNumber - own.changeNumber) changes more than '\(path)', and was left alone",
        hint: "Maybe name another file, or bring it back: vetnet restore.")
    }
    guard (FileBytes.count(of: file + "-wal") ?? 0) == 0 else {
      throw PracticeError(.locked, "'\(file)' is in use as a practice file, and was left alone")
    }
  }

  /// The backups that `keep` leaves no place for: of those that this practice has made, are named as it names them, and lie in
  /// the folder.
  private func outdated(in folder: String, keep: Int?, new: String) throws(StoreError) -> [String] {
    guard let keep else { return [] }
    let own = Set(try connection.backups.kept().map { FilePath.name(of: $0.file) })
    let others = Folder.names(in: folder).filter { own.contains($0) && Self.isBackupName($0) }
      .map { "\(folder)/\($0)" }.filter { $0 != new }
    return Array(others.sorted(by: >).dropFirst(max(0, keep - 1)))
  }

  private static func isBackupName(_ name: String) -> Bool {
    name.wholeMatch(of: /practice-\d{8}-\d{6}\.vetnet/) != nil
  }

  /// Why no backup was made, in words of who wanted one.
  private static func words(for error: any Error, practice path: String, backup file: String) -> any Error {
    switch error {
    case let flaw as Backup.Flaw:
      let problems = flaw.problems.prefix(5).joined(separator: "; ") + (flaw.problems.count > 5 ? "; …" : "")
      return flaw.isOfSource
        ? PracticeError(
          .integrity,
          "'\(path)' is not as it was written, or its disk fails to read it, so that a backup of it would be worth nothing: \(problems)",
          hint: "Maybe look: vetnet doctor. Earlier backups are left alone.")
        : PracticeError(
          .integrity, "the backup that was made is not what was backed up, and is not kept: \(problems)",
          hint: "Maybe the disk of '\(file)' fails; use another.")
    case let error as StoreError where [.diskFull, .cannotOpen, .notFound].contains(error.code):
      if error.code == .cannotOpen, let obstacle = FileRights.creationObstacle(file) { return obstacle }
      return PracticeError(
        .failed,
        "no backup was made: \(error.code == .diskFull ? "the disk is full, or refuses to be written; " : "")\(error.context)",
        hint: "Maybe free some space, or use another disk; earlier backups are left alone.")
    case let error as StoreError: return PracticeError(error, path: path)
    default: return error
    }
  }
}
