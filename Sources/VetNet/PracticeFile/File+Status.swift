package import Clinical
import Glibc
import Store
import Vectorization

/// What a practice file holds and how fresh its index is.
public struct Status: Encodable, Sendable {
  public struct Index: Encodable, Sendable {
    public let chunks: Int
    public let facts: Int
    /// Notes that the index lacks.
    public let staleNotes: Int
    public let failedNotes: Int
    public let model: String
    public let modelChecksum: String
    /// Whether today's rules made it.
    public let isCurrent: Bool
    /// How much of what the latest passages say the model has learned words for, 0...1, by the words' weight; nil without
    /// passages. Searches lean on the words themselves as far as it lacks.
    public let knownShare: Double?

    /// Below it, training on the practice's own notes is worth its time.
    public static let enoughKnown = 0.85

    private enum CodingKeys: String, CodingKey {
      case chunks, facts, model
      case staleNotes = "stale_notes"
      case failedNotes = "failed_notes"
      case modelChecksum = "model_checksum"
      case isCurrent = "is_current"
      case knownShare = "known_share"
    }
  }

  public struct Backup: Encodable, Sendable {
    /// In the practice's time.
    public let provenAt: String
    public let file: String
    /// Whether the file is where it was; a disk that is kept elsewhere isn't.
    public let isThere: Bool
    /// BLAKE2b-256 of the file.
    public let digest: String
    public let records: Int
    /// How many changes were made since.
    public let changesSince: Int

    private enum CodingKeys: String, CodingKey {
      case file, digest, records
      case provenAt = "proven_at"
      case isThere = "is_there"
      case changesSince = "changes_since"
    }
  }

  public let file: String
  public let name: String?
  public let timeZone: String
  public let clients: Int
  public let patients: Int
  public let notes: Int
  public let intakes: Int
  public let appointments: Int
  public let conflicts: Int
  /// Nil before anything was indexed.
  public let index: Index?
  public let runningJob: String?
  /// The last backup that was restored beside and compared; nil before there was one.
  public let lastBackup: Backup?
  /// Where a backup goes when nobody names a place: where the last one is, or a folder beside the practice file.
  public let backupFolder: String
  /// Whether no backup was proven for a week.
  public let isBackupDue: Bool
  public let features: [FeatureState]
  /// What opens the file; nil where anybody can who can read it.
  public let encryption: Encryption?
  public let version: String

  private enum CodingKeys: String, CodingKey {
    case file, name, clients, patients, notes, intakes, appointments, conflicts, index, version, features, encryption
    case timeZone = "time_zone"
    case runningJob = "running_job"
    case lastBackup = "last_backup"
    case isBackupDue = "backup_due"
    case backupFolder = "backup_folder"
  }

  /// Labels and values for a person.
  public var rows: [(label: String, value: String)] {
    var rows = [("file", file), ("encrypted", encryption?.description ?? "no"), ("time zone", timeZone)]
    if let name { rows.insert(("practice", name), at: 0) }
    rows += [
      ("clients", "\(clients)"), ("patients", "\(patients)"), ("notes", "\(notes)"), ("intakes", "\(intakes)"),
      ("appointments", conflicts > 0 ? "\(appointments), \(conflicts) in conflict" : "\(appointments)"),
    ]
    if let index {
      rows.append(
        (
          "index",
          "\(index.chunks) chunks, \(index.facts) facts, \(index.staleNotes) notes stale, \(index.failedNotes) failed"
        ))
      let known = index.knownShare.map { ", knows \(Int(($0 * 100).rounded())) % of the latest notes" } ?? ""
      rows.append(("model", "\(index.model) (\(index.modelChecksum.prefix(12)))\(known)"))
    } else {
      rows.append(("index", "none yet"))
    }
    if let lastBackup {
      let since = lastBackup.changesSince == 0 ? "nothing changed since" : "\(lastBackup.changesSince) changes since"
      rows.append(
        (
          "last proven backup",
          "\(lastBackup.provenAt), \(lastBackup.file)\(lastBackup.isThere ? "" : " (not there now)"), \(since)"
        ))
    } else {
      rows.append(("last proven backup", "none yet"))
    }
    let off = features.filter { !$0.isOn && Feature(rawValue: $0.name)?.isOnAtFirst == true }.map(\.name)
    if !off.isEmpty { rows.append(("switched off", off.joined(separator: ", "))) }
    let shared = features.filter { $0.isOn && Feature(rawValue: $0.name)?.isOnAtFirst == false }.map(\.name)
    if !shared.isEmpty { rows.append(("may leave this practice", shared.joined(separator: ", "))) }
    if let runningJob { rows.append(("running", runningJob)) }
    rows.append(("vetnet", version))
    return rows
  }

  /// What to do next, where there is anything.
  public var hints: [String] {
    var hints: [String] = []
    if isBackupDue {
      hints.append(
        "no backup was proven for \(Practice.File.backupDays) days\(lastBackup == nil ? "" : " or more"): vetnet backup FOLDER --keep 14"
      )
    }
    if patients == 0 { hints.append("nothing is imported yet: vetnet import PATH") }
    guard let index else { return notes > 0 ? hints + ["nothing is indexed yet: vetnet reindex"] : hints }
    if !index.isCurrent {
      hints.append("the index was made by other rules than today's: vetnet reindex")
    } else if index.staleNotes > 0 {
      hints.append("\(index.staleNotes) notes are not indexed: vetnet reindex")
    }
    if index.failedNotes > 0 {
      hints.append("\(index.failedNotes) notes could not be indexed: vetnet reindex --all lists them")
    }
    if let known = index.knownShare, known < Index.enoughKnown, index.chunks >= Practice.File.enoughForTraining {
      hints.append(
        "the model knows \(Int((known * 100).rounded())) % of what the latest notes say: vetnet reindex --train")
    }
    return hints
  }
}

extension Practice.File {
  /// Counts, the index and its model, a job that is under way, and the last proven backup, which is found to be due at `now`.
  package func status(now: Timestamp) throws -> Status {
    try reading {
      let backup = try connection.backups.kept().first
      return Status(
        file: path, name: try connection.settings.value(Setting.name), timeZone: timeZone.identifier,
        clients: try connection.clients.count(), patients: try connection.patients.count(),
        notes: try connection.notes.count(), intakes: try connection.intakes.count(),
        appointments: try connection.appointments.count(), conflicts: try connection.appointments.conflicts().count,
        index: try indexStatus(),
        runningJob: try connection.jobs.running(kind: "reindex").map { job in
          let holder = job.holder.map { "process \($0.process) on \($0.host)" } ?? "another process"
          let progress = "since \(timeZone.iso8601(job.startedAt)), \(job.doneCount) of \(job.totalCount ?? 0)"
          let isGone = job.holder?.isGone ?? true
          return isGone
            ? "\(job.kind) \(progress), but \(holder) is gone: go on with vetnet reindex --resume"
            : "\(job.kind) by \(holder) \(progress)"
        },
        lastBackup: try backup.map(backupStatus), backupFolder: backupFolder(after: backup),
        isBackupDue: try isBackupDue(backup, now: now),
        features: try practice.settings.featureStates(),
        encryption: try connection.sealing().map(Status.Encryption.init),
        version: VetNetVersion.current)
    }
  }

  /// A reminder comes when so many days have gone by without a proven backup.
  static let backupDays = 7

  /// Where the last backup is, if that is still there, or a folder of its own beside the practice file.
  private func backupFolder(after last: ProvenBackup?) -> String {
    if let last, FileBytes.count(of: last.file) == last.byteCount { return FilePath.folder(of: last.file) }
    return ownBackupFolder
  }

  private var ownBackupFolder: String { FilePath.folder(of: FilePath.absolute(path)) + "/backups" }

  /// The folder for backups when nobody names a place, made where it isn't there yet.
  ///
  /// - Returns: the folder, and how many backups stay there: in one that somebody chose, all.
  func readyBackupFolder(isDryRun: Bool) throws -> (folder: String, keep: Int?) {
    let folder = backupFolder(after: try reporting { try connection.backups.kept().first })
    if folder == ownBackupFolder, !Folder.exists(folder), !isDryRun {
      guard mkdir(folder, 0o700) == 0 else {
        throw FileRights.creationObstacle(folder + "/x")
          ?? PracticeError(.failed, "can't make the folder '\(folder)' for backups")
      }
    }
    return (folder, folder == ownBackupFolder ? Self.ownBackups : nil)
  }

  private static let ownBackups = 14

  private func backupStatus(_ backup: ProvenBackup) throws -> Status.Backup {
    Status.Backup(
      provenAt: timeZone.describe(backup.provenAt), file: backup.file,
      isThere: FileBytes.count(of: backup.file) == backup.byteCount, digest: backup.digest.hexadecimal,
      records: backup.recordCount,
      changesSince: max(0, try connection.fileState().changeNumber - backup.changeNumber))
  }

  /// A practice without a backup is reminded from a week after it began.
  private func isBackupDue(_ last: ProvenBackup?, now: Timestamp) throws -> Bool {
    guard try connection.patients.count() > 0 || connection.notes.count() > 0 else { return false }
    let created = try connection.settings.value(Setting.createdAt).flatMap { Int64($0) }.map(Timestamp.init(seconds:))
    guard let since = last?.provenAt ?? created else { return true }
    return now >= since.adding(days: Self.backupDays)
  }

  private func indexStatus() throws -> Status.Index? {
    guard let live = try connection.generations.live(), let model = try connection.models.model(row: live.modelRowID)
    else { return nil }
    return Status.Index(
      chunks: live.chunkCount, facts: live.factCount, staleNotes: try connection.notes.standingCount() - live.noteCount,
      failedNotes: try connection.chunks.failures(generation: live.rowID).count, model: model.name,
      modelChecksum: model.checksum.hexadecimal, isCurrent: live.rulesVersion == (try practice.index.rulesVersion()),
      knownShare: try knownShare(in: live))
  }

  /// Fewer passages than this are too few to learn from.
  static let enoughForTraining = 1000

  /// The share of term weight that the model knows, over the latest passages.
  ///
  /// - Formula: Σ count · idf over terms with a row in the projection, by the same sum over all; a term without a row has the idf
  ///   of one never seen in training, as in a question's vector.
  private func knownShare(in generation: Generation) throws -> Double? {
    let terms = try connection.chunks.recentTerms(generation: generation.rowID, chunks: 1000)
    let vectorizer = try IndexModel(stored: generation.modelRowID, in: connection).vectorizer
    return try vectorizer.knownWeightShare(of: terms)
  }
}
